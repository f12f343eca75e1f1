// A tree of plain objects, and the least that makes the document look like it. What stays the same is left alone, so that
// focus, selection and scrolling stay where they are.

const SVG = new Set(["svg", "g", "path", "line", "rect", "circle", "text", "title", "defs", "linearGradient", "stop", "polyline", "polygon", "tspan", "marker", "clipPath"]);

/**
 * @param {string} tag
 * @param {import("./types").Props | null} [props]
 * @param {...import("./types").Child} children
 * @returns {import("./types").Vnode}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children) };
}

/** @param {import("./types").Child[]} children @returns {(import("./types").Vnode | string)[]} */
function flat(children) {
  /** @type {(import("./types").Vnode | string)[]} */
  const out = [];
  for (const child of children) {
    if (Array.isArray(child)) out.push(...flat(child));
    else if (child === null || child === undefined || child === false || child === true || child === "") continue;
    else if (typeof child === "number") out.push(String(child));
    else out.push(child);
  }
  return out;
}

/** @typedef {Node & { __key?: string, __on?: Record<string, EventListener>, __props?: Record<string, any> }} Kept */

/**
 * Makes the children of `parent` look like `children`.
 * @param {Node} parent
 * @param {import("./types").Child[]} children
 */
export function render(parent, children) {
  patchChildren(parent, flat(children), parent instanceof SVGElement);
}

/** @param {Node} parent @param {(import("./types").Vnode | string)[]} wanted @param {boolean} svg */
function patchChildren(parent, wanted, svg) {
  /** @type {Map<string, Kept>} */
  const keyed = new Map();
  for (const child of parent.childNodes) {
    const key = /** @type {Kept} */ (child).__key;
    if (key !== undefined) keyed.set(key, child);
  }
  let at = /** @type {Kept | null} */ (parent.firstChild);
  for (const vnode of wanted) {
    const key = typeof vnode === "string" ? undefined : vnode.props.key;
    let node = /** @type {Kept | null} */ (null);
    if (key !== undefined) {
      node = keyed.get(key) ?? null;
      if (node && node !== at) parent.insertBefore(node, at);
      else if (node) at = /** @type {Kept | null} */ (at?.nextSibling ?? null);
    } else {
      while (at && at.__key !== undefined) at = /** @type {Kept | null} */ (at.nextSibling);
      if (at && fits(at, vnode)) {
        node = at;
        at = /** @type {Kept | null} */ (at.nextSibling);
      }
    }
    if (node && fits(node, vnode)) {
      patch(node, vnode, svg);
    } else {
      const made = make(vnode, svg);
      if (node) parent.replaceChild(made, node);
      else parent.insertBefore(made, at);
      node = made;
    }
    if (key !== undefined) keyed.delete(key);
    /** @type {any} */ (node).__kept = true;
  }
  for (const child of [...parent.childNodes]) {
    const kept = /** @type {any} */ (child);
    if (kept.__kept) kept.__kept = false;
    else parent.removeChild(child);
  }
}

/** @param {Kept} node @param {import("./types").Vnode | string} vnode */
function fits(node, vnode) {
  if (typeof vnode === "string") return node.nodeType === Node.TEXT_NODE;
  return node.nodeType === Node.ELEMENT_NODE && node.nodeName.toLowerCase() === vnode.tag.toLowerCase() && node.__key === vnode.props.key;
}

/** @param {import("./types").Vnode | string} vnode @param {boolean} svg @returns {Kept} */
function make(vnode, svg) {
  if (typeof vnode === "string") return document.createTextNode(vnode);
  const inside = svg || vnode.tag === "svg";
  /** @type {Kept} */
  const node = inside && SVG.has(vnode.tag) ? document.createElementNS("http:" + "//www.w3.org/2000/svg", vnode.tag) : document.createElement(vnode.tag);
  node.__key = vnode.props.key;
  patch(node, vnode, svg);
  if (vnode.props.autofocus) queueMicrotask(() => /** @type {HTMLElement} */ (node).focus());
  return node;
}

/** @param {Kept} node @param {import("./types").Vnode | string} vnode @param {boolean} svg */
function patch(node, vnode, svg) {
  if (typeof vnode === "string") {
    if (node.nodeValue !== vnode) node.nodeValue = vnode;
    return;
  }
  const element = /** @type {HTMLElement & Kept} */ (/** @type {unknown} */ (node));
  const before = element.__props ?? {};
  for (const name of Object.keys(before)) if (!(name in vnode.props)) set(element, name, undefined);
  for (const [name, value] of Object.entries(vnode.props)) if (before[name] !== value || name === "value" || name === "checked") set(element, name, value);
  element.__props = vnode.props;
  if (!vnode.props.unmanaged) patchChildren(node, vnode.children, svg || vnode.tag === "svg");
}

/** @param {HTMLElement & Kept} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (name === "key" || name === "unmanaged") return;
  if (name.startsWith("on")) {
    const kind = name.slice(2);
    element.__on ??= {};
    if (!(kind in element.__on)) element.addEventListener(kind, (event) => element.__on?.[kind]?.(event));
    element.__on[kind] = value;
  } else if (name === "style") {
    element.removeAttribute("style");
    for (const [property, text] of Object.entries(value ?? {})) element.style.setProperty(property, String(text));
  } else if (name === "value" || name === "checked") {
    const field = /** @type {any} */ (element);
    if (value !== undefined && field[name] !== value) field[name] = value;
  } else if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Calls `draw` once for any number of wishes in a frame; not while the page is hidden.
 * @param {() => void} draw
 */
export function batched(draw) {
  let wished = false;
  return () => {
    if (wished) return;
    wished = true;
    const run = () => {
      wished = false;
      draw();
    };
    // Frames do not come to a hidden page; once it is shown, one does.
    requestAnimationFrame(run);
  };
}
