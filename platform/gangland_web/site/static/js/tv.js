// @ts-check
/**
 * A screen for a wall: plays the channel's game, and asks for standings, progress and what is next.
 *
 * All that is kept is the game that is on: every other part is replaced by the server's newest, so that a screen may stay
 * on for days.  The server hands out no step long before its time; where this screen stands is its own clock's matter.
 */

/** @typedef {import("../../../../gangland_ladder/viewer/js/stage.js").Stage} Stage */
/** @typedef {import("../../../../gangland_ladder/viewer/js/types.js").PackedStop} PackedStop */
/** @typedef {import("../../../../gangland_ladder/viewer/js/types.js").PackedFilm} PackedFilm */

/**
 * @typedef {object} Step
 * @property {PackedStop} stop
 * @property {string[]} says
 * @property {number} at_s
 * @property {number[]} best
 *
 * @typedef {object} End
 * @property {number} at_s
 * @property {number} seconds
 * @property {string[]} points
 * @property {string} why
 * @property {[string, string][]} moved
 * @property {string} match
 * @property {number[]} places
 * @property {number[]} winners
 * @property {number} rounds
 * @property {string} ending
 * @property {PackedFilm["end"]} end
 *
 * @typedef {object} Answer
 * @property {number} item
 * @property {number} elapsed_s
 * @property {number | null} now
 * @property {number | null} next
 * @property {number | null} following
 * @property {string} game
 * @property {string[]} names
 * @property {Record<string, any>} words
 * @property {string} classes
 * @property {boolean} again
 * @property {string} about
 * @property {number[]} bots
 * @property {number} subject
 * @property {string[]} stake
 * @property {[string, string][]} gains
 * @property {string[]} rules
 * @property {(number | null)[]} ranks
 * @property {number | null} last_round
 * @property {Step[]} steps
 * @property {End | null} end
 */

const TIMEOUT_MS = 10_000;
const LONGEST_WAIT_MS = 1000;
/** So long a screen that is ahead of the others waits for them. */
const PATIENCE_S = 5;
/** A screen that was held up shows the results that it missed, for this part of their time, if it is no more games behind. */
const CATCH_UP = { part: 0.25, games: 4 };
const ZOOM = /** @type {const} */ ([0.6, 1.18]);
/** How large a caption is written, the usual size first. */
const SAYS = [1, 0.9, 0.8];
/** So often a size is tried. */
const FITS = 8;
/** As in `tv.css`. */
const WALL = matchMedia("(width >= 60em) and (height >= 34em) and (orientation: landscape)");
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Ask the site for something.
 * @param {string} address
 */
async function ask(address) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), TIMEOUT_MS);
  const answer = await fetch(address, { signal: stop.signal, cache: "no-store" }).finally(() => clearTimeout(late));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer;
}

/**
 * @param {string} tag
 * @param {string} name
 * @param {...(string | Node)} parts
 */
function make(tag, name, ...parts) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...parts);
  return element;
}

/**
 * Return a name that may be cut where it has no room, and says itself whole.
 * @param {string} name
 */
function titled(name) {
  const called = make("bdi", "", name);
  called.title = name;
  return called;
}

/**
 * Return a sentence with the names in it set apart: letters from right to left then turn none of the words around them.
 * @param {string} line
 * @param {string[]} names
 */
function named(line, names) {
  const parts = [];
  let left = line;
  for (;;) {
    const found = names.filter((name) => name && left.includes(name)).sort((one, other) => left.indexOf(one) - left.indexOf(other) || other.length - one.length);
    const name = found[0], at = name ? left.indexOf(name) : -1;
    if (!name) return [...parts, left];
    parts.push(left.slice(0, at), titled(name));
    left = left.slice(at + name.length);
  }
}

/**
 * Say something of the ratings of bots.
 * @param {string} words
 * @param {[string, string][]} moved
 */
function figures(words, moved) {
  const parts = moved.map(([bot, by], at) => make("span", "tv-move", titled(bot), ` ${by}${at + 1 < moved.length ? "," : ""}`));
  return make("span", "", words, ...parts.flatMap((part) => [" ", part]));
}

