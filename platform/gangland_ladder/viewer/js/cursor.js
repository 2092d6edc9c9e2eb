// @ts-check
/** Where each way through a timeline leads.  Nothing here draws or remembers. */

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Frame} Frame */

/**
 * Return the index nearest to one that is wanted.
 * @param {Timeline} timeline
 * @param {number} index
 */
export function within(timeline, index) {
  return Math.max(0, Math.min(timeline.last, index));
}

/**
 * Return the indexes that one walks over: all, or in a seat's view its own decisions, and always the end.
 * @param {Timeline} timeline
 * @param {number | null} seat
 */
export function stepsOf(timeline, seat) {
  const own = timeline.frames.flatMap((frame, at) => (seat === null || frame.seat === seat ? [at] : []));
  return [...own, timeline.last];
}

/**
 * Return the step after one (way 1) or before it (-1).
 * @param {Timeline} timeline
 * @param {Place} place
 * @param {1 | -1} way
 */
export function stepFrom(timeline, { index, seat }, way) {
  const steps = stepsOf(timeline, seat);
  if (way > 0) return steps.find((at) => at > index) ?? timeline.last;
  return steps.reverse().find((at) => at < index) ?? steps.pop() ?? 0;
}

/**
 * Return the first step of the next round (way 1), or of this round, or of the one before if one stands there (-1).
 * @param {Timeline} timeline
 * @param {Place} place
 * @param {1 | -1} way
 */
export function roundFrom(timeline, { index, seat }, way) {
  const { frames } = timeline;
  const steps = stepsOf(timeline, seat);
  const here = frames[index]?.round ?? timeline.rounds;
  if (way > 0) return steps.find((at) => (frames[at]?.round ?? 0) > here) ?? timeline.last;
  const begins = steps.filter((at, each) => frames[at] && frames[at]?.round !== frames[steps[each - 1] ?? -1]?.round);
  return begins.reverse().find((at) => at < index) ?? steps[0] ?? 0;
}

/**
 * Return the index of the next frame that has a mark (a fault or a lead change) or a verdict (a mistake), or of the one
 * before; undefined if there is none.
 * @param {Timeline} timeline
 * @param {Place} place
 * @param {1 | -1} way
 * @param {"mark" | "verdict"} kind
 */
export function markFrom(timeline, { index, seat }, way, kind) {
  const marks = stepsOf(timeline, seat).filter((at) => timeline.frames[at]?.[kind] && (at - index) * way > 0);
  return way > 0 ? marks[0] : marks.pop();
}

/**
 * Return where one stands in a seat's view who goes to an index: at its decision in that ply, or its last one before,
 * or its first; at the end if it was never asked, or one goes there.
 * @param {Timeline} timeline
 * @param {Place} place
 */
export function ownIndex(timeline, { index, seat }) {
  if (seat === null || index === timeline.last) return index;
  const sight = sightOf(timeline, { index, seat });
  return sight ? timeline.frames.indexOf(sight) : stepsOf(timeline, seat)[0] ?? timeline.last;
}

/**
 * Return the frame whose view is what a seat saw last: in this ply, or before; undefined if it saw nothing yet.
 * @param {Timeline} timeline
 * @param {Place} place
 * @returns {Frame | undefined}
 */
export function sightOf(timeline, { index, seat }) {
  const ply = timeline.frames[index]?.ply;
  const here = timeline.frames.find((frame) => frame.ply === ply && frame.seat === seat);
  if (here) return here;
  for (let at = index - 1; at >= 0; at -= 1) if (timeline.frames[at]?.seat === seat) return timeline.frames[at];
  return undefined;
}

/**
 * Return the indexes of a round's frames until one, itself included.
 * @param {Timeline} timeline
 * @param {number} index
 */
export function roundUntil(timeline, index) {
  const here = timeline.frames[index]?.round ?? timeline.rounds;
  return timeline.frames.filter((frame, at) => frame.round === here && at <= index);
}
