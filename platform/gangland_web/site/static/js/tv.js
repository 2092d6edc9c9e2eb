// @ts-check
/**
 * A wall screen: plays the channel's game, and updates standings, progress and the next game.
 *
 * Only the current game is stored here; all other parts come from the server, so a screen can run for days.  The server
 * sends each step shortly before its time, and this screen's clock decides when to show it.
 */

import { Room } from "./tv_room.js";
import { move, Words } from "./tv_words.js";

/** @typedef {import("../../../../gangland_ladder/viewer/js/stage.js").Stage} Stage */
/** @typedef {import("./tv_types.js").Answer} Answer */
/** @typedef {import("./tv_types.js").End} End */
/** @typedef {import("./tv_types.js").Step} Step */

const TIMEOUT_MS = 10_000;
const LONGEST_WAIT_MS = 1000;
/** How long a screen that is ahead of the others waits for them. */
const PATIENCE_S = 5;
/** A delayed screen shows missed results for this fraction of their time, if it is at most this many games behind. */
const CATCH_UP = { part: 0.25, games: 4 };

/**
 * Fetch a URL of the site.
 * @param {string} address
 */
async function fetchPage(address) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), TIMEOUT_MS);
  const answer = await fetch(address, { signal: stop.signal, cache: "no-store" }).finally(() => clearTimeout(late));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer;
}

