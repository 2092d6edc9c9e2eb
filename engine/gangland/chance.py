"""Dice and shuffles from a seed, the same on every machine and Python (rulings G39 and D32)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import shake_128
from struct import unpack
from typing import Final, Protocol

SEED_BYTES: Final = 32

_FAIR: Final = 252
"""A byte below this is a die; the others are drawn again, for 256 is no multiple of 6."""
_UNFAIR: Final = 255
_FACES: Final = bytes([value % 6 if value < _FAIR else _UNFAIR for value in range(256)])

# One hash gives a round its dice: so many for each roll of each seat.  Dice beyond them have hashes of their own.
_SEATS: Final = 4
_ROLLS: Final = 3
_DICE: Final = 32
_SPARES: Final = 8
"""Bytes behind the dice of a roll: an unfair die takes the next fair one of them."""
_ROLL_BYTES: Final = _DICE + _SPARES
_ROUND_BYTES: Final = _SEATS * _ROLLS * _ROLL_BYTES

_WORD: Final = 1 << 16


class Chance(Protocol):
    """What the rules are given instead of dice and cards; whoever drives a game may give chosen ones.

    The rules take what they are given: exactly `count` faces of 0 to 5, and all cards once.

    ============== ==================================== =============================================
    asked for      in Gangster Dice (G39)               in Gang of Dice (D32)
    ============== ==================================== =============================================
    faces          roll 1: the stash, white dice first, roll 1 to 3 of a turn; of a reroll the dice
                   then red, then blue; roll 2: the die that are rolled again
                   that a character rolls again
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

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        """Return one raw face, 0 to 5, for each of the positions 0 to count - 1."""

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards in drawing order, first drawn first; `number` counts the shuffles of `what`."""

    def below(self, what: str, bound: int) -> int:
        """Return one number of 0 to bound - 1, for the single question `what`."""


class SeededChance:
    """Chance from a 32-byte seed.

    Every draw is a hash of the seed and its own coordinates, by rejection sampling, so one
    seat's choice never shifts another seat's dice, and no library's version can change a game.
    """

    __slots__ = ("_dice", "_round", "_seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed
        self._round: int | None = None
        self._dice = b""

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        """Return one raw face, 0 to 5, for each of the positions 0 to count - 1.

        Raises:
            ValueError: a negative count, or a seat or roll that no game has.
        """
        if not (count >= 0 and 0 <= seat < _SEATS and 1 <= roll <= _ROLLS):
            raise ValueError(f"no such roll: seat {seat!r}, roll {roll!r}, {count!r} dice")
        if round != self._round:
            self._round = round
            self._dice = self._drawn(f"dice|{round}", _ROUND_BYTES).translate(_FACES)
        first = (seat * _ROLLS + roll - 1) * _ROLL_BYTES
        if count <= _DICE:
            faces = self._dice[first : first + count]
        else:
            more = self._drawn(f"more dice|{round}|{seat}|{roll}", count - _DICE).translate(_FACES)
            faces = self._dice[first : first + _DICE] + more
        if faces.isascii():
            return tuple(faces)
        spares = self._spares(f"spare dice|{round}|{seat}|{roll}", self._dice[first + _DICE : first + _ROLL_BYTES])
        return tuple([next(spares) if face == _UNFAIR else face for face in faces])

    def _spares(self, name: str, dice: bytes) -> Iterator[int]:
        """Yield these dice and then others, the fair ones alone."""
        part = 0
        while True:
            yield from [face for face in dice if face != _UNFAIR]
            dice = self._drawn(f"{name}|{part}", _DICE).translate(_FACES)
            part += 1

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards, sorted upward and then shuffled by the stream of this shuffle (G39).

        Every card gets a random key, and the keys are put in order; if two are alike all are drawn again.
        """
        attempt, count = 0, len(cards)
        while True:
            keys = unpack(f">{count}I", self._drawn(f"shuffle|{what}|{number}|{attempt}", 4 * count))
            dealt = dict(zip(keys, sorted(cards), strict=True))
            if len(dealt) == count:
                return tuple([dealt[key] for key in sorted(dealt)])
            attempt += 1

    def below(self, what: str, bound: int) -> int:
        """Return one number of 0 to bound - 1, each as likely as any other.

        Raises:
            ValueError: a bound outside 1 to 65536.
        """
        if not 1 <= bound <= _WORD:
            raise ValueError(f"a bound is 1 to {_WORD}, not {bound!r}")
        fair, attempt = _WORD - _WORD % bound, 0
        while True:
            (word,) = unpack(">H", self._drawn(f"below|{what}|{attempt}", 2))
            if word < fair:
                return int(word % bound)
            attempt += 1

    def _drawn(self, coordinates: str, count: int) -> bytes:
        """Return bytes that these coordinates alone give; a longer draw begins with the shorter one."""
        return shake_128(self._seed + coordinates.encode()).digest(count)
