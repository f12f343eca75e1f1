// What this node says of its cluster, followed over one connection, and what that was like over time.

import { call, events, Refused } from "./api.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Activity} Activity */
/** @typedef {import("./types").Counts} Counts */
/** @typedef {import("./types").Sample} Sample */

/** Half an hour of seconds. */
const SAMPLES_MAX = 1800;
/** The node speaks every ten seconds at least. */
const SILENT_MAX_MS = 25_000;

export const feed = {
  /** @type {State | null} */
  state: null,
  /** @type {Activity} */
  activity: { requests: [], counts: none(), pulls: {} },
  /** @type {Sample[]} */
  samples: [],
  connected: false,
  /** When the last activity came, to let times go on meanwhile. */
  heard: 0,
};

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} listener */
export function whenFeedChanges(listener) {
  listeners.add(listener);
}

function tell() {
  for (const listener of listeners) listener();
}

/** @returns {Counts} */
function none() {
  return { requests: 0, waiting: 0, prompt_tokens: 0, cached_tokens: 0, tokens: 0, first_tokens: 0, first_token_us: 0 };
}

/** Of all nodes together; of this one alone where it is alone. @returns {Counts} */
export function counts() {
  const vitals = Object.values(feed.state?.vitals ?? {});
  if (vitals.length === 0) return feed.activity.counts;
  const sum = none();
  for (const own of vitals) for (const name of /** @type {(keyof Counts)[]} */ (Object.keys(sum))) sum[name] += own[name] ?? 0;
  return sum;
}

/** @type {{ at: number, counts: Counts } | null} */
let last = null;

/** Once a second: what the counters did since the second before. */
function sample() {
  const now = { at: Date.now(), counts: counts() };
  if (feed.connected && last) {
    const seconds = Math.max(0.2, (now.at - last.at) / 1000);
    const grown = /** @param {keyof Counts} name */ (name) => Math.max(0, now.counts[name] - /** @type {any} */ (last).counts[name]);
    // A node that is gone takes its counts along.
    const fewer = now.counts.tokens < last.counts.tokens;
    const firsts = grown("first_tokens");
    feed.samples.push({
      at: now.at,
      tokens_per_s: fewer ? 0 : grown("tokens") / seconds,
      prompt_tokens_per_s: fewer ? 0 : grown("prompt_tokens") / seconds,
      first_token_ms: firsts > 0 ? grown("first_token_us") / firsts / 1000 : null,
      requests: now.counts.requests,
      waiting: now.counts.waiting,
      cached: grown("prompt_tokens") > 0 ? Math.min(1, grown("cached_tokens") / grown("prompt_tokens")) : null,
      watts: feed.state?.energy?.watts ?? null,
    });
    if (feed.samples.length > SAMPLES_MAX) feed.samples.shift();
    tell();
  }
  last = now;
}

/** Follows the node for as long as the page is open. */
export async function follow() {
  setInterval(sample, 1000);
  for (let pause = 500; ; pause = Math.min(pause * 2, 8000)) {
    const stop = new AbortController();
    let watchdog = setTimeout(() => stop.abort(), SILENT_MAX_MS);
    try {
      const answer = await call("/events", { signal: stop.signal });
      for await (const { event, data } of events(answer)) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => stop.abort(), SILENT_MAX_MS);
        pause = 500;
        if (!data) continue;
        take(event, JSON.parse(data));
      }
    } catch (error) {
      // Without a key there is nothing to try again until there is one.
      if (error instanceof Refused && error.status === 401) await keyGiven();
    }
    clearTimeout(watchdog);
    feed.connected = false;
    tell();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** @param {string} event @param {any} data */
function take(event, data) {
  if (event === "state") feed.state = data;
  else if (event === "change" && feed.state) {
    // A node on its own tells only what is new.
    if (data.events?.some((/** @type {import("./types").EventFacts} */ entry) => entry.number === undefined)) data.events = [...(feed.state.events ?? []), ...data.events].slice(-100);
    Object.assign(feed.state, data);
  } else if (event === "activity") {
    feed.activity = data;
    feed.heard = Date.now();
  }
  feed.connected = true;
  tell();
}

/** @type {(() => void) | null} */
let proceed = null;

function keyGiven() {
  return new Promise((resolve) => (proceed = () => resolve(undefined)));
}

export function tryAgain() {
  proceed?.();
  proceed = null;
}
