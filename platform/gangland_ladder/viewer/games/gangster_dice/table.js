// @ts-check
/** The table of Gangster Dice: the four tokens, the cards, and each seat's dice, favors and bids. */

import { die, make, newOnes, picture, short, symbol } from "../../js/draw.js";
import { diceCount, placeBadge, seatPlace } from "../../js/seat.js";
import { drawWith } from "../../js/tables.js";

/** @typedef {import("../../js/types.js").Drawing} Drawing */
/** @typedef {import("../../js/types.js").Scene} Scene */

const MAX_ROLLED = 12;
const SPECIAL = 4;

/**
 * Return the table.
 * @param {Drawing} drawing
 */
function gangsterDice(drawing) {
  const { scene, timeline } = drawing;
  const seats = timeline.names.map((_, seat) => gangsterSeat(drawing, seat));
  const tokens = Object.keys(scene.tokens).map((number) => token(drawing, Number(number)));
  return [make("div", "v-center", make("div", "v-tokens", ...tokens), cards(scene)), ...seats];
}

/**
 * Return counts by color in words.
 * @param {Drawing} drawing
 * @param {number[]} counts
 */
function inWords({ timeline }, counts) {
  const parts = counts.map((count, color) => (count ? `${count} ${timeline.words.colors[color]}` : ""));
  return parts.filter(Boolean).join(", ") || "no dice";
}

/**
 * Return counts by color as dice.
 * @param {Drawing} drawing
 * @param {number[]} counts
 */
function counted(drawing, counts) {
  const shown = counts.map((count, color) => count && make(
    "span", "v-many", die(drawing.sprite, drawing.timeline.words.colors[color] ?? "", "", "small"), String(count),
  ));
  return picture("v-counts", inWords(drawing, counts), ...shown.map((each) => each || null));
}

/**
 * @param {Drawing} drawing
 * @param {number} number
 */
function token(drawing, number) {
  const { timeline, scene, before, sprite } = drawing;
  const each = scene.tokens[number];
  const held = each.holder !== null;
  const moved = before && before.tokens[number].holder !== each.holder ? " moved" : "";
  const holder = make("p", `v-holder${held ? ` seat${each.holder + 1}` : ""}`);
  if (held) holder.append(make("span", "chip", String(each.holder + 1)), short("bdi", "v-name", timeline.names[each.holder] ?? ""));
  else holder.append("nobody's");
  return make(
    "div", `v-token${moved}`,
    symbol(sprite, "v-medal", `mark-${timeline.words.symbols[number]}`),
    short("p", "v-token-name", timeline.words.tokens[number] ?? ""),
    holder, make("p", "v-token-foot", counted(drawing, each.dice)),
  );
}

/** @param {Scene} scene */
function cards({ deck, discards, specials }) {
  const gone = discards.map((/** @type {number} */ count, /** @type {number} */ favor) => (count ? `${favorName(favor)} ×${count}` : ""));
  return make(
    "p", "v-cards",
    make("span", "", "Deck ", make("b", "", String(deck))),
    make("span", "", "+4 stack ", make("b", "", String(specials))),
    make("span", "", "Discards ", make("b", "", gone.filter(Boolean).join(", ") || "none")),
  );
}

/**
 * @param {Drawing} drawing
 * @param {number} seat
 */
function gangsterSeat(drawing, seat) {
  const { scene } = drawing;
  const each = scene.seats[seat];
  const states = [heldTokens(drawing, seat), placeBadge(drawing, seat)];
  return seatPlace(
    drawing, seat, states,
    make(
      "div", "v-stash",
      diceCount(drawing, seat), counted(drawing, each.dice), hand(each),
    ),
    make("div", "v-roll", rolled(drawing, seat)),
    make("div", "v-hand", each.character && short("span", "v-role", each.character), bids(drawing, seat)),
    scene.own && each.hand !== null && make("p", "v-own", ownWords(drawing, scene.own)),
  );
}

/**
 * Return a seat's dice by color, with their symbols.
 * @param {Drawing} drawing
 * @param {number} seat
 */
