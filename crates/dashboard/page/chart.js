// Small charts of the last minutes.

import { h } from "./dom.js";

/**
 * A line over time with its area, newest at the right. Gaps stay gaps.
 * @param {(number | null)[]} values
 * @param {{ label: string, max?: number }} options
 */
export function sparkline(values, { label, max }) {
  const width = 240, height = 44, pad = 2;
  const top = Math.max(max ?? 0, ...values.map((value) => value ?? 0)) || 1;
  const step = width / Math.max(1, SHOWN - 1);
  const x = /** @param {number} index */ (index) => width - (values.length - 1 - index) * step;
  const y = /** @param {number} value */ (value) => height - pad - (value / top) * (height - 2 * pad);
  let line = "", area = "", start = -1;
  const close = /** @param {number} end */ (end) => {
    if (start >= 0) area += `L${x(end).toFixed(1)} ${height}L${x(start).toFixed(1)} ${height}Z`;
    start = -1;
  };
  values.forEach((value, index) => {
    if (value === null) return close(index - 1);
    const point = `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    line += (start < 0 ? "M" : "L") + point;
    area += (start < 0 ? "M" : "L") + point;
    if (start < 0) start = index;
  });
  close(values.length - 1);
  return h("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    h("path", { class: "spark-area", d: area }),
    h("path", { class: "spark-line", d: line }));
}

/** How many samples a chart shows. */
export const SHOWN = 120;

/**
 * Joins samples so that gaps between rare values do not hide them.
 * @param {(number | null)[]} values
 */
export function held(values) {
  /** @type {number | null} */
  let last = null;
  return values.map((value) => (last = value ?? last));
}
