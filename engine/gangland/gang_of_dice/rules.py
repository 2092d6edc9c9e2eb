"""The rules of Gang of Dice, in playing order: a round, a turn, the award, the end.  Numbers such as D15 are rulings.

Turns follow one another, so only one seat is asked at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import index
from random import Random

from gangland.chance import Chance, Faces
from gangland.game import (
    Choice,
    Decision,
    EndReason,
    Event,
    Game,
    Outcome,
    Policy,
    Question,
    Unit,
    Variant,
    wrong_index,
)
from gangland.gang_of_dice import advice, luck, story
from gangland.gang_of_dice.answers import Rerolls, check_dice, check_reroll, legal_dice, legal_reroll
from gangland.gang_of_dice.bot import Bot
from gangland.gang_of_dice.counts import NO_DICE, Counts, count_rerolls, counts_of, dice_of, reroll_at
from gangland.gang_of_dice.events import TieBreak
from gangland.gang_of_dice.sampling import Positions
from gangland.gang_of_dice.state import (
    BONUS,
    NO_BEST,
    NOBODY,
    POOLS,
    ROLLS,
    ROUNDS,
    Best,
    FinishedRound,
    Move,
    Options,
    Pools,
    Round,
    State,
    Turns,
    staked,
    state_of,
)
from gangland.gang_of_dice.views import RoundResult, Turn, View
from gangland.gang_of_dice.warnings import DECKS, Condition, WarningCard
from gangland.view import View as AnyView

FACE_OF_RAW = (1, 2, 3, 4, 5, 0)
"""The face of each raw face: the raw faces 0 to 4 are the numbers 1 to 5, and 5 is the gangster (D32)."""

_FACES = bytes(FACE_OF_RAW).ljust(256)
"""The same faces as a table for `bytes.translate`."""

Transition = tuple[State, tuple[Event, ...]]

EventList = list[Event] | None
"""The list for the events of a transition, in their order; None if they are not recorded."""

_DICE_QUESTIONS = tuple((Question(seat, "dice"),) for seat in range(max(POOLS)))
_REROLL_QUESTIONS = tuple((Question(seat, "reroll"),) for seat in range(max(POOLS)))


# The beginning -----------------------------------------------------------------------------------


def _first_state(seats: int, options: Options, chance: Chance) -> State:
    """Draw the first player (D2), shuffle the deck (D1), and begin round 1."""
    first = chance.below("first player", seats)
    deck = chain.from_iterable(
        chance.shuffle("warnings", number, stack.cards)[: stack.rounds]
        for number, stack in enumerate(DECKS[options.deck])
    )
    order = _rotate(tuple(range(seats)), first)
    opening = Round(options, tuple(deck), 1, order, (0,) * seats, carried=0, bonus=BONUS.get(1, 0), last=None)
    return state_of((opening, (POOLS[seats],) * seats, (), NO_BEST, first, ()))


def _round_event(new: Round) -> Event:
    """Return the event of a new round: its warning and bonus dice, public before any choice (D1, D17)."""
    return ("round", new.number, new.card.id, new.order, new.carried, new.bonus)


def _rotate(order: tuple[int, ...], places: int) -> tuple[int, ...]:
    """Return the same circle of seats, starting `places` seats further clockwise (D4)."""
    return order[places:] + order[:places]


_view = View.of


# Turns -------------------------------------------------------------------------------------------


def _play(
    state: State,
    move: Move | None,
    chance: Chance,
    events: EventList,
    policies: Sequence[Policy] | None,
    last_round: int = ROUNDS,
) -> tuple[State, int]:
    """Apply a move, if there is one, and play on to the next question; with policies, to the end of a round or game.

    Return the state that asks, or the last one, and the number of decisions that policies made.
    """
    # This is one loop on purpose: a function call for each step would cost more than the step.
    current, pools, turns, best, seat, rolls = state
    counts = rolls[-1] if rolls else NO_DICE
    count, rerolled = move or (None, NO_DICE)
    decisions = 0
    while seat != NOBODY:
        if count is None:
            if not rolls and pools[seat] == 1:
                count = 1  # the last die must be staked, so the seat is not asked (G41)
            elif policies is None or current.number > last_round:
                break
            else:
                decisions += 1
                view = _view((seat, current.public, pools, turns, best, seat, rolls, ()))
                choices = count_rerolls(counts) if rolls else pools[seat]
                place = index(policies[seat](view, choices))
                if not 0 <= place < choices:
                    raise wrong_index(place, choices)
                if rolls:
                    rerolled = reroll_at(counts, place)
                    count = sum(rerolled)
                else:
                    count = 1 + place

        # A stake moves dice to the table, where they stay (D8, D10).  Dice are alike, so only the faces to reroll
        # matter (D7); an empty reroll stops, and the roll is final (D9).
        if not rolls:
            held = list(pools)
            held[seat] -= count
            pools = tuple(held)
        if count:
            drawn = chance.faces(current.number, seat, len(rolls) + 1, count)
            new = _FEW_COUNTED.get(drawn) or _count_faces(drawn)
            if rolls:
                counts = (
                    counts[0] - rerolled[0] + new[0],
                    counts[1] - rerolled[1] + new[1],
                    counts[2] - rerolled[2] + new[2],
                    counts[3] - rerolled[3] + new[3],
                    counts[4] - rerolled[4] + new[4],
                    counts[5] - rerolled[5] + new[5],
                )
            else:
                counts = new
            rolls += (counts,)
            if events is not None:
                faces = tuple(bytes(drawn).translate(_FACES))
                events.append(("rolled", seat, len(rolls), dice_of(rerolled), faces, dice_of(counts)))
        final = not count or len(rolls) == ROLLS
        count = None

        # A triggered yellow warning ends the turn at once (D11); a black one is checked when the roll is final (D12).
        bust = (final or current.yellow) and current.test(current.condition, counts)
        if not final and not bust:
            continue

        # The final roll is bust, or it counts, even a total of 0 (D14), and may lead: a tie goes to more dice, then
        # to the earlier turn (D15).
        stake, total = sum(counts), counts[1] + 2 * counts[2] + 3 * counts[3] + 4 * counts[4] + 5 * counts[5]
        if not bust and (total > best[0] or (total == best[0] and stake > best[1])):
            best = (total, stake, seat)
        if events is not None:
            events.append(("busted", seat) if bust else ("stood", seat, total))
        turns += ((seat, stake, rolls, total, bust),)
        rolls, rerolled = (), NO_DICE
        if len(turns) < len(current.order):
            seat = current.order[len(turns)]
        else:
            current, pools, turns, best, seat, _ = _next_round(current, pools, turns, best, events)
    return state_of((current, pools, turns, best, seat, rolls)), decisions


# Rolls of only a few dice are frequent, so their counts are cached.
_FEW = 3
_FEW_COUNTED: dict[Faces, Counts] = {}


def _count_faces(drawn: Faces) -> Counts:
    count = drawn.count
    ones, twos, threes, fours, fives = count(0), count(1), count(2), count(3), count(4)
    counts = (len(drawn) - ones - twos - threes - fours - fives, ones, twos, threes, fours, fives)
    if len(drawn) <= _FEW:
        _FEW_COUNTED[drawn] = counts
    return counts


# The end of a round ------------------------------------------------------------------------------


def _next_round(played: Round, pools: Pools, turns: Turns, best: Best, events: EventList) -> State:
    number, order, out = played.number, played.order, played.out
    on_table = carried = played.carried + played.bonus + staked(turns)
    winner = best[2]
    if winner != NOBODY:  # the best valid roll takes all dice on the table; without one they stay (D13, D16)
        held = list(pools)
        held[winner] += on_table
        pools, carried = tuple(held), 0
    eliminated = tuple([seat for seat in order if not pools[seat]])  # seats without dice (D19, D20)
    if eliminated:
        eliminated = tuple(sorted(eliminated))
        out = tuple([number if seat in eliminated else old for seat, old in enumerate(out)])
    if events is not None:
        events.append(_award_event(turns, best, on_table))
        if eliminated:
            events.append(("eliminated", eliminated))
    last = FinishedRound(number, played.deck[number - 1], turns, best, on_table, eliminated)
    if number == ROUNDS or out.count(0) <= 1:  # D21, D22
        ended = Round(played.options, played.deck, number, (), out, carried, 0, last)
        if events is not None:
            events.append(("ended", pools, carried))
        return state_of((ended, pools, (), NO_BEST, NOBODY, ()))
    order = _next_order(played, best, eliminated)
    bonus = BONUS.get(number + 1, 0)
    upcoming = Round(played.options, played.deck, number + 1, order, out, carried, bonus, last)
    if events is not None:
        events.append(_round_event(upcoming))
    return state_of((upcoming, pools, (), NO_BEST, order[0], ()))


def _award_event(turns: Turns, best: Best, on_table: int) -> Event:
    """Return the event of the award: the best valid roll took the table, or all seats are bust (D13, D16)."""
    total, _, winner = best
    if winner == NOBODY:
        return ("all_bust", on_table)
    return ("won", winner, total, on_table, _tie_break(turns, best))


def _tie_break(turns: Turns, best: Best) -> TieBreak:
    """Return how equal totals were decided (D15)."""
    total, stake, winner = best
    tie_break: TieBreak = ""
    for seat, dice, _, final, bust in turns:
        if final == total and seat != winner and not bust:
            if dice == stake:
                return "turn"
            tie_break = "dice"
    return tie_break


def _next_order(played: Round, best: Best, eliminated: tuple[int, ...]) -> tuple[int, ...]:
    """Return the next round's order: clockwise from the seat after the first (D3), without eliminated seats (D30)."""
    places = 1
    if played.options.first_player == "winner" and best != NO_BEST:
        places = played.order.index(best[2])
    order = _rotate(played.order, places)
    return tuple(seat for seat in order if seat not in eliminated) if eliminated else order


