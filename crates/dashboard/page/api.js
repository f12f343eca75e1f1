// Calls of this node's API. Beyond this machine it wants a key, which is asked for once and kept in this browser.

const KEY = "tandem.key";

export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @type {((wrong: boolean) => void) | null} */
let keyWanted = null;

/** @param {(wrong: boolean) => void} ask */
export function whenKeyIsWanted(ask) {
  keyWanted = ask;
}

/** @param {string} key */
export function setKey(key) {
  if (key) localStorage.setItem(KEY, key);
  else localStorage.removeItem(KEY);
}

export function hasKey() {
  return localStorage.getItem(KEY) !== null;
}

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown, signal?: AbortSignal }} [options]
 * @returns {Promise<Response>}
 */
export async function call(path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  const key = localStorage.getItem(KEY);
  if (key) headers.authorization = `Bearer ${key}`;
  if (options.body !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(path, {
    method: options.method ?? (options.body === undefined ? "GET" : "POST"),
    headers,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
    cache: "no-store",
  });
  if (answer.status === 401) keyWanted?.(key !== null);
  if (!answer.ok) throw new Refused(answer.status, await reason(answer));
  return answer;
}

/** @param {string} path @param {unknown} [body] @param {string} [method] */
export async function ask(path, body, method) {
  return (await call(path, { body, method })).json();
}

/** @param {Response} answer */
async function reason(answer) {
  const text = await answer.text();
  try {
    const told = JSON.parse(text);
    return told.error?.message ?? told.error ?? text;
  } catch {
    return text || `${answer.status} ${answer.statusText}`;
  }
}

/**
 * The server-sent events of an answer.
 * @param {Response} answer
 * @returns {AsyncGenerator<{ event: string, data: string }>}
 */
export async function* events(answer) {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const block = rest.slice(0, end);
      rest = rest.slice(end + 2);
      let event = "message";
      /** @type {string[]} */
      const data = [];
      for (const line of block.split("\n")) {
        if (line.startsWith("event: ")) event = line.slice(7);
        else if (line.startsWith("data: ")) data.push(line.slice(6));
      }
      yield { event, data: data.join("\n") };
    }
  }
}
