// Numbers and times as people read them.

/** @param {number | undefined | null} bytes */
export function bytes(bytes) {
  if (bytes === undefined || bytes === null) return "–";
  if (bytes >= 1e12) return `${(bytes / 1e12).toFixed(2)} TB`;
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(bytes >= 1e11 ? 0 : 1)} GB`;
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`;
  return `${Math.round(bytes / 1e3)} kB`;
}

/** @param {number} perSecond */
export function bits(perSecond) {
  const bits = perSecond * 8;
  if (bits >= 1e9) return `${(bits / 1e9).toFixed(bits >= 1e11 ? 0 : 1)} Gb/s`;
  if (bits >= 1e6) return `${(bits / 1e6).toFixed(bits >= 1e7 ? 0 : 1)} Mb/s`;
  return `${Math.round(bits / 1e3)} kb/s`;
}

/** @param {number} us */
export function micros(us) {
  if (us >= 10_000) return `${(us / 1000).toFixed(0)} ms`;
  if (us >= 1000) return `${(us / 1000).toFixed(1)} ms`;
  return `${us < 10 ? us.toFixed(1) : Math.round(us)} µs`;
}

/** @param {number | null | undefined} ms */
export function millis(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms >= 60_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms)} ms`;
}

/** @param {number} value */
export function rate(value) {
  if (value >= 1000) return Math.round(value).toLocaleString("en");
  if (value >= 100 || value === 0) return String(Math.round(value));
  return value.toFixed(1);
}

/** @param {number} count */
export function count(count) {
  return count.toLocaleString("en");
}

/** @param {number} share */
export function percent(share) {
  return `${Math.round(share * 100)}%`;
}

/** @param {number} unixMs */
export function clock(unixMs) {
  const at = new Date(unixMs);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** @param {number} unixMs @param {number} now */
export function ago(unixMs, now) {
  const s = Math.max(0, Math.round((now - unixMs) / 1000));
  if (s < 5) return "just now";
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`;
  return `${Math.floor(s / 86_400)} d ago`;
}

const TRANSPORTS = /** @type {Record<string, string>} */ ({ shm: "shared memory", tcp: "TCP", verbs: "RDMA", mem: "in process" });

/** The kind of a link: `tcp` of `tcp, encrypted`. @param {string} transport */
export function kind(transport) {
  return transport.toLowerCase().split(/[^a-z]/)[0];
}

/** @param {string} transport */
export function transport(transport) {
  const own = kind(transport);
  return (TRANSPORTS[own] ?? own) + transport.slice(own.length);
}
