// Models: what is loaded where, what could be, what is on its way.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { feed } from "./feed.js";
import { bytes, count, percent, rate } from "./format.js";
import { hue, onDevice } from "./topology.js";
import { say } from "./say.js";

/** @typedef {import("./types").State} State */

/** @type {{ model: string, plan?: import("./types").Preview, failed?: string } | null} */
let preview = null;
/** @type {Set<string>} */
const loading = new Set();
/** @type {Map<string, string>} */
const failures = new Map();
let pullName = "";
let pullFailed = "";

/** @param {State} state @param {() => void} redraw @param {(model: string) => void} chat */
export function modelsView(state, redraw, chat) {
  const loaded = new Set(state.instances.map((instance) => instance.model));
  return [
    h("h1", { class: "unseen" }, "Models"),
    h("section", { class: "panel" }, h("h2", null, "Loaded"),
      state.instances.length === 0 && h("p", { class: "empty" }, "None. A model is loaded when it is first asked for, or below."),
      h("div", { class: "instances" }, state.instances.map((instance) => card(instance, redraw, chat)))),
    h("section", { class: "panel" }, h("h2", null, "On disk"),
      state.models.length === 0 ? h("p", { class: "empty" }, "None yet: pull one below.") : h("div", { class: "scroll" }, h("table", { class: "shelf" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "Model"), h("th", { scope: "col", class: "number" }, "Size"), h("th", { scope: "col", class: "wide" }, "On"), h("th", { scope: "col" }, h("span", { class: "unseen" }, "Actions")))),
        h("tbody", null, state.models.flatMap((model) => [
          h("tr", { key: model.name },
            h("td", null, h("span", { class: `swatch hue-${hue(model.name)}` }), model.name),
            h("td", { class: "number" }, bytes(model.bytes)),
            h("td", { class: "wide" }, model.nodes.join(", ")),
            h("td", { class: "actions" }, loaded.has(model.name)
              ? h("span", { class: "badge good" }, "loaded")
              : loading.has(model.name) ? h("span", { class: "badge" }, "loading…")
              : h("button", { onclick: () => look(model.name, redraw), "aria-expanded": String(preview?.model === model.name) }, "Load…"))),
          preview?.model === model.name && h("tr", { key: `${model.name} preview`, class: "preview" }, h("td", { colspan: 4 }, planned(state, redraw))),
          failures.has(model.name) && h("tr", { key: `${model.name} failed` }, h("td", { colspan: 4, class: "failed", role: "alert" }, failures.get(model.name))),
        ]))))),
    pulls(redraw),
  ];
}

/** @param {import("./types").InstanceFacts} instance @param {() => void} redraw @param {(model: string) => void} chat */
function card(instance, redraw, chat) {
  const state = instance.state ?? "loading";
  const done = instance.ranks.reduce((sum, rank) => sum + (rank.loaded_bytes ?? 0), 0), all = instance.ranks.reduce((sum, rank) => sum + (rank.total_bytes ?? 0), 0);
  const whole = instance.ranks.reduce((sum, rank) => sum + rank.bytes, 0);
  const ready = state === "ready";
  return h("article", { key: `${instance.model}${instance.instance}${instance.generation}`, class: "instance" },
    h("header", null, h("span", { class: `swatch hue-${hue(instance.model)}` }), h("h3", null, instance.model + (instance.instance ? ` #${instance.instance + 1}` : "")),
      h("span", { class: `badge ${ready ? "good" : state.startsWith("failed") ? "bad" : ""}` }, ready ? "ready" : state.startsWith("failed") ? "failed" : all ? `loading ${percent(done / all)}` : "loading")),
    !ready && all > 0 && h("progress", { max: all, value: done, "aria-label": `loading ${instance.model}` }),
    state.startsWith("failed") && h("p", { class: "failed" }, state.slice(8)),
    h("p", { class: "note" }, [bytes(whole), instance.context && `context ${count(instance.context)}`, `${instance.requests ?? 0} ${instance.requests === 1 ? "request" : "requests"}`].filter(Boolean).join(" · ")),
    shares(instance.ranks.map((rank) => ({ node: rank.node, bytes: rank.bytes, model: instance.model, note: [onDevice(rank), bytes(rank.bytes)].filter(Boolean).join(" · ") }))),
    h("footer", null,
      h("button", { onclick: () => chat(instance.model), disabled: !ready }, "Chat"),
      h("button", { class: "quiet", onclick: () => unload(instance.model, redraw) }, "Unload")),
    failures.has(`unload ${instance.model}`) && h("p", { class: "failed", role: "alert" }, failures.get(`unload ${instance.model}`)));
}

/** @param {{ node: string, bytes: number, model: string, note?: string }[]} parts */
function shares(parts) {
  const most = Math.max(...parts.map((part) => part.bytes), 1);
  return h("ul", { class: "shares" }, parts.map((part, index) => h("li", { key: `${index}${part.node}` },
    h("span", { class: "name" }, part.node),
    h("span", { class: "bar" }, h("span", { class: `hue-${hue(part.model)}`, style: { width: `${(100 * part.bytes) / most}%` } })),
    h("span", { class: "amount" }, part.note ?? bytes(part.bytes)))));
}

