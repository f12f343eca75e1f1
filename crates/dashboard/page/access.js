// Who may join the cluster, and who may call it.

import { ask, hasKey, setKey } from "./api.js";
import { h } from "./dom.js";
import { say } from "./say.js";

/** @typedef {{ id: string, expires_unix_ms: number, revoked: boolean, used: number, uses_max: number }} Token */
/** @typedef {{ name: string, created_unix_s: number, manages: boolean, requests_per_minute: number | null, concurrent: number | null }} Key */

const shown = {
  /** @type {Token[] | null} */
  tokens: null,
  /** @type {Key[] | null} */
  keys: null,
  made: "",
  madeId: "",
  secret: "",
  secretName: "",
  failed: "",
  tokensFailed: "",
  uses: "1",
  hours: "1",
  name: "",
  manages: false,
  removing: "",
  asked: false,
};

/** @param {() => void} redraw */
async function refresh(redraw) {
  const [tokens, keys] = await Promise.allSettled([ask("/tandem/tokens"), ask("/tandem/keys")]);
  shown.tokens = tokens.status === "fulfilled" ? tokens.value.tokens : null;
  shown.tokensFailed = tokens.status === "rejected" ? tokens.reason.message : "";
  shown.keys = keys.status === "fulfilled" ? keys.value.keys : null;
  shown.failed = keys.status === "rejected" ? keys.reason.message : "";
  redraw();
}

/** The view was left: what it showed once is shown no more. */
export function leaveAccess() {
  Object.assign(shown, { made: "", secret: "", asked: false, removing: "" });
}

/** @param {() => void} redraw @param {() => Promise<void>} order @param {"failed" | "tokensFailed"} where */
async function carryOut(redraw, order, where) {
  shown[where] = "";
  try {
    await order();
    await refresh(redraw);
  } catch (error) {
    shown[where] = /** @type {Error} */ (error).message;
    redraw();
  }
}

/** @param {import("./types").State} state @param {() => void} redraw */
export function accessView(state, redraw) {
  if (!shown.asked) {
    shown.asked = true;
    refresh(redraw);
  }
  return [h("h1", { class: "unseen" }, "Access"), h("div", { class: "columns" }, tokens(redraw), keys(redraw)), members(state, redraw), browser(redraw)];
}

/** @param {() => void} redraw */
function tokens(redraw) {
  const now = Date.now();
  const make = /** @param {Event} event */ (event) => {
    event.preventDefault();
    carryOut(redraw, async () => {
      const made = await ask("/tandem/tokens", { uses: Number(shown.uses) || 1, hours: Number(shown.hours) || 1 });
      [shown.made, shown.madeId] = [made.token, made.id];
    }, "tokensFailed");
  };
  const good = (shown.tokens ?? []).filter((token) => !token.revoked && token.expires_unix_ms > now && token.used < token.uses_max);
  return h("section", { class: "panel" }, h("h2", null, "Let a machine join"),
    shown.tokens !== null && h("form", { class: "row", onsubmit: make },
      h("label", null, "Machines", h("input", { type: "number", min: 1, max: 1000, value: shown.uses, oninput: /** @param {any} event */ (event) => (shown.uses = event.target.value) })),
      h("label", null, "Hours", h("input", { type: "number", min: 1, max: 8760, value: shown.hours, oninput: /** @param {any} event */ (event) => (shown.hours = event.target.value) })),
      h("button", { class: "main", type: "submit" }, "Make a token")),
    shown.tokensFailed && h("p", { class: "failed", role: "alert" }, shown.tokensFailed),
    // One that is used up or revoked is of no use to anybody.
    good.some((token) => token.id === shown.madeId) && once("On the other machine:", `tandem up --join ${shown.made}`),
    good.length === 0 ? shown.tokens !== null && h("p", { class: "empty" }, "No token is good now: nobody can join.") : h("ul", { class: "rows" }, good.map((token) => h("li", { key: token.id },
      h("code", null, token.id), h("span", { class: "note" }, `${token.uses_max - token.used} left · ${Math.max(1, Math.round((token.expires_unix_ms - now) / 60_000))} min`),
      h("button", { class: "quiet", onclick: () => carryOut(redraw, () => ask(`/tandem/tokens/${token.id}`, undefined, "DELETE"), "tokensFailed") }, "Revoke")))));
}

