"""What the dice showed: the raw faces that games drew, counted by seat, roll, round, place and neighbour."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

from gangland.chance import SeededChance
from gangland.game import Event

Drawn = dict[tuple[int, int, int], bytes]
"""The faces of one game's rolls, by round, seat and roll."""

Counts = dict[str, Counter[tuple[int, int]]]
"""By the name of a count: how often each face came in each group, or after each other face."""

LAST_ROUND = 40
"""Rounds from here on are counted together."""
LAST_PLACE = 40
"""Places from here on are counted together."""

NEIGHBOURS = {"next seat": (0, 1, 0), "next roll": (0, 0, 1), "next round": (1, 0, 0)}
"""Which roll is compared with a roll, die by die: how many rounds, seats and rolls later."""


class Recorder:
    """The chance of a seed, as games have it, that remembers what it gave."""

    def __init__(self, seed: bytes) -> None:
        self._chance = SeededChance(seed)
        self.drawn: Drawn = {}

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        """Draw faces and remember them."""
        faces = self._chance.faces(round, seat, roll, count)
        self.drawn[round, seat, roll] = bytes(faces)
        return faces

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Shuffle as the seed does."""
        return self._chance.shuffle(what, number, cards)

    def below(self, what: str, bound: int) -> int:
        """Return the seed's number."""
        return self._chance.below(what, bound)


class Draws:
    """Collects the rolls of many games and counts them all at once."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, int], bytearray] = defaultdict(bytearray)
        self._by_length: dict[int, bytearray] = defaultdict(bytearray)
        self._pairs = {name: (bytearray(), bytearray()) for name in NEIGHBOURS}
        self._shown: dict[int, bytearray] = defaultdict(bytearray)

    def add(self, drawn: Drawn, events: Iterable[Event]) -> None:
        """Add one game: what chance gave, and what the game says was rolled."""
        for (number, seat, roll), faces in drawn.items():
            self._groups["seat", seat] += faces
            self._groups["roll", roll] += faces
            self._groups["round", min(number, LAST_ROUND)] += faces
            self._by_length[len(faces)] += faces
            for name, (rounds, seats, rolls) in NEIGHBOURS.items():
                after = drawn.get((number + rounds, seat + seats, roll + rolls))
                if after is not None:
                    both = min(len(faces), len(after))
                    self._pairs[name][0].extend(faces[:both])
                    self._pairs[name][1].extend(after[:both])
        for event in events:
            if event[0] == "rolled":
                for die, shown in shown_by_die(event):
                    self._shown[die] += bytes(shown)

    def counts(self) -> Counts:
        """Return everything counted."""
        counts: Counts = defaultdict(Counter)
        for (name, group), faces in self._groups.items():
            _count(counts[name], group, faces)
        for die, shown in self._shown.items():
            _count(counts["die"], die, shown)
        for length, faces in self._by_length.items():
            columns = [faces[place::length] for place in range(length)]
            for place, column in enumerate(columns):
                _count(counts["place"], min(place, LAST_PLACE), column)
            counts["next place"].update(chain.from_iterable(zip(*pair, strict=True) for pair in pairwise(columns)))
        for name, (earlier, later) in self._pairs.items():
            counts[name].update(zip(earlier, later, strict=True))
        return dict(counts)


def shown_by_die(event: Event) -> list[tuple[int, tuple[int, ...]]]:
    """Return what a `rolled` event shows, by kind of die: three colours in Gangster Dice, one kind in Gang of Dice."""
    if len(event) == 3:
        return list(enumerate(event[2]))
    return [(0, event[4])]


def _count(into: Counter[tuple[int, int]], group: int, faces: bytearray) -> None:
    for face in set(faces):
        into[group, face] += faces.count(face)