/** @param {string} model @param {() => void} redraw */
async function look(model, redraw) {
  if (preview?.model === model) {
    preview = null;
    return redraw();
  }
  failures.delete(model);
  preview = { model };
  redraw();
  try {
    preview = { model, plan: await ask("/tandem/preview", { model }) };
  } catch (error) {
    // A server of one machine has nothing to choose.
    preview = { model, failed: /** @type {any} */ (error).status === 404 ? undefined : /** @type {Error} */ (error).message };
    if (preview.failed === undefined) {
      preview = null;
      return load(model, redraw);
    }
  }
  redraw();
}

/** @param {State} state @param {() => void} redraw */
function planned(state, redraw) {
  if (!preview) return null;
  const { model, plan, failed } = preview;
  const close = () => {
    preview = null;
    redraw();
  };
  if (failed) return h("div", { class: "plan" }, h("p", { class: "failed", role: "alert" }, failed), h("p", null, h("button", { class: "quiet", onclick: close }, "Close")));
  if (!plan) return h("p", { class: "note" }, "Planning…");
  const over = plan.ranks.length === 1 ? `on ${plan.ranks[0].node} alone` : plan.stages === 1 ? `every layer divided among ${plan.ranks.length} nodes` : plan.stages === plan.ranks.length ? `layers divided among ${plan.ranks.length} nodes` : `${plan.stages} stages over ${plan.ranks.length} nodes`;
  return h("div", { class: "plan" },
    h("p", null, h("strong", null, `About ${rate(plan.tokens_per_s)} tokens/s`), ` for one conversation, context ${count(plan.context)}, ${over}.`),
    shares(plan.ranks.map((rank) => ({ node: rank.node, bytes: rank.bytes, model, note: `${bytes(rank.bytes)} · ${plan.stages > 1 ? `layers ${rank.layers[0]}–${rank.layers[1] - 1}` : percent(rank.share)}` }))),
    plan.devices?.some((device) => !device.endsWith(": cpu")) && h("p", { class: "note" }, `Computes on ${plan.devices.join(", ")}.`),
    h("p", { class: "actions" }, h("button", { class: "main", onclick: () => load(model, redraw) }, "Load"), h("button", { class: "quiet", onclick: close }, "Cancel")));
}

/** @param {string} model @param {() => void} redraw */
async function load(model, redraw) {
  preview = null;
  loading.add(model);
  failures.delete(model);
  redraw();
  try {
    await ask("/tandem/load", { model });
    say(`${model} is loaded`);
  } catch (error) {
    failures.set(model, /** @type {Error} */ (error).message);
  }
  loading.delete(model);
  redraw();
}

/** @param {string} model @param {() => void} redraw */
async function unload(model, redraw) {
  const key = `unload ${model}`;
  failures.delete(key);
  try {
    await ask("/tandem/unload", { model });
    say(`${model} is unloaded`);
  } catch (error) {
    failures.set(key, /** @type {Error} */ (error).message);
  }
  redraw();
}

/** @param {() => void} redraw */
function pulls(redraw) {
  const begin = /** @param {Event} event */ async (event) => {
    event.preventDefault();
    const model = pullName.trim();
    if (!model) return;
    pullFailed = "";
    try {
      await ask("/tandem/pull", { model });
      pullName = "";
    } catch (error) {
      pullFailed = /** @type {Error} */ (error).message;
    }
    redraw();
  };
  return h("section", { class: "panel" }, h("h2", null, "Pull"),
    h("form", { class: "row", onsubmit: begin },
      h("label", { class: "unseen", for: "pull" }, "A model to pull"),
      h("input", { id: "pull", type: "text", placeholder: "smollm2, or org/name:Q4_K_M", autocomplete: "off", spellcheck: "false", value: pullName, oninput: /** @param {any} event */ (event) => (pullName = event.target.value) }),
      h("button", { class: "main", type: "submit" }, "Pull")),
    h("p", { class: "note" }, "A name from the catalogue or of the hub. It comes once for the whole cluster, and goes on when this page is closed."),
    pullFailed && h("p", { class: "failed", role: "alert" }, pullFailed),
    h("ul", { class: "pulls" }, Object.entries(feed.activity.pulls ?? {}).map(([model, pull]) => h("li", { key: model },
      h("span", { class: "name" }, model),
      pull.failed ? h("span", { class: "failed" }, pull.failed) : pull.done ? h("span", { class: "badge good" }, "here") : h("span", { class: "note" }, pull.file ? `${pull.file} · ${bytes(pull.have_bytes)} of ${bytes(pull.total_bytes)}` : (pull.note ?? "")),
      !pull.done && !pull.failed && h("progress", { max: pull.total_bytes || undefined, value: pull.total_bytes ? pull.have_bytes : undefined, "aria-label": `pulling ${model}` }),
      h("button", { class: "quiet", onclick: () => ask(`/tandem/pull/${model}`, undefined, "DELETE").catch(() => {}) }, pull.done || pull.failed ? "Dismiss" : "Stop")))));
}
