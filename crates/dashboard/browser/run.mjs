// The dashboard in a real browser, used as a person would: found, joined, loaded, chatted, a node killed while looking.
//
//   node run.mjs --tandem BIN --model GGUF --modules FOLDER [--chromium BIN] [--shots FOLDER] [--keep]
//
// Needs playwright-core (package.json) and a Chromium. Shots go to FOLDER; with --keep also, small, to shots/ beside this.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Hub } from "./hub.mjs";
import { Nodes } from "./nodes.mjs";

const { values: options } = parseArgs({
  options: {
    tandem: { type: "string" }, model: { type: "string" }, modules: { type: "string", default: "." },
    chromium: { type: "string", default: "/usr/bin/chromium" }, shots: { type: "string" }, keep: { type: "boolean", default: false },
  },
});
const { chromium } = createRequire(join(options.modules, "package.json"))("playwright-core");
/** Two busy cores may take long; what waits has an event that ends it. */
const PATIENCE = 120_000;
const MODEL = options.model.split("/").at(-1).replace(/\.gguf$/, "");

const hub = new Hub("near/lamp-GGUF", options.model);
process.env.HF_ENDPOINT = await hub.start();
const nodes = new Nodes(options.tandem);
const profile = mkdtempSync(join(tmpdir(), "tandem-browser-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: options.chromium,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP rebound.example 127.0.0.1"],
  viewport: { width: 1280, height: 800 },
});
browser.setDefaultTimeout(PATIENCE);

let desk;
let page;
const trouble = [];

