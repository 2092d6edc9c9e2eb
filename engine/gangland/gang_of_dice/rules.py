"""The rules of Gang of Dice, in playing order: a round, a turn, the award, the end.

Turns follow one another, so one seat is asked at a time.  Numbers such as D15 are the rulings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from gangland.chance import Chance
from gangland.game import Decision, EndReason, Event, Game, Outcome, Question
from gangland.gang_of_dice import answers, story
from gangland.gang_of_dice.bot import Bot
from gangland.gang_of_dice.events import TieBreak
from gangland.gang_of_dice.state import (
    BONUS,
    NO_BEST,
    NOBODY,
    POOLS,
    ROLLS,
    ROUNDS,
    Dice,
    Options,
    ResultWire,
    Rolls,
    Round,
    State,
)
from gangland.gang_of_dice.views import View
from gangland.gang_of_dice.warnings import DECKS

FACE_OF_RAW = (1, 2, 3, 4, 5, 0)
"""The face that a raw face of chance stands for: 0 to 4 are the numbers 1 to 5, 5 is the gangster (D32)."""

Transition = tuple[State, tuple[Event, ...]]

_ASKS_DICE = tuple((Question(seat, "dice"),) for seat in range(max(POOLS)))
_ASKS_REROLL = tuple((Question(seat, "reroll"),) for seat in range(max(POOLS)))


# A round -----------------------------------------------------------------------------------------


def _begin_game(seats: int, options: Options, chance: Chance) -> Transition:
    """Draw the first player (D2), shuffle the deck (D1), and begin round 1."""
    first = chance.below("first player", seats)
    deck = chain.from_iterable(
        chance.shuffle("warnings", number, stack.cards)[: stack.rounds]
        for number, stack in enumerate(DECKS[options.deck])
    )
    order = _clockwise_from(first, (0,) * seats)
    opening = Round(options, tuple(deck), 1, order, (0,) * seats, carried=0, bonus=BONUS.get(1, 0), last=None)
    return _begin_round(opening, (POOLS[seats],) * seats)


def _begin_round(new: Round, pools: tuple[int, ...]) -> Transition:
    """Turn the warning up and put the bonus dice down, before anyone chooses (D1, D17)."""
    began = ("round", new.number, new.card.id, new.order, new.carried, new.bonus)
    return State(new, pools, (), NO_BEST, new.order[0], ()), (began,)


def _clockwise_from(first: int, out: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats in play, clockwise from the first one at or after `first` (D4, D30)."""
    seats = len(out)
    return tuple(seat for step in range(seats) if not out[seat := (first + step) % seats])


# A turn ------------------------------------------------------------------------------------------


def _decide(state: State, decision: Decision, chance: Chance) -> Transition:
    """Apply one decision: the first of a turn names dice to roll, the others faces to roll again."""
    if isinstance(decision, int):
        return _roll(state, _staked(state, decision), (), (), decision, chance)
    if decision:
        kept = _without(state.rolls[-1], decision)
        return _roll(state, state.pools, decision, kept, len(decision), chance)
    card = state.round.card  # to reroll nothing stops (D9); black is checked only now (D12)
    return _end_turn(state, state.pools, state.rolls, card.black and card.triggered_by(state.rolls[-1]), ())


def _staked(state: State, dice: int) -> tuple[int, ...]:
    """Return the pools once dice have moved to the table, where the stake stays as it is (D8, D10)."""
    pools = list(state.pools)
    pools[state.seat] -= dice
    return tuple(pools)


def _without(dice: Dice, again: Dice) -> Dice:
    """Return the dice that are kept; as the dice are sorted, equal faces lie side by side (D7)."""
    kept = list(dice)
    for face in set(again):
        first = kept.index(face)
        del kept[first : first + again.count(face)]
    return tuple(kept)


def _roll(state: State, pools: tuple[int, ...], again: Dice, kept: Dice, count: int, chance: Chance) -> Transition:
    """Roll `count` dice beside those kept; a triggered yellow warning ends the turn at once (D11)."""
    seat, roll, card = state.seat, len(state.rolls) + 1, state.round.card
    drawn = tuple(map(FACE_OF_RAW.__getitem__, chance.faces(state.round.number, seat, roll, count)))
    dice = tuple(sorted(kept + drawn))
    rolls = (*state.rolls, dice)
    event = ("rolled", seat, roll, again, drawn, dice)
    bust = (card.yellow or roll == ROLLS) and card.triggered_by(dice)
    if bust or roll == ROLLS:
        return _end_turn(state, pools, rolls, bust, (event,))
    return State(state.round, pools, state.turns, state.best, seat, rolls), (event,)


