// @ts-check
/** The table of Gang of Dice: the warning, the dice at stake, and each seat's roll and stash. */

import { diceWords, die, make, newOnes, picture, pile, short } from "../../js/draw.js";
import { badge, diceCount, placeBadge, seatPlace } from "../../js/seat.js";
import { drawWith } from "../../js/tables.js";

/** @typedef {import("../../js/types.js").Drawing} Drawing */
/** @typedef {import("../../js/types.js").Scene} Scene */

const MAX_SHOWN = 12;

/**
 * Return the table.
 * @param {Drawing} drawing
 */
function gangOfDice(drawing) {
  const seats = drawing.timeline.names.map((_, seat) => gangSeat(drawing, seat));
  return [make("div", "v-center", warning(drawing.scene), pot(drawing)), ...seats];
}

/** @param {Scene} scene */
function warning({ card }) {
  const yellow = card.color === "yellow";
  const when = yellow ? "after every roll" : "when you stop";
  return make(
    "section", `v-card ${card.color}`,
    make("p", "v-card-head", make("b", "", card.id), ` ${card.color} warning`),
    make("p", "v-card-words", card.words),
    make("p", "v-card-foot", `checked ${when}`),
  );
}

/** @param {Drawing} drawing */
function pot({ timeline, scene: { table, left, bonus }, aside, frame }) {
  const notes = [left ? `${left} left over` : "", bonus ? `${bonus} bonus dice` : ""].filter(Boolean).join(", ");
  return make(
    "section", "v-pot",
    make("p", "v-count", make("b", "", String(table)), table === 1 ? " die on the table" : " dice on the table"),
    pile(table, ""),
    aside?.award && (frame || aside.award[0] === null) ? awarded(timeline, ...aside.award) : make("p", "v-besides", notes),
  );
}

/**
 * Return the winner of the dice.
 * @param {import("../../js/types.js").Timeline} timeline
 * @param {number | null} seat
 * @param {number} dice
 */
function awarded(timeline, seat, dice) {
  if (seat === null) return make("p", "v-besides v-award", `all bust: nobody takes the ${diceWords(dice)}`);
  return make("p", `v-besides v-award seat${seat + 1}`, `${diceWords(dice)} to `, make("span", "chip", String(seat + 1)), short("bdi", "v-name", timeline.names[seat] ?? ""));
}

/**
 * @param {Drawing} drawing
 * @param {number} seat
 */
function gangSeat(drawing, seat) {
  const { scene } = drawing;
  const each = scene.seats[seat];
  const award = drawing.aside?.award, place = placeBadge(drawing, seat);
  const states = place ? [place] : [ // at the end, no round is in progress
    award ? award[0] === seat && badge(`won ${award[1]}`, "good") : scene.best === seat && badge("best", "good"),
    scene.order[0] === seat && badge("starts"),
    each.bust && badge("bust", "bad"),
    each.state !== "bust" && each.state && badge(each.state),
  ];
  return seatPlace(
    drawing, seat, states,
    make("div", "v-stash", diceCount(drawing, seat), pile(each.dice, "")),
    make("div", "v-roll", ...(place ? [] : roll(drawing, seat))),
  );
}

/**
 * Return a seat's dice and their sum.
 * @param {Drawing} drawing
 * @param {number} seat
 */
function roll(drawing, seat) {
  const { scene, before, frame, sprite, aside, rolling } = drawing;
  const each = scene.seats[seat];
  /** @type {number[]} */
  const faces = [...each.roll].reverse();
  if (!faces.length) return [];
  const again = frame?.seat === seat && !aside ? [...frame.again] : [];
  const fresh = before && rolling ? newOnes(faces, before.seats[seat].roll) : [];
  return dicePicture(sprite, faces, again, fresh, each.bust);
}

/**
 * Return dice and their sum, struck out if it does not count.
 * @param {string} sprite
 * @param {number[]} faces a gangster is 0
 * @param {number[]} again the dice that are rerolled
 * @param {boolean[]} fresh which dice are drawn as rolling
 * @param {boolean} isBust
 */
function dicePicture(sprite, faces, again, fresh, isBust) {
  const label = `${diceWords(faces.length)}: ${faces.map((face) => face || "gangster").join(", ")}`;
  const shown = faces.length > MAX_SHOWN ? grouped(faces, again, sprite) : faces.map((face, index) => {
    const at = again.indexOf(face);
    if (at >= 0) again.splice(at, 1);
    return die(sprite, "white", face || "gangster", `${at >= 0 ? "again" : ""} ${fresh[index] ? "fresh" : ""}`);
  });
  const total = String(faces.reduce((sum, face) => sum + face, 0));
  const said = make("span", "vh", isBust ? "bust, total " : "total ");
  return [picture("v-dice", label, ...shown), make("p", "v-total", said, isBust ? make("s", "", total) : total)];
}

/**
 * Return one die of each face, with its count.
 * @param {number[]} faces
 * @param {number[]} again
 * @param {string} sprite
 */
function grouped(faces, again, sprite) {
  return [...new Set(faces)].map((face) => make(
    "span", "v-many",
    die(sprite, "white", face || "gangster", again.includes(face) ? "again" : ""),
    `×${faces.filter((other) => other === face).length}`,
  ));
}

drawWith("gang-of-dice", gangOfDice);
