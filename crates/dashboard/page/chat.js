// A chat to try any model. Conversations are kept in this browser and nowhere else.

import { copy } from "./access.js";
import { call, events } from "./api.js";
import { h } from "./dom.js";
import { count, millis, rate } from "./format.js";
import { markdown } from "./markdown.js";
import { say } from "./say.js";

/** @typedef {import("./types").ChatMessage} ChatMessage */
/** @typedef {import("./types").Conversation} Conversation */

const KEPT = "tandem.conversations";
const SETTINGS = "tandem.chat";
const CONVERSATIONS_MAX = 100;

/** @type {Conversation[]} */
let conversations = read(KEPT, []);
let settings = { system: "", temperature: "", tokens: "", ...read(SETTINGS, {}) };
/** @type {Conversation | null} */
let open = conversations[0] ?? null;
let model = "";
let draft = "";
/** The message that is being changed. */
let editing = -1;
let edited = "";
/** @type {AbortController | null} */
let answering = null;
let listShown = false;

/** @template T @param {string} key @param {T} otherwise @returns {T} */
function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep() {
  conversations = conversations.filter((one) => one.messages.length > 0 || one === open).slice(0, CONVERSATIONS_MAX);
  // What does not fit goes, the oldest first.
  for (let kept = conversations.filter((one) => one.messages.length > 0); ; kept = kept.slice(0, -1)) {
    try {
      return localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      if (kept.length === 0) return;
    }
  }
}

/** @param {string} wanted */
export function chatWith(wanted) {
  model = wanted;
  if (open) open.model = wanted;
}

function begin() {
  open = { id: crypto.randomUUID?.() ?? String(Math.random()), title: "New conversation", model, at: Date.now(), messages: [] };
  conversations.unshift(open);
  editing = -1;
}

/** @param {import("./types").State} state @param {() => void} redraw */
export function chatView(state, redraw) {
  const ready = new Set(state.instances.filter((instance) => instance.state === "ready").map((instance) => instance.model));
  const names = state.models.map((one) => one.name).sort((a, b) => Number(ready.has(b)) - Number(ready.has(a)) || a.localeCompare(b));
  if (!names.includes(model)) model = open && names.includes(open.model) ? open.model : (names[0] ?? "");
  const messages = open?.messages ?? [];
  return h("div", { class: `chat${listShown ? " listed" : ""}` },
    h("h1", { class: "unseen" }, "Chat"),
    h("aside", { class: "conversations", "aria-label": "Conversations" },
      h("button", { class: "main", onclick: () => (answering?.abort(), begin(), (listShown = false), redraw(), focusComposer()) }, "New conversation"),
      h("ul", null, conversations.filter((one) => one.messages.length > 0).map((one) => h("li", { key: one.id },
        h("button", { class: "pick", "aria-current": one === open ? "true" : undefined, onclick: () => (answering?.abort(), (open = one), (editing = -1), (listShown = false), redraw()) }, one.title),
        h("button", { class: "quiet drop", "aria-label": `Delete ${one.title}`, title: "Delete", onclick: () => remove(one, redraw) }, "×"))))),
    h("section", { class: "talk", "aria-label": "Conversation" },
      h("div", { class: "talk-head" },
        h("button", { class: "quiet show-list", "aria-label": "Conversations", "aria-expanded": String(listShown), onclick: () => ((listShown = !listShown), redraw()) }, "☰"),
        h("label", { class: "pick-model" }, h("span", { class: "unseen" }, "Model"),
          h("select", { onchange: /** @param {any} event */ (event) => (chatWith(event.target.value), redraw()), value: model }, names.map((name) => h("option", { key: name, value: name, selected: name === model }, ready.has(name) ? name : `${name} (loads first)`)))),
        options(redraw)),
      h("ol", { class: "messages", id: "messages", "aria-busy": String(answering !== null) },
        messages.length === 0 && h("li", { key: "hint", class: "hint" }, names.length ? "Ask anything. Nothing leaves your machines, and the conversation stays in this browser." : "There is no model yet: pull one under Models."),
        messages.map((message, index) => shown(message, index, messages.length, redraw))),
      composer(names.length > 0, redraw)));
}

