// The Markdown that models write, as a tree. Nothing of it is ever read as HTML.

import { h } from "./dom.js";

/** @typedef {import("./types").Vnode} Vnode */

/** @param {string} text @returns {Vnode[]} */
export function markdown(text) {
  return blocks(text.replace(/\r\n?/g, "\n").split("\n"));
}

/** @param {string[]} lines @returns {Vnode[]} */
function blocks(lines) {
  /** @type {Vnode[]} */
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line);
    if (fence) {
      const code = [];
      for (at++; at < lines.length && !lines[at].trim().startsWith(fence[1]); at++) code.push(lines[at]);
      at++;
      out.push(codeBlock(code.join("\n"), fence[2]));
    } else if (!line.trim()) {
      at++;
    } else if (/^ {0,3}#{1,6}\s/.test(line)) {
      const [, marks, title] = /** @type {RegExpExecArray} */ (/^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? ["", "#", line]);
      // The page's own headings come before those of an answer.
      out.push(h(`h${Math.min(6, marks.length + 2)}`, null, inline(title)));
      at++;
    } else if (/^ {0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) {
      out.push(h("hr"));
      at++;
    } else if (/^ {0,3}>/.test(line)) {
      const quoted = [];
      for (; at < lines.length && lines[at].trim() && (/^ {0,3}>/.test(lines[at]) || quoted.length); at++) quoted.push(lines[at].replace(/^ {0,3}> ?/, ""));
      out.push(h("blockquote", null, blocks(quoted)));
    } else if (item(line)) {
      const [list, next] = listAt(lines, at);
      out.push(list);
      at = next;
    } else if (line.includes("|") && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[at + 1] ?? "")) {
      const [table, next] = tableAt(lines, at);
      out.push(table);
      at = next;
    } else {
      const paragraph = [];
      for (; at < lines.length && lines[at].trim() && !begins(lines[at], paragraph.length > 0); at++) paragraph.push(lines[at].trim());
      out.push(h("p", null, inline(paragraph.join("\n"))));
    }
  }
  return out;
}

