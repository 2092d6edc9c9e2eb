"""Dice and shuffles from a seed, the same on every machine and Python (rulings G39 and D32)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Protocol

SEED_BYTES = 32
_CHUNK = 64
_FACES = bytes(value % 6 for value in range(256))
_FAIR_FACE_BYTES = 252  # bytes of this value and above are drawn again: 256 is no multiple of 6
_WORD = 1 << 16


class Chance(Protocol):
    """What the rules are given instead of dice and cards; a test gives them chosen ones."""

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        """Return one raw face, 0 to 5, for each of the positions 0 to count - 1."""

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards in drawing order, first drawn first; `number` counts the shuffles of `what`."""

    def below(self, what: str, bound: int) -> int:
        """Return one number of 0 to bound - 1, for the single question `what`."""


class SeededChance:
    """Chance from a 32-byte seed.

    Every draw is a keyed hash of its own coordinates by rejection sampling, so one seat's
    choice never shifts another seat's dice, and no library's version can change a game.
    """

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        """Return one raw face, 0 to 5, for each of the positions 0 to count - 1.

        Raises:
            ValueError: a negative count.
        """
        if count < 0:
            raise ValueError(f"a number of dice is at least 0, not {count!r}")
        if count <= _CHUNK:
            return tuple(self._chunk(round, seat, roll, 0, count))
        drawn = bytearray()
        for start in range(0, count, _CHUNK):
            drawn += self._chunk(round, seat, roll, start // _CHUNK, min(_CHUNK, count - start))
        return tuple(drawn)

    def _chunk(self, round: int, seat: int, roll: int, chunk: int, count: int) -> bytes:
        raw = self._hash(f"faces|{round}|{seat}|{roll}|{chunk}|0")[:count]
        if max(raw, default=0) < _FAIR_FACE_BYTES:
            return raw.translate(_FACES)
        fair = bytearray(raw)
        attempt = 0
        while unfair := [position for position, value in enumerate(fair) if value >= _FAIR_FACE_BYTES]:
            attempt += 1
            again = self._hash(f"faces|{round}|{seat}|{roll}|{chunk}|{attempt}")
            for position in unfair:
                fair[position] = again[position]
        return bytes(fair).translate(_FACES)

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards, sorted upward and then shuffled by the stream of this shuffle (G39)."""
        order = sorted(cards)
        stream = _Words(self, f"shuffle|{what}|{number}")
        for last in range(len(order) - 1, 0, -1):
            other = stream.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def below(self, what: str, bound: int) -> int:
        """Return one number of 0 to bound - 1, each as likely as any other.

        Raises:
            ValueError: a bound outside 1 to 65536.
        """
        return _Words(self, f"below|{what}").below(bound)

    def _hash(self, coordinates: str) -> bytes:
        return blake2b(coordinates.encode(), key=self._seed).digest()


class _Words:
    """A stream of 16-bit words under one name."""

    __slots__ = ("_block", "_chance", "_name", "_next")

    def __init__(self, chance: SeededChance, name: str) -> None:
        self._chance = chance
        self._name = name
        self._block = b""
        self._next = 0

    def below(self, bound: int) -> int:
        if not 1 <= bound <= _WORD:
            raise ValueError(f"a bound is 1 to {_WORD}, not {bound!r}")
        fair = _WORD - _WORD % bound
        while True:
            word = self._word()
            if word < fair:
                return word % bound

    def _word(self) -> int:
        offset = self._next * 2 % _CHUNK
        if offset == 0:
            self._block = self._chance._hash(f"{self._name}|{self._next * 2 // _CHUNK}")
        self._next += 1
        return self._block[offset] << 8 | self._block[offset + 1]
