// @ts-check
/** Where each way through a film leads.  Nothing here draws or remembers. */

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Stop} Stop */

/**
 * Return the index nearest to one that is wanted.
 * @param {Film} film
 * @param {number} index
 */
export function within(film, index) {
  return Math.max(0, Math.min(film.last, index));
}

/**
 * Return the index of the next round's first stop (way 1), or of this round's, or of the one before (-1).
 * @param {Film} film
 * @param {number} index
 * @param {1 | -1} way
 */
export function roundFrom(film, index, way) {
  const { stops } = film;
  const here = stops[index]?.round ?? film.rounds;
  if (way > 0) {
    const next = stops.findIndex((stop) => stop.round > here);
    return next < 0 || !stops[index] ? film.last : next;
  }
  for (let at = index - 1; at > 0; at -= 1) if (stops[at - 1]?.round !== stops[at]?.round) return at;
  return 0;
}

/**
 * Return the index of the next fault or lead change, or of the one before; undefined if there is none.
 * @param {Film} film
 * @param {number} index
 * @param {1 | -1} way
 */
export function markFrom(film, index, way) {
  for (let at = index + way; at >= 0 && at < film.last; at += way) if (film.stops[at]?.mark) return at;
  return undefined;
}

/**
 * Return the stop whose view is what a seat saw last: in this ply, or before; undefined if it saw nothing yet.
 * @param {Film} film
 * @param {Place} place
 * @returns {Stop | undefined}
 */
export function sightOf(film, { index, seat }) {
  const ply = film.stops[index]?.ply;
  const here = film.stops.find((stop) => stop.ply === ply && stop.seat === seat);
  if (here) return here;
  for (let at = index - 1; at >= 0; at -= 1) if (film.stops[at]?.seat === seat) return film.stops[at];
  return undefined;
}

/**
 * Return the indexes of a round's stops until one, itself included.
 * @param {Film} film
 * @param {number} index
 */
export function roundUntil(film, index) {
  const here = film.stops[index]?.round ?? film.rounds;
  return film.stops.filter((stop, at) => stop.round === here && at <= index);
}
