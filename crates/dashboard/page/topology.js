// The machines and the cables between them, drawn as they are.

import { h } from "./dom.js";
import { bits, bytes, kind as kindOf, micros, percent, transport } from "./format.js";

/** @typedef {import("./types").NodeFacts} NodeFacts */
/** @typedef {import("./types").State} State */
/** @typedef {{ a: NodeFacts, b: NodeFacts, link: import("./types").LinkFacts | null, carries: number }} Cable */

const CARD_W = 248;
const CARD_H = 176;
/** Narrower than this, cards stand below each other and cables are listed. */
const NARROW = 620;

/** @param {State} state */
function cables(state) {
  /** @type {Cable[]} */
  const found = [];
  const live = state.nodes;
  live.forEach((a, index) => {
    for (const b of live.slice(index + 1)) {
      const link = a.links.find((link) => link.to === b.name) ?? b.links.find((link) => link.to === a.name) ?? null;
      const carries = state.traffic?.find(({ between }) => between.includes(a.name) && between.includes(b.name))?.bytes_per_s ?? 0;
      found.push({ a, b, link, carries });
    }
  });
  return found;
}

/** @param {number} count @param {number} width */
function places(count, width) {
  const spread = count <= 1 ? 24 : count === 2 ? 64 : count <= 4 ? CARD_H + 96 : CARD_H + 320;
  const rx = Math.min((width - CARD_W) / 2 - 4, count === 2 ? 330 : 430), ry = count === 3 ? (spread - 16) / 1.5 : (spread - 16) / 2;
  const height = CARD_H + spread;
  // Three stand on a triangle, whose middle is not that of its box.
  const middle = count === 3 ? 8 + ry + CARD_H / 2 : height / 2;
  const first = count === 2 ? Math.PI : count === 4 ? -Math.PI * 0.75 : -Math.PI / 2;
  const at = [];
  for (let index = 0; index < count; index++) {
    const angle = first + (2 * Math.PI * index) / count;
    // Four stand at the corners.
    const [x, y] = count === 4 ? [Math.sign(Math.cos(angle)), Math.sign(Math.sin(angle))] : [Math.cos(angle), Math.sin(angle)];
    at.push(count === 1 ? { x: width / 2, y: height / 2 } : { x: width / 2 + rx * x, y: middle + ry * y });
  }
  return { at, height };
}

/**
 * @param {State} state
 * @param {number} width
 */
export function topology(state, width) {
  const nodes = state.nodes;
  const drawn = width >= NARROW;
  const all = cables(state);
  const { at, height } = places(nodes.length, width);
  const cards = nodes.map((node, index) =>
    h("li", { key: node.id, class: "machine-place", style: drawn ? { left: `${at[index].x - CARD_W / 2}px`, top: `${at[index].y - CARD_H / 2}px` } : undefined }, card(node, state)));
  const place = /** @param {NodeFacts} node */ (node) => at[nodes.indexOf(node)];
  return h("div", { class: drawn ? "topology drawn" : "topology", style: drawn ? { height: `${height}px` } : undefined },
    drawn && nodes.length > 1 && h("svg", { class: "cables", "aria-hidden": "true", width, height, viewBox: `0 0 ${width} ${height}` },
      all.map((cable) => drawing(cable, place(cable.a), place(cable.b)))),
    h("ul", { class: "machines", "aria-label": "Machines" }, cards),
    nodes.length > 1 && h("ul", { class: drawn ? "unseen" : "cable-list", "aria-label": "Cables" }, all.map((cable) => h("li", { key: `${cable.a.id}${cable.b.id}` }, told(cable)))));
}

/** @param {Cable} cable */
function told({ a, b, link, carries }) {
  const facts = link ? `${transport(link.transport)}, ${micros(link.round_trip_us)}, ${bits(link.bytes_per_s)}` : "not measured yet";
  return `${a.name} – ${b.name}: ${a.live && b.live ? facts : "out of reach"}${carries ? `, carries ${bits(carries)}` : ""}`;
}

