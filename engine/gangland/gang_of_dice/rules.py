"""The rules of Gang of Dice, in playing order: a round, a turn, the award, the end.

Turns follow one another, so one seat is asked at a time.  Numbers such as D15 are the rulings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from gangland.chance import Chance
from gangland.game import Choice, Decision, EndReason, Event, Game, Outcome, Question, Unit, Variant
from gangland.gang_of_dice import advice, luck, story
from gangland.gang_of_dice.answers import Rerolls, check_dice, check_reroll, legal_dice, legal_reroll
from gangland.gang_of_dice.bot import Bot
from gangland.gang_of_dice.events import TieBreak
from gangland.gang_of_dice.state import (
    BONUS,
    NO_BEST,
    NOBODY,
    POOLS,
    ROLLS,
    ROUNDS,
    BestWire,
    Dice,
    Options,
    Pools,
    Rolls,
    Round,
    State,
    Turns,
    round_of,
    staked,
    state_of,
)
from gangland.gang_of_dice.views import RoundResult, Turn, View
from gangland.gang_of_dice.warnings import DECKS, Condition, WarningCard
from gangland.view import View as AnyView

FACE_OF_RAW = (1, 2, 3, 4, 5, 0)
"""The face that a raw face of chance stands for: 0 to 4 are the numbers 1 to 5, 5 is the gangster (D32)."""

Events = tuple[Event, ...]
Transition = tuple[State, Events]

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
    order = _turned(tuple(range(seats)), first)
    opening = round_of(options, tuple(deck), 1, order, (0,) * seats, carried=0, bonus=BONUS.get(1, 0), last=None)
    return _begin_round(opening, (POOLS[seats],) * seats)


def _begin_round(new: Round, pools: tuple[int, ...]) -> Transition:
    """Turn the warning up and put the bonus dice down, before anyone chooses (D1, D17)."""
    began = ("round", new.number, new.card.id, new.order, new.carried, new.bonus)
    return state_of((new, pools, (), NO_BEST, new.order[0], ())), (began,)


def _turned(order: tuple[int, ...], places: int) -> tuple[int, ...]:
    """Return the same circle of seats from another place on: play is clockwise (D4)."""
    return order[places:] + order[:places]


# A turn ------------------------------------------------------------------------------------------


def _stake(state: State, dice: int, chance: Chance) -> Transition:
    """Move dice to the table, where the stake stays as it is (D8, D10), and roll them."""
    pools = list(state.pools)
    pools[state.seat] -= dice
    return _roll(state, tuple(pools), (), [], dice, chance)


def _reroll(state: State, again: Dice, chance: Chance) -> Transition:
    """Roll some dice again; which of several equal ones does not matter, for dice are alike (D7)."""
    kept = list(state.rolls[-1])
    for face in again:
        kept.remove(face)
    return _roll(state, state.pools, again, kept, len(again), chance)


def _stop(state: State) -> Transition:
    """Roll nothing again: the roll is final (D9), and now a black warning is checked too (D12)."""
    bust = state.round.card.triggered_by(state.rolls[-1])
    return _end_turn(state, state.pools, state.rolls, bust, ())


def _roll(state: State, pools: Pools, again: Dice, kept: list[int], count: int, chance: Chance) -> Transition:
    """Roll `count` dice beside those kept; a triggered yellow warning ends the turn at once (D11)."""
    current, _, turns, best, seat, rolls = state
    roll = len(rolls) + 1
    drawn = [FACE_OF_RAW[raw] for raw in chance.faces(current.number, seat, roll, count)]
    dice = tuple(sorted(kept + drawn))
    rolls += (dice,)
    rolled = ("rolled", seat, roll, again, tuple(drawn), dice)
    final = roll == ROLLS
    bust = (final or current.card.yellow) and current.card.triggered_by(dice)
    if final or bust:
        return _end_turn(state, pools, rolls, bust, (rolled,))
    return state_of((current, pools, turns, best, seat, rolls)), (rolled,)


def _end_turn(state: State, pools: Pools, rolls: Rolls, bust: bool, events: Events) -> Transition:
    """The roll is final: it is bust, or it counts, a total of 0 too (D14), and may lead the round."""
    current, _, turns, best, seat, _ = state
    total, stake = sum(rolls[-1]), len(rolls[-1])
    if bust:
        events += (("busted", seat),)
    else:
        events += (("stood", seat, total),)
        if (total, stake) > best[:2]:  # a tie goes to more dice, then to the earlier turn (D15)
            best = (total, stake, seat)
    turns += ((seat, rolls, total, bust),)
    if len(turns) < len(current.order):
        return state_of((current, pools, turns, best, current.order[len(turns)], ())), events
    return _end_round(current, pools, turns, best, events)


# The end of a round ------------------------------------------------------------------------------


def _end_round(played: Round, pools: Pools, turns: Turns, best: BestWire, events: Events) -> Transition:
    """Award the table, eliminate, and go on with the next round or end the game."""
    on_table = played.carried + played.bonus + staked(turns)
    pools, carried, award = _award(pools, turns, best, on_table)
    out, eliminated = _eliminate(played, pools) if 0 in pools else (played.out, ())
    result = (played.number, played.deck[played.number - 1], turns, best, on_table, eliminated)
    events += (award, ("eliminated", eliminated)) if eliminated else (award,)
    if played.number == ROUNDS or out.count(0) <= 1:  # D21, D22
        over = round_of(played.options, played.deck, played.number, (), out, carried, 0, result)
        return state_of((over, pools, (), NO_BEST, NOBODY, ())), (*events, ("ended", pools, carried))
    order, number = _next_order(played, best, eliminated), played.number + 1
    upcoming = round_of(played.options, played.deck, number, order, out, carried, BONUS.get(number, 0), result)
    following, began = _begin_round(upcoming, pools)
    return following, events + began


def _award(pools: Pools, turns: Turns, best: BestWire, on_table: int) -> tuple[Pools, int, Event]:
    """Give all dice on the table to the best valid roll, or carry them if all are bust (D13, D16)."""
    if best == NO_BEST:
        return pools, on_table, ("all_bust", on_table)
    total, _, winner = best
    award = ("won", winner, total, on_table, _tie_break(turns, best))
    return (*pools[:winner], pools[winner] + on_table, *pools[winner + 1 :]), 0, award


def _tie_break(turns: Turns, best: BestWire) -> TieBreak:
    """Return what decided among equal totals (D15)."""
    total, stake, winner = best
    decided: TieBreak = ""
    for seat, rolls, final, bust in turns:
        if final == total and seat != winner and not bust:
            if len(rolls[-1]) == stake:
                return "turn"
            decided = "dice"
    return decided


def _eliminate(played: Round, pools: Pools) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return in which round each seat went out, and who goes out now: the pools of 0 (D19, D20)."""
    eliminated = tuple(seat for seat in sorted(played.order) if not pools[seat])
    out = tuple(played.number if seat in eliminated else gone for seat, gone in enumerate(played.out))
    return out, eliminated