def _end_turn(state: State, pools: tuple[int, ...], rolls: Rolls, bust: bool, events: tuple[Event, ...]) -> Transition:
    """The roll is final: it is bust, or it counts, a total of 0 too (D14), and may lead the round."""
    seat, best, order = state.seat, state.best, state.round.order
    total, stake = sum(rolls[-1]), len(rolls[-1])
    if bust:
        events += (("busted", seat),)
    else:
        events += (("stood", seat, total),)
        if (total, stake) > best[:2]:  # a tie goes to more dice, then to the earlier turn (D15)
            best = (total, stake, seat)
    turns = (*state.turns, (seat, rolls, total, bust))
    if len(turns) < len(order):
        return State(state.round, pools, turns, best, order[len(turns)], ()), events
    return _end_round(State(state.round, pools, turns, best, NOBODY, ()), events)


# The end of a round ------------------------------------------------------------------------------


def _end_round(state: State, events: tuple[Event, ...]) -> Transition:
    """Award the table, eliminate (D19), and go on with the next round or end the game."""
    on_table = state.table
    pools, carried, award = _award(state, on_table)
    played = state.round
    out = tuple(gone or (0 if dice else played.number) for gone, dice in zip(played.out, pools, strict=True))
    eliminated = tuple(sorted(seat for seat in played.order if out[seat]))
    result: ResultWire = (played.number, played.deck[played.number - 1], state.turns, state.best, on_table, eliminated)
    events += (award, ("eliminated", eliminated)) if eliminated else (award,)
    if played.number == ROUNDS or out.count(0) <= 1:  # D21, D22
        ended = Round(played.options, played.deck, played.number, (), out, carried, 0, result)
        return State(ended, pools, (), NO_BEST, NOBODY, ()), (*events, ("ended", pools, carried))
    number = played.number + 1
    order = _clockwise_from(_next_first(state), out)
    upcoming = Round(played.options, played.deck, number, order, out, carried, BONUS.get(number, 0), result)
    following, began = _begin_round(upcoming, pools)
    return following, events + began


def _award(state: State, on_table: int) -> tuple[tuple[int, ...], int, Event]:
    """Give all dice on the table to the best valid roll, or carry them if all are bust (D13, D16)."""
    if state.best == NO_BEST:
        return state.pools, on_table, ("all_bust", on_table)
    total, _, winner = state.best
    pools = list(state.pools)
    pools[winner] += on_table
    return tuple(pools), 0, ("won", winner, total, on_table, _tie_break(state))


def _tie_break(state: State) -> TieBreak:
    """Return what decided among equal totals (D15)."""
    total, stake, winner = state.best
    rivals = [
        len(rolls[0]) for seat, rolls, final, bust in state.turns if final == total and not bust and seat != winner
    ]
    if not rivals:
        return ""
    return "turn" if stake in rivals else "dice"


def _next_first(state: State) -> int:
    """Return the seat from which on, clockwise, the first in play begins the next round (D3)."""
    if state.round.options.first_player == "winner" and state.best != NO_BEST:
        return state.best[2]
    return state.round.order[0] + 1


# The end of the game -----------------------------------------------------------------------------


def _standing(state: State, seat: int, defaulting: frozenset[int]) -> tuple[int, int, int]:
    """Return what places are given by, higher is better (D23, D31).

    Faultless seats rank above those at fault, whenever these failed; then seats in play by
    their pools, then eliminated ones by the round in which they went (D22: the last together).
    """
    if seat in defaulting:
        return (0, 0, 0)
    out = state.round.out[seat]
    return (1, out, 0) if out else (1, ROUNDS + 1, state.pools[seat])


def _end_reason(state: State, defaulting: frozenset[int]) -> EndReason | None:
    """Return why the game is over, None while it goes on.

    Seats at fault end it only while one of them is still in play (D31); else the rules do.
    """
    seats = range(len(state.pools))
    if len(defaulting) == len(seats):
        return EndReason.ALL_AT_FAULT
    if any(not state.round.out[seat] for seat in defaulting):
        in_play = sum(not state.round.out[seat] for seat in seats if seat not in defaulting)
        if in_play <= 1:
            return EndReason.LAST_FAULTLESS if in_play else EndReason.FAULTLESS_OUT
    return EndReason.COMPLETED if state.seat == NOBODY else None


