// @ts-check
/** One sentence a step for those who listen. */

import { linesOf, newLeader } from "./timeline.js";

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").Place} Place */

/**
 * Return what a screen reader says at a frame: the round where it is a new one, the fault, and the decision with its
 * outcome where that is as short; in a seat's view the decision alone.
 * @param {Timeline} timeline
 * @param {Place} place
 * @param {number} from where one came from
 */
export function spoken(timeline, { index, seat }, from) {
  const frame = timeline.frames[index];
  if (!frame) return timeline.ending;
  const events = seat === null ? linesOf(frame, "told") : [];
  const what = events.length && events.length <= 2 && !frame.fault ? events : linesOf(frame, "did");
  const round = timeline.frames[from]?.round === frame.round ? "" : `Round ${frame.round}: `;
  const lead = seat === null ? newLeader(timeline, frame) : "";
  return `${round}${[...what, lead].join(" ").trim()}`;
}
