"""A seat's view of a game of Gangster Dice (G42): typed properties of a tuple of plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from gangland.gangster_dice import wire as at
from gangland.gangster_dice.cards import INVESTIGATOR, LAWYER, STREETS, Colour, Dice, Token, minus, of_color
from gangland.gangster_dice.characters import BY_KEY, PLAIN, Character
from gangland.gangster_dice.events import TypedEvent, typed
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.unseen import unseen_favors
from gangland.view import NO_CLOCK, Clock, unchangeable
from gangland.view import View as BaseView

_TOKEN = tuple(Token)  # indexed by number, because calling the class takes ten times as long
_ALL_COLORS = tuple(Colour)


@unchangeable
@dataclass(frozen=True, slots=True)
class Player:
    """The public part of one seat.

    Attributes:
        dice: its stash, counts by color.
        faces: its roll this round: by color, the token whose symbol each die shows.
        symbols: the roll's count of each token's symbol, in token order.
        hand_size: the number of favors in its hand now.
        hand_limit: the number of favors in its hand after drawing.
        specials: the number of +4 favors in its hand that were won in public.  These are all its +4s, unless played +4s
            go to the discards (G28), and so into the deck.
        character: its character (G34); None without characters.
        defaulting: whether it is at fault and plays default decisions (G38).
    """

    seat: int
    dice: Dice
    faces: tuple[tuple[Token, ...], ...]
    symbols: tuple[int, ...]
    hand_size: int
    hand_limit: int
    specials: int
    character: Character | None
    defaulting: bool


@unchangeable
@dataclass(frozen=True, slots=True)
class TokenView:
    """One influence token.

    Attributes:
        dice: the dice on it, counts by color.
        holder: the seat that controls it now (or has it, for the Investigator), or None.
        holder_before: the same at the start of the round.
        winner: the seat that influences it this round, or None; None before the reveal.
    """

    token: Token
    dice: Dice
    holder: int | None
    holder_before: int | None
    winner: int | None


@unchangeable
@dataclass(frozen=True, slots=True)
class ScoredBid:
    """A revealed bid; `score` is the sum of symbols, favor and all bonuses."""

    token: Token
    favor: int
    score: int


class View(BaseView):
    """All that your seat may know.  Dice are counts by color: white, red, blue."""

    __slots__ = ("_table",)

    # The parts are those of the wire, with two exceptions: a `Public` replaces the public values, and the round of
    # the seat's last decision replaces the history.  The table (the public values) is built when it is first read,
    # and the wire, with all events, later.

    _table: tuple[Any, ...]

    def __init__(self, wire: tuple[Any, ...], clock: Clock = NO_CLOCK, question: str | None = None) -> None:
        super().__init__(wire, clock, question)
        _set_table(self, wire[at.TABLE])

    @staticmethod
    def _wire_of(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        seat, public, defaulting, hand, locked, answers, pair, last_asked = parts
        return (seat, public.wire(), defaulting, hand, locked, answers, pair, public.history_since(last_asked))

    @staticmethod
    def _question_of(parts: tuple[Any, ...]) -> str | None:
        questions = parts[at.TABLE].questions
        return next((question.kind for question in questions if question.seat == parts[at.SEAT]), None)

    @property
    def _rounds(self) -> dict[int, tuple[TypedEvent, ...]]:
        wire = self.wire
        rounds = (wire[at.TABLE][at.EVENTS], *wire[at.HISTORY])
        return {self.round - ago: tuple(map(typed, events)) for ago, events in enumerate(rounds)}

    if not TYPE_CHECKING:  # mypy has to report names that no view has

        def __getattr__(self, name: str) -> Any:
            if name == "_table":
                table = self._parts[at.TABLE].table()
                _set_table(self, table)
                return table
            return super().__getattribute__(name)

    # The game

    @property
    def seat(self) -> int:
        """Your seat, from 0.  The seat to your left is `(seat + 1) % seats`."""
        seat: int = self._parts[at.SEAT]
        return seat

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self._table[at.STASHES])

    @property
    def options(self) -> Options:
        """The options of this game."""
        return Options(*self._table[at.OPTIONS])

    @property
    def round(self) -> int:
        """The round, from 1."""
        number: int = self._table[at.ROUND]
        return number

    @property
    def round_limit(self) -> int:
        """The last round (G33)."""
        return self.options.round_limit

    # Seats

    @property
    def players(self) -> tuple[Player, ...]:
        """All seats in seat order, yours included."""
        return tuple([self._player(seat) for seat in range(self.seats)])

    @property
    def me(self) -> Player:
        """The public part of your own seat."""
        return self._player(self.seat)

    @property
    def opponents(self) -> tuple[Player, ...]:
        """The other seats, starting with the one to your left."""
        return tuple([self._player((self.seat + step) % self.seats) for step in range(1, self.seats)])

    def _player(self, seat: int) -> Player:
        table = self._table
        faces = tuple([tuple([_TOKEN[face] for face in dice]) for dice in table[at.FACES][seat]])
        return Player(
            seat=seat,
            dice=table[at.STASHES][seat],
            faces=faces,
            symbols=table[at.SYMBOLS][seat],
            hand_size=table[at.HAND_SIZES][seat],
            hand_limit=table[at.HAND_LIMITS][seat],
            specials=table[at.SPECIALS_HELD][seat],
            character=BY_KEY.get(table[at.CHARACTERS][seat]),
            defaulting=seat in self._parts[at.DEFAULTING],
        )

    @property
    def character(self) -> Character | None:
        """Your character; None without characters (G34)."""
        key = self._table[at.CHARACTERS][self._parts[at.SEAT]]
        return None if key is None else BY_KEY.get(key)

    # Your own hand, dice and bids

    @property
    def hand(self) -> tuple[int, ...]:
        """Your favors, in ascending order."""
        hand: tuple[int, ...] = self._parts[at.HAND]
        return hand

    @property
    def dice(self) -> Dice:
        """Your stash."""
        dice: Dice = self._table[at.STASHES][self._parts[at.SEAT]]
        return dice

    @property
    def symbols(self) -> tuple[int, ...]:
        """The number of each token's symbols on your dice this round, in token order."""
        symbols: tuple[int, ...] = self._table[at.SYMBOLS][self._parts[at.SEAT]]
        return symbols

    @property
    def legal_tokens(self) -> tuple[Token, ...]:
        """The tokens that you may bid on: their symbols show on your dice (G6)."""
        return tuple([_TOKEN[token] for token, count in enumerate(self.symbols) if count])

    @property
    def bids_required(self) -> int:
        """The number of bids that you must make: 1, or 2 with two players if two symbols show (G9)."""
        return 2 if self.seats == 2 and len(self.legal_tokens) > 1 else 1

    @property
    def streets_bonus(self) -> int:
        """The bonus of the Streets for each of your bids this round (G12, G13)."""
        table = self._table
        return table[at.BONUS] if table[at.OPENING][STREETS] == self._parts[at.SEAT] else 0

    def strength(self, token: int, seat: int | None = None) -> int:
        """Return the score of a bid on this token without its favor: symbols and all bonuses; by default your own."""
        table = self._table
        bidder = self._parts[at.SEAT] if seat is None else seat
        opening, key = table[at.OPENING], table[at.CHARACTERS][bidder]
        score: int = table[at.SYMBOLS][bidder][token]
        if opening[STREETS] == bidder:
            score += table[at.BONUS]
        return score if key is None else score + BY_KEY[key].bonus(token, held=opening[token] == bidder)

    @property
    def locked(self) -> Dice:
        """Dice that you received in this round and cannot give away in it (G17)."""
        locked: Dice = self._parts[at.LOCKED]
        return locked

    @property
    def exchanged(self) -> tuple[Dice, Dice] | None:
        """Your own exchange of this round, (given, taken); None before it or without an exchange."""
        return cast("tuple[Dice, Dice] | None", dict(self._parts[at.ANSWERS]).get("exchange"))

    @property
    def staked(self) -> int | None:
        """The color of the die that you stake this round, or None."""
        return cast("int | None", dict(self._parts[at.ANSWERS]).get("stake"))

    @property
    def spare(self) -> Dice:
        """Dice that you can still give in this round: neither locked nor named for an earlier effect (G16)."""
        dice = minus(self.dice, self._parts[at.LOCKED])
        if not self._parts[at.ANSWERS] or not self._table[at.EFFECTS_OPEN]:
            return dice  # no dice are named, or they have left the stash
        if self.exchanged is not None:
            dice = minus(dice, self.exchanged[0])
        return dice if self.staked is None else minus(dice, of_color(self.staked))

    # Tokens and cards

    @property
    def tokens(self) -> tuple[TokenView, ...]:
        """The four tokens, in token order."""
        return tuple([self.token(token) for token in Token])

    def token(self, token: int) -> TokenView:
        """Return one token."""
        table = self._table
        return TokenView(
            token=_TOKEN[token],
            dice=table[at.DICE][token],
            holder=table[at.CONTROL][token],
            holder_before=table[at.OPENING][token],
            winner=table[at.WINNERS][token],
        )

    @property
    def lawyer(self) -> TokenView:
        """The Lawyer: +4 favors, and protection from the Investigator."""
        return self.token(Token.LAWYER)

    @property
    def speakeasy(self) -> TokenView:
        """The Speakeasy: exchanges."""
        return self.token(Token.SPEAKEASY)

    @property
    def streets(self) -> TokenView:
        """The Streets: a bonus on bids, and ties."""
        return self.token(Token.STREETS)

    @property
    def investigator(self) -> TokenView:
        """The Investigator: a place to dump dice; its holder takes one of them each round."""
        return self.token(Token.INVESTIGATOR)

    @property
    def deck(self) -> int:
        """The number of favors in the deck."""
        return cast(int, self._table[at.DECK])

    @property
    def discards(self) -> tuple[int, ...]:
        """The number of discarded favors of each value, 0 to 3; 0 to 4 if played +4s go to the discards (G28)."""
        return cast("tuple[int, ...]", self._table[at.DISCARDS])

    @property
    def unseen(self) -> tuple[int, ...]:
        """The number of favors of each value, 0 to 4, that you do not see: in the deck or in other hands.

        Others' `specials` do not count; their other +4s do, if played +4s go to the discards (G28).
        """
        return unseen_favors(self.wire)

    @property
    def specials(self) -> int:
        """The number of +4 favors in their stack."""
        return cast(int, self._table[at.SPECIALS])

    # Choices for effects and characters

    @property
    def rerollable(self) -> tuple[tuple[Colour, Token], ...]:
        """The dice that you can reroll, as (color, token shown), without duplicates."""
        faces = self._table[at.FACES][self.seat]
        return tuple([(color, _TOKEN[token]) for color in Colour for token in sorted(set(faces[color]))])

    @property
    def placeable(self) -> int:
        """The number of dice, of any colors, that you may put on the Investigator instead of a color; 0 for none."""
        count = (self.character or PLAIN).places
        return count if sum(self.spare) >= count else 0

    @property
    def pair(self) -> tuple[int, ...]:
        """Two favors in ascending order, to keep one of them; empty if you are not asked."""
        return cast("tuple[int, ...]", self._parts[at.PAIR])

    @property
    def dump_colours(self) -> tuple[Colour, ...]:
        """The colors that you may name for the Investigator and have a die of (G22).

        If you can place no die at all but must name a color (G23), all three; then nothing is placed.
        """
        spare = self.spare
        return tuple([color for color in Colour if spare[color]]) or _ALL_COLORS

    @property
    def take_colours(self) -> tuple[Colour, ...]:
        """The colors of the dice on the Investigator: its holder takes one of them (G25)."""
        return tuple([color for color in Colour if self._table[at.DICE][INVESTIGATOR][color]])

    @property
    def protected(self) -> bool:
        """Whether you control the Lawyer now and may decline the Investigator's die (G26)."""
        return cast(bool, self._table[at.CONTROL][LAWYER] == self.seat)

    # Bids and events

    @property
    def bids(self) -> tuple[tuple[ScoredBid, ...], ...]:
        """Every seat's bids of this round, in seat order; empty before the reveal."""
        return tuple(
            [tuple([ScoredBid(_TOKEN[token], *rest) for token, *rest in bids]) for bids in self._table[at.BIDS]]
        )

    @property
    def events(self) -> tuple[TypedEvent, ...]:
        """The public events since your last decision, at least of the whole last round; oldest first.

        Their classes are those of `gangland.gangster_dice.events`.
        """
        rounds: tuple[tuple[Any, ...], ...] = (*reversed(self.wire[at.HISTORY]), self.wire[at.TABLE][at.EVENTS])
        return tuple([typed(event) for events in rounds for event in events])


_set_table = View.__dict__["_table"].__set__  # the slot's own setter, as in the base class
