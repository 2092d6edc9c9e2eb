"""Who has drawn which favor of Gangster Dice, and who has seen it: read off the events and the shuffles alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.contract.run import Passing, Run

from gangland.chance import Chance, Faces
from gangland.game import Event

DECK = "favors"
CAST = "characters"
SPECIAL = 4
PAIR = 2

Place = tuple[int, int]  # where a favor came from: number of the shuffle, position in it


@dataclass(frozen=True, slots=True)
class Drawn:
    place: Place
    round: int
    seat: int


class Draws:
    """All favors that have left the deck, in the order of drawing (G39, G40)."""

    def __init__(self, run: Run, ply: int) -> None:
        view: Any = run.game.observe(run.states[ply], 0)
        self.seats, self.events = run.seats, run.told_by(ply)
        count = 1 + sum(event[0] == "reshuffled" for event in self.events)
        self.shuffles = [list(cards) for cards in run.chance.shuffled(DECK)[:count]]
        places = [(number, place) for number, cards in enumerate(self.shuffles) for place in range(len(cards))]
        self.drawn = self._drawn(places)
        self.left = places[len(self.drawn) :]
        assert len(self.left) == view.deck, "favors have left the deck unseen"

    def favor(self, place: Place) -> int:
        return self.shuffles[place[0]][place[1]]

    def _drawn(self, places: Sequence[Place]) -> list[Drawn]:
        """Return who drew what: events have counts, pairs one by one, and +4s, which are not from the deck."""
        drawn: list[Drawn] = []
        number, result = 0, 0
        for kind, *rest in self.events:
            if kind == "round":
                number, result = rest[0], 0
            elif kind == "special":
                result = 1
            elif kind in ("dealt", "paired", "drew"):
                seat, cards = rest
                count = len(cards) if kind != "drew" else len(cards) - result
                result = result + 1 if kind == "paired" else 0
                drawn += [Drawn(place, number, seat) for place in places[len(drawn) : len(drawn) + count]]
        return drawn

    def unseen_by(self, seat: int) -> list[list[Place]]:
        """Return, by shuffle, the places whose favors the seat cannot know: undrawn, or unplayed in other hands."""
        hands = _Hands(self)
        for event in self.events:
            hands.follow(event)
        hidden = [place for other in self.seats if other != seat for place in hands.of(other)]
        return [
            [place for place in (*self.left, *hidden) if place[0] == number] for number in range(len(self.shuffles))
        ]


class _Hands:
    def __init__(self, draws: Draws) -> None:
        self.draws = draws
        self.round = 0
        self.came: dict[tuple[int, int], list[Place]] = {}
        for drawn in draws.drawn:
            self.came.setdefault((drawn.round, drawn.seat), []).append(drawn.place)
        self.held: dict[int, list[Place]] = {seat: [] for seat in draws.seats}
        self.pairs: dict[int, list[Place]] = {}
        self.given: dict[int, int] = dict.fromkeys(draws.seats, 0)
        """By seat, +4s of the Lawyer's that it has not shown since: of one that it shows others take it for these."""

    def of(self, seat: int) -> list[Place]:
        self._draw(seat)
        return self.held[seat]

    def follow(self, event: Event) -> None:
        kind, *rest = event
        if kind == "round":
            self.round = rest[0]
        elif kind == "special":
            self.given[rest[0]] += 1
        elif kind in ("dealt", "paired", "drew"):
            self._draw(rest[0])
        elif kind == "revealed":
            for _, favor, _ in rest[1]:
                self._show(rest[0], favor)
        elif kind == "passed":
            pair, self.pairs[rest[0]] = self.pairs[rest[0]][:PAIR], self.pairs[rest[0]][PAIR:]
            self._lose(rest[0], rest[1], pair)
        elif kind == "dropped":
            self._show(rest[0], rest[1])

    def _draw(self, seat: int) -> None:
        """Add a draw to the hand only after all bids of its round are played."""
        came = self.came.pop((self.round, seat), [])
        self.held[seat] += came
        self.pairs[seat] = came or self.pairs.get(seat, [])

    def _show(self, seat: int, favor: int) -> None:
        if favor == SPECIAL and self.given[seat]:
            self.given[seat] -= 1
        else:
            self._lose(seat, favor, self.held[seat])

    def _lose(self, seat: int, favor: int, among: Sequence[Place]) -> None:
        self.held[seat].remove(next(place for place in among if self.draws.favor(place) == favor))


class OtherFavorsUnseen(Passing):
    """The same dice and public cards; favors that the seat cannot know are dealt differently."""

    def __init__(self, chance: Chance, draws: Draws, seat: int, rng: Random) -> None:
        super().__init__(chance)
        self.decks = [list(cards) for cards in draws.shuffles]
        for places in draws.unseen_by(seat):
            favors = [draws.favor(place) for place in places]
            rng.shuffle(favors)
            for (shuffle, place), favor in zip(places, favors, strict=True):
                self.decks[shuffle][place] = favor

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        if purpose != DECK or number >= len(self.decks):
            return self.chance.shuffle(purpose, number, cards)
        assert sorted(self.decks[number]) == sorted(cards), "other favors are discarded than were played"
        return tuple(self.decks[number])


class TurnedFavors(Passing):
    """The same dice and favors for every moved seat, in the new seat order."""

    def __init__(self, chance: Chance, draws: Draws, by: int, seats: int) -> None:
        super().__init__(chance)
        self.by, self.seats = by, seats
        rounds = sorted({drawn.round for drawn in draws.drawn})
        new_order = [(seat - by) % seats for seat in range(seats)]
        turned = [
            draws.favor(drawn.place)
            for number in rounds
            for seat in new_order
            for drawn in draws.drawn
            if drawn.round == number and drawn.seat == seat
        ]
        cards = iter([*turned, *map(draws.favor, draws.left)])
        self.decks = [tuple([next(cards) for _ in deck]) for deck in draws.shuffles]

    def faces(self, round: int, seat: int, roll: int, count: int) -> Faces:
        return self.chance.faces(round, (seat - self.by) % self.seats, roll, count)

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        if purpose == CAST:
            dealt = self.chance.shuffle(purpose, number, cards)
            first, rest = dealt[: self.seats], dealt[self.seats :]
            return (*first[-self.by :], *first[: -self.by], *rest)
        assert len(self.decks[number]) == len(cards)
        return self.decks[number]
