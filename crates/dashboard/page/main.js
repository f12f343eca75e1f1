// The page: its head, which view is shown, and when it is drawn.

import { accessView, copy, leaveAccess } from "./access.js";
import { setKey, whenKeyIsWanted } from "./api.js";
import { chatView, chatWith } from "./chat.js";
import { clusterView, watchWidth } from "./cluster.js";
import { batched, h, render } from "./dom.js";
import { feed, follow, tryAgain, whenFeedChanges } from "./feed.js";
import { modelsView } from "./models.js";

const VIEWS = /** @type {const} */ ([["", "Cluster"], ["models", "Models"], ["chat", "Chat"], ["access", "Access"]]);
const THEME = "tandem.theme";

const top = /** @type {HTMLElement} */ (document.getElementById("top"));
const view = /** @type {HTMLElement} */ (document.getElementById("view"));
const dialog = /** @type {HTMLElement} */ (document.getElementById("dialog"));

let theme = localStorage.getItem(THEME) ?? "auto";
/** Whether a key is asked for, and whether the last one was wrong. */
let keyWanted = false;
let keyWrong = false;
let key = "";

function current() {
  return location.hash.replace(/^#\/?/, "");
}

const redraw = batched(() => {
  document.documentElement.dataset.theme = theme;
  render(top, [head()]);
  render(dialog, keyWanted ? [asksKey()] : []);
  const state = feed.state;
  view.className = current() === "chat" ? "talking" : "";
  if (!state) return render(view, [h("p", { class: "waiting" }, keyWanted ? "This node wants a key." : "Connecting to this node…")]);
  const name = current();
  render(view, [
    !feed.connected && h("p", { key: "lost", class: "lost", role: "alert" }, "This node does not answer. What you see is as it was; trying again…"),
    h("div", { key: `view ${name}`, class: `view view-${name || "cluster"}` },
      name === "models" ? modelsView(state, redraw, (model) => (chatWith(model), (location.hash = "#/chat")))
      : name === "chat" ? chatView(state, redraw)
      : name === "access" ? accessView(state, redraw)
      : clusterView(state)),
  ]);
});

function head() {
  const state = feed.state;
  const live = state?.nodes.filter((node) => node.live).length ?? 0, all = state?.nodes.length ?? 0;
  const well = feed.connected && live === all && Object.keys(state?.refused ?? {}).length === 0;
  const word = !feed.connected ? "not connected" : live < all ? `${live} of ${all} nodes` : all === 1 ? "1 node" : `${all} nodes`;
  return h("div", { class: "bar" },
    h("a", { class: "brand", href: "#/", "aria-label": "Tandem" },
      h("svg", { viewBox: "0 0 32 32", width: 26, height: 26, "aria-hidden": "true" }, h("circle", { cx: 11, cy: 16, r: 7.5 }), h("circle", { cx: 21, cy: 16, r: 7.5 })),
      h("span", null, "tandem")),
    h("nav", { "aria-label": "Views" }, VIEWS.map(([path, title]) => h("a", { key: path, href: `#/${path}`, "aria-current": current() === path ? "page" : undefined }, title))),
    h("span", { class: `health ${well ? "good" : "bad"}`, title: state?.cluster ? `cluster ${state.cluster.slice(0, 8)}` : undefined }, h("span", { class: `dot ${well ? "good" : "bad"}` }), word),
    h("button", { class: "quiet theme", onclick: turn, "aria-label": `Colours: ${theme}. Change`, title: `Colours: ${theme}` }, theme === "dark" ? "☾" : theme === "light" ? "☀" : "◐"));
}

function turn() {
  theme = theme === "auto" ? "dark" : theme === "dark" ? "light" : "auto";
  localStorage.setItem(THEME, theme);
  redraw();
}

function asksKey() {
  const give = /** @param {Event} event */ (event) => {
    event.preventDefault();
    if (!key.trim()) return;
    setKey(key.trim());
    key = "";
    keyWanted = false;
    tryAgain();
    redraw();
  };
  return h("div", { class: "veil" }, h("form", { class: "panel ask-key", role: "dialog", "aria-modal": "true", "aria-labelledby": "ask-key", onsubmit: give },
    h("h2", { id: "ask-key" }, "This node wants a key"),
    h("p", null, keyWrong ? "That key is not known here; it may have been revoked." : "You reach it from another machine. On the node, this makes a key that may also manage:"),
    !keyWrong && h("p", null, h("code", null, "tandem key add me --manage")),
    h("label", { for: "key" }, "Key"),
    h("input", { id: "key", type: "password", autocomplete: "current-password", autofocus: true, value: key, oninput: /** @param {any} event */ (event) => (key = event.target.value) }),
    h("p", { class: "note" }, "It is kept in this browser and sent to this node only."),
    h("button", { class: "main", type: "submit" }, "Continue")));
}

whenKeyIsWanted((wrong) => {
  [keyWanted, keyWrong] = [true, wrong];
  redraw();
});
whenFeedChanges(redraw);
let shown = current();
addEventListener("hashchange", () => {
  if (shown === "access") leaveAccess();
  if (shown !== current()) scrollTo(0, 0);
  shown = current();
  redraw();
  view.focus({ preventScroll: true });
});
// Code in answers carries its text along.
addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
  if (button) copy(button.getAttribute("data-copy") ?? "");
});
addEventListener("visibilitychange", redraw);
watchWidth(redraw);
redraw();
follow();
