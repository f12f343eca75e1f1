// What the cluster is and does now.

import { h } from "./dom.js";
import { counts, feed } from "./feed.js";
import { ago, bytes, clock, count, millis, percent, rate } from "./format.js";
import { held, SHOWN, sparkline } from "./chart.js";
import { topology } from "./topology.js";

let width = 0;

/** @param {() => void} redraw */
export function watchWidth(redraw) {
  const view = /** @type {HTMLElement} */ (document.getElementById("view"));
  new ResizeObserver(() => {
    const inner = view.clientWidth - parseFloat(getComputedStyle(view).paddingLeft) - parseFloat(getComputedStyle(view).paddingRight);
    if (Math.round(inner) !== width) {
      width = Math.round(inner);
      redraw();
    }
  }).observe(view);
}

/** @param {import("./types").State} state */
export function clusterView(state) {
  return [
    h("h1", { class: "unseen" }, "Cluster"),
    tiles(state),
    findings(state),
    h("section", { class: "panel stage", "aria-label": "Machines and cables" }, topology(state, width - 34)),
    h("div", { class: "columns" }, requests(state), happenings(state)),
  ];
}

/** @param {import("./types").State} state */
function tiles(state) {
  const shown = feed.samples.slice(-SHOWN);
  // One second is too short to read: the mean of three.
  const recent = shown.slice(-3);
  const speed = recent.length ? recent.reduce((sum, sample) => sum + sample.tokens_per_s, 0) / recent.length : 0;
  const totals = counts();
  const firsts = held(shown.map((sample) => sample.first_token_ms));
  const first = totals.first_tokens > 0 ? (firsts.at(-1) ?? totals.first_token_us / totals.first_tokens / 1000) : null;
  const hits = totals.prompt_tokens > 0 ? totals.cached_tokens / totals.prompt_tokens : null;
  const energy = state.energy;
  // Nodes of one machine share its memory.
  const machines = new Map(state.nodes.filter((node) => state.vitals?.[node.id]).map((node) => [node.machine ?? node.id, /** @type {import("./types").Vitals} */ (state.vitals?.[node.id])]));
  const memory = [...machines.values()].reduce((sum, own) => sum + own.memory_bytes, 0), used = [...machines.values()].reduce((sum, own) => sum + own.memory_used_bytes, 0);
  return h("section", { class: "tiles", "aria-label": "Now" },
    tile("Tokens per second", rate(speed), sparkline(shown.map((sample) => sample.tokens_per_s), { label: "tokens per second over the last two minutes" }), `${count(totals.tokens)} so far`),
    tile("Time to first token", millis(first), sparkline(firsts, { label: "time to first token over the last two minutes" }), totals.first_tokens ? `mean ${millis(totals.first_token_us / totals.first_tokens / 1000)}` : "no answers yet"),
    tile("Requests", String(totals.requests), sparkline(shown.map((sample) => sample.requests), { label: "requests under way over the last two minutes", max: 4 }), totals.waiting ? `${totals.waiting} wait for a first token` : "none waits"),
    tile("Prompt found in cache", hits === null ? "–" : percent(hits), sparkline(held(shown.map((sample) => sample.cached)), { label: "share of prompts found in the cache", max: 1 }), `${count(totals.cached_tokens)} of ${count(totals.prompt_tokens)} tokens`),
    energy
      ? tile("Power", `${Math.round(energy.watts)} W`, sparkline(shown.map((sample) => sample.watts), { label: "watts over the last two minutes" }), energy.tokens_per_joule ? `${energy.tokens_per_joule.toFixed(2)} tokens per joule` : "of what tells its power")
      : tile("Memory", memory ? percent(used / memory) : "–", null, memory ? `${bytes(used)} of ${bytes(memory)}` : "not told"));
}

/** @param {string} name @param {string} value @param {import("./types").Vnode | null} chart @param {string} note */
function tile(name, value, chart, note) {
  return h("div", { class: "tile", key: name }, h("h2", null, name), h("p", { class: "value" }, value), chart, h("p", { class: "note" }, note));
}

/** @param {import("./types").State} state */
function findings(state) {
  const refused = Object.entries(state.refused ?? {});
  const found = (state.findings ?? []).filter((finding) => finding.weight === "bad");
  if (refused.length + found.length === 0) return null;
  return h("section", { class: "findings", "aria-label": "What is not as it should be" },
    refused.map(([model, reason]) => h("article", { key: `refused ${model}`, class: "finding" }, h("h3", null, `${model} is not loaded`), h("p", null, reason))),
    found.map((finding) => h("article", { key: `${finding.node} ${finding.check} ${finding.found}`, class: "finding" },
      h("h3", null, finding.node ? `${finding.node}: ${finding.found}` : finding.found), h("p", null, finding.why), finding.mend && h("p", null, h("code", null, finding.mend)))));
}

/** @param {import("./types").State} state */
function requests(state) {
  const since = feed.heard ? Date.now() - feed.heard : 0;
  const own = feed.activity.requests;
  const elsewhere = counts().requests - feed.activity.counts.requests;
  return h("section", { class: "panel" }, h("h2", null, "Requests under way"),
    own.length === 0
      ? h("p", { class: "empty" }, elsewhere > 0 ? "None on this node." : "None. Point a client at this address, or open the chat.")
      : h("div", { class: "scroll" }, h("table", null,
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "Model"), h("th", { scope: "col" }, "State"), h("th", { scope: "col", class: "number" }, "Prompt"), h("th", { scope: "col", class: "number" }, "Tokens"), h("th", { scope: "col", class: "number" }, "First"), h("th", { scope: "col", class: "number" }, "For"))),
        h("tbody", null, own.map((request) => h("tr", { key: request.id, title: request.id },
          h("td", null, request.model),
          h("td", null, request.first_token_ms === null ? h("span", { class: "badge" }, "waiting") : h("span", { class: "badge good" }, "answering")),
          h("td", { class: "number" }, count(request.prompt_tokens)),
          h("td", { class: "number" }, count(request.tokens)),
          h("td", { class: "number" }, millis(request.first_token_ms)),
          h("td", { class: "number" }, millis(request.for_ms + since))))))),
    elsewhere > 0 && h("p", { class: "note" }, `${elsewhere} more on other nodes.`));
}

/** @param {import("./types").State} state */
function happenings(state) {
  const entries = [...(state.events ?? [])].reverse().slice(0, 40);
  const now = Date.now();
  return h("section", { class: "panel" }, h("h2", null, "What happened"),
    entries.length === 0
      ? h("p", { class: "empty" }, "Nothing since this node was started.")
      : h("ol", { class: "happenings", "aria-live": "polite", "aria-relevant": "additions" }, entries.map((entry) => h("li", { key: `${entry.number ?? ""}${entry.at_unix_ms}${entry.text}` },
        h("span", { class: `dot ${entry.weight}` }), h("span", { class: "what" }, entry.text), h("time", { title: clock(entry.at_unix_ms) }, ago(entry.at_unix_ms, now))))));
}
