"""A table of Gangster Dice at which the test chooses stashes, rolls, hands, cards and decisions."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Self

from tests.engine.gangster_dice.tokens import SPEAKEASY

from gangland.chance import Chance, SeededChance
from gangland.game import Event, Outcome
from gangland.gangster_dice.cards import DECK, DIE_FACES, NO_DICE, Dice
from gangland.gangster_dice.rounds import Cache, events_of
from gangland.gangster_dice.rules import GAME
from gangland.gangster_dice.state import State
from gangland.gangster_dice.views import View

LETTERS = "GCUF"  # gavel, cocktail, gun, finger: the symbols in token order
NOTHING = ((0, 0, 0), (0, 0, 0))
TWO_EACH = "GG/UU/CC"


def raw(roll: str) -> tuple[int, ...]:
    """Read a roll: "GG/U/" is two white gavels and a red gun; return the raw faces."""
    colours = roll.split("/")
    assert len(colours) == 3, roll
    return tuple(DIE_FACES[colour].index(LETTERS.index(mail)) for colour, dice in enumerate(colours) for mail in dice)


def bids(text: str) -> list[list[int]]:
    """Read bids: "G3 U0" is a 3 on the Lawyer and a 0 on the Streets."""
    return [[LETTERS.index(bid[0]), int(bid[1])] for bid in text.split()]


class ChosenChance:
    """Rolls and deals what the test sets: `rolls` by seat as `raw` reads them, `again` one raw face by seat."""

    def __init__(self, deck: Sequence[int] = (), characters: Sequence[int] = ()) -> None:
        self.first = {"favors": tuple(deck), "characters": tuple(characters)}
        self.rolls: dict[int, str] = {}
        self.again: dict[int, int] = {}
        self.thrown: list[tuple[int, int, int, int]] = []
        self.shuffled: list[tuple[str, int, tuple[int, ...]]] = []

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        self.thrown.append((round, seat, roll, count))
        if roll > 1:
            return (self.again.pop(seat),)
        dice = raw(self.rolls.pop(seat)) if seat in self.rolls else (0,) * count
        assert len(dice) == count, f"the test has {dice} for {count} dice of seat {seat}"
        return dice

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        self.shuffled.append((purpose, number, tuple(cards)))
        rest = sorted(cards)
        first = self.first[purpose] if number == 0 else ()
        for card in first:
            rest.remove(card)
        return (*first, *rest)

    def below(self, purpose: str, bound: int) -> int:
        raise AssertionError("nothing else is drawn in Gangster Dice")


class Table:
    """A running game at the bids of a round; `control` and `dice` are by token."""

    def __init__(
        self,
        seats: int = 3,
        *,
        rolls: Sequence[str | None] = (),
        stashes: Sequence[Dice] | None = None,
        hands: Sequence[Sequence[int]] | None = None,
        hand_limits: Sequence[int] | None = None,
        cast: Sequence[str] = (),
        control: Mapping[int, int] | None = None,
        dice: Mapping[int, Dice] | None = None,
        deck: Sequence[int] | None = None,
        discards: tuple[int, ...] = (0, 0, 0, 0),
        specials: int = 6,
        round: int = 1,
        **options: object,
    ) -> None:
        self.chance = ChosenChance()
        if cast:
            options |= {"characters": "chosen", "cast": list(cast)}
        state, _ = GAME.start(seats, GAME.options(options), self.chance)
        self.chance.thrown.clear()
        held = {SPEAKEASY: (1, 1, 1)} | dict(dice or {})
        public = state.public._replace(
            opening=state.opening._replace(round=round - 1),
            questions=(),
            stashes=tuple(stashes or state.stashes),
            hand_limits=tuple(hand_limits or state.public.hand_limits),
            control=tuple((control or {}).get(token) for token in range(4)),
            dice=tuple(held.get(token, NO_DICE) for token in range(4)),
            discards=discards,
            specials=specials,
            history=(),
            cache=Cache(),
        )
        state = state._replace(
            step=0,
            public=public,
            last_asked=(round - 1,) * seats,
            hands=tuple(tuple(sorted(hand)) for hand in hands) if hands else ((0, 1, 2),) * seats,
            deck=tuple(deck) if deck is not None else state.deck,
        )
        self.roll(*rolls)
        self.state, _ = GAME.resolve(state, {}, self.chance)
        self.events: list[Event] = [event for event in events_of(self.state.public.course) if event[0] != "seated"]

    def roll(self, *rolls: str | None) -> None:
        self.chance.rolls = {seat: roll for seat, roll in enumerate(rolls) if roll is not None}

    def bid(self, *texts: str) -> Self:
        """Play the bids, by seat, "" for seats that are not asked."""
        rerolls = {question.seat: None for question in GAME.pending(self.state) if question.kind == "reroll"}
        if rerolls:
            self.answer(rerolls)
        asked = {question.seat for question in GAME.pending(self.state)}
        self.answer({seat: bids(texts[seat]) for seat in asked})
        return self

    def answer(self, answers: Mapping[int, Any]) -> Self:
        self._resolve({seat: GAME.check(self.state, seat, answer) for seat, answer in answers.items()})
        return self

    def _resolve(self, decisions: Mapping[int, Any]) -> None:
        self.state, events = GAME.resolve(self.state, decisions, self.chance)
        self.events += events

    @property
    def asked(self) -> list[tuple[int, str]]:
        return [(question.seat, question.kind) for question in GAME.pending(self.state)]

    def choices(self, seat: int) -> list[Any]:
        return list(GAME.choices(self.state, seat))

    def view(self, seat: int, *defaulting: int) -> View:
        view = GAME.observe(self.state, seat, frozenset(defaulting))
        assert isinstance(view, View)
        return view

    def outcome(self, *defaulting: int) -> Outcome | None:
        return GAME.outcome(self.state, frozenset(defaulting))

    def of(self, kind: str) -> list[Event]:
        return [event[1:] for event in self.events if event[0] == kind]


def random_game(
    seats: int, seed: int, *, chance: Chance | None = None, **options: object
) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield every state of a random game with the events before it."""
    rng = Random(seed)
    dice = chance or SeededChance(rng.randbytes(32))
    state, events = GAME.start(seats, GAME.options(options), dice)
    yield state, events
    while GAME.outcome(state) is None:
        decisions = {asked.seat: rng.choice(GAME.choices(state, asked.seat)) for asked in GAME.pending(state)}
        state, events = GAME.resolve(state, decisions, dice)
        yield state, events


def states(seats: int, games: int = 3, **options: Any) -> Iterator[State]:
    for seed in range(games):
        for state, _ in random_game(seats, seed=1000 * seats + seed, **options):
            yield state


def dice_in_play(state: State) -> int:
    return sum(map(sum, state.stashes)) + sum(map(sum, state.dice))


def favors_in_play(state: State) -> int:
    influencing = {q.kind for q in state.questions} & {"exchange", "stake", "dump", "swap"}
    revealed = sum(map(len, state.public.bids)) if influencing else 0
    drawing = len(state.rare.pair) + len(state.rare.passed)
    piles = len(state.deck) + sum(state.public.discards) + state.public.specials
    return piles + sum(map(len, state.hands)) + revealed + drawing


__all__ = ["DECK", "ChosenChance", "Table", "bids", "dice_in_play", "favors_in_play", "random_game", "raw", "states"]
