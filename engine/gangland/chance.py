"""Dice and shuffles from a seed, the same on every machine and Python version (rulings G39 and D32)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_128
from random import Random
from struct import unpack
from typing import Final, Protocol

SEED_BYTES: Final = 32

# A byte below this limit gives one die.  Other bytes are replaced, because 256 is not a multiple of 6.
_FAIR_LIMIT: Final = 252
_UNFAIR_BYTES: Final = bytes(range(_FAIR_LIMIT, 256))
_NO_FACE: Final = b"\xff"
_FACES: Final = bytes([value % 6 for value in range(_FAIR_LIMIT)]) + _NO_FACE * len(_UNFAIR_BYTES)

# One hash gives the dice of a round: `_DICE` for each roll of each seat.  Further dice have separate hashes.
_SEATS: Final = 4
_ROLLS: Final = 3
_DICE: Final = 32
# The spare bytes after the dice of a roll.  The next fair spare replaces an unfair die.
_SPARE_BYTES: Final = 8
_ROLL_BYTES: Final = _DICE + _SPARE_BYTES
_SEAT_BYTES: Final = _ROLLS * _ROLL_BYTES
# The index of a roll's first byte among the bytes of its round.
_FIRST_BYTE: Final = {
    (seat, roll): seat * _SEAT_BYTES + (roll - 1) * _ROLL_BYTES
    for seat in range(_SEATS)
    for roll in range(1, _ROLLS + 1)
}

_WORD_VALUES: Final = 1 << 16

Faces = bytes | tuple[int, ...]
"""Raw faces, 0 to 5, in the order of their positions."""


class Chance(Protocol):
    """The source of a game's dice and cards; a caller may pass a source that returns chosen dice.

    The rules do not check the values.  Return exactly `count` faces from 0 to 5, and every card once.

    ============== ==================================== =============================================
    asked for      in Gangster Dice (G39)               in Gang of Dice (D32)
    ============== ==================================== =============================================
    faces          roll 1: the stash, white dice first, rolls 1 to 3 of a turn; a reroll has only
                   then red, then blue; roll 2: the die the dice that are rerolled
                   that a character rerolls
    a raw face     finger, finger, its doubled symbol   the numbers 1 to 5, then the gangster
                   twice, the other two in token order
    shuffle        "favors" 0 at the setup, then 1, 2   "warnings" 0: indices into `WARNINGS`; of the
                   and so on: favors; "characters" 0:   deck box18 0 is the bright stack, 1 the dark
                   indices into `HOUSE_SET`, if dealt
    below          nothing                              "first player": the seat that begins
    ============== ==================================== =============================================

    Example:
        >>> from gangland.games import game_named
        >>> game, chance = game_named("gang-of-dice"), SeededChance(bytes(SEED_BYTES))
        >>> state, events = game.start(2, game.options({}), chance)
        >>> while game.outcome(state) is None:
        ...     answers = {asked.seat: game.default(state, asked.seat) for asked in game.pending(state)}
        ...     state, events = game.resolve(state, answers, chance)
        >>> game.round(state)
        12
    """

    def faces(self, round: int, seat: int, roll: int, count: int) -> Faces:
        """Return one raw face, 0 to 5, for each of the positions 0 to count - 1."""

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards in the order of drawing; `number` counts the shuffles for a purpose."""

    def below(self, purpose: str, bound: int) -> int:
        """Return one number from 0 to bound - 1; each purpose draws once."""


class RandomChance:
    """Chance from any random generator, for searches and rollouts.  It does not use the seed of a game."""

    __slots__ = ("_rng",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def faces(self, round: int, seat: int, roll: int, count: int) -> bytes:
        """Return `count` raw faces, 0 to 5."""
        return bytes(self._rng.choices(_RAW, k=count))

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards in random order."""
        return tuple(self._rng.sample(cards, len(cards)))

    def below(self, purpose: str, bound: int) -> int:
        """Return one number from 0 to bound - 1."""
        return self._rng.randrange(bound)


_RAW: Final = range(6)


class SeededChance:
    """Chance from a 32-byte seed: every draw is a hash of the seed and the draw's coordinates, by rejection sampling.

    So the choice of one seat never changes the dice of another, and games do not depend on the version of a library.
    """

    __slots__ = ("_bytes", "_round", "_seats", "_seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"expected a seed of {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed
        self._round: int | None = None
        self._bytes = b""
        self._seats = 0

    def faces(self, round: int, seat: int, roll: int, count: int) -> bytes:
        """Return one raw face, 0 to 5, for each of the positions 0 to count - 1.

        Raises ValueError: the count is negative, or no game has such a seat or roll.
        """
        first = _FIRST_BYTE.get((seat, roll), -1)
        if first < 0 or count < 0:
            raise ValueError(f"no such roll: seat {seat!r}, roll {roll!r}, {count!r} dice")
        if round != self._round or first >= len(self._bytes):
            self._draw_round(round, seat)
        if count <= _DICE:
            faces = self._bytes[first : first + count].translate(_FACES)
        else:
            further = shake_128(self._seed + b"more dice|%d|%d|%d" % (round, seat, roll)).digest(count - _DICE)
            faces = (self._bytes[first : first + _DICE] + further).translate(_FACES)
        return faces if faces.isascii() else self._with_spares(faces, first, round, seat, roll)

    def _draw_round(self, round: int, seat: int) -> None:
        self._round = round
        if seat >= self._seats:
            self._seats = seat + 1
        self._bytes = shake_128(self._seed + b"dice|%d" % round).digest(self._seats * _SEAT_BYTES)

    def _with_spares(self, faces: bytes, first: int, round: int, seat: int, roll: int) -> bytes:
        """Return the roll whose bytes begin at `first`, with each unfair die replaced by a fair spare."""
        spares = self._bytes[first + _DICE : first + _ROLL_BYTES].translate(_FACES, _UNFAIR_BYTES)
        missing, part = faces.count(_NO_FACE), 0
        while len(spares) < missing:
            spares += self._draw(f"spare dice|{round}|{seat}|{roll}|{part}", _DICE).translate(_FACES, _UNFAIR_BYTES)
            part += 1
        for spare in range(missing):
            faces = faces.replace(_NO_FACE, spares[spare : spare + 1], 1)
        return faces

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Give random keys to the cards in ascending order, and return the cards sorted by key (G39).

        If two keys are equal, all keys are redrawn.
        """
        attempt, count = 0, len(cards)
        while True:
            keys = unpack(f">{count}I", self._draw(f"shuffle|{purpose}|{number}|{attempt}", 4 * count))
            card_of = dict(zip(keys, sorted(cards), strict=True))
            if len(card_of) == count:
                return tuple(map(card_of.__getitem__, sorted(keys)))
            attempt += 1

    def below(self, purpose: str, bound: int) -> int:
        """Return a number from 0 to bound - 1, each equally likely.  Raises ValueError: bound outside 1 to 65536."""
        if not 1 <= bound <= _WORD_VALUES:
            raise ValueError(f"expected a bound from 1 to {_WORD_VALUES}, not {bound!r}")
        fair, attempt = _WORD_VALUES - _WORD_VALUES % bound, 0
        while True:
            (word,) = unpack(">H", self._draw(f"below|{purpose}|{attempt}", 2))
            if word < fair:
                return int(word % bound)
            attempt += 1

    def _draw(self, coordinates: str, count: int) -> bytes:
        """Return the bytes for these coordinates.  A longer draw begins with the bytes of a shorter draw."""
        return shake_128(self._seed + coordinates.encode()).digest(count)
