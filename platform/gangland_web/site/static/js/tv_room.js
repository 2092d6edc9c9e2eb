// @ts-check
/** Fits the content of a wall screen to its size: the table with its caption, and the rows of the standings. */

const ZOOM = /** @type {const} */ ([0.6, 1.18]);
/** Sizes of a caption, the default first. */
const CAPTION_SIZES = [1, 0.9, 0.8];
/** The maximum number of sizes to try. */
const MAX_FITS = 8;
/** The same as in `tv.css`. */
const WALL = matchMedia("(width >= 60em) and (height >= 34em) and (orientation: landscape)");

export class Room {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.zoomed = 1;
  }

  /** Show as many rows of the standings as fit: the first, the current players, and the highest of the others. */
  list() {
    const list = this.root.querySelector("[data-part=places]");
    /** @type {HTMLElement[]} */
    const rows = Array.from(this.root.querySelectorAll("[data-part=places] > *"));
    for (const row of rows) row.hidden = false;
    if (!list || !rows[0] || !WALL.matches) return;
    const plays = rows.filter((row, at) => !at || row.classList.contains("tv-on"));
    const others = rows.filter((row) => !plays.includes(row));
    let left = list.clientHeight + 1;
    const hidden = [...plays, ...others].filter((row, at) => {
      left -= row.getBoundingClientRect().height; // a long name needs two lines
      return at > 0 && left < 0;
    });
    for (const row of hidden) row.hidden = true;
  }

  /**
   * On a screen without scrolling, scale the table so that it and its caption fill the available room.  A long caption
   * gets a smaller font first.
   * @param {boolean} isOn whether the game has begun
   */
  fit(isOn) {
    /** @type {HTMLElement | null} */
    const caption = this.root.querySelector("[data-caption]");
    const stage = this.stage(), panel = stage?.parentElement;
    if (!stage || !caption || !panel || !WALL.matches) return;
    const left = () => panel.getBoundingClientRect().bottom - caption.getBoundingClientRect().bottom;
    for (const size of CAPTION_SIZES) {
      caption.style.setProperty("--say", String(size));
      if (left() >= 0) break;
    }
    for (let tries = 0; tries < MAX_FITS; tries += 1) { // each size breaks lines differently, boxes have minimum heights
      const tall = stage.getBoundingClientRect().height;
      const room = left();
      if (room >= 0 && (tries || isOn)) return; // during a game the table only shrinks, so that it does not pulsate
      this.zoom(Math.max(ZOOM[0], Math.min(ZOOM[1], (this.zoomed * (tall + room - tries)) / Math.max(1, tall))));
    }
  }

  /** @param {number} factor */
  zoom(factor) {
    this.zoomed = factor;
    this.stage()?.style.setProperty("--fit", String(factor));
  }

  /** @returns {HTMLElement | null} */
  stage() {
    return this.root.querySelector("[data-stage]");
  }
}