/** @param {Cable} cable @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
function drawing(cable, from, to) {
  const { a, b, link, carries } = cable;
  const up = a.live && b.live;
  const kind = !up ? "down" : link ? kindOf(link.transport) : "unknown";
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const label = !up ? "out of reach" : link ? [transport(link.transport), micros(link.round_trip_us), bits(link.bytes_per_s)] : "not measured yet";
  const lines = Array.isArray(label) ? [label[0], `${label[1]} · ${label[2]}`] : [label];
  if (up && carries) lines.push(`carries ${bits(carries)}`);
  const wide = Math.max(...lines.map((line) => line.length)) * 6.6 + 20, tall = lines.length * 16 + 8;
  const path = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  return h("g", { key: `${a.id}${b.id}`, class: `cable ${kind}` },
    h("path", { class: "cable-line", d: path }),
    // The more goes over it, the faster it flows: from 2 s at 10 kb/s to 0.3 s at 10 Gb/s.
    carries > 0 && up && h("path", { class: "cable-flow", d: path, style: { "animation-duration": `${(2 - 1.7 * Math.min(1, Math.max(0, Math.log10(carries / 1250) / 6))).toFixed(1)}s` } }),
    h("rect", { class: "cable-label", x: middle.x - wide / 2, y: middle.y - tall / 2, width: wide, height: tall, rx: 9 }),
    lines.map((line, index) => h("text", { class: ["cable-kind", "cable-facts", "cable-traffic"][index], x: middle.x, y: middle.y - tall / 2 + 17 + index * 15, "text-anchor": "middle" }, line)));
}

/** @param {NodeFacts} node @param {State} state */
function card(node, state) {
  const vitals = state.vitals?.[node.id];
  const parts = state.instances.flatMap((instance) => instance.ranks.filter((rank) => rank.node === node.name).map((rank) => ({ instance, rank })));
  const held = parts.reduce((sum, { rank }) => sum + rank.bytes, 0);
  const all = vitals?.memory_bytes || node.memory_bytes || 0;
  const used = vitals ? Math.max(vitals.memory_used_bytes, 0) : held;
  const facts = [
    vitals?.busy !== undefined && `${percent(vitals.busy)} busy`,
    vitals?.temperature_c !== undefined && `${Math.round(vitals.temperature_c)} °C`,
    vitals?.watts !== undefined && `${Math.round(vitals.watts)} W`,
  ].filter(Boolean);
  const own = node.id === state.self;
  return h("article", { class: `machine${node.live ? "" : " gone"}` },
    h("header", null,
      h("span", { class: `dot ${node.live ? "good" : "bad"}` }),
      h("h3", null, node.name),
      own && h("span", { class: "badge", title: "The node that serves this page" }, "here"),
      !node.live && h("span", { class: "badge bad" }, "gone")),
    h("p", { class: "hardware" }, [node.cores && (node.cores === 1 ? "1 core" : `${node.cores} cores`), ...(node.devices?.length ? node.devices.map((device) => device.name) : (node.accelerators ?? [])).slice(0, 2)].filter(Boolean).join(" · ") || "\u00a0"),
    all > 0 && h("div", { class: "memory", role: "img", "aria-label": `memory: ${bytes(used)} of ${bytes(all)} used, ${bytes(held)} by models` },
      parts.map(({ instance, rank }) => h("span", { key: `${instance.model}${instance.instance}${rank.rank}`, class: `hue-${hue(instance.model)}`, style: { width: `${(100 * rank.bytes) / all}%` } })),
      h("span", { class: "others", style: { width: `${(100 * Math.max(0, used - held)) / all}%` } })),
    h("p", { class: "facts" }, all > 0 && h("span", null, `${bytes(used)} of ${bytes(all)}`), facts.length > 0 && h("span", null, facts.join(" · "))),
    parts.length > 0
      ? h("ul", { class: "parts", "aria-label": `Parts of models on ${node.name}` }, parts.slice(0, 3).map(({ instance, rank }) =>
        h("li", { key: `${instance.model}${instance.instance}${rank.rank}` },
          h("span", { class: `swatch hue-${hue(instance.model)}` }), h("span", { class: "name" }, instance.model),
          h("span", { class: "amount", title: `part ${rank.rank + 1} of ${instance.ranks.length}` }, [instance.ranks.length > 1 && `${rank.rank + 1}/${instance.ranks.length}`, onDevice(rank), bytes(rank.bytes)].filter(Boolean).join(" · ")))),
      parts.length > 3 && h("li", { class: "more" }, `and ${parts.length - 3} more`))
      : h("p", { class: "idle" }, node.live ? "holds no model" : "not heard any more"));
}

/** Where a part computes, where that is not on cores. @param {import("./types").RankFacts} rank */
export function onDevice(rank) {
  return rank.device && rank.device !== "cpu" ? rank.device : "";
}

/** A colour that stays with a name. @param {string} name */
export function hue(name) {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return sum % 6;
}
