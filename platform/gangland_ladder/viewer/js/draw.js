// @ts-check
/** Elements, dice and cards.  Text from bots never becomes markup. */

const SVG = "http://www.w3.org/2000/svg";
const ROW = 24;
const ROWS = 5;

/** @typedef {string | Node | null | undefined | false} Part */

/**
 * Return an element with a class and parts; empty parts are omitted.
 * @param {string} tag
 * @param {string} name
 * @param {...Part} parts
 */
export function make(tag, name, ...parts) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const part of parts) if (part) element.append(part);
  return element;
}

/**
 * Return an element whose text the style may truncate, with the whole text as its title.
 * @param {string} tag
 * @param {string} name
 * @param {string} text
 */
export function short(tag, name, text) {
  const element = make(tag, name, text);
  element.title = text;
  return element;
}

/**
 * Return parts as one image with a label for screen readers.
 * @param {string} name
 * @param {string} label
 * @param {...Part} parts
 */
export function picture(name, label, ...parts) {
  const element = make("span", name, ...parts);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", label);
  return element;
}

/**
 * Return stacked symbols of the sprite.
 * @param {string} sprite
 * @param {string} name
 * @param {...string} symbols
 */
export function symbol(sprite, name, ...symbols) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", name);
  for (const each of symbols) {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${sprite}#${each}`);
    svg.append(use);
  }
  return svg;
}

/**
 * Return one die.
 * @param {string} sprite
 * @param {string} color
 * @param {string | number} face "" for a blank die
 * @param {string} name additional classes
 */
export function die(sprite, color, face, name = "") {
  const symbols = face === "" ? [`body-${color}`] : [`body-${color}`, `mark-${face}`];
  return symbol(sprite, `v-die ${color} ${name}`, ...symbols);
}

/**
 * Return a number of dice as rows of small squares in a box of a fixed size, at most as many as fit.
 * @param {number} count
 * @param {string} name
 */
export function pile(count, name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  const shown = Math.min(count, ROW * ROWS);
  let drawn = "";
  for (let each = 0; each < shown; each += 1) {
    drawn += `M${(each % ROW) * 6 + 1} ${Math.floor(each / ROW) * 6 + 1}h4v4h-4Z`;
  }
  path.setAttribute("d", drawn);
  svg.setAttribute("class", `v-pile ${name}`);
  svg.setAttribute("viewBox", `0 0 ${ROW * 6} ${ROWS * 6}`);
  svg.setAttribute("preserveAspectRatio", "xMinYMin");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return svg;
}

/**
 * Return "1 die" or "5 dice".
 * @param {number} count
 */
export function diceWords(count) {
  return `${count} ${count === 1 ? "die" : "dice"}`;
}

/**
 * Return whether each die is new; if there are more equal dice than before, the additional ones are new.
 * @param {(string | number)[]} now
 * @param {(string | number)[]} before
 */
export function newOnes(now, before) {
  const left = [...before];
  return now.map((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Replace an element's children, except those that are already equal.
 * @param {Element} parent
 * @param {Element[]} children
 */
export function refill(parent, children) {
  const old = Array.from(parent.children);
  children.forEach((child, index) => {
    const before = old[index];
    if (!before) parent.append(child);
    else if (!before.isEqualNode(child)) before.replaceWith(child);
  });
  for (const gone of old.slice(children.length)) gone.remove();
}
