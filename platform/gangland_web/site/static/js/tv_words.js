// @ts-check
/** Writes the text around the table of a wall screen: players, stakes, events, and marks in the standings. */

/** @typedef {import("./tv_room.js").Room} Room */
/** @typedef {import("./tv_types.js").Answer} Answer */
/** @typedef {import("./tv_types.js").End} End */
/** @typedef {import("./tv_types.js").Step} Step */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @param {string} tag
 * @param {string} name
 * @param {...(string | Node)} parts
 */
function createElement(tag, name, ...parts) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...parts);
  return element;
}

/**
 * Return a name that may be truncated on screen, with the full name as its title.
 * @param {string} name
 */
function nameElement(name) {
  const element = createElement("bdi", "", name);
  element.title = name;
  return element;
}

/**
 * Return a sentence with its names isolated, so that right-to-left names do not reorder the words around them.
 * @param {string} line
 * @param {string[]} names
 */
function isolateNames(line, names) {
  const parts = [];
  let left = line;
  for (;;) {
    const found = names.filter((name) => name && left.includes(name)).sort((a, b) => left.indexOf(a) - left.indexOf(b) || b.length - a.length);
    const name = found[0], at = name ? left.indexOf(name) : -1;
    if (!name) return [...parts, left];
    parts.push(left.slice(0, at), nameElement(name));
    left = left.slice(at + name.length);
  }
}

/**
 * Return a text with a figure for each bot.
 * @param {string} words
 * @param {[string, string][]} moved
 */
function figures(words, moved) {
  const parts = moved.map(([bot, by], at) => createElement("span", "tv-move", nameElement(bot), ` ${by}${at + 1 < moved.length ? "," : ""}`));
  return createElement("span", "", words, ...parts.flatMap((part) => [" ", part]));
}

/** Return the element for a player's rank and lead. */
function standing() {
  const rank = createElement("span", "soft"), best = createElement("strong", "");
  rank.setAttribute("data-rank", "");
  best.setAttribute("data-best", "");
  return createElement("span", "tv-stand", rank, " ", best);
}

/**
 * Change a list, and animate its rows from their old positions.
 * @param {Element} part
 * @param {() => void} change
 */
export function move(part, change) {
  const oldTops = new Map(Array.from(part.querySelectorAll("[data-bot]"), (row) => [row.getAttribute("data-bot"), row.getBoundingClientRect().top]));
  change();
  part.dispatchEvent(new CustomEvent("live:placed", { bubbles: true }));
  if (STILL.matches || !oldTops.size) return;
  for (const row of part.querySelectorAll("[data-bot]")) {
    const before = oldTops.get(row.getAttribute("data-bot"));
    const by = before === undefined ? 0 : before - row.getBoundingClientRect().top;
    if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 900, easing: "ease-in-out" });
  }
}

export class Words {
  /**
   * @param {HTMLElement} root
   * @param {Room} room
   */
  constructor(root, room) {
    this.root = root;
    this.room = room;
  }

  /**
   * @param {string} name
   * @returns {HTMLElement | null}
   */
  part(name) {
    return this.root.querySelector(`[data-${name}]`);
  }

  /** Return the element for the table, and create it for the first game. */
  place() {
    const found = this.part("stage");
    const panel = this.root.querySelector("[data-part=now]");
    if (found || !panel) return found;
    const about = createElement("p", "tv-about", createElement("span", ""), createElement("span", "tag", "shown before"), createElement("strong", ""));
    ["about", "again", "round"].forEach((name, at) => about.children[at]?.setAttribute(`data-${name}`, ""));
    const stage = createElement("div", "tv-stage"), caption = createElement("div", "tv-caption");
    stage.setAttribute("data-stage", "");
    caption.setAttribute("data-caption", "");
    panel.replaceChildren(...panel.querySelectorAll("h2"), about, stage, caption);
    return stage;
  }

  /**
   * Show what is known before a game begins.
   * @param {Answer} on
   */
  begin(on) {
    const players = on.names.map((name, seat) => {
      const element = nameElement(name);
      return createElement("span", `tv-player seat${seat + 1}`, createElement("span", "chip", String(seat + 1)), element, standing());
    });
    this.part("players")?.replaceChildren(...players);
    const again = this.part("again"), about = this.part("about");
    if (again) again.hidden = !on.again;
    if (about) about.textContent = about.title = on.about;
    const gains = on.gains.length ? [figures("Rating gain for a win, about:", on.gains)] : [];
    this.stake("At stake", [...on.stake.map((line) => createElement("span", "", ...isolateNames(line, on.names))), ...gains]);
    this.say(on, on.rules, "tv-rules");
    this.mark(on);
  }

  /**
   * Show the stakes of the game, or its result.
   * @param {string} title
   * @param {(string | Node)[]} lines
   */
  stake(title, lines) {
    const heading = this.part("stake-title");
    if (heading) heading.textContent = title;
    this.part("game-stake")?.replaceChildren(...lines.map((line) => createElement("p", "", line)));
    this.room.list();
  }

  /**
   * Mark the players in the standings and, if the standings belong to this game, show the players' ranks.
   * @param {Answer} on
   */
  mark(on) {
    const own = this.part("subject")?.dataset.subject === String(on.subject);
    const ranks = new Map();
    for (const row of this.root.querySelectorAll("[data-bot]")) {
      const bot = Number(row.getAttribute("data-bot"));
      row.classList.toggle("tv-on", own && on.bots.includes(bot));
      if (own) ranks.set(bot, row.querySelector(".rank")?.textContent);
    }
    this.root.querySelectorAll("[data-rank]").forEach((words, seat) => {
      const rank = own && (ranks.get(on.bots[seat]) || on.ranks[seat]); // the standings list only the first bots
      words.textContent = rank ? `rank ${rank}` : "";
    });
    this.room.list();
  }

  /**
   * Show a text next to the players in these seats, such as who leads.
   * @param {string} words
   * @param {number[]} seats
   */
  markBest(words, seats) {
    this.root.querySelectorAll("[data-best]").forEach((place, seat) => {
      place.textContent = seats.includes(seat) ? words : "";
    });
  }

  /**
   * @param {Answer} on
   * @param {string[]} lines
   * @param {string} name
   */
  say(on, lines, name = "") {
    this.part("caption")?.replaceChildren(...lines.map((line, at) => createElement("p", at ? "" : name, ...isolateNames(line, on.names))));
  }

  /**
   * Show the events of a step.
   * @param {Answer} on
   * @param {Step | undefined} step undefined before the first
   * @param {number | null | undefined} round null before the first decision
   */
  step(on, step, round) {
    this.where(round ? `Round ${round}${on.last_round ? ` of ${on.last_round}` : ""}` : "");
    this.markBest("leads", step?.best ?? []);
    if (step) this.say(on, step.says);
  }

  /**
   * Show how the game ended.
   * @param {Answer} on
   * @param {End} end
   */
  over(on, end) {
    this.where("The end");
    this.markBest("winner", end.winners);
    this.say(on, [end.points[0] ?? "", end.why ? `This game was chosen for ${end.why}.` : ""].filter(Boolean), "tv-won");
    if (end.moved.length) this.stake("Result", [createElement("span", "", ...isolateNames(end.match, on.names)), figures("Rating changes in that match:", end.moved)]);
  }

  /** @param {string} words */
  where(words) {
    const round = this.part("round");
    if (round) round.textContent = words;
  }
}