/** @param {() => void} redraw */
function options(redraw) {
  const field = /** @param {"system" | "temperature" | "tokens"} name */ (name) => ({
    value: settings[name],
    oninput: /** @param {any} event */ (event) => {
      settings[name] = event.target.value;
      localStorage.setItem(SETTINGS, JSON.stringify(settings));
    },
  });
  return h("details", { class: "options" }, h("summary", null, "Options"),
    h("div", { class: "options-body" },
      h("label", null, "Instructions for the model", h("textarea", { rows: 3, ...field("system") })),
      h("label", null, "Temperature", h("input", { type: "number", min: 0, max: 2, step: 0.1, placeholder: "the model's", ...field("temperature") })),
      h("label", null, "Tokens at most", h("input", { type: "number", min: 1, placeholder: "as many as fit", ...field("tokens") }))));
}

/** @param {ChatMessage} message @param {number} index @param {number} all @param {() => void} redraw */
function shown(message, index, all, redraw) {
  const last = index === all - 1;
  const writing = last && answering !== null;
  const own = message.role === "user";
  return h("li", { key: `${open?.id}${index}`, class: `message ${message.role}` },
    h("h2", { class: "unseen" }, own ? "You" : (message.model ?? "Answer")),
    own && editing === index ? change(index, redraw) : own ? h("div", { class: "bubble" }, message.content) : [
      message.thoughts && h("details", { class: "thoughts" }, h("summary", null, writing && !message.content ? "Thinking…" : "Thoughts"), h("div", null, markdown(message.thoughts))),
      h("div", { class: `answer${writing ? " writing" : ""}` }, markdown(message.content), writing && !message.content && !message.thoughts && h("p", { class: "note" }, "Waiting for the first token…")),
    ],
    message.failed && h("p", { class: "failed", role: "alert" }, message.failed),
    !writing && editing !== index && h("footer", null,
      !own && h("span", { class: "note" }, [message.model, message.tokens !== undefined && `${count(message.tokens)} tokens`, message.tokens_per_s !== undefined && `${rate(message.tokens_per_s)} tokens/s`, message.first_token_ms !== undefined && `first after ${millis(message.first_token_ms)}`, message.stopped && "stopped"].filter(Boolean).join(" · ")),
      h("span", { class: "tools" },
        h("button", { class: "quiet", onclick: () => copy(message.content) }, "Copy"),
        own && !answering && h("button", { class: "quiet", onclick: () => ((editing = index), (edited = message.content), redraw()) }, "Edit"),
        !own && last && !answering && h("button", { class: "quiet", onclick: () => again(redraw) }, "Regenerate"))));
}

/** @param {number} index @param {() => void} redraw */
function change(index, redraw) {
  return h("form", {
    class: "change", onsubmit: /** @param {Event} event */ (event) => {
      event.preventDefault();
      if (!open || !edited.trim()) return;
      open.messages = [...open.messages.slice(0, index), { role: "user", content: edited.trim() }];
      editing = -1;
      answer(redraw);
    },
  },
  h("label", { class: "unseen", for: "change" }, "Your message"),
  h("textarea", { id: "change", rows: 3, autofocus: true, value: edited, oninput: /** @param {any} event */ (event) => (edited = event.target.value) }),
  h("div", { class: "actions" }, h("button", { class: "main", type: "submit" }, "Send"), h("button", { class: "quiet", type: "button", onclick: () => ((editing = -1), redraw()) }, "Cancel")));
}

