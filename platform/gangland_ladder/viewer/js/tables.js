// @ts-check
/** The functions that draw tables: a game's module registers its own; other games use the plain one. */

import { plainTable } from "./plain.js";

/** @typedef {(drawing: import("./types.js").Drawing) => HTMLElement[]} Draw */

/** @type {Map<string, Draw>} */
const drawers = new Map();

/**
 * Register the function that draws the table of a game.
 * @param {string} game
 * @param {Draw} draw
 */
export function drawWith(game, draw) {
  drawers.set(game, draw);
}

/**
 * Return the function that draws the table of a game.
 * @param {string} game
 */
export function drawerOf(game) {
  return drawers.get(game) ?? plainTable;
}
