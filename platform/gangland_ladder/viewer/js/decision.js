// @ts-check
/** The panel of the current decision: question, answer and results. */

import { linesOf, logOf, newLeader, opensOf, whatIfs } from "./timeline.js";
import { make, short } from "./draw.js";
import { roundUntil } from "./cursor.js";

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Frame} Frame */

/**
 * Return the parts of the panel: the decision at the cursor and its results.  A seat's view omits the results, which
 * can reveal hands that the seat did not see.
 * @param {Timeline} timeline
 * @param {Place} place
 * @param {{ log: boolean, debug: boolean }} shown
 */
export function decision(timeline, place, shown) {
  const all = place.seat === null;
  const frame = timeline.frames[place.index];
  const parts = frame ? decided(timeline, frame) : ended(timeline);
  const lead = frame && all ? newLeader(timeline, frame) : "";
  if (frame && all) parts.push(followed(timeline, frame));
  if (lead) parts.push(make("p", "v-lead", lead));
  if (frame && all) parts.push(...opened(frame.at, `Start of round ${frame.round}`));
  if (frame && !all) parts.push(make("p", "v-wait", "Choose All to see what followed."));
  if (frame && shown.debug) parts.push(...debug(timeline, frame));
  if (shown.log) parts.push(...log(timeline, place));
  return parts;
}

/**
 * @param {Timeline} timeline
 * @param {Frame} frame
 */
function decided(timeline, frame) {
  const name = timeline.names[frame.seat];
  const head = make("p", `v-who seat${frame.seat + 1}`, make("span", "chip", String(frame.seat + 1)), short("bdi", "v-name", name ?? ""), frame.fault && make("b", "v-badge bad", "fault"), make("span", "v-at", frame.at));
  return [
    head,
    ...linesOf(frame, "asked").map((line) => make("p", "v-asked", line)),
    ...linesOf(frame, "did").map((line) => make("p", `v-did${frame.fault ? " fault" : ""}`, line)),
    ...linesOf(frame, "judged").map((line) => make("p", `v-judged ${frame.verdict ?? ""}`, line)),
    ...whatIfs(frame),
    ...linesOf(frame, "noted").map((line) => make("p", "v-noted", line)),
  ];
}

/**
 * Return the results as sentences.
 * @param {Timeline} timeline
 * @param {Frame} frame
 */
function followed(timeline, frame) {
  const events = linesOf(frame, "told").map((line) => make("li", "", line));
  return events.length ? make("ul", "v-events", ...events) : make("p", "v-wait", waiting(timeline, frame));
}

/**
 * Return the events since the previous decision as sentences under a title; empty if there are none.
 * @param {string} at
 * @param {string} title
 */
function opened(at, title) {
  const events = opensOf(at).map((line) => make("li", "", line));
  return events.length ? [make("p", "v-title", title), make("ul", "v-opens", ...events)] : [];
}

/**
 * Return the winner and, if the page has it, the reason.
 * @param {Timeline} timeline
 */
function ended(timeline) {
  const why = Array.from(document.querySelectorAll(".v-why li")).slice(1);
  const lines = why.map((line) => make("li", "", line.textContent));
  const events = lines.length ? [make("ul", "v-events", ...lines)] : [];
  return [make("p", "v-ending", timeline.ending), ...events, ...opened("end", "Played without a choice")];
}

/**
 * Return the reason that there are no results yet.
 * @param {Timeline} timeline
 * @param {Frame} frame
 */
function waiting(timeline, frame) {
  const more = timeline.frames.filter((other) => other.ply === frame.ply).length > 1;
  return more ? "The others decide at the same time." : "";
}

/**
 * @param {Timeline} timeline
 * @param {Frame} frame
 */
function debug(timeline, frame) {
  const own = logOf(frame);
  const whole = timeline.logs[frame.seat];
  const title = own || !whole ? "Log of this decision" : "Log of the whole game";
  return [make("p", "v-title", title), own || whole ? make("pre", "", own || whole) : make("p", "v-wait", "There is no log here, or it is private.")];
}

/**
 * Return the round so far; a seat's view has only the seat's own decisions.
 * @param {Timeline} timeline
 * @param {Place} place
 */
function log(timeline, { index, seat }) {
  const frames = roundUntil(timeline, index).filter((frame) => seat === null || frame.seat === seat);
  const lines = frames.flatMap((frame) => [...linesOf(frame, "did"), ...(seat === null ? linesOf(frame, "told") : [])]);
  return [make("p", "v-title", "This round so far"), make("ol", "v-log", ...lines.map((line) => make("li", "", line)))];
}