/** @param {boolean} able @param {() => void} redraw */
function composer(able, redraw) {
  const send = () => {
    if (!draft.trim() || answering || !model) return;
    if (!open) begin();
    const here = /** @type {Conversation} */ (open);
    if (here.messages.length === 0) here.title = draft.trim().split("\n")[0].slice(0, 60);
    here.messages.push({ role: "user", content: draft.trim() });
    draft = "";
    answer(redraw);
  };
  return h("form", { class: "composer", onsubmit: /** @param {Event} event */ (event) => (event.preventDefault(), send()) },
    h("label", { class: "unseen", for: "composer" }, "Your message"),
    h("textarea", {
      id: "composer", rows: Math.min(8, Math.max(1, draft.split("\n").length)), placeholder: "Message", disabled: !able, value: draft,
      oninput: /** @param {any} event */ (event) => ((draft = event.target.value), redraw()),
      onkeydown: /** @param {KeyboardEvent} event */ (event) => {
        if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
          event.preventDefault();
          send();
        }
      },
    }),
    answering
      ? h("button", { key: "stop", type: "button", class: "main", onclick: () => answering?.abort() }, "Stop")
      : h("button", { key: "send", type: "submit", class: "main", disabled: !able || !draft.trim() }, "Send"));
}

function focusComposer() {
  requestAnimationFrame(() => document.getElementById("composer")?.focus());
}

/** @param {Conversation} one @param {() => void} redraw */
function remove(one, redraw) {
  if (one === open) {
    answering?.abort();
    open = null;
  }
  conversations = conversations.filter((other) => other !== one);
  keep();
  redraw();
}

/** @param {() => void} redraw */
function again(redraw) {
  if (!open) return;
  while (open.messages.at(-1)?.role === "assistant") open.messages.pop();
  answer(redraw);
}

/** Asks for the next message of the open conversation. @param {() => void} redraw */
async function answer(redraw) {
  const here = /** @type {Conversation} */ (open);
  here.model = model;
  here.at = Date.now();
  conversations = [here, ...conversations.filter((one) => one !== here)];
  const asked = [...(settings.system.trim() ? [{ role: "system", content: settings.system.trim() }] : []), ...here.messages.filter((one) => !one.failed || one.content).map(({ role, content }) => ({ role, content }))];
  /** @type {ChatMessage} */
  const message = { role: "assistant", content: "", model };
  here.messages.push(message);
  const stop = (answering = new AbortController());
  const asked_at = performance.now();
  let first = 0;
  redraw();
  scrollDown(true);
  try {
    const told = await call("/v1/chat/completions", {
      body: {
        model, messages: asked, stream: true, stream_options: { include_usage: true },
        ...(settings.temperature !== "" && { temperature: Number(settings.temperature) }), ...(settings.tokens !== "" && { max_tokens: Number(settings.tokens) }),
      },
      signal: stop.signal,
    });
    for await (const { data } of events(told)) {
      if (!data || data === "[DONE]") continue;
      const chunk = JSON.parse(data);
      if (chunk.error) throw new Error(chunk.error.message ?? String(chunk.error));
      const delta = chunk.choices?.[0]?.delta ?? {};
      if (delta.content || delta.reasoning_content) {
        first ||= performance.now();
        message.content += delta.content ?? "";
        if (delta.reasoning_content) message.thoughts = (message.thoughts ?? "") + delta.reasoning_content;
        message.first_token_ms ??= first - asked_at;
        redraw();
        scrollDown(false);
      }
      if (chunk.usage) {
        message.tokens = chunk.usage.completion_tokens;
        const seconds = (performance.now() - first) / 1000;
        if (first && seconds > 0 && chunk.usage.completion_tokens > 1) message.tokens_per_s = (chunk.usage.completion_tokens - 1) / seconds;
      }
    }
    say("The answer is complete");
  } catch (error) {
    if (stop.signal.aborted) message.stopped = true;
    else message.failed = /** @type {Error} */ (error).message;
  }
  if (answering === stop) answering = null;
  keep();
  redraw();
  focusComposer();
}

/** Stays at the end unless somebody has scrolled away. @param {boolean} always */
function scrollDown(always) {
  const list = document.getElementById("messages");
  if (!list) return;
  const near = list.scrollHeight - list.scrollTop - list.clientHeight < 120;
  if (always || near) requestAnimationFrame(() => requestAnimationFrame(() => (list.scrollTop = list.scrollHeight)));
}
