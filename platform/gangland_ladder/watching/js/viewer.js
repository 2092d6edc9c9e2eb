// @ts-check
/**
 * Walks through a recorded game.  The story is the page: without this script it reads from top to bottom.  A film
 * (`gangland_ladder.watching.page.film_data`) has one stop for each decision; a stop's table and what its seat was sent
 * are told as differences from the ones before.  Whatever a bot said reaches the page as text alone.
 */
"use strict";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const STEP_MS = 1400;
const SVG = "http://www.w3.org/2000/svg";

/** Return a scene with what differs put into it; the one before stays as it is. */
function merged(before, change) {
  const now = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const nested = value && typeof value === "object" && !Array.isArray(value);
    now[name] = nested ? merged(before?.[name] ?? {}, value) : value;
  }
  return now;
}

/** Return an element with a class, and parts in it: elements or text. */
function make(tag, name, ...parts) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...parts.filter((part) => part !== null && part !== ""));
  return element;
}

/** Return dice drawn, with what they show as their label. */
function dice(faces, name, fresh, sprite) {
  const row = make("span", `dice ${name}${fresh ? " fresh" : ""}`);
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", `${name} ${faces.join(", ")}`.trim());
  for (const face of faces) {
    const die = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${sprite}#face-${face}`);
    die.append(use);
    row.append(die);
  }
  return row;
}

