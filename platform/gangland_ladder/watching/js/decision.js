// @ts-check
/** The decision at hand: who is asked what, what it answers, and what follows. */

import { logOf, linesOf } from "./film.js";
import { make, short } from "./draw.js";
import { dicePicture } from "./gang_of_dice.js";
import { bidsPicture, tookPicture } from "./gangster_dice.js";
import { roundUntil, sightOf } from "./cursor.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Stop} Stop */

const MARKS = { fault: "fault", lead: "new leader" };

/**
 * Return the panel's parts.  In a seat's view they are what it was asked last and what it answered: what others were
 * asked, and what followed, tells of hands that it did not see.
 * @param {Film} film
 * @param {Place} place
 * @param {{ log: boolean, debug: boolean }} shown
 * @param {string} sprite
 */
export function decision(film, place, shown, sprite) {
  const all = place.seat === null;
  const stop = all ? film.stops[place.index] : sightOf(film, place);
  const over = place.index === film.last;
  const parts = over ? ended(film) : stop ? decided(film, stop) : [];
  if (stop && !over) parts.push(...(all ? followed(film, stop, sprite) : [ make("p", "v-wait", "What followed, and what others did, stands under All.")]));
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
  const head = make("p", `v-who seat${stop.seat + 1}`, make("span", "chip", String(stop.seat + 1)), short("bdi", "v-name", name ?? ""), stop.mark && make("b", "v-badge bad", MARKS[stop.mark]), make("span", "v-at", stop.at));
  return [
    head,
    ...linesOf(stop, "asked").map((line) => make("p", "v-asked", line)),
    ...linesOf(stop, "did").map((line) => make("p", `v-did${stop.fault ? " fault" : ""}`, line)),
    ...linesOf(stop, "noted").map((line) => make("p", "v-noted", line)),
  ];
}

/**
 * Return what followed: the dice that it rolled or the bids that were turned up, and the rest in words.  The table does
 * not show those that end a round, for by the next decision they are gone.
 * @param {Film} film
 * @param {Stop} stop
 * @param {string} sprite
 */
function followed(film, stop, sprite) {
  const told = linesOf(stop, "told").map((line) => make("li", "", line));
  const words = told.length ? make("ul", "v-told", ...told) : make("p", "v-wait", waiting(film, stop));
  const dice = [...stop.got].reverse();
  if (stop.bidding) return [revealed(film, stop.bidding, sprite), words];
  return dice.length ? [make("div", "v-got", ...dicePicture(sprite, dice)), words] : [words];
}

/**
 * Return every seat's bids, and which tokens it takes.
 * @param {Film} film
 * @param {import("./types.js").Bidding} bidding
 * @param {string} sprite
 */
function revealed({ names, words }, { bids, won, took }, sprite) {
  const seats = Object.keys(bids).map(Number);
  return make("ul", "v-revealed", ...seats.map((seat) => {
    const taken = Object.keys(took).map(Number).filter((token) => took[token] === seat);
    return make(
      "li", `seat${seat + 1}`, make("span", "chip", String(seat + 1)), make("span", "vh", names[seat]),
      bidsPicture(sprite, words, bids[seat] ?? [], (token) => won[token] === seat), tookPicture(sprite, words, taken),
    );
  }));
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
 * Return the round until here, in a seat's view its own decisions alone.
 * @param {Film} film
 * @param {Place} place
 */
function log(film, { index, seat }) {
  const stops = roundUntil(film, index).filter((stop) => seat === null || stop.seat === seat);
  const lines = stops.flatMap((stop) => [...linesOf(stop, "did"), ...(seat === null ? linesOf(stop, "told") : [])]);
  return [make("p", "v-title", "This round until here"), make("ol", "v-log", ...lines.map((line) => make("li", "", line)))];
}