def _next_order(played: Round, best: BestWire, eliminated: tuple[int, ...]) -> tuple[int, ...]:
    """Return the next round's order: clockwise from the seat after the one that began (D3), closed up (D30)."""
    places = 1
    if played.options.first_player == "winner" and best != NO_BEST:
        places = played.order.index(best[2])
    order = _turned(played.order, places)
    return tuple(seat for seat in order if seat not in eliminated) if eliminated else order


# The end of the game -----------------------------------------------------------------------------


def _standing(state: State, seat: int, defaulting: frozenset[int]) -> tuple[int, ...]:
    """Return what places are given by, higher is better (D23, D31).

    Faultless seats rank above those at fault, whenever these failed; then seats in play by
    their pools, then eliminated ones by the round in which they went (D22: the last together).
    """
    if seat in defaulting:
        return ()
    return (state.round.out[seat] or ROUNDS + 1, state.pools[seat])


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


# What the platform calls --------------------------------------------------------------------------


def _asked_about(state: State, seat: int) -> int | Dice:
    """Return the pool to stake from, or the dice to roll again from.

    Raises:
        ValueError: the seat is not asked now.
    """
    if seat != state.seat or seat == NOBODY:
        raise ValueError(f"seat {seat!r} is not asked now")
    rolls = state.rolls
    return rolls[-1] if rolls else state.pools[seat]