class Replay {
  constructor(root, film) {
    this.root = root;
    this.film = film;
    this.index = 0;
    this.seat = null;
    this.log = this.playing = false;
    this.speed = 2;
    this.keysOn = true;
    this.timer = 0;
    this.unpack();
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.actions = this.named();
    this.keys = new Map(film.keys.flatMap((key) => key.browser.map((name) => [name, key.action])));
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-do]");
      if (button) this.do(button.dataset.do);
    });
    this.part("scrub").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.part("keys").addEventListener("change", (event) => { this.keysOn = event.target.checked; });
    window.addEventListener("hashchange", () => this.open());
    root.hidden = false;
    this.index = this.indexOf(film.start) ?? 0;
    this.draw(false);
    const begin = () => { this.open(); this.draw(false); };
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
  }

  /** Make whole scenes of the differences. */
  unpack() {
    let table = {};
    const seen = this.film.names.map(() => ({}));
    this.stops = this.film.stops.map((stop) => {
      table = merged(table, stop.table);
      seen[stop.seat] = merged(seen[stop.seat], stop.seen);
      return { ...stop, table, seen: seen[stop.seat] };
    });
    this.endTable = merged(table, this.film.end);
    this.last = this.stops.length;
    this.marks = this.stops.flatMap((stop, index) => (stop.mark ? [index] : []));
  }

  named() {
    const seats = this.film.names.map((_, seat) => [`seat${seat + 1}`, () => this.look(seat)]);
    return {
      next: () => this.go(this.index + 1),
      back: () => this.go(this.index - 1),
      next_round: () => this.go(this.roundFrom(1)),
      back_round: () => this.go(this.roundFrom(-1)),
      first: () => this.go(0),
      last: () => this.go(this.last),
      next_mark: () => this.go(this.marks.find((at) => at > this.index) ?? this.index),
      back_mark: () => this.go(this.marks.findLast((at) => at < this.index) ?? this.index),
      all: () => this.look(null),
      ...Object.fromEntries(seats),
      play: () => this.play(!this.playing),
      slower: () => this.pace(-1),
      faster: () => this.pace(1),
      log: () => { this.log = !this.log; this.draw(false); },
      copy: () => this.copy(),
      help: () => { this.part("help").hidden = !this.part("help").hidden; },
    };
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const typing = event.target.closest("button, input[type=checkbox], a, summary");
    if (typing && (event.key === " " || event.key === "Enter")) return;
    const arrow = event.key.startsWith("Arrow") && event.shiftKey;
    const action = this.keys.get(arrow ? `Shift+${event.key}` : event.key);
    if (!action || (!this.keysOn && action !== "help")) return;
    event.preventDefault();
    this.do(action);
  }

  do(action) {
    if (action !== "play" && action !== "slower" && action !== "faster") this.play(false);
    this.actions[action]?.();
  }

  /** Return the index that an address names, undefined for none. */
  indexOf(address) {
    if (address === "end") return this.last;
    const exact = this.stops.findIndex((stop) => stop.at === address);
    if (exact >= 0) return exact;
    const round = /^r(\d+)$/.exec(address ?? "");
    if (!round) return undefined;
    const first = this.stops.findIndex((stop) => stop.round >= Number(round[1]));
    return first < 0 ? this.last : first;
  }

  /** Go where the address of the page says. */
  open() {
    const index = this.indexOf(decodeURIComponent(location.hash.slice(1)));
    if (index === undefined) return;
    this.play(false);
    this.index = index;
    this.draw(false);
    this.root.scrollIntoView();
    this.root.focus({ preventScroll: true });
  }

  roundFrom(way) {
    const here = this.stops[this.index]?.round ?? this.film.rounds;
    if (way > 0) {
      const next = this.stops.findIndex((stop) => stop.round > here);
      return next < 0 ? this.last : next;
    }
    const begins = this.stops.flatMap((stop, at) => (at === 0 || this.stops[at - 1].round !== stop.round ? [at] : []));
    return begins.findLast((at) => at < this.index) ?? 0;
  }

  go(index) {
    const to = Math.max(0, Math.min(this.last, index));
    if (to === this.index) return;
    this.index = to;
    history.replaceState(null, "", `#${this.at()}`);
    this.draw(true);
  }

  at() {
    return this.stops[this.index]?.at ?? "end";
  }

  look(seat) {
    this.seat = seat;
    this.draw(false);
  }

  play(on) {
    clearTimeout(this.timer);
    this.playing = on && this.index < this.last;
    if (this.playing) this.timer = setTimeout(() => { this.go(this.index + 1); this.play(true); }, STEP_MS / SPEEDS[this.speed]);
    this.press("play", this.playing);
  }

  pace(way) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + way));
    this.say(`${SPEEDS[this.speed]} times the speed`);
    if (this.playing) this.play(true);
  }

  copy() {
    const address = `${location.href.split("#")[0]}#${this.at()}`;
    const there = () => this.say(`The address is in the address bar: ${this.at()}`);
    if (!navigator.clipboard) there();
    else navigator.clipboard.writeText(address).then(() => this.say(`Copied: ${this.at()}`), there);
  }

  say(text) {
    this.part("spoken").textContent = text;
    this.part("mark").textContent = text;
  }

  press(action, on) {
    this.root.querySelector(`button[data-do="${action}"]`)?.setAttribute("aria-pressed", String(on));
  }

  /** Return the stop whose view is the last that a seat was sent until here; undefined if there is none. */
  sight(seat) {
    const ply = this.stops[this.index]?.ply;
    const here = this.stops.find((stop) => stop.ply === ply && stop.seat === seat);
    return here ?? this.stops.slice(0, this.index).findLast((stop) => stop.seat === seat);
  }

  draw(moved) {
    const stop = this.stops[this.index];
    const place = stop ? `Round ${stop.round} of ${this.film.rounds}` : "The end";
    this.part("place").textContent = `${place}, ${this.at()}, ${Math.min(this.index + 1, this.last)} of ${this.last}`;
    this.part("mark").textContent = { fault: "fault", lead: "new leader" }[stop?.mark] ?? "";
    this.part("scrub").value = String(this.index);
    this.part("scrub").setAttribute("aria-valuetext", place);
    const x = String((1000 * this.index) / Math.max(1, this.last));
    for (const line of this.root.querySelectorAll(".cursor")) { line.setAttribute("x1", x); line.setAttribute("x2", x); }
    this.part("stage").replaceChildren(...this.stage(stop, moved));
    const told = this.told(stop);
    this.part("now").replaceChildren(...told);
    this.part("now").scrollTop = 0;
    this.press("all", this.seat === null);
    this.film.names.forEach((_, seat) => this.press(`seat${seat + 1}`, this.seat === seat));
    this.press("log", this.log);
    for (const item of document.querySelectorAll(".story li[aria-current]")) item.removeAttribute("aria-current");
    document.getElementById(this.at())?.setAttribute("aria-current", "step");
    if (moved) this.part("spoken").textContent = told.map((line) => line.textContent).join(" ");
  }

  stage(stop, moved) {
    if (this.seat === null) return this.scene(stop ? stop.table : this.endTable, stop, moved);
    const sight = this.sight(this.seat);
    const name = this.film.names[this.seat];
    if (!sight) return [make("p", "", `${name} has not been asked yet, so it saw nothing.`)];
    const title = make("p", "soft", `What ${name} (seat ${this.seat + 1}) was sent at ${sight.at}:`);
    return [title, ...this.scene(sight.seen, stop, moved)];
  }

  scene(scene, stop, moved) {
    return this.film.game === "gang-of-dice" ? this.gangOfDice(scene, stop, moved) : this.gangsterDice(scene, stop, moved);
  }

  seatBox(seat, each, stop, what, ...lines) {
    const fault = each.fault ? make("span", "mark", " at fault") : null;
    const box = make("div", `seat s${seat}${stop?.seat === seat ? " turn" : ""}`);
    box.append(make("p", "", make("b", "", `${seat + 1} ${this.film.names[seat]}`), ` ${what}`, ...(fault ? [fault] : [])), ...lines);
    return box;
  }

  gangOfDice(scene, stop, moved) {
    const card = make("p", `card ${scene.card.colour}`, `${scene.card.id}, ${scene.card.colour}: ${scene.card.words}`);
    const besides = [scene.left ? `${scene.left} left from before` : "", scene.bonus ? `${scene.bonus} bonus` : ""];
    const extra = besides.filter(Boolean).join(", ");
    const table = make("p", "soft", `Table: ${scene.table} dice${extra ? ` (${extra})` : ""}`);
    const seats = Object.entries(scene.seats).map(([number, each]) => {
      const seat = Number(number);
      const leads = scene.best === seat ? ", leads" : "";
      const faces = each.roll.map((face) => face || "gangster").reverse();
      const rolled = faces.length
        ? make("p", "", dice(faces, "", moved && stop?.seat === seat, this.root.dataset.sprite), `= ${each.total} (${each.state}${leads})`) : null;
      return this.seatBox(seat, each, stop, `${each.dice} dice${each.state === "out" ? ", out" : ""}`, ...(rolled ? [rolled] : []));
    });
    return [card, table, ...seats];
  }

  gangsterDice(scene, stop, moved) {
    const name = (seat) => (seat === null ? "nobody" : this.film.names[seat]);
    const tokens = Object.entries(scene.tokens).map(([number, each]) =>
      make("div", "token", make("b", "", this.film.words.tokens[Number(number)]), make("p", "small", `${this.counts(each.dice)}; ${name(each.holder)}`)));
    const gone = scene.discards.map((count, favor) => (count ? `${count} x ${favor}` : "")).filter(Boolean).join(", ");
    const deck = make("p", "soft small", `Deck ${scene.deck}, +4 left ${scene.specials}, discarded ${gone || "none"}`);
    const seats = Object.entries(scene.seats).map(([number, each]) => {
      const seat = Number(number);
      const rolls = each.faces.map((faces, colour) =>
        faces.length ? dice(faces.map((face) => this.film.words.symbols[face]), this.film.words.colours[colour], moved && stop?.seat === seat, this.root.dataset.sprite) : null);
      const favors = each.hand ? `favors ${each.hand.join(", ") || "none"}` : `${each.favors} favors, ${each.specials} of them +4`;
      const bids = each.bids.map(([token, favor, score]) => `${this.film.words.tokens[token]} with ${favor} = ${score}`).join(" and ");
      const who = each.character ? ` (${each.character})` : "";
      return this.seatBox(seat, each, stop, this.counts(each.dice) + who, make("p", "", ...rolls),
        make("p", "small", bids ? `${favors}; bid ${bids}` : favors));
    });
    return [make("div", "tokens", ...tokens), deck, ...seats, ...this.own(scene.own)];
  }

  /** Return counts by colour in words. */
  counts(each) {
    const { colours } = this.film.words;
    return each.map((count, colour) => (count ? `${count} ${colours[colour]}` : "")).filter(Boolean).join(", ") || "no dice";
  }

  own(own) {
    if (!own) return [];
    const parts = [
      own.locked.some(Boolean) ? `locked: ${this.counts(own.locked)}` : "",
      own.exchanged ? `exchange: ${this.counts(own.exchanged[0])} for ${this.counts(own.exchanged[1])}` : "",
      own.staked === null ? "" : `stakes a ${this.film.words.colours[own.staked]} die`,
      own.pair.length ? `keeps one of the favors ${own.pair.join(" and ")}` : "",
    ].filter(Boolean);
    return parts.length ? [make("p", "small", `Its own: ${parts.join("; ")}`)] : [];
  }

  /** Return what was decided and what followed, out of the story. */
  told(stop) {
    if (!stop) return [make("p", "did", this.film.ending)];
    const lines = [make("p", `did${stop.fault ? " fault" : ""}`, `${this.film.names[stop.seat]} ${stop.did}.`)];
    for (const line of document.getElementById(stop.at)?.querySelectorAll("p.told") ?? []) {
      lines.push(make("p", "", line.textContent));
    }
    if (this.log) lines.push(stop.log || this.film.logs[stop.seat] ? make("pre", "", stop.log || this.film.logs[stop.seat]) : make("p", "soft", "No log of this decision is recorded."));
    return lines;
  }
}

for (const root of document.querySelectorAll("[data-replay]")) {
  const film = document.getElementById(root.dataset.replay);
  new Replay(root, JSON.parse(film.textContent));
}