/** Whether a line ends a paragraph. @param {string} line @param {boolean} inside */
function begins(line, inside) {
  return inside && (/^ {0,3}(`{3,}|~{3,}|#{1,6}\s|>)/.test(line) || item(line) !== null);
}

/** @param {string} line */
function item(line) {
  return /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
}

/** @param {string[]} lines @param {number} start @returns {[Vnode, number]} */
function listAt(lines, start) {
  const first = /** @type {RegExpExecArray} */ (item(lines[start]));
  const indent = first[1].length, ordered = /\d/.test(first[2]);
  /** @type {Vnode[]} */
  const items = [];
  let at = start;
  while (at < lines.length) {
    const found = item(lines[at]);
    if (!found || found[1].length < indent || found[1].length >= indent + 2 || /\d/.test(found[2]) !== ordered) break;
    const own = [found[3]];
    for (at++; at < lines.length; at++) {
      const line = lines[at];
      const deeper = line.length - line.trimStart().length > indent;
      if (!line.trim()) {
        const next = lines[at + 1] ?? "";
        if (next.trim() && next.length - next.trimStart().length > indent) own.push("");
        else if (item(next) && !item(next)?.[1].length) { at++; break; }
        else break;
      } else if (deeper) own.push(line.slice(Math.min(indent + 2, line.length - line.trimStart().length)));
      else break;
    }
    const inner = blocks(own);
    // A single paragraph needs no space around it.
    items.push(h("li", null, inner.length && inner[0].tag === "p" ? [inner[0].children, inner.slice(1)] : inner));
    while (at < lines.length && !lines[at].trim() && item(lines[at + 1] ?? "")) at++;
  }
  return [h(ordered ? "ol" : "ul", ordered ? { start: parseInt(first[2], 10) } : null, items), Math.max(at, start + 1)];
}

/** @param {string[]} lines @param {number} start @returns {[Vnode, number]} */
function tableAt(lines, start) {
  const cells = /** @param {string} line */ (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
  const sides = cells(lines[start + 1]).map((mark) => (mark.endsWith(":") ? (mark.startsWith(":") ? "center" : "number") : ""));
  const row = /** @param {string} line @param {string} tag */ (line, tag) => h("tr", null, cells(line).map((cell, index) => h(tag, { class: sides[index] || undefined }, inline(cell))));
  let at = start + 2;
  const body = [];
  for (; at < lines.length && lines[at].includes("|"); at++) body.push(row(lines[at], "td"));
  return [h("div", { class: "scroll" }, h("table", null, h("thead", null, row(lines[start], "th")), h("tbody", null, body))), at];
}

const INLINE = /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)|\*\*([\s\S]+?)\*\*|__([\s\S]+?)__|\*([^\s*](?:[\s\S]*?[^\s*])?)\*|(?<![\w])_([^\s_](?:[\s\S]*?[^\s_])?)_(?![\w])|~~([\s\S]+?)~~|\[([^\]]*)\]\(([^()\s]+(?:\([^()\s]*\))?)[^)]*\)|(https?:\/\/[^\s<>()]+[^\s<>().,;:!?'"])|\\([\\`*_{}[\]()#+\-.!|~>])/;

/** @param {string} text @returns {import("./types").Child[]} */
function inline(text) {
  /** @type {import("./types").Child[]} */
  const out = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index > 0) out.push(...plain(rest.slice(0, found.index)));
    rest = rest.slice(found.index + found[0].length);
    const [, , code, strong, strong2, em, em2, gone, label, target, address, escaped] = found;
    if (code !== undefined) out.push(h("code", null, code.trim() ? code.replace(/^ (.*) $/s, "$1") : code));
    else if (strong ?? strong2) out.push(h("strong", null, inline(strong ?? strong2)));
    else if (em ?? em2) out.push(h("em", null, inline(em ?? em2)));
    else if (gone) out.push(h("del", null, inline(gone)));
    else if (target !== undefined) out.push(link(target, inline(label)));
    else if (address) out.push(link(address, [address]));
    else if (escaped) out.push(escaped);
  }
  if (rest) out.push(...plain(rest));
  return out;
}

/** Two spaces at the end of a line, or a single new line in a chat, are a break. @param {string} text */
function plain(text) {
  return text.split("\n").flatMap((line, index) => (index ? [h("br"), line.trimEnd()] : [line]));
}

/** @param {string} target @param {import("./types").Child[]} label */
function link(target, label) {
  if (!/^(https?:|mailto:)/i.test(target)) return h("span", null, label);
  return h("a", { href: target, target: "_blank", rel: "noopener noreferrer" }, label);
}

/** @param {string} code @param {string} language */
function codeBlock(code, language) {
  return h("figure", { class: "code" },
    h("figcaption", null, h("span", null, language || "text"), h("button", { class: "quiet", "data-copy": code }, "Copy")),
    h("pre", { tabindex: 0 }, h("code", null, colours(code, language))));
}

const WORDS = new Set(("as async await break case catch class const continue def default del do elif else enum except export extends false finally fn for from func function if impl import in interface is lambda let loop match mod module mut new nil None not null or and package pass pub public private protected raise return self static struct super switch this throw trait true True False try type typeof use using var void where while with yield int float double string bool boolean select insert update delete create table").split(" "));
const TOKEN = /(\/\/[^\n]*|#[^\n]*|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|<!--[\s\S]*?(?:-->|$))|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)|(\b\d[\w.]*)|([A-Za-z_$][\w$]*)/g;

/** Comments, texts, numbers and words, the same for every language. @param {string} code @param {string} language */
function colours(code, language) {
  if (!language || /^(text|txt|plain|markdown|md|output|console)$/i.test(language) || code.length > 20_000) return [code];
  const hashes = !/^(c|cpp|c\+\+|java|js|javascript|ts|typescript|rust|rs|go|css|swift|kotlin)$/i.test(language);
  const dashes = /^(sql|lua|haskell|hs)$/i.test(language);
  /** @type {import("./types").Child[]} */
  const out = [];
  let end = 0;
  for (const found of code.matchAll(TOKEN)) {
    const [text, comment, quoted, number, word] = found;
    if ((comment?.startsWith("#") && !hashes) || (comment?.startsWith("--") && !dashes)) continue;
    const kind = comment ? "c" : quoted ? "s" : number ? "n" : word && WORDS.has(word) ? "k" : "";
    if (!kind) continue;
    out.push(code.slice(end, found.index), h("span", { class: `code-${kind}` }, text));
    end = found.index + text.length;
  }
  out.push(code.slice(end));
  return out;
}