/** Where it stands beside a player which rank it has and whether it is ahead. */
function standing() {
  const rank = make("span", "soft"), best = make("strong", "");
  rank.setAttribute("data-rank", "");
  best.setAttribute("data-best", "");
  return make("span", "tv-stand", rank, " ", best);
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
    /** The question about a game that is on its way. */
    this.asking = /** @type {symbol | null} */ (null);
    this.askAgainAt = 0;
    this.timer = 0;
    this.polled = 0;
    this.zoomed = 1;
    addEventListener("resize", () => {
      this.zoom(1);
      this.shown = -1;
      this.tick();
      this.list();
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

  /** The item that the page says is on; 0 for none. */
  current() {
    return Number(this.root.querySelector("[data-now]")?.getAttribute("data-now") ?? 0);
  }

  /** Seconds since the game on this screen began. */
  elapsed() {
    return this.pausedAt >= 0 ? this.pausedAt : (performance.now() - this.began) / 1000;
  }

  /**
   * Ask about a game, one question at a time.  Return nothing if no answer came, or this screen was switched to another
   * channel meanwhile.
   * @param {number} item
   * @param {number} after
   * @param {boolean} own
   * @returns {Promise<Answer | null>}
   */
  async item(item, after, own) {
    const address = (this.root.dataset.items ?? "").replace(/0$/, String(item));
    const asked = Symbol(address);
    this.asking = asked;
    try {
      const answer = await (await ask(`${address}?after=${after}${own ? "&own=1" : ""}`)).json();
      if (this.asking !== asked) return null;
      this.asking = null;
      this.lost(false);
      return answer;
    } catch (failure) {
      if (this.asking === asked) {
        this.asking = null;
        this.failed(failure);
      }
      return null;
    }
  }

  /**
   * Begin an item where it stands by the server's clock, if it is over with its result; or from its beginning if this
   * screen goes ahead of it.
   * @param {number} item
   */
  async enter(item, own = false) {
    if (!item || this.asking) return;
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
    const place = this.place();
    if (!place) return;
    this.on = on;
    this.steps = [];
    this.end = null;
    this.shown = -1;
    this.began = performance.now() - 1000 * elapsed_s;
    if (this.pausedAt >= 0) this.pausedAt = elapsed_s;
    this.zoom(1);
    this.stage = new this.Stage(place, this.root.dataset.sprite ?? "");
    this.stage.begin(on);
    this.take(on);
    this.title(on);
    void this.poll();
  }

  /** Return where the table goes; the page has none before the first game is on. */
  place() {
    const found = this.part("stage");
    const panel = this.root.querySelector("[data-part=now]");
    if (found || !panel) return found;
    const about = make("p", "tv-about", make("span", ""), make("span", "tag", "shown before"), make("strong", ""));
    ["about", "again", "round"].forEach((name, at) => about.children[at]?.setAttribute(`data-${name}`, ""));
    const stage = make("div", "tv-stage"), caption = make("div", "tv-caption");
    stage.setAttribute("data-stage", "");
    caption.setAttribute("data-caption", "");
    panel.replaceChildren(...panel.querySelectorAll("h2"), about, stage, caption);
    return stage;
  }

  /** @param {Answer} answer */
  take(answer) {
    if (!this.on || answer.item !== this.on.item) return;
    this.steps.push(...answer.steps);
    this.stage?.add(answer.steps.map((step) => step.stop), this.end ? null : answer.end);
    this.end ??= answer.end;
    this.on.now = answer.now;
    this.on.next = answer.next;
  }

  /** @param {Answer} on */
  title(on) {
    const players = on.names.map((name, seat) => {
      const called = titled(name);
      return make("span", `tv-player seat${seat + 1}`, make("span", "chip", String(seat + 1)), called, standing());
    });
    this.part("players")?.replaceChildren(...players);
    const again = this.part("again"), about = this.part("about");
    if (again) again.hidden = !on.again;
    if (about) about.textContent = about.title = on.about;
    const gains = on.gains.length ? [figures("Rating points for winning the match, about:", on.gains)] : [];
    this.stake("At stake", [...on.stake.map((line) => make("span", "", ...named(line, on.names))), ...gains]);
    this.say(on.rules, "tv-rules");
    this.mark();
  }

  /**
   * Say what is at stake in the game, or what came of it.
   * @param {string} title
   * @param {(string | Node)[]} lines
   */
  stake(title, lines) {
    const heading = this.part("stake-title");
    if (heading) heading.textContent = title;
    this.part("game-stake")?.replaceChildren(...lines.map((line) => make("p", "", line)));
    this.list();
  }

  /** Show as many lines of the standings as have room: the first, those who play, and the highest of the others. */
  list() {
    const list = this.root.querySelector("[data-part=places]");
    /** @type {HTMLElement[]} */
    const rows = Array.from(this.root.querySelectorAll("[data-part=places] > *"));
    for (const row of rows) row.hidden = false;
    if (!list || !rows[0] || !WALL.matches) return;
    const room = Math.floor((list.clientHeight + 1) / rows[0].getBoundingClientRect().height);
    const plays = rows.filter((row, at) => !at || row.classList.contains("tv-on"));
    const others = rows.filter((row) => !plays.includes(row));
    for (const row of [...plays, ...others].slice(Math.max(1, room))) row.hidden = true;
  }

  /** Mark in the standings who plays, and say beside the players which ranks these are, if they are of this game. */
  mark() {
    const { on } = this;
    if (!on) return;
    const own = this.part("subject")?.dataset.subject === String(on.subject);
    const ranks = new Map();
    for (const row of this.root.querySelectorAll("[data-bot]")) {
      const bot = Number(row.getAttribute("data-bot"));
      row.classList.toggle("tv-on", own && on.bots.includes(bot));
      if (own) ranks.set(bot, row.querySelector(".rank")?.textContent);
    }
    this.root.querySelectorAll("[data-rank]").forEach((words, seat) => {
      const rank = own && (ranks.get(on.bots[seat]) || on.ranks[seat]); // the standings list the first alone
      words.textContent = rank ? `rank ${rank}` : "";
    });
    this.list();
  }

  /**
   * Say beside players how they stand in the game.
   * @param {string} words
   * @param {number[]} seats
   */
  markBest(words, seats) {
    this.root.querySelectorAll("[data-best]").forEach((place, seat) => {
      place.textContent = seats.includes(seat) ? words : "";
    });
  }

  /**
   * @param {string[]} lines
   * @param {string} name
   */
  say(lines, name = "") {
    const names = this.on?.names ?? [];
    this.part("caption")?.replaceChildren(...lines.map((line, at) => make("p", at ? "" : name, ...named(line, names))));
  }

  /** Show what is to be shown by now, and come again when the next step is due. */
  tick() {
    clearTimeout(this.timer);
    const due = this.on ? this.play(this.on) : this.wait();
    this.timer = window.setTimeout(() => this.tick(), Math.max(20, Math.min(LONGEST_WAIT_MS, due)));
  }

  /** @returns {number} */
  wait() {
    if (performance.now() >= this.askAgainAt) void this.enter(this.current());
    return LONGEST_WAIT_MS;
  }

  /**
   * @param {Answer} on
   * @returns {number} milliseconds until something is due
   */
  play(on) {
    if (this.skips && !this.asking) {
      this.skips = false;
      void this.leave(true);
      return LONGEST_WAIT_MS;
    }
    const elapsed = this.elapsed();
    const { end } = this, over = end !== null && elapsed >= end.at_s;
    const ready = over ? this.steps.length + 1 : this.steps.filter((step) => step.at_s <= elapsed).length;
    if (ready !== this.shown) this.show(ready);
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

  /** @param {number} steps */
  show(steps) {
    this.shown = steps;
    this.stage?.show(steps);
    const round = this.part("round");
    const last = this.on?.last_round, number = this.stage?.round(steps);
    const which = number ? `Round ${number}${last ? ` of ${last}` : ""}` : ""; // none before a game that nobody began
    if (round) round.textContent = steps > this.steps.length ? "The end" : which;
    const over = steps > this.steps.length ? this.end : null;
    this.markBest(over ? "winner" : "leads", over ? over.winners : this.steps[steps - 1]?.best ?? []);
    if (over) {
      this.say([over.points[0] ?? "", over.why ? `This game was chosen for ${over.why}.` : ""].filter(Boolean), "tv-won");
      const names = this.on?.names ?? [];
      if (over.moved.length) this.stake("What it changed", [make("span", "", ...named(over.match, names)), figures("What that did to the ratings then:", over.moved)]);
      this.root.dataset.played = String(Number(this.root.dataset.played ?? 0) + 1);
      this.root.dataset.last = String(this.on?.item ?? 0);
    } else if (steps) {
      this.say(this.steps[steps - 1]?.says ?? []);
    }
    this.fit();
  }

  /**
   * On a screen that shows all without scrolling, draw the table so large that it and its caption fill their room.  A
   * long caption is written smaller first.
   */
  fit() {
    const stage = this.part("stage"), caption = this.part("caption"), panel = stage?.parentElement;
    if (!stage || !caption || !panel || !WALL.matches) return;
    const left = () => panel.getBoundingClientRect().bottom - caption.getBoundingClientRect().bottom;
    for (const size of SAYS) {
      caption.style.setProperty("--say", String(size));
      if (left() >= 0) break;
    }
    for (let tries = 0; tries < FITS; tries += 1) { // another size breaks lines elsewhere, and boxes have least heights
      const tall = stage.getBoundingClientRect().height;
      const room = left();
      if (room >= 0 && (tries || this.shown > 0)) return; // within a game it only shrinks: nothing is to breathe
      this.zoom(Math.max(ZOOM[0], Math.min(ZOOM[1], (this.zoomed * (tall + room - tries)) / Math.max(1, tall))));
    }
  }

  /** @param {number} factor */
  zoom(factor) {
    this.zoomed = factor;
    this.part("stage")?.style.setProperty("--fit", String(factor));
  }

  /** @param {Answer} on */
  async more(on) {
    if (this.asking || performance.now() < this.askAgainAt) return;
    const answer = await this.item(on.item, this.steps.length, false);
    if (answer) {
      this.take(answer);
      this.askAgainAt = performance.now() + Math.min(3000, 1000 * Math.max(0.1, (this.steps.at(-1)?.at_s ?? 0) - this.elapsed() - 6));
    }
    this.tick();
  }

  /**
   * Try again what was asked, unless the game may not be shown any more: what the page says is on is tried then.
   * @param {unknown} failure
   */
  failed(failure) {
    this.askAgainAt = performance.now() + 2000;
    if (failure instanceof Error && /^4/.test(failure.message)) this.on = null;
    else this.lost(true);
  }

  /**
   * Go on to what follows if it has begun, or to what is on now if that is far ahead; to what is next if what is on is
   * behind us, or somebody skips.
   * @param {boolean} skips
   */
  async leave(skips) {
    const { on } = this;
    if (!on || this.asking || (!skips && performance.now() < this.askAgainAt)) return;
    const answer = await this.item(on.item, this.steps.length, false);
    if (!answer) return;
    const { now, next, following, elapsed_s } = answer;
    this.askAgainAt = performance.now() + 1000;
    const current = now ?? 0, then = next ?? 0;
    const seconds = this.end?.seconds ?? 0; // 0 of a game that is skipped before its end is known
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

  /** Leave the game that is on, or the first that comes. */
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

  /** Go to the next channel without leaving the page, so that it stays in full screen. */
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
    this.askAgainAt = 0;
    this.asking = null;
    this.renew(page);
    this.tick();
  }

  /** @param {boolean} lost */
  lost(lost) {
    const note = this.part("lost");
    if (note) note.hidden = !lost;
  }

  /**
   * Ask for a channel's page.  Return nothing if none came.
   * @param {string} live
   */
  async page(live) {
    try {
      const text = await (await ask(live)).text();
      this.lost(false);
      return new DOMParser().parseFromString(text, "text/html");
    } catch {
      this.lost(true);
      return null;
    }
  }

  /** Take over all parts around the game, and come again. */
  async poll() {
    clearTimeout(this.polled);
    const live = this.root.dataset.live ?? "", page = await this.page(live);
    if (page && live === this.root.dataset.live) this.renew(page);
    clearTimeout(this.polled);
    this.polled = window.setTimeout(() => void this.poll(), 1000 * Number(this.root.dataset.every));
  }

  /**
   * Show no game, but what the page says in its place.
   * @param {Element} part
   * @param {Element} fresh
   */
  clear(part, fresh) {
    this.on = null;
    this.stake("At stake", []);
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
    this.fit(); // a line that is longer now takes its room from the table
  }

  /**
   * Take over which game is on.  A channel's games follow each other by themselves; in a premiere the organiser's next
   * step ends what is shown.
   * @param {Element} part
   * @param {Element} fresh
   */
  renewGame(part, fresh) {
    part.setAttribute("data-now", fresh.getAttribute("data-now") ?? "");
    part.toggleAttribute("data-premiere", fresh.hasAttribute("data-premiere"));
    const item = this.current();
    if (!item && (this.isLed() || !this.on)) this.clear(part, fresh); // else the game that is on is played to its end
    else if (item && item !== this.on?.item && this.isLed()) void this.enter(item);
  }

  /** Whether an organiser shows game after game on this screen. */
  isLed() {
    return this.part("premiere") !== null;
  }
}

/**
 * Change a list, and let its rows slide from where they stood.
 * @param {Element} part
 * @param {() => void} change
 */
function move(part, change) {
  const stood = new Map(Array.from(part.querySelectorAll("[data-bot]"), (row) => [row.getAttribute("data-bot"), row.getBoundingClientRect().top]));
  change();
  part.dispatchEvent(new CustomEvent("live:placed", { bubbles: true }));
  if (STILL.matches || !stood.size) return;
  for (const row of part.querySelectorAll("[data-bot]")) {
    const before = stood.get(row.getAttribute("data-bot"));
    const by = before === undefined ? 0 : before - row.getBoundingClientRect().top;
    if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 900, easing: "ease-in-out" });
  }
}

/** Keep the screen from going dark, where the browser lets us. */
async function stayAwake() {
  /** @type {{ request?: (kind: string) => Promise<unknown> } | undefined} */
  const lock = Reflect.get(navigator, "wakeLock");
  if (!document.hidden) await lock?.request?.("screen").catch(() => {});
}

const root = document.querySelector("[data-tv]");
if (root instanceof HTMLElement) {
  const { Stage } = await import(root.dataset.stages ?? "");
  new Screen(root, Stage);
  document.addEventListener("visibilitychange", () => void stayAwake());
  void stayAwake();
}
