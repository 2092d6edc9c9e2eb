// @ts-check
/**
 * The shapes of a film (`gangland_ladder.watching.data`) as the viewer unpacks it.
 *
 * @typedef {Record<string, any>} Scene what lies on a table, or what a seat was sent
 *
 * @typedef {object} PackedStop
 * @property {string} at
 * @property {string} kind
 * @property {1} [with]
 * @property {Scene} [table] what differs on the table from the stop before
 * @property {Scene} [seen] what of the seat's observation differs from that table
 * @property {number[]} [luck]
 * @property {number[]} [again]
 * @property {number[]} [got] its dice after the roll that it decided on
 * @property {Bidding} [bidding]
 * @property {1} [fault]
 * @property {"fault" | "lead"} [mark]
 *
 * @typedef {object} Bidding bids that were turned up
 * @property {Record<string, Bid[]>} bids by seat
 * @property {Record<string, number>} won by token, the seat that influences it
 * @property {Record<string, number>} took by token, the seat that has it from now on
 *
 * @typedef {[number, number, number]} Bid token, favor and score
 *
 * @typedef {object} Words
 * @property {string[]} tokens
 * @property {string[]} colours
 * @property {string[]} symbols
 * @property {string} unit
 *
 * @typedef {object} PackedFilm
 * @property {"gang-of-dice" | "gangster-dice"} game
 * @property {string[]} names
 * @property {number[]} places
 * @property {number} rounds
 * @property {Words} words
 * @property {string | null} start
 * @property {string} ending
 * @property {PackedStop[]} stops
 * @property {{ table: Scene, luck: number[] }} end
 * @property {Record<string, string>} logs
 * @property {Record<string, string>} keys
 *
 * @typedef {object} Stop
 * @property {string} at
 * @property {number} round
 * @property {number} seat from 0
 * @property {number} ply
 * @property {string} kind
 * @property {Scene} table
 * @property {Scene} seen
 * @property {number[]} luck
 * @property {number[]} again
 * @property {number[]} got
 * @property {Bidding | undefined} bidding
 * @property {boolean} fault
 * @property {"fault" | "lead" | undefined} mark
 *
 * @typedef {object} Film
 * @property {"gang-of-dice" | "gangster-dice"} game
 * @property {string[]} names
 * @property {number[]} places
 * @property {number} rounds
 * @property {Words} words
 * @property {string | null} start
 * @property {string} ending
 * @property {Stop[]} stops
 * @property {Scene} table at the end
 * @property {number[]} luck at the end
 * @property {number} last the index of the end, behind all stops
 * @property {Record<string, string>} logs
 * @property {Record<string, string>} keys
 *
 * @typedef {object} Place where one stands, and what one looks at
 * @property {number} index
 * @property {number | null} seat whose view, null for all
 *
 * @typedef {object} Drawing what a table is drawn with
 * @property {Film} film
 * @property {string} sprite
 * @property {Stop | undefined} stop where the cursor stands; undefined at the end
 * @property {Scene} scene
 * @property {Scene | null} before the scene that dice roll on from; null where nothing moves
 */
export {};
