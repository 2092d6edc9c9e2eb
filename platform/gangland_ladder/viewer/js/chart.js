// @ts-check
/** The slider, the charts and the figures, which all show the same cursor. */

import { diceOf } from "./seat.js";

/** @typedef {import("./types.js").Timeline} Timeline */

const WIDE = 1000;
const CAP = 4; // how far the lines' ends reach beyond the chart

/**
 * Move the cursor of the slider and the charts, and show each seat's figures there.  The charts hide later values until
 * the user has seen the end.
 * @param {HTMLElement} root
 * @param {Timeline} timeline
 * @param {number} index
 * @param {string} words a description of the position
 * @param {import("./types.js").Scene} scene the scene at the position
 * @param {number[]} luck each seat's luck
 * @param {number[]} values the value of the game to each seat; empty if unknown
 */
export function setCursor(root, timeline, index, words, scene, luck, values) {
  const scrub = /** @type {HTMLInputElement} */ (root.querySelector("[data-scrub]"));
  scrub.value = String(index);
  scrub.setAttribute("aria-valuetext", words);
  const x = String((WIDE * index) / Math.max(1, timeline.last));
  for (const line of root.querySelectorAll("[data-cursor]")) {
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
  if (index === timeline.last) root.classList.add("seen");
  for (const cover of root.querySelectorAll("[data-ahead]")) {
    cover.setAttribute("x", x);
    cover.setAttribute("width", String(WIDE + CAP - Number(x)));
  }
  timeline.names.forEach((_, seat) => {
    fill(root, "dice", seat, String(diceOf(scene, seat)));
    fill(root, "luck", seat, signed(luck[seat] ?? 0));
    fill(root, "value", seat, values.length ? `${((values[seat] ?? 0) * 100).toFixed(1)}%` : "unknown");
  });
}

/**
 * @param {HTMLElement} root
 * @param {"dice" | "luck" | "value"} name
 * @param {number} seat
 * @param {string} text
 */
function fill(root, name, seat, text) {
  const cell = root.querySelector(`[data-${name}="${seat}"]`);
  if (cell) cell.textContent = text;
}

/** @param {number} value */
function signed(value) {
  const shown = Math.abs(value).toFixed(2);
  return Number(shown) === 0 ? shown : `${value < 0 ? "−" : "+"}${shown}`;
}
