// @ts-check
/**
 * Shows a recorded game step by step.  The page's story has all texts: users without scripts read it, and the viewer
 * takes its words from it.
 */

import { addressHere, addressOf, Follower, indexOf, linkTo, moveAt, onMoved, remember } from "./address.js";
import { setCursor } from "./chart.js";
import { Clock } from "./clock.js";
import { markFrom, ownIndex, roundFrom, stepFrom, within } from "./cursor.js";
import { decision } from "./decision.js";
import { refill } from "./draw.js";
import { markInStory, retell, takeAddresses, unpacked } from "./timeline.js";
import { actionOf, storedKeysOn, storeKeysOn } from "./keys.js";
import { spoken } from "./speech.js";
import { drawerOf } from "./tables.js";

/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").Scene} Scene */

/** The parts that change when an analysis arrives. */
const ANALYSIS_PARTS = [".v-walk", ".v-help dl", ".v-ticks", ".v-figures"];

export class Viewer {
  /**
   * @param {HTMLElement} root
   * @param {Timeline} timeline
   */
  constructor(root, timeline) {
    this.root = root;
    this.timeline = timeline;
    this.index = indexOf(timeline, timeline.start) ?? 0;
    /** @type {number | null} */
    this.seat = null;
    this.shown = { log: false, debug: false };
    this.keysOn = storedKeysOn();
    this.clock = new Clock(() => {
      this.go(stepFrom(this.timeline, this, 1), false);
      return this.index < this.timeline.last;
    });
    this.follower = new Follower();
    this.scrolled = false;
    this.tail = document.createElement("i"); // while it is out of view, the panel has more text below
    this.actions = this.named();
    this.listen();
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => this.begin());
    else this.begin();
  }

  /** Open at the address in the URL; the browser first scrolls to the story's element, so scroll back afterward. */
  begin() {
    takeAddresses(this.timeline);
    if (this.isPictured) moveAt();
    const named = this.open(addressHere(), true);
    if (named && document.readyState !== "complete") window.addEventListener("load", () => setTimeout(() => this.show()));
  }

  /**
   * Return the part of the viewer with a data attribute.
   * @param {string} name
   */
  part(name) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`[data-${name}]`));
  }

  listen() {
    this.root.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => this.keyOutside(event));
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
      storeKeysOn(keys.checked);
    });
    onMoved((address, byLink) => this.open(address, byLink));
  }

  /** @returns {Record<string, () => void>} the functions of all actions, by name */
  named() {
    const { timeline } = this;
    const seats = timeline.names.map((_, seat) => [`seat${seat + 1}`, () => this.look(seat)]);
    return {
      next: () => this.go(stepFrom(timeline, this, 1), false),
      back: () => this.go(stepFrom(timeline, this, -1), false),
      next_round: () => this.go(roundFrom(timeline, this, 1), true),
      previous_round: () => this.go(roundFrom(timeline, this, -1), true),
      first: () => this.go(0, true),
      last: () => this.go(timeline.last, true),
      next_mark: () => this.mark(1, "mark"),
      previous_mark: () => this.mark(-1, "mark"),
      next_mistake: () => this.mark(1, "verdict"),
      previous_mistake: () => this.mark(-1, "verdict"),
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
   * Update the texts from a newer page of the same game, without scrolling.
   * @param {Document} page
   */
  renew(page) {
    const timeline = timelineIn(page, this.root);
    if (!timeline) return;
    const focused = document.activeElement;
    for (const part of ANALYSIS_PARTS) {
      const newer = page.querySelector(`[data-replay] ${part}`);
      if (newer) this.root.querySelector(part)?.replaceWith(newer);
    }
    this.timeline = timeline;
    this.actions = this.named();
    retell(page);
    this.draw(this.index, false);
    if (focused instanceof HTMLElement && !focused.isConnected && focused.dataset.do) {
      /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-do="${focused.dataset.do}"]`))?.focus({ preventScroll: true });
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const action = actionOf(this.timeline.keys, event);
    if (!action || (!this.keysOn && action !== "help")) return;
    event.preventDefault();
    this.do(action);
  }

  /**
   * Handle an arrow key that is pressed outside the viewer, if the viewer is on screen and no element has the focus.
   * @param {KeyboardEvent} event
   */
  keyOutside(event) {
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
   * Go to an address; return whether this game has it.
   * @param {string} address
   * @param {boolean} show whether to scroll to the viewer
   */
  open(address, show) {
    const index = indexOf(this.timeline, address);
    this.follower.drop();
    this.stop();
    const from = this.index;
    this.index = ownIndex(this.timeline, { index: index ?? this.index, seat: this.seat });
    this.draw(from, false);
    remember(addressOf(this.timeline, this.index));
    if (index !== undefined && show) this.show();
    return index !== undefined;
  }

  /** Scroll to the viewer and focus it, so that its keys work. */
  show() {
    this.root.scrollIntoView();
    this.root.focus({ preventScroll: true });
  }

  /**
   * Go to an index.
   * @param {number} index
   * @param {boolean} jump whether "back" undoes this move
   */
  go(index, jump) {
    const to = ownIndex(this.timeline, { index: within(this.timeline, index), seat: this.seat });
    if (to === this.index) return;
    const from = this.index;
    this.index = to;
    this.follower.to(addressOf(this.timeline, to), jump);
    this.draw(from, true);
  }

  /**
   * @param {1 | -1} way
   * @param {"mark" | "verdict"} kind
   */
  mark(way, kind) {
    const index = markFrom(this.timeline, this, way, kind);
    const none = kind === "mark" ? "No fault or lead change" : "No mistake";
    if (index === undefined) this.say(`${none} ${way > 0 ? "after" : "before"} this`);
    else this.go(index, true);
  }

  /**
   * Show a seat's view, and go to the seat's decision here or its previous one.
   * @param {number | null} seat null for all hands
   */
  look(seat) {
    this.seat = seat;
    const to = ownIndex(this.timeline, this);
    if (to !== this.index) {
      this.index = to;
      this.follower.to(addressOf(this.timeline, to), true);
    }
    this.draw(this.index, false);
    this.part("spoken").textContent = this.part("view").textContent || "All hands";
  }

  /** @param {"log" | "debug"} what */
  toggle(what) {
    this.shown[what] = !this.shown[what];
    this.draw(this.index, false);
  }

  play() {
    if (this.clock.playing) this.stop();
    else {
      if (this.index === this.timeline.last) this.go(0, true);
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
    this.say(`Speed: ${this.clock.speed}×`);
  }

  copy() {
    const address = addressOf(this.timeline, this.index);
    const copied = navigator.clipboard?.writeText(linkTo(address, this.isPictured)) ?? Promise.reject(new Error("no clipboard"));
    copied.then(() => this.say(`Copied: ${address}`), () => this.say(`The link is in the address bar: ${address}`));
  }

  help() {
    const help = this.part("help");
    help.hidden = !help.hidden;
    this.pressed();
  }

  /**
   * Show a message.
   * @param {string} text
   */
  say(text) {
    this.part("spoken").textContent = text;
    this.part("mark").textContent = text;
  }

  /** Update the state of the buttons. */
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

  /** Whether the page's preview picture shows the decision at the address in `?at=`. */
  get isPictured() {
    return this.root.hasAttribute("data-pictured");
  }

  get sprite() {
    return this.root.dataset.sprite ?? "";
  }

  /**
   * Draw everything at the cursor.
   * @param {number} from the previous index
   * @param {boolean} moved whether to roll new dice and to announce the step
   */
  draw(from, moved) {
    const { timeline, index } = this;
    const frame = timeline.frames[index];
    const where = frame ? `Round ${frame.round} of ${timeline.rounds}` : "The end";
    const step = `${where}, decision ${Math.min(index + 1, timeline.last)} of ${timeline.last}`;
    this.part("place").textContent = frame ? step : where;
    this.part("mark").textContent = "";
    const { scene, luck, values } = this.stage(moved && from < index);
    this.part("now").replaceChildren(...decision(timeline, this, this.shown), this.tail);
    if (this.scrolled) this.part("now").scrollTop = 0; // reading it would force a layout of the page
    this.scrolled = false;
    setCursor(this.root, timeline, index, frame ? step : where, scene, luck, values);
    this.pressed();
    markInStory(frame);
    this.root.dispatchEvent(new CustomEvent("moved", { detail: addressOf(timeline, index) }));
    if (moved) this.part("spoken").textContent = spoken(timeline, this, from);
  }

  /**
   * Draw the table after the decision, or the seat's view; return the scene with the luck and values at that time.
   * @param {boolean} rolling whether new dice are drawn as rolling
   */
  stage(rolling) {
    const { timeline, index, seat } = this;
    const frame = timeline.frames[index];
    const view = seat !== null && frame ? timeline.names[frame.seat] : "";
    const over = seat === null ? "" : "All hands are open at the end";
    this.part("view").textContent = view && frame ? `What ${view} saw at ${frame.at}` : frame ? "" : over;
    const all = { scene: frame?.table ?? timeline.table, aside: frame?.aside ?? timeline.aside, before: frame?.before ?? null };
    const shown = seat !== null && frame ? { scene: frame.seen, aside: null, before: null } : all;
    const drawing = { timeline, sprite: this.sprite, frame, rolling, ...shown };
    refill(this.part("stage"), drawerOf(timeline.game)(drawing));
    return {
      scene: shown.scene,
      luck: (shown.aside ? frame?.luck : frame?.luckBefore) ?? timeline.luck,
      values: (shown.aside ? frame?.values : frame?.valuesBefore) ?? timeline.values,
    };
  }
}

/**
 * Return a page's timeline, or null.
 * @param {Document} page
 * @param {HTMLElement} root
 */
function timelineIn(page, root) {
  const data = page.getElementById(root.dataset.replay ?? "");
  return data?.textContent ? unpacked(JSON.parse(data.textContent)) : null;
}

for (const root of document.querySelectorAll("[data-replay]")) {
  const timeline = root instanceof HTMLElement ? timelineIn(document, root) : null;
  if (!(root instanceof HTMLElement) || !timeline) continue;
  const viewer = new Viewer(root, timeline);
  root.addEventListener("newer", (event) => viewer.renew(/** @type {CustomEvent<Document>} */ (event).detail));
}