class GangOfDice(Game[State]):
    """Gang of Dice for 2 to 4 players."""

    name = "gang-of-dice"
    title = "Gang of Dice"
    rules_version = 1
    table_sizes = tuple(POOLS)
    bot_class = Bot
    view_class = View

    def options(self, given: Mapping[str, object]) -> Options:
        """Return the typed options; see `Options`."""
        return Options.of(given)

    def options_dict(self, options: Options) -> dict[str, object]:
        """Return the options that differ from their defaults, as recorded in replays."""
        return options.to_dict()

    def start(self, seats: int, options: Options, chance: Chance) -> Transition:
        """Return the first state and its events: the first warning is up, and a seat chooses dice."""
        if seats not in POOLS:
            raise ValueError(f"Gang of Dice is for {', '.join(map(str, POOLS))} players, not {seats!r}")
        return _begin_game(seats, options, chance)

    def pending(self, state: State) -> tuple[Question, ...]:
        """Return the one question of the seat whose turn it is; none when the game is over."""
        if state.seat == NOBODY:
            return ()
        return (_ASKS_REROLL if state.rolls else _ASKS_DICE)[state.seat]

    def observe(self, state: State, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        """Return all that the seat may know (D33): everything but the cards to come."""
        return View(state.wire(seat, defaulting))

    def legal(self, state: State, seat: int) -> str:
        """Return in words which answers the seat may give."""
        dice = self._asked_about(state, seat)
        return answers.legal_dice(dice) if isinstance(dice, int) else answers.legal_reroll(dice)

    def check(self, state: State, seat: int, answer: object) -> Decision:
        """Return the answer in canonical form: a number of dice, or the sorted faces to roll again."""
        dice = self._asked_about(state, seat)
        return answers.check_dice(dice, answer) if isinstance(dice, int) else answers.check_reroll(dice, answer)

    def choices(self, state: State, seat: int) -> Sequence[Decision]:
        """Return every legal answer: the numbers of dice upward, or the rerolls from none to all.

        Rerolls can be millions, so they are a sequence that makes its items when they are asked for.
        """
        dice = self._asked_about(state, seat)
        return range(1, dice + 1) if isinstance(dice, int) else answers.Rerolls(dice)

    def default(self, state: State, seat: int) -> Decision:
        """Return one die, or no reroll, for a seat at fault (D31)."""
        return 1 if isinstance(self._asked_about(state, seat), int) else ()

    def resolve(self, state: State, decisions: Mapping[int, Decision], chance: Chance) -> Transition:
        """Apply the decision of the seat whose turn it is, and go on to the next that is asked."""
        if len(decisions) != 1 or state.seat not in decisions:
            raise ValueError(f"decisions are due from {self.pending(state)}, not from seats {list(decisions)}")
        state, events = _decide(state, decisions[state.seat], chance)
        while not state.rolls and state.seat != NOBODY and state.pools[state.seat] == 1:
            state, more = _decide(state, 1, chance)  # the last die has to be staked: not asked (G41)
            events += more
        return state, events

    def outcome(self, state: State, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        """Return how the game ended, None while it goes on (D21 to D23, D31)."""
        reason = _end_reason(state, defaulting) if defaulting or state.seat == NOBODY else None
        if reason is None:
            return None
        standings = [_standing(state, seat, defaulting) for seat in range(len(state.pools))]
        places = tuple(1 + sum(other > standing for other in standings) for standing in standings)
        winners = tuple(seat for seat, place in enumerate(places) if place == 1 and seat not in defaulting)
        return Outcome(places, winners, reason)

    def round(self, state: State) -> int:
        """Return the number of the round, 1 to 12; of the last one played when the game is over."""
        return state.round.number

    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        """Return the event as an English sentence."""
        return story.sentence(event, names)

    @staticmethod
    def _asked_about(state: State, seat: int) -> int | Dice:
        """Return the pool to stake from, or the dice to roll again from.

        Raises:
            ValueError: the seat is not asked now.
        """
        if seat != state.seat or seat == NOBODY:
            raise ValueError(f"seat {seat!r} is not asked now")
        return state.rolls[-1] if state.rolls else state.pools[seat]


GAME = GangOfDice()