# The end of the game -----------------------------------------------------------------------------


def _ranking_key(state: State, seat: int, defaulting: frozenset[int]) -> tuple[int, ...]:
    """Return the seat's key for the ranking, higher for better seats (D23, D31).

    Faultless seats rank above all seats at fault.  Among them, seats in play rank first, by their pools; eliminated
    seats follow, by their last round (D22: the last ones are eliminated together).
    """
    if seat in defaulting:
        return ()
    return (state.round.out[seat] or ROUNDS + 1, state.pools[seat])


def _end_reason(state: State, defaulting: frozenset[int]) -> EndReason | None:
    """Return the reason for the end of the game, or None while it is in progress.

    Faults end the game only while a seat at fault is still in play (D31).
    """
    seats = range(len(state.pools))
    if len(defaulting) == len(seats):
        return EndReason.ALL_AT_FAULT
    if any(not state.round.out[seat] for seat in defaulting):
        in_play = sum(not state.round.out[seat] for seat in seats if seat not in defaulting)
        if in_play <= 1:
            return EndReason.LAST_FAULTLESS if in_play else EndReason.FAULTLESS_OUT
    return EndReason.COMPLETED if state.seat == NOBODY else None


# The game's interface ----------------------------------------------------------------------------


def _own_dice(state: State, seat: int) -> int | Counts:
    """Return the pool to stake from, or the dice to reroll from.  Raises ValueError: the seat is not asked."""
    if seat != state.seat or seat == NOBODY:
        raise ValueError(f"seat {seat!r} is not asked now")
    rolls = state.rolls
    return rolls[-1] if rolls else state.pools[seat]


