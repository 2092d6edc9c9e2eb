// @ts-check
/** A film that comes piece by piece and plays by itself: the table alone, drawn as in the viewer. */

import { refill } from "./draw.js";
import { unpacked } from "./film.js";
import { drawerOf } from "./tables.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").PackedFilm} PackedFilm */
/** @typedef {import("./types.js").PackedStop} PackedStop */

export class Stage {
  /**
   * @param {HTMLElement} root gets the table
   * @param {string} sprite the address of the dice
   */
  constructor(root, sprite) {
    this.root = root;
    this.sprite = sprite;
    this.shown = -1;
    /** @type {PackedFilm | null} */
    this.packed = null;
    /** @type {Film | null} */
    this.film = null;
    this.table = document.createElement("div");
    this.table.className = "v-table";
    this.table.setAttribute("role", "group");
    this.table.setAttribute("aria-label", "The table");
  }

  /**
   * Begin another film; nothing of the one before is kept.
   * @param {{ game: string, names: string[], words: import("./types.js").Words, classes: string }} film
   */
  begin({ game, names, words, classes }) {
    const end = { table: {}, luck: [], values: [] };
    this.packed = { game, names, words, places: [], rounds: 0, start: null, ending: "", stops: [], end, logs: {}, keys: {} };
    this.film = null;
    this.shown = -1;
    const viewer = document.createElement("div");
    viewer.className = `viewer drawn ${classes}`;
    viewer.append(this.table);
    this.table.replaceChildren();
    this.root.replaceChildren(viewer);
  }

  /**
   * Take the next steps of the film, and its end once it is known.
   * @param {PackedStop[]} stops
   * @param {{ places: number[], rounds: number, ending: string, end: PackedFilm["end"] } | null} end
   */
  add(stops, end) {
    if (!this.packed || (!stops.length && !end)) return;
    this.packed.stops.push(...stops);
    if (end) Object.assign(this.packed, { places: end.places, rounds: end.rounds, ending: end.ending, end: end.end });
    this.film = unpacked(this.packed);
  }

  /**
   * Show the table after so many steps: 0 is before the first, more than there are is the end.
   * @param {number} steps
   */
  show(steps) {
    const { film, sprite } = this;
    const opening = film?.stops[0];
    if (!film || steps === this.shown) return;
    const stop = steps ? film.stops[steps - 1] : opening;
    const begun = steps > 0;
    const over = steps > film.last;
    const scene = over ? film.table : begun ? stop?.table : opening?.before;
    if (!scene) return;
    const aside = over ? film.aside : begun && stop ? stop.aside : { plans: {}, laid: {}, award: null };
    const before = begun && stop ? stop.before : null;
    const drawing = { film, sprite, stop: over ? undefined : stop, scene, aside, before, rolling: begun && steps > this.shown };
    refill(this.table, drawerOf(film.game)(drawing));
    this.shown = steps;
  }

  /**
   * Return the round of a step, counted from 1.
   * @param {number} steps
   */
  round(steps) {
    return this.film?.stops[Math.max(0, steps - 1)]?.round ?? 0;
  }
}
