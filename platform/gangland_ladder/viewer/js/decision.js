// @ts-check
/** The decision at hand: who is asked what, what it answers, and what follows. */

import { linesOf, logOf, newLeader, opensOf, whatIfs } from "./film.js";
import { make, short } from "./draw.js";
import { roundUntil } from "./cursor.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Stop} Stop */

/**
 * Return the panel's parts: the decision where the cursor stands and all that came of it, as the table beside it shows.
 * In a seat's view, what it was asked and what it answered: what followed tells of hands that it did not see.
 * @param {Film} film
 * @param {Place} place
 * @param {{ log: boolean, debug: boolean }} shown
 */
export function decision(film, place, shown) {
  const all = place.seat === null;
  const stop = film.stops[place.index];
  const parts = stop ? decided(film, stop) : ended(film);
  const lead = stop && all ? newLeader(film, stop) : "";
  if (stop && all) parts.push(followed(film, stop));
  if (lead) parts.push(make("p", "v-lead", lead));
  if (stop && all) parts.push(...opened(stop.at, `How round ${stop.round} began`));
  if (stop && !all) parts.push(make("p", "v-wait", "Choose All to see what followed and what the other bots did."));
  if (stop && shown.debug) parts.push(...debug(film, stop));
  if (shown.log) parts.push(...log(film, place));
  return parts;
}

/**
 * @param {Film} film
 * @param {Stop} stop
 */
function decided(film, stop) {
  const name = film.names[stop.seat];
  const head = make("p", `v-who seat${stop.seat + 1}`, make("span", "chip", String(stop.seat + 1)), short("bdi", "v-name", name ?? ""), stop.fault && make("b", "v-badge bad", "fault"), make("span", "v-at", stop.at));
  return [
    head,
    ...linesOf(stop, "asked").map((line) => make("p", "v-asked", line)),
    ...linesOf(stop, "did").map((line) => make("p", `v-did${stop.fault ? " fault" : ""}`, line)),
    ...linesOf(stop, "judged").map((line) => make("p", `v-judged ${stop.verdict ?? ""}`, line)),
    ...whatIfs(stop),
    ...linesOf(stop, "noted").map((line) => make("p", "v-noted", line)),
  ];
}

/**
 * Return what followed in words.
 * @param {Film} film
 * @param {Stop} stop
 */
function followed(film, stop) {
  const events = linesOf(stop, "told").map((line) => make("li", "", line));
  return events.length ? make("ul", "v-events", ...events) : make("p", "v-wait", waiting(film, stop));
}

/**
 * Return what happened since the decision before, in words; nothing if nothing did.
 * @param {string} at
 * @param {string} title
 */
function opened(at, title) {
  const events = opensOf(at).map((line) => make("li", "", line));
  return events.length ? [make("p", "v-title", title), make("ul", "v-opens", ...events)] : [];
}

/**
 * Return who won, and how it came about where the page says it.
 * @param {Film} film
 */
function ended(film) {
  const why = Array.from(document.querySelectorAll(".v-why li")).slice(1);
  const lines = why.map((line) => make("li", "", line.textContent));
  const events = lines.length ? [make("ul", "v-events", ...lines)] : [];
  return [make("p", "v-ending", film.ending), ...events, ...opened("end", "What was played without a choice")];
}

/**
 * Return why nothing follows yet.
 * @param {Film} film
 * @param {Stop} stop
 */
function waiting(film, stop) {
  const more = film.stops.filter((other) => other.ply === stop.ply).length > 1;
  return more ? "The others decide at the same time." : "";
}

/**
 * @param {Film} film
 * @param {Stop} stop
 */
function debug(film, stop) {
  const own = logOf(stop);
  const whole = film.logs[stop.seat];
  const title = own || !whole ? "What the bot logged here" : "What the bot logged in the whole game";
  return [make("p", "v-title", title), own || whole ? make("pre", "", own || whole) : make("p", "v-wait", "No log of this decision is recorded, or you may not see it.")];
}

/**
 * Return the round until here, in a seat's view its own decisions alone.
 * @param {Film} film
 * @param {Place} place
 */
function log(film, { index, seat }) {
  const stops = roundUntil(film, index).filter((stop) => seat === null || stop.seat === seat);
  const lines = stops.flatMap((stop) => [...linesOf(stop, "did"), ...(seat === null ? linesOf(stop, "told") : [])]);
  return [make("p", "v-title", "This round until here"), make("ol", "v-log", ...lines.map((line) => make("li", "", line)))];
}
