// @ts-check
/**
 * Walks through a recorded game.  The story is the page: without this script it reads from top to bottom, and the
 * viewer takes its words from there.
 */

import { addressHere, addressOf, Follower, indexOf, linkTo, moveAt, onMoved, remember } from "./address.js";
import { setCursor } from "./chart.js";
import { Clock } from "./clock.js";
import { markFrom, ownIndex, roundFrom, stepFrom, within } from "./cursor.js";
import { decision } from "./decision.js";
import { refill } from "./draw.js";
import { markInStory, retell, takeAddresses, unpacked } from "./film.js";
import { actionOf, keepKeys, keysKept } from "./keys.js";
import { spoken } from "./speech.js";
import { drawerOf } from "./tables.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").Scene} Scene */

const OF_ANALYSIS = [".v-walk", ".v-help dl", ".v-ticks", ".v-figures"];

export class Viewer {
  /**
   * @param {HTMLElement} root
   * @param {Film} film
   */
  constructor(root, film) {
    this.root = root;
    this.film = film;
    this.index = indexOf(film, film.start) ?? 0;
    /** @type {number | null} */
    this.seat = null;
    this.shown = { log: false, debug: false };
    this.keysOn = keysKept();
    this.clock = new Clock(() => {
      this.go(stepFrom(this.film, this, 1), false);
      return this.index < this.film.last;
    });
    this.follower = new Follower();
    this.scrolled = false;
    this.tail = document.createElement("i"); // as long as it is out of sight, there is more in the panel
    this.actions = this.named();
    this.listen();
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => this.begin());
    else this.begin();
  }

  /** Open where the address says; the browser itself goes to the story's place of that name, so go again behind it. */
  begin() {
    takeAddresses(this.film);
    if (this.isPictured) moveAt();
    const named = this.open(addressHere(), true);
    if (named && document.readyState !== "complete") window.addEventListener("load", () => setTimeout(() => this.show()));
  }

  /**
   * Return the part of the viewer that has a data attribute.
   * @param {string} name
   */
  part(name) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`[data-${name}]`));
  }

  listen() {
    this.root.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => this.keyFromAfar(event));
    const more = new IntersectionObserver(([tail]) => { this.part("more").hidden = tail?.isIntersecting ?? true; }, { root: this.part("now") });
    more.observe(this.tail);
    this.root.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button?.dataset.do) this.do(button.dataset.do);
    });
    this.part("now").addEventListener("scroll", () => { this.scrolled = true; });
    const scrub = /** @type {HTMLInputElement} */ (this.part("scrub"));
    let pulled = false;
    scrub.addEventListener("input", () => {
      this.stop();
      this.go(Number(scrub.value), !pulled);
      pulled = true;
    });
    scrub.addEventListener("change", () => { pulled = false; });
    const keys = /** @type {HTMLInputElement} */ (this.part("keys"));
    keys.checked = this.keysOn;
    keys.addEventListener("change", () => {
      this.keysOn = keys.checked;
      keepKeys(keys.checked);
    });
    onMoved((address, byLink) => this.open(address, byLink));
  }

  /** @returns {Record<string, () => void>} what to do, by the names of the keymap */
  named() {
    const { film } = this;
    const seats = film.names.map((_, seat) => [`seat${seat + 1}`, () => this.look(seat)]);
    return {
      next: () => this.go(stepFrom(film, this, 1), false),
      back: () => this.go(stepFrom(film, this, -1), false),
      next_round: () => this.go(roundFrom(film, this, 1), true),
      back_round: () => this.go(roundFrom(film, this, -1), true),
      first: () => this.go(0, true),
      last: () => this.go(film.last, true),
      next_mark: () => this.mark(1, "mark"),
      back_mark: () => this.mark(-1, "mark"),
      next_mistake: () => this.mark(1, "verdict"),
      back_mistake: () => this.mark(-1, "verdict"),
      all: () => this.look(null),
      ...Object.fromEntries(seats),
      play: () => this.play(),
      slower: () => this.pace(-1),
      faster: () => this.pace(1),
      log: () => this.toggle("log"),
      debug: () => this.toggle("debug"),
      copy: () => this.copy(),
      help: () => this.help(),
    };
  }

  /**
   * Show what a newer page says of the same game, without moving what is looked at.
   * @param {Document} page
   */
  renew(page) {
    const film = filmIn(page, this.root);
    if (!film) return;
    const focused = document.activeElement;
    for (const part of OF_ANALYSIS) {
      const newer = page.querySelector(`[data-replay] ${part}`);
      if (newer) this.root.querySelector(part)?.replaceWith(newer);
    }
    this.film = film;
    this.actions = this.named();
    retell(page);
    this.draw(this.index, false);
    if (focused instanceof HTMLElement && !focused.isConnected && focused.dataset.do) {
      /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-do="${focused.dataset.do}"]`))?.focus({ preventScroll: true });
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const action = actionOf(this.film.keys, event);
    if (!action || (!this.keysOn && action !== "help")) return;
    event.preventDefault();
    this.do(action);
  }

  /**
   * Take an arrow key while the viewer is on screen and nothing has the focus.
   * @param {KeyboardEvent} event
   */
  keyFromAfar(event) {
    const focused = document.activeElement;
    const here = event.target instanceof Node && this.root.contains(event.target);
    if (here || !event.key.startsWith("Arrow") || event.defaultPrevented) return;
    if (focused && focused !== document.body) return;
    const { top, bottom } = this.root.getBoundingClientRect();
    if (bottom > 0 && top < window.innerHeight) this.key(event);
  }

  /** @param {string} action */
  do(action) {
    if (!["play", "slower", "faster", "log", "debug", "help"].includes(action)) this.stop();
    this.actions[action]?.();
  }

  /**
   * Go where an address says, if it is one of this game, and return whether it is.
   * @param {string} address
   * @param {boolean} show whether to bring the viewer into sight
   */
  open(address, show) {
    const index = indexOf(this.film, address);
    this.follower.drop();
    this.stop();
    const from = this.index;
    this.index = ownIndex(this.film, { index: index ?? this.index, seat: this.seat });
    this.draw(from, false);
    remember(addressOf(this.film, this.index));
    if (index !== undefined && show) this.show();
    return index !== undefined;
  }

  /** Bring the viewer into sight, and its keys into action. */
  show() {
    this.root.scrollIntoView();
    this.root.focus({ preventScroll: true });
  }

  /**
   * Go to an index.
   * @param {number} index
   * @param {boolean} jump whether "back" shall return from there
   */
  go(index, jump) {
    const to = ownIndex(this.film, { index: within(this.film, index), seat: this.seat });
    if (to === this.index) return;
    const from = this.index;
    this.index = to;
    this.follower.to(addressOf(this.film, to), jump);
    this.draw(from, true);
  }

  /**
   * @param {1 | -1} way
   * @param {"mark" | "verdict"} kind
   */
  mark(way, kind) {
    const index = markFrom(this.film, this, way, kind);
    const none = kind === "mark" ? "No fault and no lead change" : "No mistake";
    if (index === undefined) this.say(`${none} ${way > 0 ? "after" : "before"} this`);
    else this.go(index, true);
  }

  /**
   * Look at a seat's view, at its decision here or its last one before; everything goes there.
   * @param {number | null} seat null for all
   */
  look(seat) {
    this.seat = seat;
    const to = ownIndex(this.film, this);
    if (to !== this.index) {
      this.index = to;
      this.follower.to(addressOf(this.film, to), true);
    }
    this.draw(this.index, false);
    this.part("spoken").textContent = this.part("view").textContent || "The whole table with all hands";
  }

  /** @param {"log" | "debug"} what */
  toggle(what) {
    this.shown[what] = !this.shown[what];
    this.draw(this.index, false);
  }

  play() {
    if (this.clock.playing) this.stop();
    else {
      if (this.index === this.film.last) this.go(0, true);
      this.clock.start();
      this.pressed();
    }
  }

  stop() {
    this.clock.stop();
    this.pressed();
  }

  /** @param {1 | -1} way */
  pace(way) {
    this.clock.change(way);
    this.part("speed").textContent = `${this.clock.speed}×`;
    this.say(`${this.clock.speed} times the speed`);
  }

  copy() {
    const address = addressOf(this.film, this.index);
    const copied = navigator.clipboard?.writeText(linkTo(address, this.isPictured)) ?? Promise.reject(new Error("no clipboard"));
    copied.then(() => this.say(`Copied: ${address}`), () => this.say(`The link is in the address bar: ${address}`));
  }

  help() {
    const help = this.part("help");
    help.hidden = !help.hidden;
    this.pressed();
  }

  /**
   * Say something besides the game.
   * @param {string} text
   */
  say(text) {
    this.part("spoken").textContent = text;
    this.part("mark").textContent = text;
  }

  /** Show at the buttons what is on. */
  pressed() {
    const on = new Set([this.seat === null ? "all" : `seat${this.seat + 1}`]);
    if (this.clock.playing) on.add("play");
    if (this.shown.log) on.add("log");
    if (this.shown.debug) on.add("debug");
    if (!this.part("help").hidden) on.add("help");
    for (const button of this.root.querySelectorAll("button[aria-pressed]")) {
      button.setAttribute("aria-pressed", String(on.has(/** @type {HTMLElement} */ (button).dataset.do ?? "")));
    }
    const icon = this.root.querySelector('[data-do="play"] use');
    icon?.setAttribute("href", `${this.sprite}#i-${this.clock.playing ? "pause" : "play"}`);
  }

  /** Whether the page's picture is of the decision that `?at=` names. */
  get isPictured() {
    return this.root.hasAttribute("data-pictured");
  }

  get sprite() {
    return this.root.dataset.sprite ?? "";
  }

  /**
   * Draw everything where the cursor stands.
   * @param {number} from where it stood
   * @param {boolean} moved whether it has moved, so that dice roll and the step is said
   */
  draw(from, moved) {
    const { film, index } = this;
    const stop = film.stops[index];
    const where = stop ? `Round ${stop.round} of ${film.rounds}` : "The end";
    const step = `${where}, decision ${Math.min(index + 1, film.last)} of ${film.last}`;
    this.part("place").textContent = stop ? step : where;
    this.part("mark").textContent = "";
    const { scene, luck, values } = this.stage(moved && from < index);
    this.part("now").replaceChildren(...decision(film, this, this.shown), this.tail);
    if (this.scrolled) this.part("now").scrollTop = 0; // to ask for it lays out the page
    this.scrolled = false;
    setCursor(this.root, film, index, stop ? step : where, scene, luck, values);
    this.pressed();
    markInStory(stop);
    this.root.dispatchEvent(new CustomEvent("moved", { detail: addressOf(film, index) }));
    if (moved) this.part("spoken").textContent = spoken(film, this, from);
  }

  /**
   * Draw the table: after the decision, or in a seat's view as it was sent to the seat; return what is shown and the
   * luck and values until then.
   * @param {boolean} rolling whether dice that are new roll
   */
  stage(rolling) {
    const { film, index, seat } = this;
    const stop = film.stops[index];
    const view = seat !== null && stop ? film.names[stop.seat] : "";
    const over = seat === null ? "" : "Everything is open at the end";
    this.part("view").textContent = view && stop ? `What ${view} was sent at ${stop.at}` : stop ? "" : over;
    const all = { scene: stop?.table ?? film.table, aside: stop?.aside ?? film.aside, before: stop?.before ?? null };
    const shown = seat !== null && stop ? { scene: stop.seen, aside: null, before: null } : all;
    const drawing = { film, sprite: this.sprite, stop, rolling, ...shown };
    refill(this.part("stage"), drawerOf(film.game)(drawing));
    return {
      scene: shown.scene,
      luck: (shown.aside ? stop?.luck : stop?.luckBefore) ?? film.luck,
      values: (shown.aside ? stop?.values : stop?.valuesBefore) ?? film.values,
    };
  }
}

/**
 * Return the film in a page, null if there is none.
 * @param {Document} page
 * @param {HTMLElement} root
 */
function filmIn(page, root) {
  const data = page.getElementById(root.dataset.replay ?? "");
  return data?.textContent ? unpacked(JSON.parse(data.textContent)) : null;
}

for (const root of document.querySelectorAll("[data-replay]")) {
  const film = root instanceof HTMLElement ? filmIn(document, root) : null;
  if (!(root instanceof HTMLElement) || !film) continue;
  const viewer = new Viewer(root, film);
  root.addEventListener("newer", (event) => viewer.renew(/** @type {CustomEvent<Document>} */ (event).detail));
}
