// @ts-check
/** Who draws the table of a game: its own module, which says so here, or else the plain one. */

import { plainTable } from "./plain.js";

/** @typedef {(drawing: import("./types.js").Drawing) => HTMLElement[]} Draw */

/** @type {Map<string, Draw>} */
const drawers = new Map();

/**
 * Have the table of a game drawn by this function.
 * @param {string} game
 * @param {Draw} draw
 */
export function drawWith(game, draw) {
  drawers.set(game, draw);
}

/**
 * Return who draws the table of a game.
 * @param {string} game
 */
export function drawerOf(game) {
  return drawers.get(game) ?? plainTable;
}
