// @ts-check
/**
 * Steps through a replay's prose log.  The log itself is the page: without this script it reads from top to bottom.
 * Every stop is a list item with an id such as `r7.d3`; the address follows, and opens there.
 */

/** @typedef {{ id: string, round: number, element: HTMLElement }} Stop */

/**
 * Return the stops of a log in the order of play.
 * @param {HTMLElement} log
 * @returns {Stop[]}
 */
export function stopsOf(log) {
  const found = /** @type {NodeListOf<HTMLElement>} */ (log.querySelectorAll("[data-stop]"));
  return Array.from(found, (element) => ({ id: element.id, round: Number(element.dataset.round), element }));
}

/**
 * Return the index of the first stop of the round before or after the one at `index`.
 * @param {Stop[]} stops
 * @param {number} index
 * @param {1 | -1} way
 */
export function roundFrom(stops, index, way) {
  const here = stops[index]?.round ?? 0;
  if (way > 0) {
    const next = stops.findIndex((stop) => stop.round > here);
    return next < 0 ? stops.length - 1 : next;
  }
  const first = stops.findIndex((stop) => stop.round === here);
  if (index > first) return first;
  const before = stops[first - 1]?.round;
  return before === undefined ? 0 : stops.findIndex((stop) => stop.round === before);
}

/**
 * Return what a stop tells, without its address.
 * @param {HTMLElement} element
 */
export function said(element) {
  return Array.from(element.querySelectorAll("p"), (line) => line.textContent?.trim() ?? "").join(" ");
}

/** The viewer: a cursor over the stops of one log. */
class Viewer {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.stops = stopsOf(root);
    this.index = -1;
    this.place = /** @type {HTMLElement} */ (root.querySelector("[data-place]"));
    this.spoken = /** @type {HTMLElement} */ (root.querySelector("[data-spoken]"));
    const bar = /** @type {HTMLElement} */ (root.querySelector("[data-stepper]"));
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-script]"))) {
      part.hidden = false;
    }
    bar.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button?.dataset.go) this.go(button.dataset.go);
    });
    root.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.open());
    this.say();
    this.open();
  }

  /** Go to the stop that the address names, if it names one. */
  open() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id ? document.getElementById(id) : null;
    const element = target?.closest("[data-stop]") ?? target?.querySelector("[data-stop]");
    const index = this.stops.findIndex((stop) => stop.element === element);
    if (index >= 0 && index !== this.index) this.show(index, false);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const round = event.shiftKey ? "round" : "";
    /** @type {Record<string, string>} */
    const ways = { ArrowRight: `next${round}`, ArrowLeft: `back${round}`, Home: "first", End: "last" };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    this.go(way);
  }

  /** @param {string} way */
  go(way) {
    const last = this.stops.length - 1;
    /** @type {Record<string, () => number>} */
    const targets = {
      next: () => this.index + 1,
      back: () => this.index - 1,
      nextround: () => roundFrom(this.stops, this.index, 1),
      backround: () => roundFrom(this.stops, this.index, -1),
      first: () => 0,
      last: () => last,
    };
    const target = targets[way];
    if (target) this.show(Math.max(0, Math.min(last, target())), true);
  }

  /**
   * @param {number} index
   * @param {boolean} follow whether the address follows
   */
  show(index, follow) {
    this.stops[this.index]?.element.classList.remove("now");
    this.stops[this.index]?.element.removeAttribute("aria-current");
    this.index = index;
    const stop = this.stops[index];
    if (!stop) return;
    this.root.querySelector(".log")?.classList.add("stepping");
    stop.element.classList.add("now");
    stop.element.setAttribute("aria-current", "step");
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    stop.element.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    if (follow) {
      history.replaceState(null, "", `#${stop.id}`);
      this.spoken.textContent = said(stop.element);
    }
    this.say();
  }

  /** Say where the cursor is, and switch off what leads nowhere. */
  say() {
    const stop = this.stops[this.index];
    this.place.textContent = stop
      ? `Round ${stop.round}, step ${this.index + 1} of ${this.stops.length}`
      : `${this.stops.length} steps`;
  }
}

for (const root of document.querySelectorAll("[data-replay]")) {
  if (root instanceof HTMLElement) new Viewer(root);
}
