// @ts-check
/** The decision at hand: who is asked what, what it answers, and what follows. */

import { logOf, linesOf } from "./film.js";
import { make, short } from "./draw.js";
import { roundUntil } from "./cursor.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").Stop} Stop */

const MARKS = { fault: "fault", lead: "new leader" };

/**
 * Return the panel's parts.
 * @param {Film} film
 * @param {number} index
 * @param {{ log: boolean, debug: boolean }} shown
 */
export function decision(film, index, shown) {
  const stop = film.stops[index];
  const parts = stop ? decided(film, stop) : ended(film);
  if (stop && shown.debug) parts.push(...debug(film, stop));
  if (shown.log) parts.push(...log(film, index));
  return parts;
}

/**
 * @param {Film} film
 * @param {Stop} stop
 */
function decided(film, stop) {
  const name = film.names[stop.seat];
  const head = make("p", `v-who seat${stop.seat + 1}`, make("span", "chip", String(stop.seat + 1)), short("bdi", "v-name", name ?? ""), stop.mark && make("b", "v-badge bad", MARKS[stop.mark]), make("span", "v-at", stop.at));
  const noted = linesOf(stop, "noted").map((line) => make("p", "v-noted", line));
  const told = linesOf(stop, "told").map((line) => make("li", "", line));
  return [
    head,
    ...linesOf(stop, "asked").map((line) => make("p", "v-asked", line)),
    ...linesOf(stop, "did").map((line) => make("p", `v-did${stop.fault ? " fault" : ""}`, line)),
    ...noted,
    told.length ? make("ul", "v-told", ...told) : make("p", "v-wait", waiting(film, stop)),
  ];
}

/**
 * Return who won, and how it came about where the page says it.
 * @param {Film} film
 */
function ended(film) {
  const why = Array.from(document.querySelectorAll(".v-why li")).slice(1);
  const lines = why.map((line) => make("li", "", line.textContent));
  const told = lines.length ? [make("ul", "v-told", ...lines)] : [];
  return [make("p", "v-ending", film.ending), ...told];
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
  return [make("p", "v-title", title), own || whole ? make("pre", "", own || whole) : make("p", "v-wait", "No log of this decision is recorded, or it is not yours to see.")];
}

/**
 * @param {Film} film
 * @param {number} index
 */
function log(film, index) {
  const lines = roundUntil(film, index).flatMap((stop) => [...linesOf(stop, "did"), ...linesOf(stop, "told")]);
  return [make("p", "v-title", "This round until here"), make("ol", "v-log", ...lines.map((line) => make("li", "", line)))];
}
