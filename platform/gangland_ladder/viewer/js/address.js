// @ts-check
/**
 * Addresses: `#r7.s2.d1` is the first decision of seat 2 in round 7, `#r7` the round's first, `#end` the end.
 *
 * Steps replace the entry in the browser's history and jumps add one, so that "back" returns to where one jumped from
 * and not through every decision on the way.
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
 * Return the index that an address names, that of its round if there is no such decision; undefined for no address.
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

/** Return what stands behind the # of the page's address. */
export function addressHere() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/**
 * Lets the page's address follow, a moment late: browsers refuse more than about a hundred changes in half a minute,
 * and every one takes longer than the step itself.
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
   * @param {boolean} jump whether "back" shall return from there
   */
  to(address, jump) {
    if (jump && this.timer) this.now();
    this.address = address;
    this.jumped ||= jump;
    if (!this.timer) this.timer = window.setTimeout(() => this.now(), LATE_MS);
  }

  /** Change the address now, if it is to change. */
  now() {
    if (!this.timer) return;
    const state = { gangland: this.address };
    if (this.jumped) history.pushState(state, "", `#${this.address}`);
    else history.replaceState(state, "", `#${this.address}`);
    this.drop();
  }

  /** Forget what is not yet done. */
  drop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.jumped = false;
  }
}

/**
 * Mark the entry that stands in the browser's history, so that "back" finds it again.
 * @param {string} address
 */
export function remember(address) {
  history.replaceState({ gangland: address }, "");
}

/**
 * Tell when somebody follows a link to an address (with `true`) or goes back or forward to one (`false`).
 * @param {(address: string, byLink: boolean) => void} moved
 */
export function onMoved(moved) {
  window.addEventListener("popstate", (event) => {
    const kept = event.state?.gangland;
    moved(typeof kept === "string" ? kept : addressHere(), typeof kept !== "string");
  });
}

/**
 * Return a link to an address of this page; where the page's picture follows `?at=`, with that too.
 * @param {string} address
 * @param {boolean} pictured
 */
export function linkTo(address, pictured) {
  const page = location.href.split("#")[0] ?? "";
  return pictured ? `${page.split("?")[0]}?at=${address}#${address}` : `${page}#${address}`;
}

/** Move what `?at=` names behind the # of the page's address: from there on that follows. */
export function moveAt() {
  const here = new URL(location.href);
  const at = here.searchParams.get("at");
  if (at === null) return;
  here.searchParams.delete("at");
  here.hash ||= at;
  history.replaceState(history.state, "", here);
}
