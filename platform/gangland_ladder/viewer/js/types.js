// @ts-check
/**
 * The shapes of a timeline (`gangland_ladder.viewer.timeline_data`) as the viewer unpacks it.
 *
 * @typedef {Record<string, any>} Scene what lies on a table, or what a seat was sent
 *
 * @typedef {object} PackedFrame
 * @property {string} at
 * @property {string} kind
 * @property {1} [with]
 * @property {Scene} [before] what differs on the table when it is asked from the table of the frame before
 * @property {Scene} [table] what its outcome changes of that
 * @property {Scene} [seen] what of the seat's observation differs from the table when it was asked
 * @property {number[]} [luck_before]
 * @property {number[]} [luck]
 * @property {number[]} [values_before]
 * @property {number[]} [values] what the game is worth to each seat, where it is analyzed
 * @property {number[]} [again]
 * @property {Record<string, string[]>} [plans]
 * @property {Record<string, [number, number][]>} [laid]
 * @property {[number | null, number]} [award]
 * @property {1} [fault]
 * @property {"fault" | "lead"} [mark]
 * @property {number} [leader] the seat that leads the game now, from 0
 * @property {Verdict} [verdict]
 *
 * @typedef {object} Aside what stands beside a table
 * @property {Record<string, string[]>} plans by seat, its decisions that are not carried out yet
 * @property {Record<string, [number, number][]>} laid by seat, its bids that are not turned up: token and favor
 * @property {[number | null, number] | null} award who won how many dice as the round ended, null for nobody
 *
 * @typedef {"inaccuracy" | "mistake" | "blunder"} Verdict of a decision that is no good one
 *
 * @typedef {[number, number, number | null]} Bid token, favor and score; no score before it is turned up
 *
 * @typedef {Record<string, any>} Words what the script needs of a game: `unit` of luck, and what its own table does
 *
 * @typedef {object} PackedTimeline
 * @property {string} game
 * @property {string[]} names
 * @property {number[]} places
 * @property {number} rounds
 * @property {Words} words
 * @property {string | null} start
 * @property {string} ending
 * @property {PackedFrame[]} frames
 * @property {{ table: Scene, luck: number[], values: number[], award?: [number | null, number] }} end
 * @property {Record<string, string>} logs
 * @property {Record<string, string>} keys
 *
 * @typedef {object} Frame
 * @property {string} at
 * @property {number} round
 * @property {number} seat from 0
 * @property {number} ply
 * @property {string} kind
 * @property {Scene} before
 * @property {Scene} table
 * @property {Aside} aside
 * @property {Scene} seen
 * @property {number[]} luckBefore
 * @property {number[]} luck
 * @property {number[]} valuesBefore
 * @property {number[]} values empty where it is not analyzed
 * @property {number[]} again
 * @property {boolean} fault
 * @property {"fault" | "lead" | undefined} mark
 * @property {number | undefined} leader
 * @property {Verdict | undefined} verdict
 *
 * @typedef {object} Timeline
 * @property {string} game
 * @property {string[]} names
 * @property {number[]} places
 * @property {number} rounds
 * @property {Words} words
 * @property {string | null} start
 * @property {string} ending
 * @property {Frame[]} frames
 * @property {Scene} table at the end
 * @property {Aside} aside at the end
 * @property {number[]} luck at the end
 * @property {number[]} values at the end, empty where it is not analyzed
 * @property {number} last the index of the end, behind all frames
 * @property {Record<string, string>} logs
 * @property {Record<string, string>} keys
 *
 * @typedef {object} Place where one stands, and what one looks at
 * @property {number} index
 * @property {number | null} seat whose view, null for all
 *
 * @typedef {object} Drawing what a table is drawn with
 * @property {Timeline} timeline
 * @property {string} sprite
 * @property {Frame | undefined} frame where the cursor stands; undefined at the end
 * @property {Scene} scene
 * @property {Aside | null} aside null in a seat's view
 * @property {Scene | null} before the scene that the decision changed; null where nothing is to be compared
 * @property {boolean} rolling whether new dice roll
 */
export {};