class Screen {
  /**
   * @param {HTMLElement} root
   * @param {typeof import("../../../../gangland_ladder/viewer/js/stage.js").Stage} Stage
   */
  constructor(root, Stage) {
    this.root = root;
    this.Stage = Stage;
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Answer | null} */
    this.on = null;
    /** @type {Step[]} */
    this.steps = [];
    /** @type {End | null} */
    this.end = null;
    this.shown = -1;
    this.began = 0;
    this.pausedAt = -1;
    this.skips = false;
    /** The pending request for a game. */
    this.pendingRequest = /** @type {symbol | null} */ (null);
    this.retryAt = 0;
    this.timer = 0;
    this.pollTimer = 0;
    this.room = new Room(root);
    this.words = new Words(root, this.room);
    addEventListener("resize", () => {
      this.room.zoom(1);
      this.shown = -1;
      this.tick();
      this.room.list();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
      if (button instanceof HTMLElement) this.do(button.dataset.do ?? "");
    });
    for (const keys of root.querySelectorAll("[data-keys]")) if (keys instanceof HTMLElement) keys.hidden = false;
    void this.poll();
    void this.enter(this.current());
    this.tick();
  }

  /**
   * @param {string} name
   * @returns {HTMLElement | null}
   */
  part(name) {
    return this.root.querySelector(`[data-${name}]`);
  }

  /** Return the current item of the page; 0 for none. */
  current() {
    return Number(this.root.querySelector("[data-now]")?.getAttribute("data-now") ?? 0);
  }

  /** Return the seconds since the game on this screen began. */
  elapsed() {
    return this.pausedAt >= 0 ? this.pausedAt : (performance.now() - this.began) / 1000;
  }

  /**
   * Request a game, one request at a time.  Return null if there was no answer, or if this screen has been switched to
   * another channel.
   * @param {number} item
   * @param {number} after
   * @param {boolean} own
   * @returns {Promise<Answer | null>}
   */
  async item(item, after, own) {
    const address = (this.root.dataset.items ?? "").replace(/0$/, String(item));
    const request = Symbol(address);
    this.pendingRequest = request;
    try {
      const answer = await (await fetchPage(`${address}?after=${after}${own ? "&own=1" : ""}`)).json();
      if (this.pendingRequest !== request) return null;
      this.pendingRequest = null;
      this.lost(false);
      return answer;
    } catch (failure) {
      if (this.pendingRequest === request) {
        this.pendingRequest = null;
        this.failed(failure);
      }
      return null;
    }
  }

  /**
   * Start an item at its current position by the server's clock (with its result if it is over), or from its beginning
   * if this screen is ahead.
   * @param {number} item
   */
  async enter(item, own = false) {
    if (!item || this.pendingRequest) return;
    const on = await this.item(item, 0, own);
    if (on) {
      const until = on.end ? on.end.seconds - CATCH_UP.part * (on.end.seconds - on.end.at_s) : on.elapsed_s;
      this.begin(on, own ? 0 : Math.min(on.elapsed_s, until));
    }
    this.tick();
  }

  /**
   * @param {Answer} on
   * @param {number} elapsed_s
   */
  begin(on, elapsed_s) {
    const place = this.words.place();
    if (!place) return;
    this.on = on;
    this.steps = [];
    this.end = null;
    this.shown = -1;
    this.began = performance.now() - 1000 * elapsed_s;
    if (this.pausedAt >= 0) this.pausedAt = elapsed_s;
    this.room.zoom(1);
    this.stage = new this.Stage(place, this.root.dataset.sprite ?? "");
    this.stage.begin(on);
    this.addSteps(on);
    this.words.begin(on);
    void this.poll();
  }

  /** @param {Answer} answer */
  addSteps(answer) {
    if (!this.on || answer.item !== this.on.item) return;
    this.steps.push(...answer.steps);
    this.stage?.add(answer.steps.map((step) => step.frame), this.end ? null : answer.end);
    this.end ??= answer.end;
    this.on.now = answer.now;
    this.on.next = answer.next;
  }

  /** Show all steps that are due, and schedule the next one. */
  tick() {
    clearTimeout(this.timer);
    const due = this.on ? this.play(this.on) : this.wait();
    this.timer = window.setTimeout(() => this.tick(), Math.max(20, Math.min(LONGEST_WAIT_MS, due)));
  }

  /** @returns {number} */
  wait() {
    if (performance.now() >= this.retryAt) void this.enter(this.current());
    return LONGEST_WAIT_MS;
  }

  /**
   * @param {Answer} on
   * @returns {number} milliseconds until the next step is due
   */
  play(on) {
    if (this.skips && !this.pendingRequest) {
      this.skips = false;
      void this.leave(true);
      return LONGEST_WAIT_MS;
    }
    const elapsed = this.elapsed();
    const { end } = this, over = end !== null && elapsed >= end.at_s;
    const ready = over ? this.steps.length + 1 : this.steps.filter((step) => step.at_s <= elapsed).length;
    if (ready !== this.shown) this.show(on, ready);
    if (this.pausedAt >= 0) return LONGEST_WAIT_MS;
    if (over && elapsed >= end.seconds) {
      if (this.isLed()) return LONGEST_WAIT_MS; // the result stays until the next step
      void this.leave(false);
      return LONGEST_WAIT_MS;
    }
    const last = this.steps.at(-1);
    if (!end && (!last || last.at_s - elapsed < 6)) void this.more(on);
    const then = this.steps[ready]?.at_s ?? (over ? end.seconds : end?.at_s);
    return then === undefined ? LONGEST_WAIT_MS : 1000 * (then - elapsed);
  }

  /**
   * @param {Answer} on
   * @param {number} steps
   */
  show(on, steps) {
    this.shown = steps;
    this.stage?.show(steps);
    if (this.end && steps > this.steps.length) {
      this.words.over(on, this.end);
      this.root.dataset.played = String(Number(this.root.dataset.played ?? 0) + 1);
      this.root.dataset.last = String(on.item);
    } else this.words.step(on, this.steps[steps - 1], this.stage?.round(steps));
    this.room.fit(steps > 0);
  }

  /** @param {Answer} on */
  async more(on) {
    if (this.pendingRequest || performance.now() < this.retryAt) return;
    const answer = await this.item(on.item, this.steps.length, false);
    if (answer) {
      this.addSteps(answer);
      this.retryAt = performance.now() + Math.min(3000, 1000 * Math.max(0.1, (this.steps.at(-1)?.at_s ?? 0) - this.elapsed() - 6));
    }
    this.tick();
  }

  /**
   * Retry a request, unless the game may no longer be shown; then try the page's current item.
   * @param {unknown} failure
   */
  failed(failure) {
    this.retryAt = performance.now() + 2000;
    if (failure instanceof Error && /^4/.test(failure.message)) this.on = null;
    else this.lost(true);
  }

  /**
   * Continue with the following item if it has begun, or with the current one if that is far ahead.  If the current one
   * has already been shown, or the viewer skips, continue with the next one.
   * @param {boolean} skips
   */
  async leave(skips) {
    const { on } = this;
    if (!on || this.pendingRequest || (!skips && performance.now() < this.retryAt)) return;
    const answer = await this.item(on.item, this.steps.length, false);
    if (!answer) return;
    const { now, next, following, elapsed_s } = answer;
    this.retryAt = performance.now() + 1000;
    const current = now ?? 0, then = next ?? 0;
    const seconds = this.end?.seconds ?? 0; // 0 if a game is skipped before its end is known
    const isNear = !skips && following && elapsed_s < CATCH_UP.games * seconds;
    if (current > on.item) await this.enter(isNear ? following : current);
    else if (then > on.item) await this.enter(then, skips || seconds - elapsed_s > PATIENCE_S);
    else if (current && (skips || current < on.item)) await this.enter(current);
    else await this.poll();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const on = event.target instanceof Element ? event.target : null;
    if (event.altKey || event.ctrlKey || event.metaKey || on?.closest("input, select, textarea, [contenteditable]")) return;
    if (on?.closest("a, button") && (event.key === " " || event.key === "Enter")) return;
    const action = { " ": "pause", ArrowRight: "skip", s: "switch", f: "full", "?": "help" }[event.key];
    if (!action) return;
    event.preventDefault();
    this.do(action);
  }

  /** @param {string} action */
  do(action) {
    if (action === "pause") this.pause();
    else if (action === "skip") this.skip();
    else if (action === "switch") void this.switchOn();
    else if (action === "full") void this.full();
    else if (action === "help") this.help();
  }

  /** Skip the current game, or the first one that is loaded. */
  skip() {
    this.skips = true;
    this.tick();
  }

  pause() {
    if (this.pausedAt < 0) this.pausedAt = this.elapsed();
    else {
      this.began = performance.now() - 1000 * this.pausedAt;
      this.pausedAt = -1;
    }
    this.root.querySelector("[data-do=pause]")?.setAttribute("aria-pressed", String(this.pausedAt >= 0));
    this.tick();
  }

  help() {
    const help = this.part("help");
    if (!help) return;
    help.hidden = !help.hidden;
    this.root.querySelector("[data-do=help]")?.setAttribute("aria-expanded", String(!help.hidden));
  }

  async full() {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen().catch(() => {});
  }

  /** Switch to the next channel without leaving the page, which stays in full screen. */
  async switchOn() {
    const links = Array.from(this.root.querySelectorAll("[data-part=channels] a"));
    const here = links.findIndex((link) => link.hasAttribute("aria-current"));
    const link = links[(here + 1) % links.length];
    if (!(link instanceof HTMLAnchorElement)) return;
    const live = `${link.pathname}/live`, page = await this.page(live);
    if (!page) return;
    history.replaceState(null, "", link.pathname);
    this.root.dataset.live = live;
    this.on = null;
    this.retryAt = 0;
    this.pendingRequest = null;
    this.renew(page);
    this.tick();
  }

  /** @param {boolean} lost */
  lost(lost) {
    const note = this.part("lost");
    if (note) note.hidden = !lost;
  }

  /**
   * Fetch a channel's page.  Return null if that failed.
   * @param {string} live
   */
  async page(live) {
    try {
      const text = await (await fetchPage(live)).text();
      this.lost(false);
      return new DOMParser().parseFromString(text, "text/html");
    } catch {
      this.lost(true);
      return null;
    }
  }

  /** Update all parts around the game, and schedule the next update. */
  async poll() {
    clearTimeout(this.pollTimer);
    const live = this.root.dataset.live ?? "", page = await this.page(live);
    if (page && live === this.root.dataset.live) this.renew(page);
    clearTimeout(this.pollTimer);
    this.pollTimer = window.setTimeout(() => void this.poll(), 1000 * Number(this.root.dataset.every));
  }

  /**
   * Show the page's content in place of a game.
   * @param {Element} part
   * @param {Element} fresh
   */
  clear(part, fresh) {
    this.on = null;
    this.words.stake("At stake", []);
    if (part.innerHTML !== fresh.innerHTML) part.replaceChildren(...fresh.childNodes);
  }

  /** @param {Document} page */
  renew(page) {
    document.title = page.title;
    for (const part of this.root.querySelectorAll("[data-part]")) {
      const name = part.getAttribute("data-part");
      const fresh = page.querySelector(`[data-part="${name}"]`);
      if (!fresh) continue;
      if (name === "now") this.renewGame(part, fresh);
      else if (part.innerHTML !== fresh.innerHTML) {
        move(part, () => {
          part.replaceChildren(...fresh.childNodes);
          this.mark();
        });
      }
    }
    this.mark();
    this.room.fit(this.shown > 0); // a longer line leaves less room for the table
  }

  /** Mark the players of the current game. */
  mark() {
    if (this.on) this.words.mark(this.on);
  }

  /**
   * Update the current item.  A channel's games follow one another automatically; in a premiere, the organizer's next
   * step ends the current game.
   * @param {Element} part
   * @param {Element} fresh
   */
  renewGame(part, fresh) {
    part.setAttribute("data-now", fresh.getAttribute("data-now") ?? "");
    part.toggleAttribute("data-premiere", fresh.hasAttribute("data-premiere"));
    const item = this.current();
    if (!item && (this.isLed() || !this.on)) this.clear(part, fresh); // otherwise the current game is played to its end
    else if (item && item !== this.on?.item && this.isLed()) void this.enter(item);
  }

  /** Return whether an organizer controls this screen, in a premiere. */
  isLed() {
    return this.part("premiere") !== null;
  }
}

/** Keep the screen from turning off, if the browser allows it. */
async function keepAwake() {
  /** @type {{ request?: (kind: string) => Promise<unknown> } | undefined} */
  const lock = Reflect.get(navigator, "wakeLock");
  if (!document.hidden) await lock?.request?.("screen").catch(() => {});
}

const root = document.querySelector("[data-tv]");
if (root instanceof HTMLElement) {
  const { Stage } = await import(root.dataset.stages ?? "");
  new Screen(root, Stage);
  document.addEventListener("visibilitychange", () => void keepAwake());
  void keepAwake();
}
