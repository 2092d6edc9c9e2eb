// @ts-check
/** Makes a film of what a page holds: whole scenes of differences, and the story's words for each stop. */

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").PackedFilm} PackedFilm */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Stop} Stop */

/**
 * Return a scene with what differs put into it; the one before stays as it is.
 * @param {Scene} before
 * @param {Scene} [change]
 * @returns {Scene}
 */
export function merged(before, change) {
  if (!change) return before;
  const now = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const nested = value && typeof value === "object" && !Array.isArray(value);
    now[name] = nested ? merged(before[name] ?? {}, value) : value;
  }
  return now;
}

/**
 * Return round and seat (from 0) of a stop's address.
 * @param {string} at
 */
export function partsOf(at) {
  const [round = 0, seat = 0] = (at.match(/\d+/g) ?? []).map(Number);
  return { round, seat: seat - 1 };
}

/**
 * Unpack a film.
 * @param {PackedFilm} packed
 * @returns {Film}
 */
export function unpacked(packed) {
  /** @type {Scene} */
  let table = {};
  /** @type {number[]} */
  let luck = packed.names.map(() => 0);
  let ply = 0;
  const stops = packed.stops.map((each) => {
    table = merged(table, each.table);
    luck = each.luck ?? luck;
    if (!each.with) ply += 1;
    const { round, seat } = partsOf(each.at);
    const seen = merged(table, each.seen);
    const { at, kind, mark, again = [] } = each;
    return { at, round, seat, ply, kind, table, seen, luck, again, fault: Boolean(each.fault), mark };
  });
  const { game, names, places, rounds, words, start, ending, logs, keys, end } = packed;
  return {
    game, names, places, rounds, words, start, ending, logs, keys, stops,
    table: merged(table, end.table), luck: end.luck, last: stops.length,
  };
}

/**
 * Return the story's lines of a stop that have a class.
 * @param {Stop} stop
 * @param {"asked" | "did" | "noted" | "told"} name
 */
export function linesOf(stop, name) {
  const found = document.getElementById(stop.at)?.querySelectorAll(`p.${name}`) ?? [];
  return Array.from(found, (line) => line.textContent ?? "");
}

/**
 * Return what the bot logged at a stop, "" for nothing.
 * @param {Stop} stop
 */
export function logOf(stop) {
  return document.getElementById(stop.at)?.querySelector("pre")?.textContent ?? "";
}
