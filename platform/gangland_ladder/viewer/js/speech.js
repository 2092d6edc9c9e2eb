// @ts-check
/** One sentence a step for those who listen. */

import { linesOf, newLeader } from "./film.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").Place} Place */

/**
 * Return what a screen reader says at a stop: the round where it is a new one, the fault, and the decision with its
 * outcome where that is as short; in a seat's view the decision alone.
 * @param {Film} film
 * @param {Place} place
 * @param {number} from where one came from
 */
export function spoken(film, { index, seat }, from) {
  const stop = film.stops[index];
  if (!stop) return film.ending;
  const events = seat === null ? linesOf(stop, "told") : [];
  const what = events.length && events.length <= 2 && !stop.fault ? events : linesOf(stop, "did");
  const round = film.stops[from]?.round === stop.round ? "" : `Round ${stop.round}: `;
  const lead = seat === null ? newLeader(film, stop) : "";
  return `${round}${[...what, lead].join(" ").trim()}`;
}