class GangOfDice(Game[State]):
    """Gang of Dice for 2 to 4 players."""

    name = "gang-of-dice"
    title = "Gang of Dice"
    rules_version = 1
    table_sizes = tuple(POOLS)
    bot_class = Bot
    view_class = View
    unit = Unit("die", "dice")
    asks = "one seat after another"
    choices_of_options = (
        Choice("deck", "Deck of warnings", ("w24", "box18"), "w24"),
        Choice("first_player", "Who begins later rounds", ("next", "winner"), "next"),
    )
    variants = (Variant({"deck": "box18", "first_player": "winner"}, 3, 3),)
    none_example = "as `view.best_seat` is while nobody leads"
    luck_unit = "dice"
    api = (
        (Bot, "choose_dice choose_reroll"),
        *((kind, "*") for kind in (View, Turn, RoundResult, WarningCard, Condition)),
    )

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
        current, pools, turns, best, playing, rolls = state
        at_fault = tuple(sorted(defaulting)) if defaulting else ()
        return View.of((seat, current.wire, pools, turns, best, playing, rolls, at_fault))

    def legal(self, state: State, seat: int) -> str:
        """Return in words which answers the seat may give."""
        dice = _asked_about(state, seat)
        return legal_dice(dice) if isinstance(dice, int) else legal_reroll(dice)

    def check(self, state: State, seat: int, answer: object) -> Decision:
        """Return the answer in canonical form: a number of dice, or the sorted faces to roll again."""
        dice = _asked_about(state, seat)
        return check_dice(dice, answer) if isinstance(dice, int) else check_reroll(dice, answer)

    def choices(self, state: State, seat: int) -> Sequence[Decision]:
        """Return every legal answer: the numbers of dice upward, or the rerolls from none to all.

        Rerolls can be millions, so they are a sequence that makes its items when they are asked for.
        """
        dice = _asked_about(state, seat)
        return range(1, dice + 1) if isinstance(dice, int) else Rerolls(dice)

    def default(self, state: State, seat: int) -> Decision:
        """Return one die, or no reroll, for a seat at fault (D31)."""
        return 1 if isinstance(_asked_about(state, seat), int) else ()

    def resolve(self, state: State, decisions: Mapping[int, Decision], chance: Chance) -> Transition:
        """Apply the decision of the seat whose turn it is, and go on to the next that is asked."""
        seat = state.seat
        if len(decisions) != 1 or seat not in decisions:
            raise ValueError(f"decisions are due from {self.pending(state)}, not from seats {list(decisions)}")
        decision = decisions[seat]
        if isinstance(decision, int):
            state, events = _stake(state, decision, chance)
        elif decision:
            state, events = _reroll(state, decision, chance)
        else:
            state, events = _stop(state)
        while not state.rolls and state.seat != NOBODY and state.pools[state.seat] == 1:
            state, more = _stake(state, 1, chance)  # the last die has to be staked: not asked (G41)
            events += more
        return state, events

    def outcome(self, state: State, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        """Return how the game ended, None while it goes on (D21 to D23, D31)."""
        if state.seat != NOBODY and not defaulting:
            return None
        reason = _end_reason(state, defaulting)
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

    def held(self, state: State) -> tuple[int, ...]:
        """Return the dice in each seat's stash; those that it has staked lie on the table."""
        return state.pools

    def luck_course(self, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
        """Yield each seat's luck in dice of the table; see `gang_of_dice.luck`."""
        return luck.course(seats, events)

    def sight(self, view: AnyView, kind: str) -> str:
        """Return the dice that the words of `legal` leave out."""
        return advice.sight(view, kind) if isinstance(view, View) else ""

    def wrong_parts(self, view: AnyView, kind: str, answer: Sequence[object]) -> list[str]:
        """Return which faces of a list cannot be rolled again."""
        return advice.wrong_faces(view, answer) if isinstance(view, View) and kind == "reroll" else []


GAME = GangOfDice()
