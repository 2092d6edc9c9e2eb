"""A table of Gang of Dice at which the test chooses cards, dice, first player and decisions."""

from collections.abc import Sequence
from random import Random
from typing import Any, Self

from gangland.chance import Chance, SeededChance
from gangland.game import Decision, Event, Outcome
from gangland.gang_of_dice import counts, rules, views, warnings
from gangland.gang_of_dice.state import BONUS, Round, State

RAW_OF_FACE = {face: raw for raw, face in enumerate(rules.FACE_OF_RAW)}


def faces(text: str) -> tuple[int, ...]:
    """Read dice: "550" is two fives and a gangster."""
    return tuple(int(face) for face in text)


def changed(round: Round, **parts: Any) -> Round:
    names = ("options", "deck", "number", "order", "out", "carried", "bonus", "last")
    return Round(**{name: getattr(round, name) for name in names} | parts)


class ChosenChance:
    def __init__(self, cards: str, first: int) -> None:
        self.cards = [warnings.NUMBER_OF[name] for name in cards.split()]
        self.first = first
        self.queue: list[tuple[int, ...]] = []
        self.thrown: list[tuple[int, int, int, int]] = []
        self.shuffled: list[tuple[str, int, tuple[int, ...]]] = []
        self.drawn: list[tuple[str, int]] = []

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        self.thrown.append((round, seat, roll, count))
        dice = self.queue.pop(0)
        assert len(dice) == count, f"the test has {dice} for a throw of {count}"
        return tuple(RAW_OF_FACE[face] for face in dice)

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        self.shuffled.append((purpose, number, tuple(cards)))
        chosen = [card for card in self.cards if card in cards]
        return tuple(chosen + [card for card in sorted(cards) if card not in chosen])

    def below(self, purpose: str, bound: int) -> int:
        self.drawn.append((purpose, bound))
        return self.first


class Table:
    """A running game.  Unnamed cards come after the named ones, B1 first."""

    def __init__(self, seats: int = 2, cards: str = "B5", first: int = 0, **options: object) -> None:
        self.chance = ChosenChance(cards, first)
        self.state: State
        self.events: list[Event]
        self.state, events = rules.GAME.start(seats, rules.GAME.options(options), self.chance)
        self.events = list(events)

    def set(self, *, round: int | None = None, pools: Sequence[int] | None = None, carried: int = 0) -> Self:
        """Go to the start of a round (of the card now up), with these pools."""
        number = round or self.state.round.number
        card = self.state.round.deck[0]
        deck = tuple(other for other in self.state.round.deck if other != card)
        moved = (*deck[: number - 1], card, *deck[number - 1 :])
        out = tuple(0 if dice else 1 for dice in pools or self.state.pools)
        order = tuple(seat for seat in self.state.round.order if not out[seat])
        new = changed(
            self.state.round,
            deck=moved,
            number=number,
            order=order,
            out=out,
            carried=carried,
            bonus=BONUS.get(number, 0),
        )
        self.state = self.state._replace(round=new, pools=tuple(pools or self.state.pools), seat=order[0])
        return self

    @property
    def asked(self) -> tuple[int, str] | None:
        pending = rules.GAME.pending(self.state)
        return (pending[0].seat, pending[0].kind) if pending else None

    def view(self, seat: int | None = None, *defaulting: int) -> views.View:
        return rules.GAME.observe(self.state, self.state.seat if seat is None else seat, frozenset(defaulting))

    def decide(self, answer: object, *dice: str) -> None:
        """Give the pending decision; `dice` are all throws that follow, also forced ones."""
        self.chance.queue = [faces(each) for each in dice]
        self._resolve(answer)
        assert not self.chance.queue, f"dice that nobody threw: {self.chance.queue}"

    def turn(self, first: str, *rerolls: tuple[str, str], then: Sequence[str] = ()) -> None:
        """Play a turn: the first throw, then (rerolled faces, new faces); `then` are forced throws of last dice."""
        self.chance.queue = [faces(each) for each in (first, *(drawn for _, drawn in rerolls), *then)]
        finished = len(self.events_of("stood") + self.events_of("busted"))
        for answer in (len(first), *(faces(again) for again, _ in rerolls)):
            self._resolve(answer)
        if len(self.events_of("stood") + self.events_of("busted")) == finished:
            self._resolve(())
        assert not self.chance.queue, f"dice that nobody threw: {self.chance.queue}"

    def turns(self, *throws: str) -> None:
        for throw in throws:
            self.turn(throw)

    def _resolve(self, answer: object) -> None:
        decision = rules.GAME.check(self.state, self.state.seat, answer)
        self.state, events = rules.GAME.resolve(self.state, {self.state.seat: decision}, self.chance)
        self.events += events

    def outcome(self, *defaulting: int) -> Outcome | None:
        return rules.GAME.outcome(self.state, frozenset(defaulting))

    def events_of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event[0] == kind]


def random_answer(state: State, rng: Random) -> Decision:
    if state.rolls:
        return tuple(face for face in counts.dice_of(state.rolls[-1]) if rng.random() < 0.4)
    pool = state.pools[state.seat]
    return rng.randint(1, pool if rng.random() < 0.1 else min(pool, 5))


def random_states(seats: int, seed: int, *, chance: Chance | None = None, **options: object) -> list[State]:
    rng = Random(seed)
    dice = chance or SeededChance(rng.randbytes(32))
    state, _ = rules.GAME.start(seats, rules.GAME.options(options), dice)
    states = [state]
    while rules.GAME.outcome(state) is None:
        state, _ = rules.GAME.resolve(state, {state.seat: random_answer(state, rng)}, dice)
        states.append(state)
    return states