/** @param {() => void} redraw */
function keys(redraw) {
  const make = /** @param {Event} event */ (event) => {
    event.preventDefault();
    carryOut(redraw, async () => {
      const made = await ask("/tandem/keys", { name: shown.name.trim(), manages: shown.manages });
      [shown.secret, shown.secretName, shown.name, shown.manages] = [made.key, made.name, "", false];
    }, "failed");
  };
  return h("section", { class: "panel" }, h("h2", null, "API keys"),
    shown.keys !== null && h("form", { class: "row", onsubmit: make },
      h("label", null, "Name", h("input", { type: "text", autocomplete: "off", spellcheck: "false", value: shown.name, oninput: /** @param {any} event */ (event) => (shown.name = event.target.value) })),
      h("label", { class: "check" }, h("input", { type: "checkbox", checked: shown.manages, onchange: /** @param {any} event */ (event) => (shown.manages = event.target.checked) }), "may manage"),
      h("button", { class: "main", type: "submit" }, "Make a key")),
    shown.failed && h("p", { class: "failed", role: "alert" }, shown.failed),
    shown.keys?.some((key) => key.name === shown.secretName) && shown.secret && once(`The key of ${shown.secretName}, shown this once:`, shown.secret),
    (shown.keys ?? []).length === 0 ? shown.keys !== null && h("p", { class: "empty" }, "None. On this machine no key is needed; beyond it everybody needs one.") : h("ul", { class: "rows" }, (shown.keys ?? []).map((key) => h("li", { key: key.name },
      h("span", { class: "name" }, key.name), h("span", { class: "note" }, [key.manages && "may manage", key.requests_per_minute && `${key.requests_per_minute} per minute`, key.concurrent && `${key.concurrent} at once`].filter(Boolean).join(" · ")),
      h("button", { class: "quiet", onclick: () => carryOut(redraw, () => ask(`/tandem/keys/${key.name}`, undefined, "DELETE"), "failed") }, "Revoke")))));
}

/** @param {string} what @param {string} text */
function once(what, text) {
  return h("div", { class: "once" }, h("p", null, what), h("div", { class: "copy" }, h("code", null, text), h("button", { onclick: () => copy(text) }, "Copy")));
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Beyond this machine and without TLS browsers give no clipboard: the old way still works.
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  say("Copied");
}

/** @param {import("./types").State} state @param {() => void} redraw */
function members(state, redraw) {
  if (!state.cluster) return null;
  return h("section", { class: "panel" }, h("h2", null, "Members"),
    h("p", { class: "note" }, "A node that is removed is out at once, and so are tokens made before."),
    h("ul", { class: "rows" }, state.nodes.map((node) => h("li", { key: node.id },
      h("span", { class: `dot ${node.live ? "good" : "bad"}` }), h("span", { class: "name" }, node.name), h("code", { class: "note" }, node.id.slice(0, 8)),
      h("span", { class: "note wide" }, [node.software && `version ${node.software}`, node.api].filter(Boolean).join(" · ")),
      node.id === state.self ? h("span", { class: "badge" }, "here") : shown.removing === node.id
        ? h("span", null, h("button", { class: "danger", onclick: () => carryOut(redraw, () => ask(`/tandem/nodes/${node.id}`, undefined, "DELETE"), "tokensFailed") }, `Remove ${node.name} for good`), " ", h("button", { class: "quiet", onclick: () => ((shown.removing = ""), redraw()) }, "Keep"))
        : h("button", { class: "quiet", onclick: () => ((shown.removing = node.id), redraw()) }, "Remove…")))));
}

/** @param {() => void} redraw */
function browser(redraw) {
  if (!hasKey()) return null;
  return h("section", { class: "panel" }, h("h2", null, "This browser"),
    h("p", null, "It keeps a key for this node. ", h("button", { class: "quiet", onclick: () => (setKey(""), redraw(), location.reload()) }, "Forget it")));
}
