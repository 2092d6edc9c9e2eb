// @ts-check
/**
 * The shapes of a timeline (`gangland_ladder.viewer.timeline_data`) as the viewer unpacks it.
 *
 * @typedef {Record<string, any>} Scene a table or a seat's view
 *
 * @typedef {object} PackedFrame
 * @property {string} at
 * @property {string} kind
 * @property {1} [with]
 * @property {Scene} [before] how the table changed between the previous frame and the question
 * @property {Scene} [table] how the decision changed the table
 * @property {Scene} [seen] how the seat's view differs from the table at the question
 * @property {number[]} [luck_before]
 * @property {number[]} [luck]
 * @property {number[]} [values_before]
 * @property {number[]} [values] the value of the game to each seat, if analyzed
 * @property {number[]} [again]
 * @property {Record<string, string[]>} [plans]
 * @property {Record<string, [number, number][]>} [laid]
 * @property {[number | null, number]} [award]
 * @property {1} [fault]
 * @property {"fault" | "lead"} [mark]
 * @property {number} [leader] the seat that now leads the game, from 0
 * @property {Verdict} [verdict]
 *
 * @typedef {object} Aside information next to a table
 * @property {Record<string, string[]>} plans by seat, its pending decisions
 * @property {Record<string, [number, number][]>} laid by seat, its hidden bids: token and favor
 * @property {[number | null, number] | null} award the winner of the round (null for no winner) and the round's dice
 *
 * @typedef {"inaccuracy" | "mistake" | "blunder"} Verdict the verdict of a bad decision
 *
 * @typedef {[number, number, number | null]} Bid token, favor and score, null for hidden bids
 *
 * @typedef {Record<string, any>} Words texts of a game: the `unit` of luck, and those for the game's own table
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
 * @property {number[]} values empty if not analyzed
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
 * @property {number[]} values at the end, empty if not analyzed
 * @property {number} last the index of the end, after all frames
 * @property {Record<string, string>} logs
 * @property {Record<string, string>} keys
 *
 * @typedef {object} Place the position in a timeline, and the view
 * @property {number} index
 * @property {number | null} seat the seat whose view is shown, or null for all hands
 *
 * @typedef {object} Drawing a table to draw
 * @property {Timeline} timeline
 * @property {string} sprite
 * @property {Frame | undefined} frame the current one; undefined at the end
 * @property {Scene} scene
 * @property {Aside | null} aside null in a seat's view
 * @property {Scene | null} before the scene before the decision; null to mark no changes
 * @property {boolean} rolling whether new dice roll
 */
export {};
