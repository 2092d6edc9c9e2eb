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
 * Return the indexes that one walks over: all, or in a seat's view its own decisions, and always the end.
 * @param {Film} film
 * @param {number | null} seat
 */
export function stepsOf(film, seat) {
  const own = film.stops.flatMap((stop, at) => (seat === null || stop.seat === seat ? [at] : []));
  return [...own, film.last];
}

/**
 * Return the step after one (way 1) or before it (-1).
 * @param {Film} film
 * @param {Place} place
 * @param {1 | -1} way
 */
export function stepFrom(film, { index, seat }, way) {
  const steps = stepsOf(film, seat);
  if (way > 0) return steps.find((at) => at > index) ?? film.last;
  return steps.reverse().find((at) => at < index) ?? steps.pop() ?? 0;
}

/**
 * Return the first step of the next round (way 1), or of this round, or of the one before if one stands there (-1).
 * @param {Film} film
 * @param {Place} place
 * @param {1 | -1} way
 */
export function roundFrom(film, { index, seat }, way) {
  const { stops } = film;
  const steps = stepsOf(film, seat);
  const here = stops[index]?.round ?? film.rounds;
  if (way > 0) return steps.find((at) => (stops[at]?.round ?? 0) > here) ?? film.last;
  const begins = steps.filter((at, each) => stops[at] && stops[at]?.round !== stops[steps[each - 1] ?? -1]?.round);
  return begins.reverse().find((at) => at < index) ?? steps[0] ?? 0;
}

/**
 * Return the index of the next stop that has a mark (a fault or a lead change) or a verdict (a mistake), or of the one
 * before; undefined if there is none.
 * @param {Film} film
 * @param {Place} place
 * @param {1 | -1} way
 * @param {"mark" | "verdict"} kind
 */
export function markFrom(film, { index, seat }, way, kind) {
  const marks = stepsOf(film, seat).filter((at) => film.stops[at]?.[kind] && (at - index) * way > 0);
  return way > 0 ? marks[0] : marks.pop();
}

/**
 * Return where one stands in a seat's view who goes to an index: at its decision in that ply, or its last one before,
 * or its first; at the end if it was never asked, or one goes there.
 * @param {Film} film
 * @param {Place} place
 */
export function ownIndex(film, { index, seat }) {
  if (seat === null || index === film.last) return index;
  const sight = sightOf(film, { index, seat });
  return sight ? film.stops.indexOf(sight) : stepsOf(film, seat)[0] ?? film.last;
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
