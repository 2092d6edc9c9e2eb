// @ts-check
/** The table of a timeline that arrives in pieces, as on a channel. */

import { refill } from "./draw.js";
import { unpacked } from "./timeline.js";
import { drawerOf } from "./tables.js";

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").PackedTimeline} PackedTimeline */
/** @typedef {import("./types.js").PackedFrame} PackedFrame */

export class Stage {
  /**
   * @param {HTMLElement} root the element to draw the table in
   * @param {string} sprite the URL of the sprite with the dice
   */
  constructor(root, sprite) {
    this.root = root;
    this.sprite = sprite;
    this.shown = -1;
    /** @type {PackedTimeline | null} */
    this.packed = null;
    /** @type {Timeline | null} */
    this.timeline = null;
    this.table = document.createElement("div");
    this.table.className = "v-table";
    this.table.setAttribute("role", "group");
    this.table.setAttribute("aria-label", "The table");
  }

  /**
   * Begin another timeline.
   * @param {{ game: string, names: string[], words: import("./types.js").Words, classes: string }} timeline
   */
  begin({ game, names, words, classes }) {
    const end = { table: {}, luck: [], values: [] };
    this.packed = { game, names, words, places: [], rounds: 0, start: null, ending: "", frames: [], end, logs: {}, keys: {} };
    this.timeline = null;
    this.shown = -1;
    const viewer = document.createElement("div");
    viewer.className = `viewer drawn ${classes}`;
    viewer.append(this.table);
    this.table.replaceChildren();
    this.root.replaceChildren(viewer);
  }

  /**
   * Add the next steps of the timeline and, once known, its end.
   * @param {PackedFrame[]} frames
   * @param {{ places: number[], rounds: number, ending: string, end: PackedTimeline["end"] } | null} end
   */
  add(frames, end) {
    if (!this.packed || (!frames.length && !end)) return;
    this.packed.frames.push(...frames);
    if (end) Object.assign(this.packed, { places: end.places, rounds: end.rounds, ending: end.ending, end: end.end });
    this.timeline = unpacked(this.packed);
  }

  /**
   * Show the table after a number of steps: 0 shows it before the first step, and a number above the last step, the end.
   * @param {number} steps
   */
  show(steps) {
    const { timeline, sprite } = this;
    const opening = timeline?.frames[0];
    if (!timeline || steps === this.shown) return;
    const frame = steps ? timeline.frames[steps - 1] : opening;
    const begun = steps > 0;
    const over = steps > timeline.last;
    const scene = over ? timeline.table : begun ? frame?.table : opening?.before;
    if (!scene) return;
    const aside = over ? timeline.aside : begun && frame ? frame.aside : { plans: {}, laid: {}, award: null };
    const before = begun && frame ? frame.before : null;
    const drawing = { timeline, sprite, frame: over ? undefined : frame, scene, aside, before, rolling: begun && steps > this.shown };
    refill(this.table, drawerOf(timeline.game)(drawing));
    this.shown = steps;
  }

  /**
   * Return the round of a step, from 1.
   * @param {number} steps
   */
  round(steps) {
    return this.timeline?.frames[Math.max(0, steps - 1)]?.round ?? 0;
  }
}
