// @ts-check
/** Texts for screen readers: a sentence for each step. */

import { linesOf, newLeader } from "./timeline.js";

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").Place} Place */

/**
 * Return the text of a frame for screen readers: a new round, a fault, and the decision with a short result.  A seat's
 * view has only the decision.
 * @param {Timeline} timeline
 * @param {Place} place
 * @param {number} from the previous index
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
