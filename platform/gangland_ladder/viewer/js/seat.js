// @ts-check
/** A seat: its name, its states and its dice or cards. */

import { make, short } from "./draw.js";

/** @typedef {import("./types.js").Drawing} Drawing */

/**
 * Return a seat.
 * @param {Drawing} drawing
 * @param {number} seat
 * @param {import("./draw.js").Part[]} states badges for the seat's state
 * @param {...import("./draw.js").Part} parts the seat's dice and cards
 */
export function seatPlace({ timeline, frame, scene, aside }, seat, states, ...parts) {
  const each = scene.seats[seat];
  const plans = aside?.plans[seat];
  const name = short("bdi", "v-name", timeline.names[seat] ?? "");
  const head = make("p", "v-who", make("span", "chip", String(seat + 1)), name, make("span", "v-states", fault(each), ...states));
  const turn = frame?.seat === seat ? " turn" : "";
  const out = each.state === "out" ? " out" : "";
  const place = make("section", `v-seat seat${seat + 1} at${seat + 1}${turn}${out}`, head, ...parts, plans && make("p", "v-plan", plans.join("; ")));
  place.setAttribute("aria-label", `Seat ${seat + 1}, ${timeline.names[seat]}`);
  return place;
}

/**
 * Return a badge.
 * @param {string} words
 * @param {string} name
 */
export function badge(words, name = "") {
  return make("span", `v-badge ${name}`, words);
}

/**
 * Return a seat's count of dice and how the decision changed it.
 * @param {Drawing} drawing
 * @param {number} seat
 */
export function diceCount({ scene, before, timeline }, seat) {
  const now = diceOf(scene, seat);
  const more = before ? now - diceOf(before, seat) : 0;
  const change = more ? make("span", `v-change ${more > 0 === timeline.words.more ? "good" : "bad"}`, `${more > 0 ? "+" : "−"}${Math.abs(more)}`) : null;
  return make("p", "v-count", make("b", "", String(now)), now === 1 ? " die" : " dice", change);
}

/**
 * Return a seat's count of dice in a scene.
 * @param {import("./types.js").Scene} scene
 * @param {number} seat
 * @returns {number}
 */
export function diceOf(scene, seat) {
  const held = scene.seats[seat].dice;
  return typeof held === "number" ? held : held.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0);
}

/**
 * Return the badge of a seat at fault, for which default decisions are played.
 * @param {import("./types.js").Scene} each
 */
function fault(each) {
  return each.fault ? badge("fault", "bad") : null;
}

/**
 * Return a seat's place at the end.  If all seats are at fault, they share the first place and there is no winner.
 * @param {Drawing} drawing
 * @param {number} seat
 */
export function placeBadge({ timeline, scene, frame }, seat) {
  const place = timeline.places[seat], won = place === 1 && !scene.seats[seat].fault;
  const isShared = timeline.places.filter((other) => other === place).length > 1;
  return frame ? null : badge(won ? "won" : `${isShared ? "tied for " : ""}place ${place}`, won ? "good" : "");
}