def _checked_view(view: AnyView) -> View:
    if not isinstance(view, View) or view.question is None:
        raise ValueError(f"the seat of this view is not asked (question {view.question!r})")
    return view


class GangOfDice(Game[State]):
    """Gang of Dice for 2 to 4 players."""

    name = "gang-of-dice"
    title = "Gang of Dice"
    rules_version = 1
    table_sizes = tuple(POOLS)
    bot_class = Bot
    view_class = View
    unit = Unit("die", "dice")
    goal = f"The player with the most dice after {ROUNDS} rounds wins."
    last_round = ROUNDS
    course = (
        "Each round, everyone rolls as many dice as they like, and rerolls any of them up to twice. A gangster counts"
        " 0. The highest total takes all dice on the table. A roll that triggers the warning card is bust. A player"
        " without dice is out. The last three rounds add bonus dice."
    )
    asks = "one seat after another"
    choices_of_options = (
        Choice(
            *("deck", "Deck of warnings", ("w24", "box18"), "w24"),
            labels=("24 cards of our own, twelve are played", "18 printed conditions; colors and backs are our own"),
        ),
        Choice(
            *("first_player", "Who begins later rounds", ("next", "winner"), "next"),
            labels=("the next player", "the winner of the round before"),
        ),
    )
    variants = (Variant({"deck": "box18", "first_player": "winner"}, 3, 3),)
    none_example = "as `view.best_seat` is while nobody leads"
    luck_unit = "dice"
    api = (
        (Bot, "choose_dice choose_reroll"),
        *((kind, "*") for kind in (View, Turn, RoundResult, WarningCard, Condition)),
    )

    def options(self, values: Mapping[str, object]) -> Options:
        """Return the typed options; see `state.Options`."""
        return Options.of(values)

    def options_dict(self, options: Options) -> dict[str, object]:
        """Return the options that differ from their defaults, as recorded in replays."""
        return options.to_dict()

    def start(self, seats: int, options: Options, chance: Chance) -> Transition:
        """Return the first state, in which a seat chooses its dice, and the event that shows the first warning."""
        if seats not in POOLS:
            raise ValueError(f"Gang of Dice is for {min(POOLS)} to {max(POOLS)} players, not {seats!r}")
        state = _first_state(seats, options, chance)
        return state, (_round_event(state.round),)

    def pending(self, state: State) -> tuple[Question, ...]:
        """Return the one question of the seat whose turn it is; empty when the game is over."""
        if state.seat == NOBODY:
            return ()
        return (_REROLL_QUESTIONS if state.rolls else _DICE_QUESTIONS)[state.seat]

    def observe(self, state: State, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        """Return everything that the seat may know: all except the cards to come (D33)."""
        current, pools, turns, best, playing, rolls = state
        at_fault = tuple(sorted(defaulting)) if defaulting else ()
        return _view((seat, current.public, pools, turns, best, playing, rolls, at_fault))

    def legal(self, state: State, seat: int) -> str:
        """Return a description of the seat's legal answers."""
        dice = _own_dice(state, seat)
        return legal_dice(dice) if isinstance(dice, int) else legal_reroll(dice)

    def check(self, state: State, seat: int, answer: object) -> Decision:
        """Return the answer in canonical form: a number of dice, or the sorted faces to reroll."""
        dice = _own_dice(state, seat)
        return check_dice(dice, answer) if isinstance(dice, int) else check_reroll(dice, answer)

    def choices(self, state: State, seat: int) -> Sequence[Decision]:
        """Return every legal answer: numbers of dice from 1, or rerolls from no dice to all dice (see `Rerolls`)."""
        dice = _own_dice(state, seat)
        return range(1, dice + 1) if isinstance(dice, int) else Rerolls(dice)

    def choices_of(self, view: AnyView) -> Sequence[Decision]:
        """Return every legal answer to the view's question, as `choices` does."""
        view = _checked_view(view)
        return Rerolls(counts_of(view.dice)) if view.dice else range(1, view.pool + 1)

    def sampler(self, view: AnyView) -> Callable[[Random], State]:
        """Return a function that draws states consistent with the view, with the warnings to come in random order."""
        return Positions(_checked_view(view)).draw

    def default(self, state: State, seat: int) -> Decision:
        """Return one die, or no reroll, for a seat at fault (D31)."""
        return 1 if isinstance(_own_dice(state, seat), int) else ()

    def resolve(self, state: State, decisions: Mapping[int, Decision], chance: Chance) -> Transition:
        """Apply the decision of the seat whose turn it is, and play on to the next question."""
        seat = state.seat
        if len(decisions) != 1 or seat not in decisions or seat == NOBODY:
            asked = [question.seat for question in self.pending(state)]
            raise ValueError(f"expected decisions from seats {asked}, not {list(decisions)}")
        decision = decisions[seat]
        rerolled = () if decision is None or isinstance(decision, int) else decision
        move = (decision, NO_DICE) if isinstance(decision, int) else (len(rerolled), counts_of(rerolled))
        events: list[Event] = []
        after, _ = _play(state, move, chance, events, None)
        return after, tuple(events)

    def rollout(
        self, state: State, policies: Sequence[Policy], chance: Chance, last_round: int | None = None
    ) -> tuple[State, int]:
        """Play on with one policy per seat, to the end of the game or a round; return state and decision count."""
        return _play(state, None, chance, None, policies, ROUNDS if last_round is None else last_round)

    def outcome(self, state: State, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        """Return the outcome, or None while the game is in progress (D21 to D23, D31)."""
        if state.seat != NOBODY and not defaulting:
            return None
        reason = _end_reason(state, defaulting)
        if reason is None:
            return None
        keys = [_ranking_key(state, seat, defaulting) for seat in range(len(state.pools))]
        places = tuple(1 + sum(other > key for other in keys) for key in keys)
        winners = tuple(seat for seat, place in enumerate(places) if place == 1 and seat not in defaulting)
        return Outcome(places, winners, reason)

    def round(self, state: State) -> int:
        """Return the number of the round, 1 to 12; of the last round when the game is over."""
        return state.round.number

    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        """Return the event as an English sentence."""
        return story.sentence(event, names)

    def held(self, state: State) -> tuple[int, ...]:
        """Return each seat's number of dice, without those that it has staked."""
        return state.pools

    def luck_course(self, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
        """Yield all seats' luck in dice won from the table; see `gang_of_dice.luck`."""
        return luck.course(seats, events)

    def situation(self, view: AnyView, kind: str) -> str:
        """Return a sentence with the seat's dice, which `legal` does not mention."""
        return advice.dice_sentence(view, kind) if isinstance(view, View) else ""

    def wrong_parts(self, view: AnyView, kind: str, answer: Sequence[object]) -> list[str]:
        """Return a message for each face of a list that cannot be rerolled that often."""
        return advice.wrong_faces(view, answer) if isinstance(view, View) and kind == "reroll" else []


GAME = GangOfDice()
View.game = GAME
