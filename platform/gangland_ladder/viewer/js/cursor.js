// @ts-check
/** Movement through a timeline, as pure functions. */

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Frame} Frame */

/**
 * Return an index limited to the timeline.
 * @param {Timeline} timeline
 * @param {number} index
 */
export function within(timeline, index) {
  return Math.max(0, Math.min(timeline.last, index));
}

/**
 * Return the indexes of all frames, or of a seat's decisions, and the end.
 * @param {Timeline} timeline
 * @param {number | null} seat
 */
export function stepsOf(timeline, seat) {
  const own = timeline.frames.flatMap((frame, at) => (seat === null || frame.seat === seat ? [at] : []));
  return [...own, timeline.last];
}

/**
 * Return the next step (way 1) or the previous one (-1).
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
 * Return the start of the next round (way 1), or the start of this round (-1); -1 at the start of a round returns the
 * start of the previous one.
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
 * Return the index of the next or previous frame with a mark (fault, lead change) or a verdict (mistake); undefined if
 * there is none.
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
 * Return the index that a seat's view shows for an index: the seat's decision in that ply, or its previous one, or its
 * first.  Return the end for the end, or if the seat made no decision.
 * @param {Timeline} timeline
 * @param {Place} place
 */
export function ownIndex(timeline, { index, seat }) {
  if (seat === null || index === timeline.last) return index;
  const frame = latestViewFrame(timeline, { index, seat });
  return frame ? timeline.frames.indexOf(frame) : stepsOf(timeline, seat)[0] ?? timeline.last;
}

/**
 * Return the frame with a seat's latest view, in this ply or an earlier one; undefined if the seat has no view yet.
 * @param {Timeline} timeline
 * @param {Place} place
 * @returns {Frame | undefined}
 */
export function latestViewFrame(timeline, { index, seat }) {
  const ply = timeline.frames[index]?.ply;
  const here = timeline.frames.find((frame) => frame.ply === ply && frame.seat === seat);
  if (here) return here;
  for (let at = index - 1; at >= 0; at -= 1) if (timeline.frames[at]?.seat === seat) return timeline.frames[at];
  return undefined;
}

/**
 * Return the indexes of a round's frames up to an index.
 * @param {Timeline} timeline
 * @param {number} index
 */
export function roundUntil(timeline, index) {
  const here = timeline.frames[index]?.round ?? timeline.rounds;
  return timeline.frames.filter((frame, at) => frame.round === here && at <= index);
}