async function step(name, action) {
  const begin = Date.now();
  try {
    await action();
  } catch (error) {
    if (options.shots && page) await page.screenshot({ path: join(options.shots, "failed.png") }).catch(() => {});
    console.log(`${name}: FAILED\n${nodes.logs()}`);
    throw error;
  }
  console.log(`${name}: passed in ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}

async function open(path = "") {
  const opened = await browser.newPage();
  opened.on("pageerror", (error) => trouble.push(`page: ${error.stack ?? error}`));
  opened.on("console", (message) => message.type() === "error" && !/Failed to load resource/.test(message.text()) && trouble.push(`console: ${message.text()}`));
  opened.on("request", (request) => request.url().startsWith(desk) || request.url().startsWith("data:") || trouble.push(`asked for ${request.url()}`));
  await opened.goto(`${desk}/${path}`);
  return opened;
}

const go = (name) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();
const machine = (name) => page.getByRole("list", { name: "Machines" }).locator("article").filter({ has: page.getByRole("heading", { name, exact: true }) });

try {
  await step("a page that is light, and comes whole from the node", async () => {
    // Little memory: the model must go elsewhere, so that this node stays to look from.
    desk = await nodes.up("desk", "--memory", "0.03");
    // The same answers every time.
    await browser.addInitScript(() => localStorage.setItem("tandem.chat", '{"temperature":"0"}'));
    page = await open();
    await page.getByRole("heading", { name: "desk", exact: true }).waitFor();
    await page.getByText("1 node", { exact: true }).waitFor();
    assert.equal(await page.title(), "Tandem");
    const parts = await page.evaluate(() => performance.getEntries().filter((entry) => ["navigation", "resource"].includes(entry.entryType)).filter((entry) => entry.decodedBodySize > 0).map((entry) => [entry.name, entry.decodedBodySize]));
    const bytes = parts.reduce((sum, [, size]) => sum + size, 0);
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    assert.ok(parts.length > 10 && bytes <= 300_000, `${parts.length} parts, ${bytes} bytes`);
    console.log(`  ${parts.length} parts, ${bytes} bytes; first paint after ${Math.round(paint)} ms`);
  });

  await step("machines join with a token from the page, and appear in it", async () => {
    await go("Access");
    await page.getByRole("spinbutton", { name: "Machines" }).fill("2");
    await page.getByRole("button", { name: "Make a token" }).click();
    const line = await page.locator(".once code").innerText();
    const token = /^tandem up --join (\S+)$/.exec(line)?.[1];
    assert.ok(token, line);
    await nodes.up("shelf", "--join", token);
    await nodes.up("rack", "--join", token);
    await go("Cluster");
    for (const name of ["shelf", "rack"]) await machine(name).waitFor();
    await page.getByText("3 nodes", { exact: true }).waitFor();
    await page.getByText("rack joined").waitFor();
    await page.locator(".cable-facts").first().waitFor();
  });

  await step("a model is pulled, and every page sees how far it is", async () => {
    await go("Models");
    const name = page.getByRole("textbox", { name: "A model to pull" });
    await name.fill("near/nothing");
    await name.press("Enter");
    await page.locator(".pulls, [role=alert]").getByText(/near\/nothing/).first().waitFor();
    await name.fill("near/lamp-GGUF");
    await name.press("Enter");
    const watching = await open("#models");
    for (const one of [page, watching]) {
      const bar = one.getByRole("progressbar", { name: "pulling near/lamp-GGUF" });
      await bar.waitFor();
      await one.getByText(/model-Q4_1\.gguf · [\d.]+ MB of [\d.]+ MB/).waitFor();
      const share = await bar.evaluate((bar) => bar.value / bar.max);
      assert.ok(share > 0 && share < 1, String(share));
    }
    await watching.close();
    hub.release();
    const pulled = page.locator(".pulls li").filter({ hasText: "near/lamp-GGUF" });
    await pulled.getByText("here", { exact: true }).waitFor();
    await page.getByRole("row", { name: "near/lamp-GGUF" }).getByText("desk").waitFor();
    await pulled.getByRole("button", { name: "Dismiss" }).click();
    await pulled.waitFor({ state: "detached" });
  });

  await step("a model is planned, loaded and unloaded", async () => {
    // A file becomes known to the cluster by being loaded once; either node must have it when the other is lost.
    for (const name of ["shelf", "rack"]) await nodes.run(name, "load", options.model, "--evictable");
    await go("Models");
    const card = page.locator(".instance").filter({ hasText: MODEL });
    await card.getByText("ready", { exact: true }).waitFor();
    await card.getByRole("button", { name: "Unload" }).click();
    await card.waitFor({ state: "detached" });
    await page.getByRole("row", { name: MODEL }).getByRole("button", { name: "Load…" }).click();
    await page.getByText(/About [\d.,]+ tokens\/s/).waitFor();
    await page.locator(".plan").getByRole("button", { name: "Load", exact: true }).click();
    await card.getByText("ready", { exact: true }).waitFor();
    await card.getByRole("button", { name: "Chat" }).click();
  });

  await step("an answer streams, is stopped, made again, edited, and kept", async () => {
    const composer = page.getByRole("textbox", { name: "Your message" });
    await composer.fill("Write a long story about a lighthouse.");
    await composer.press("Enter");
    const answer = page.locator(".message.assistant .answer").last();
    const length = async () => (await answer.innerText()).trim().length;
    const grown = async (beyond) => {
      await page.waitForFunction((least) => (document.querySelector(".message.assistant:last-child .answer")?.textContent?.trim().length ?? 0) > least, beyond);
      return length();
    };
    await grown((await grown(40)) + 20);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText(/stopped/).waitFor();
    const stopped = await length();
    await page.getByRole("button", { name: "Regenerate" }).click();
    await grown(20);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".message.user").first().hover();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.locator("#change").fill("Say hello in one short sentence.");
    await page.locator(".change").getByRole("button", { name: "Send" }).click();
    await page.getByText(/tokens\/s · first after/).waitFor();
    assert.ok(stopped > 40);
    assert.equal(await page.locator(".message").count(), 2);
    const said = await answer.innerText();
    await page.reload();
    await page.locator(".message.assistant .answer").waitFor();
    assert.equal(await page.locator(".message.assistant .answer").innerText(), said);
  });

  await step("markdown is drawn, and nothing in it is obeyed", async () => {
    const drawn = await page.evaluate(async () => {
      const [{ markdown }, { render }] = await Promise.all([import("/page/markdown.js"), import("/page/dom.js")]);
      const place = document.createElement("div");
      render(place, markdown("# One\n\nA **b** *c* `d<e` [safe](https://example.org/x) [not](javascript:alert(1)) <img src=x onerror=alert(1)>\n\n1. one\n2. two\n   - deep\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```rust\nfn main() {} // end\n```\n> said\n\nlast"));
      return place.innerHTML;
    });
    for (const part of ["<h3>One</h3>", "<strong>b</strong>", "<em>c</em>", "<code>d&lt;e</code>", 'href="https://example.org/x"', "&lt;img src=x onerror=alert(1)&gt;", "<li>two<ul><li>deep</li></ul></li>", '<td class="number">2</td>', '<span class="code-k">fn</span>', '<span class="code-c">// end</span>', "<blockquote><p>said</p></blockquote>", "<p>last</p>"]) {
      assert.ok(drawn.includes(part), `no ${part} in ${drawn}`);
    }
    assert.ok(!drawn.includes("javascript:") && !drawn.includes("<img"), drawn);
  });

  await step("the keyboard is enough, and everything has a name", async () => {
    for (const name of ["Cluster", "Models", "Access", "Chat"]) {
      await go(name);
      await page.locator(`.view-${name.toLowerCase()}`).waitFor();
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, a[href], input, select, textarea")].filter((element) => {
        const label = element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "";
        return !label && !element.labels?.length && !element.getAttribute("aria-labelledby");
      }).map((element) => element.outerHTML));
      assert.deepEqual(nameless, []);
    }
    await page.locator("body").press("Tab");
    await page.getByRole("link", { name: "Models" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "On disk" }).waitFor();
    await page.getByRole("button", { name: /Colours: auto/ }).click();
    await page.getByRole("button", { name: /Colours: dark/ }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.getByRole("button", { name: /Colours: dark/ }).click();
    await page.getByRole("button", { name: /Colours: light/ }).click();
  });

  await step("a node is killed while looking, and what ran on it goes on", async () => {
    await go("Chat");
    await page.getByRole("button", { name: "New conversation" }).click();
    const composer = page.getByRole("textbox", { name: "Your message" });
    await composer.fill("Write a long story about a lighthouse and its keeper.");
    await composer.press("Enter");
    await page.waitForFunction(() => (document.querySelector(".message.assistant .answer")?.textContent?.length ?? 0) > 30);
    const holder = JSON.parse(await nodes.run("desk", "ps", "--json")).instances[0].ranks.map((rank) => rank.node);
    const lost = holder.find((name) => name !== "desk");
    assert.ok(lost, holder.join());
    const watching = await open();
    const before = (await page.locator(".message.assistant .answer").innerText()).length;
    await nodes.kill(lost);
    await watching.getByText(`${lost} is not heard any more`).waitFor();
    await watching.getByText("2 of 3 nodes").waitFor();
    const other = lost === "shelf" ? "rack" : "shelf";
    await watching.getByText(new RegExp(`${MODEL} is ready on .*${other}`)).first().waitFor();
    // Either it has ended meanwhile, or it grows.
    await page.waitForFunction((least) => !document.querySelector('#messages[aria-busy="true"]') || (document.querySelector(".message.assistant .answer")?.textContent?.length ?? 0) > least, before + 20);
    assert.equal(await page.locator(".message .failed").count(), 0, await page.locator(".message .failed").allInnerTexts().then(String));
    await page.evaluate(() => [...document.querySelectorAll(".composer button")].find((button) => button.textContent === "Stop")?.click());
    await nodes.up(lost);
    await watching.getByText(`${lost} is back`).waitFor();
    await watching.getByText("3 nodes", { exact: true }).waitFor();
    await watching.close();
  });

  await step("what goes over a cable is shown while it goes", async () => {
    await nodes.run("shelf", "load", options.model, "--nodes", "shelf,rack", "--parallelism", "tensor", "--evictable");
    const watching = await open();
    const asked = fetch(`${desk}/v1/chat/completions`, { method: "POST", body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Tell a story." }], max_tokens: 400 }) }).then((answer) => answer.text());
    const carried = watching.locator(".cable-traffic").first();
    await carried.waitFor();
    assert.match(await carried.textContent(), /^carries [\d.]+ [kMG]b\/s$/);
    assert.match(await watching.getByRole("list", { name: "Cables" }).innerText(), /carries/);
    await asked;
    await carried.waitFor({ state: "detached" });
    await watching.close();
    await nodes.run("shelf", "load", options.model, "--evictable");
  });

  await step("tokens and keys are made, shown once, and revoked", async () => {
    await go("Access");
    await page.getByRole("button", { name: "Make a token" }).click();
    const token = (await page.locator(".once code").innerText()).split(" ").at(-1);
    await page.getByRole("button", { name: /Revoke/ }).first().click();
    await page.getByText("No token is good now").waitFor();
    assert.equal(await page.locator(".once").count(), 0);
    await assert.rejects(nodes.run("nobody", "up", "--join", token, "--port", "0", "--cluster-port", "0", "--no-discovery"), /revoked/);
    await page.getByRole("textbox", { name: "Name" }).fill("laptop");
    await page.getByRole("button", { name: "Make a key" }).click();
    const key = await page.locator(".once", { hasText: "The key of laptop" }).locator("code").innerText();
    assert.match(key, /^td-/);
    await page.locator("li", { hasText: "laptop" }).waitFor();
    assert.match(await nodes.run("desk", "key", "list"), /laptop/);
    await page.locator("li", { hasText: "laptop" }).getByRole("button", { name: /Revoke/ }).click();
    await page.locator("li", { hasText: "laptop" }).waitFor({ state: "detached" });
    assert.doesNotMatch(await nodes.run("desk", "key", "list"), /laptop/);
    // What is shown once is gone once the view was left.
    await go("Cluster");
    await go("Access");
    await page.getByText("No token is good now").waitFor();
    assert.equal(await page.locator(".once").count(), 0);
  });

  await step("pages of others can do nothing", async () => {
    const stranger = http.createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>stranger</title>"));
    await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const other = await browser.newPage();
    await other.goto(`http://127.0.0.1:${stranger.address().port}/`);
    const got = await other.evaluate(async (address) => {
      const attempts = [["/state"], ["/events"], ["/tandem/tokens", { method: "POST", body: "{}" }], ["/tandem/unload", { method: "POST", mode: "no-cors", body: '{"model":"x"}' }]];
      return Promise.all(attempts.map(([path, init]) => fetch(address + path, init).then((answer) => `${answer.type} ${answer.status}`, () => "refused")));
    }, desk);
    assert.deepEqual(got, ["refused", "refused", "refused", "opaque 0"]);
    await other.close();
    stranger.close();
    // A name of a stranger's that was made to point here: for the browser, whatever such a page asks for is of its own origin.
    const rebound = await browser.newPage();
    const first = await rebound.goto(`http://rebound.example:${new URL(desk).port}/`);
    assert.equal(first.status(), 403);
    const reached = await rebound.evaluate(async () => {
      const order = (path, body, method = "POST") => [path, { method, body: JSON.stringify(body) }];
      const attempts = [["/"], ["/page/main.js"], ["/state"], ["/events"], ["/metrics"], ["/health"], ["/v1/models"], ["/tandem/keys"], ["/tandem/tokens"], ["/nothing"],
        order("/v1/chat/completions", { model: "x", messages: [] }), order("/api/chat", { model: "x", messages: [] }), order("/v1/messages", { model: "x", messages: [] }),
        order("/tandem/tokens", { uses: 1 }), order("/tandem/unload", { model: "x" }), order("/tandem/keys", { name: "x" }), order("/tandem/keys/x", {}, "DELETE")];
      return Promise.all(attempts.map(async ([path, init]) => [path, (await fetch(path, init)).status]));
    });
    assert.deepEqual(reached.filter(([, status]) => status !== 403), []);
    await rebound.close();
    await go("Access");
    await page.getByText("No token is good now").waitFor();
  });

  await step("beyond this machine a key is asked for", async () => {
    const guarded = await browser.newPage();
    const keys = [];
    await guarded.route("**/events", (route) => {
      keys.push(route.request().headers().authorization);
      return keys.at(-1) === "Bearer td-right" ? route.continue() : route.fulfill({ status: 401, body: '{"error":{"message":"an API key is needed"}}' });
    });
    await guarded.goto(desk);
    await guarded.getByRole("dialog", { name: "This node wants a key" }).waitFor();
    await guarded.getByLabel("Key", { exact: true }).fill("td-wrong");
    await guarded.keyboard.press("Enter");
    await guarded.getByText("That key is not known here").waitFor();
    await guarded.getByLabel("Key", { exact: true }).fill("td-right");
    await guarded.keyboard.press("Enter");
    await guarded.getByRole("heading", { name: "desk", exact: true }).waitFor();
    assert.deepEqual(keys.slice(0, 3), [undefined, "Bearer td-wrong", "Bearer td-right"]);
    await guarded.evaluate(() => localStorage.removeItem("tandem.key"));
    await guarded.close();
  });

  if (options.shots) {
    await step("shots", async () => {
      const folder = join(import.meta.dirname, "shots");
      for (const place of [options.shots, ...(options.keep ? [folder] : [])]) mkdirSync(place, { recursive: true });
      await go("Cluster");
      const asked = fetch(`${desk}/v1/chat/completions`, { method: "POST", body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Tell a story." }], max_tokens: 1500 }) }).then((answer) => answer.text(), () => {});
      await page.getByRole("cell", { name: "answering" }).first().waitFor();
      await page.waitForTimeout(6000);
      for (const width of [390, 1280, 1920]) {
        for (const colour of ["dark", "light"]) {
          await page.setViewportSize({ width, height: width === 390 ? 844 : width === 1280 ? 860 : 1080 });
          await page.emulateMedia({ colorScheme: colour });
          for (const view of ["Cluster", "Models", "Chat", "Access"]) {
            await go(view);
            await page.locator(`.view-${view.toLowerCase()}`).waitFor();
            await page.waitForTimeout(300);
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${view} is wider than ${width} pixels`);
            const name = `${view.toLowerCase()}-${width}-${colour}`;
            await page.screenshot({ path: join(options.shots, `${name}.png`) });
            if (options.keep && (view === "Cluster" || (width !== 1920 && (colour === "dark" || view === "Chat") && view !== "Access"))) {
              const session = await browser.newCDPSession(page);
              const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 70 });
              writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, "base64"));
            }
          }
        }
      }
      await asked;
    });
  }
  assert.deepEqual(trouble, []);
} finally {
  await browser.close();
  await nodes.end();
  hub.end();
  rmSync(profile, { recursive: true, force: true });
}
