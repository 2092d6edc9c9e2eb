// @ts-check
/**
 * The response for a game on a screen (`gangland_web.site.tv.item`).
 *
 * @typedef {import("../../../../gangland_ladder/viewer/js/types.js").PackedFrame} PackedFrame
 * @typedef {import("../../../../gangland_ladder/viewer/js/types.js").PackedTimeline} PackedTimeline
 *
 * @typedef {object} Step
 * @property {PackedFrame} frame
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
 * @property {PackedTimeline["end"]} end
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

export {};
