// @ts-check
/** Builds a timeline from a page's data and story: scenes from differences, and the texts of each frame. */

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").PackedTimeline} PackedTimeline */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Frame} Frame */

/**
 * Return a copy of a scene with the differences applied.
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
 * Return the round and the seat (from 0) in a frame's address.
 * @param {string} at
 */
export function partsOf(at) {
  const [round = 0, seat = 0] = (at.match(/\d+/g) ?? []).map(Number);
  return { round, seat: seat - 1 };
}

/**
 * Unpack a timeline.
 * @param {PackedTimeline} packed
 * @returns {Timeline}
 */
export function unpacked(packed) {
  /** @type {Scene} */
  let table = {};
  /** @type {number[]} */
  let luck = packed.names.map(() => 0);
  /** @type {number[]} */
  let values = [];
  let ply = 0;
  const frames = packed.frames.map((each) => {
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
    game, names, places, rounds, words, start, ending, logs, keys, frames,
    table: merged(table, end.table), aside: asideOf(end), luck: end.luck, values: end.values, last: frames.length,
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
 * The story's items by the addresses of their frames.
 * @type {Map<string | undefined, HTMLElement | null>}
 */
const items = new Map();

/**
 * The story's lines between two frames, by the address of the later one or of the end.
 * @type {Map<string, string[]>}
 */
const between = new Map();

/**
 * Find the story's elements, and change their ids, so that a new address in the URL neither scrolls nor moves the focus.
 * @param {Timeline} timeline
 */
export function takeAddresses(timeline) {
  for (const { at } of timeline.frames) items.set(at, document.getElementById(at));
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
  const rounds = Array.from({ length: timeline.rounds }, (_, round) => `r${round + 1}`);
  for (const address of [...timeline.frames.map((frame) => frame.at), ...rounds, "end"]) {
    const element = document.getElementById(address);
    if (element) element.id = `story-${address}`;
  }
}

/**
 * Copy the texts of frames from a newer page of the same game, without moving the text that the user is reading.
 * @param {Document} page
 */
export function retell(page) {
  for (const [at, item] of items) {
    const other = page.getElementById(at ?? "");
    if (item && other && item.innerHTML !== other.innerHTML) item.replaceChildren(...other.childNodes);
  }
}

/**
 * Mark only this frame in the story.
 * @param {Frame | undefined} frame
 */
export function markInStory(frame) {
  for (const item of document.querySelectorAll(".v-story [aria-current]")) item.removeAttribute("aria-current");
  items.get(frame?.at)?.setAttribute("aria-current", "step");
}

/**
 * Return the lines between the previous frame and this address.
 * @param {string} at
 * @returns {string[]}
 */
export function opensOf(at) {
  return between.get(at) ?? [];
}

/**
 * Return the story's lines of a frame that have a class.
 * @param {Frame} frame
 * @param {"asked" | "did" | "judged" | "noted" | "told"} name
 * @returns {string[]}
 */
export function linesOf(frame, name) {
  return Array.from(items.get(frame.at)?.querySelectorAll(`p.${name}`) ?? [], (line) => line.textContent ?? "");
}

/**
 * Return a sentence about the new leader at a frame, or "" if the leader has not changed.
 * @param {Timeline} timeline
 * @param {Frame} frame
 */
export function newLeader(timeline, { leader }) {
  return leader === undefined ? "" : `${timeline.names[leader]} now leads the game.`;
}

/**
 * Return copies of a frame's links to what-if games.
 * @param {Frame} frame
 */
export function whatIfs(frame) {
  return Array.from(items.get(frame.at)?.querySelectorAll("p.what-if") ?? [], (line) => line.cloneNode(true));
}

/**
 * Return the bot's log at a frame, or "".
 * @param {Frame} frame
 * @returns {string}
 */
export function logOf(frame) {
  return items.get(frame.at)?.querySelector("pre")?.textContent ?? "";
}