function rolled(drawing, seat) {
  const { timeline, scene, before, sprite, rolling } = drawing;
  const { colors, symbols } = timeline.words;
  /** @type {number[][]} */
  const faces = scene.seats[seat].faces;
  const total = faces.reduce((sum, each) => sum + each.length, 0);
  const told = faces.map((each, color) => each.length && `${colors[color]} ${each.map((face) => symbols[face]).join(", ")}`);
  /** @type {Element[]} */
  const shown = faces.flatMap(/** @returns {Element[]} */ (each, color) => {
    const fresh = before && rolling ? newOnes(each, before.seats[seat].faces[color]) : [];
    const name = colors[color] ?? "";
    if (total <= MAX_ROLLED) return each.map((face, index) => die(sprite, name, symbols[face] ?? "", fresh[index] ? "fresh" : ""));
    return [...new Set(each)].map((face) => make(
      "span", "v-many", die(sprite, name, symbols[face] ?? ""), `×${each.filter((other) => other === face).length}`,
    ));
  });
  return picture("v-dice", told.filter(Boolean).join("; ") || "no dice", ...shown);
}

/**
 * Return a hand of favors: visible ones with their value, hidden ones as backs.
 * @param {Scene} each
 */
function hand({ hand, favors, specials }) {
  if (hand) {
    const label = `favors ${hand.map(favorName).join(", ") || "none"}`;
    return picture("v-favors", label, ...hand.map((/** @type {number} */ favor) => card(favorName(favor), favor === SPECIAL ? "special" : "")));
  }
  const hidden = Math.max(0, favors - specials);
  const label = `${favors} favors, hidden${specials ? `; ${specials} of them +4` : ""}`;
  return picture("v-favors", label, ...Array.from({ length: hidden }, () => card("", "back")), ...Array.from({ length: specials }, () => card("+4", "special")));
}

/** @param {number} favor */
function favorName(favor) {
  return favor === SPECIAL ? "+4" : String(favor);
}

/**
 * @param {string} shown
 * @param {string} name
 */
function card(shown, name) {
  return make("span", `v-favor ${name}`, shown);
}

/**
 * Return the tokens that a seat has.
 * @param {Drawing} drawing
 * @param {number} seat
 */
function heldTokens({ timeline, scene, sprite }, seat) {
  /** @type {string[]} */
  const tokens = timeline.words.tokens;
  const own = tokens.flatMap((_, token) => (scene.tokens[token].holder === seat ? [token] : []));
  const label = own.map((token) => tokens[token]).join(", ");
  if (!own.length) return null;
  return picture("v-held-tokens", `has ${label}`, ...own.map((token) => symbol(sprite, "v-medal small", `mark-${timeline.words.symbols[token]}`)));
}

/**
 * Return a seat's bids: revealed ones, or hidden ones in the view of all hands.
 * @param {Drawing} drawing
 * @param {number} seat
 */
function bids({ timeline, scene, aside, sprite }, seat) {
  const laid = aside?.laid[seat]?.map(/** @returns {import("../../js/types.js").Bid} */ ([token, favor]) => [token, favor, null]);
  return bidsPicture(sprite, timeline.words, laid ?? scene.seats[seat].bids, (token) => scene.tokens[token].winner === seat);
}

/**
 * Return bids with their scores, or null if there are none.
 * @param {string} sprite
 * @param {import("../../js/types.js").Words} words
 * @param {import("../../js/types.js").Bid[]} bids
 * @param {(token: number) => boolean} wins whether the bid on a token wins
 */
function bidsPicture(sprite, words, bids, wins) {
  if (!bids.length) return null;
  const shown = bids.map(([token, favor, score]) => picture(
    `v-bid${wins(token) ? " wins" : ""}`,
    score === null ? `lays ${favorName(favor)} on the ${words.tokens[token]}`
      : `bids ${favorName(favor)} on the ${words.tokens[token]}, ${score} in all${wins(token) ? ", and wins it" : ""}`,
    symbol(sprite, "v-medal small", `mark-${words.symbols[token]}`),
    card(favorName(favor), favor === SPECIAL ? "special" : ""), score === null ? "" : `${score}${wins(token) ? " ✓" : ""}`,
  ));
  return make("span", "v-bids", ...shown);
}

/**
 * Return a seat's private decisions in words.
 * @param {Drawing} drawing
 * @param {Scene} own
 */
function ownWords(drawing, own) {
  const { colors } = drawing.timeline.words;
  return [
    own.locked.some(Boolean) ? `locked: ${inWords(drawing, own.locked)}` : "",
    own.exchanged ? `exchange: ${inWords(drawing, own.exchanged[0])} for ${inWords(drawing, own.exchanged[1])}` : "",
    own.staked === null ? "" : `stakes a ${colors[own.staked]} die`,
    own.pair.length ? `keeps one of ${own.pair.map(favorName).join(" and ")}` : "",
  ].filter(Boolean).join("; ");
}

drawWith("gangster-dice", gangsterDice);
