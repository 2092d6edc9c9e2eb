// @ts-check
/**
 * Addresses: `#r7.s2.d1` is the first decision of seat 2 in round 7, `#r7` the round's first decision, `#end` the end.
 *
 * A step replaces the entry in the browser's history, and a jump adds one, so that "back" undoes a jump, not a step.
 */

/** @typedef {import("./types.js").Timeline} Timeline */

const LATE_MS = 300;

/**
 * Return the address of an index.
 * @param {Timeline} timeline
 * @param {number} index
 */
export function addressOf(timeline, index) {
  return timeline.frames[index]?.at ?? "end";
}

/**
 * Return the index of an address, or of its round if there is no such decision; undefined for anything else.
 * @param {Timeline} timeline
 * @param {string | null} address
 */
export function indexOf(timeline, address) {
  if (address === "end") return timeline.last;
  const exact = timeline.frames.findIndex((frame) => frame.at === address);
  if (exact >= 0) return exact;
  const round = /^r(\d{1,9})(?:\.s\d{1,9}\.d\d{1,9})?$/.exec(address ?? "");
  if (!round) return undefined;
  const first = timeline.frames.findIndex((frame) => frame.round >= Number(round[1]));
  return first < 0 ? timeline.last : first;
}

/** Return the fragment of the page's URL. */
export function addressHere() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/**
 * Updates the page's URL with a delay: browsers refuse more than about 100 changes in 30 s, and each one takes longer
 * than the step itself.
 */
export class Follower {
  constructor() {
    this.address = "";
    this.jumped = false;
    this.timer = 0;
    window.addEventListener("pagehide", () => this.now());
  }

  /**
   * @param {string} address
   * @param {boolean} jump whether "back" undoes this change
   */
  to(address, jump) {
    if (jump && this.timer) this.now();
    this.address = address;
    this.jumped ||= jump;
    if (!this.timer) this.timer = window.setTimeout(() => this.now(), LATE_MS);
  }

  /** Apply a pending change now. */
  now() {
    if (!this.timer) return;
    const state = { gangland: this.address };
    if (this.jumped) history.pushState(state, "", `#${this.address}`);
    else history.replaceState(state, "", `#${this.address}`);
    this.drop();
  }

  /** Cancel a pending change. */
  drop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.jumped = false;
  }
}

/**
 * Mark the current entry of the browser's history, so that "back" finds it.
 * @param {string} address
 */
export function remember(address) {
  history.replaceState({ gangland: address }, "");
}

/**
 * Call back when the user follows a link to an address (`true`) or goes back or forward to one (`false`).
 * @param {(address: string, byLink: boolean) => void} moved
 */
export function onMoved(moved) {
  window.addEventListener("popstate", (event) => {
    const address = event.state?.gangland;
    moved(typeof address === "string" ? address : addressHere(), typeof address !== "string");
  });
}

/**
 * Return a link to an address of this page, with `?at=` if the page's preview picture depends on it.
 * @param {string} address
 * @param {boolean} pictured
 */
export function linkTo(address, pictured) {
  const page = location.href.split("#")[0] ?? "";
  return pictured ? `${page.split("?")[0]}?at=${address}#${address}` : `${page}#${address}`;
}

/** Move the address from `?at=` to the fragment. */
export function moveAt() {
  const here = new URL(location.href);
  const at = here.searchParams.get("at");
  if (at === null) return;
  here.searchParams.delete("at");
  here.hash ||= at;
  history.replaceState(history.state, "", here);
}
