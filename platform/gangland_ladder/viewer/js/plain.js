// @ts-check
/** The table of any game as names and values: each seat's count and view and, in the middle, the values that all see. */

import { make } from "./draw.js";
import { diceOf, placeBadge, seatPlace } from "./seat.js";

/** @typedef {import("./types.js").Drawing} Drawing */

/**
 * Return the table.
 * @param {Drawing} drawing
 */
export function plainTable(drawing) {
  const seats = drawing.timeline.names.map((_, seat) => plainSeat(drawing, seat));
  return [make("div", "v-center", pairs(drawing.scene.shows)), ...seats];
}

/**
 * @param {Drawing} drawing
 * @param {number} seat
 */
function plainSeat(drawing, seat) {
  const { timeline: { words }, scene } = drawing;
  const [one, many] = words.held ?? ["", ""];
  const held = diceOf(scene, seat);
  const count = make("p", "v-count", make("b", "", String(held)), ` ${held === 1 ? one : many}`);
  return seatPlace(drawing, seat, [placeBadge(drawing, seat)], count, pairs(scene.seats[seat].shows));
}

/** @param {[string, string][]} shown */
function pairs(shown) {
  return make("dl", "v-pairs", ...shown.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));
}
