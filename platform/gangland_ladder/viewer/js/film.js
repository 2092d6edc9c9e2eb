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
  /** @type {number[]} */
  let values = [];
  let ply = 0;
  const stops = packed.stops.map((each) => {
    const before = merged(table, each.before);
    table = merged(before, each.table);
    const luckBefore = each.luck_before ?? luck;
    luck = each.luck ?? luckBefore;
    const valuesBefore = each.values_before ?? values;
    values = each.values ?? valuesBefore;
    if (!each.with) ply += 1;
    const { round, seat } = partsOf(each.at);
    const seen = merged(before, each.seen);
    const { at, kind, mark, leader, verdict, again = [], fault } = each;
    return {
      at, round, seat, ply, kind, before, table, aside: asideOf(each), seen, luckBefore, luck, valuesBefore, values,
      again, fault: Boolean(fault), mark, leader, verdict,
    };
  });
  const { game, names, places, rounds, words, start, ending, logs, keys, end } = packed;
  return {
    game, names, places, rounds, words, start, ending, logs, keys, stops,
    table: merged(table, end.table), aside: asideOf(end), luck: end.luck, values: end.values, last: stops.length,
  };
}

/**
 * @param {Partial<import("./types.js").Aside>} packed
 * @returns {import("./types.js").Aside}
 */
function asideOf({ plans = {}, laid = {}, award = null }) {
  return { plans, laid, award };
}

/**
 * The story's items by the addresses of their stops.
 * @type {Map<string | undefined, HTMLElement | null>}
 */
const items = new Map();

/**
 * What the story tells between two stops, by the address of the later one, that of the end among them.
 * @type {Map<string, string[]>}
 */
const between = new Map();

/**
 * Take over the addresses from the story: an address that names no element lets the browser neither scroll nor move the
 * focus when it changes, be it by a link or by "back".
 * @param {Film} film
 */
export function takeAddresses(film) {
  for (const { at } of film.stops) items.set(at, document.getElementById(at));
  /** @type {string[]} */
  let lines = [];
  for (const item of document.querySelectorAll(".v-story > li")) {
    if (!item.id) lines.push(item.textContent?.trim() ?? "");
    else {
      between.set(item.id, lines);
      lines = [];
    }
  }
  between.set("end", lines);
  const rounds = Array.from({ length: film.rounds }, (_, round) => `r${round + 1}`);
  for (const address of [...film.stops.map((stop) => stop.at), ...rounds, "end"]) {
    const element = document.getElementById(address);
    if (element) element.id = `story-${address}`;
  }
}

/**
 * Take over what another page's story of the same game says of stops, each in its place, so that nothing that is read
 * moves away.
 * @param {Document} page
 */
export function retell(page) {
  for (const [at, item] of items) {
    const other = page.getElementById(at ?? "");
    if (item && other && item.innerHTML !== other.innerHTML) item.replaceChildren(...other.childNodes);
  }
}

/**
 * Mark a stop in the story, and no other.
 * @param {Stop | undefined} stop
 */
export function markInStory(stop) {
  for (const item of document.querySelectorAll(".v-story [aria-current]")) item.removeAttribute("aria-current");
  items.get(stop?.at)?.setAttribute("aria-current", "step");
}

/**
 * Return what happened between the stop before and the one of an address, or the end.
 * @param {string} at
 * @returns {string[]}
 */
export function opensOf(at) {
  return between.get(at) ?? [];
}

/**
 * Return the story's lines of a stop that have a class.
 * @param {Stop} stop
 * @param {"asked" | "did" | "judged" | "noted" | "told"} name
 * @returns {string[]}
 */
export function linesOf(stop, name) {
  return Array.from(items.get(stop.at)?.querySelectorAll(`p.${name}`) ?? [], (line) => line.textContent ?? "");
}

/**
 * Return who leads the game from a stop on, in words; nothing where that is who led before.
 * @param {Film} film
 * @param {Stop} stop
 */
export function newLeader(film, { leader }) {
  return leader === undefined ? "" : `${film.names[leader]} leads the game now.`;
}

/**
 * Return copies of the links by which the game is played on from a stop.
 * @param {Stop} stop
 */
export function whatIfs(stop) {
  return Array.from(items.get(stop.at)?.querySelectorAll("p.what-if") ?? [], (line) => line.cloneNode(true));
}

/**
 * Return what the bot logged at a stop, "" for nothing.
 * @param {Stop} stop
 * @returns {string}
 */
export function logOf(stop) {
  return items.get(stop.at)?.querySelector("pre")?.textContent ?? "";
}
