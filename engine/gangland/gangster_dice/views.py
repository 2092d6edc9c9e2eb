"""What a seat sees when it is asked (G42): typed windows on a tuple of plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from gangland.gangster_dice import wire as at
from gangland.gangster_dice.cards import INVESTIGATOR, LAWYER, STREETS, Colour, Dice, Token, minus, of_colour
from gangland.gangster_dice.characters import BY_KEY, PLAIN, Character
from gangland.gangster_dice.events import TypedEvent, typed
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.unseen import unseen_favors
from gangland.view import NO_CLOCK, Clock, unchangeable
from gangland.view import View as BaseView

_TOKEN = tuple(Token)
"""By number; calling the class takes ten times as long."""
_ANY_COLOUR = tuple(Colour)


@unchangeable
@dataclass(frozen=True, slots=True)
class Player:
    """One seat, as everybody sees it.

    Attributes:
        dice: its stash, counts by colour.
        faces: what it rolled this round: by colour, the token whose symbol each die shows.
        symbols: how many of each token's symbols the roll shows, in token order.
        hand_size: favors in its hand now.
        hand_limit: favors that it draws back up to.
        specials: +4 favors in its hand that were won in public; all that it has, unless played +4s go to the
            discards (G28), and so into the deck.
        character: what it can do (G34); None without characters.
        defaulting: it is at fault and played by default (G38).
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
        dice: what lies on it, counts by colour.
        holder: the seat that controls it now (the Investigator: that has it), None for nobody.
        holder_before: the same at the start of the round.
        winner: the seat that influences it this round; None before the reveal, and for nobody.
    """

    token: Token
    dice: Dice
    holder: int | None
    holder_before: int | None
    winner: int | None


@unchangeable
@dataclass(frozen=True, slots=True)
class ScoredBid:
    """A bid that has been revealed: `score` is symbols, favor and all bonuses together."""

    token: Token
    favor: int
    score: int


class View(BaseView):
    """All that your seat may know.  Dice are counts by colour: white, red, blue."""

    __slots__ = ("_table",)

    # The parts are the wire's own, but a `Public` for what all seats see, and the round of the seat's last decision for
    # the history.  The table, what all see as plain values, is made of that when it is first read; the wire, with all
    # events, after that.

    _table: tuple[Any, ...]

    def __init__(self, wire: tuple[Any, ...], clock: Clock = NO_CLOCK, question: str | None = None) -> None:
        super().__init__(wire, clock, question)
        _set_table(self, wire[at.SHOWN])

    @staticmethod
    def _wire_of(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        seat, public, defaulting, hand, locked, answers, pair, last_asked = parts
        return (seat, public.wire(), defaulting, hand, locked, answers, pair, public.history_since(last_asked))

    @staticmethod
    def _question_of(parts: tuple[Any, ...]) -> str | None:
        return next((each.kind for each in parts[at.SHOWN].questions if each.seat == parts[at.SEAT]), None)

    @property
    def _rounds(self) -> dict[int, tuple[TypedEvent, ...]]:
        wire = self.wire
        rounds = (wire[at.SHOWN][at.TOLD], *wire[at.HISTORY])
        return {self.round - ago: tuple(map(typed, events)) for ago, events in enumerate(rounds)}

    if not TYPE_CHECKING:  # a name that no view has stays an error

        def __getattr__(self, name: str) -> Any:
            """Make what is read for the first time."""
            if name == "_table":
                table = self._parts[at.SHOWN].table()
                _set_table(self, table)
                return table
            return super().__getattribute__(name)

    def _shown(self, index: int) -> Any:
        return self._table[index]

    # The game

    @property
    def seat(self) -> int:
        """Your seat, from 0.  The seat to your left is `(seat + 1) % seats`."""
        seat: int = self._parts[at.SEAT]
        return seat

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self._table[at.STASHES])

    @property
    def options(self) -> Options:
        """The options of this game."""
        return Options(*self._shown(at.OPTIONS))

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
        """Your own seat, as everybody sees it."""
        return self._player(self.seat)

    @property
    def opponents(self) -> tuple[Player, ...]:
        """The other seats, beginning with the one to your left."""
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
        """Your character and what it can do; None without characters (G34)."""
        key = self._table[at.CHARACTERS][self._parts[at.SEAT]]
        return None if key is None else BY_KEY.get(key)

    # Your own hand, dice and bids

    @property
    def hand(self) -> tuple[int, ...]:
        """Your favors, sorted upward."""
        hand: tuple[int, ...] = self._parts[at.HAND]
        return hand

    @property
    def dice(self) -> Dice:
        """Your stash."""
        dice: Dice = self._table[at.STASHES][self._parts[at.SEAT]]
        return dice

    @property
    def symbols(self) -> tuple[int, ...]:
        """How many of each token's symbols your dice show this round, in token order."""
        symbols: tuple[int, ...] = self._table[at.SYMBOLS][self._parts[at.SEAT]]
        return symbols

    @property
    def legal_tokens(self) -> tuple[Token, ...]:
        """The tokens that you may bid on: their symbols show on your dice (G6)."""
        return tuple([_TOKEN[token] for token, count in enumerate(self.symbols) if count])

    @property
    def bids_required(self) -> int:
        """How many bids you make: 1; with two players 2, if two symbols show (G9)."""
        return 2 if self.seats == 2 and len(self.legal_tokens) > 1 else 1

    @property
    def streets_bonus(self) -> int:
        """What the Streets add to each of your bids this round (G12, G13)."""
        table = self._table
        return table[at.BONUS] if table[at.OPENING][STREETS] == self._parts[at.SEAT] else 0

    def strength(self, token: int, seat: int | None = None) -> int:
        """Return the score of a bid on this token, before its favor: symbols and all bonuses; of a seat, else yours."""
        table = self._table
        bidder = self._parts[at.SEAT] if seat is None else seat
        opening, key = table[at.OPENING], table[at.CHARACTERS][bidder]
        score: int = table[at.SYMBOLS][bidder][token]
        if opening[STREETS] == bidder:
            score += table[at.BONUS]
        return score if key is None else score + BY_KEY[key].bonus(token, held=opening[token] == bidder)

    @property
    def locked(self) -> Dice:
        """Dice of your stash that came in this round and cannot be given away in it (G17)."""
        locked: Dice = self._parts[at.LOCKED]
        return locked

    @property
    def exchanged(self) -> tuple[Dice, Dice] | None:
        """Your own exchange of this round, (given, taken); None if there was none (yet)."""
        return cast("tuple[Dice, Dice] | None", dict(self._parts[at.ANSWERS]).get("exchange"))

    @property
    def staked(self) -> int | None:
        """The colour of the die that you stake this round; None if there is none (yet)."""
        return cast("int | None", dict(self._parts[at.ANSWERS]).get("stake"))

    @property
    def spare(self) -> Dice:
        """Dice that you may still give in this round: neither locked nor named for an earlier effect (G16)."""
        dice = minus(self.dice, self._parts[at.LOCKED])
        if not self._parts[at.ANSWERS] or not self._table[at.EFFECTS_OPEN]:
            return dice  # nothing is named, or what was named has left the stash
        if self.exchanged is not None:
            dice = minus(dice, self.exchanged[0])
        return dice if self.staked is None else minus(dice, of_colour(self.staked))

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
        """The Investigator: where dice are dumped, and whence its holder takes one back a round."""
        return self.token(Token.INVESTIGATOR)

    @property
    def deck(self) -> int:
        """How many favors are in the deck."""
        return cast(int, self._shown(at.DECK))

    @property
    def discards(self) -> tuple[int, ...]:
        """How many favors of each value are discarded, 0 to 3; 0 to 4 where played +4s go to the discards (G28)."""
        return cast("tuple[int, ...]", self._shown(at.DISCARDS))

    @property
    def unseen(self) -> tuple[int, ...]:
        """How many favors of each value, 0 to 4, you do not see: in the deck or in other hands.

        Others' `specials` are not among them; other +4s are where played ones go to the discards (G28).
        """
        return unseen_favors(self.wire)

    @property
    def specials(self) -> int:
        """How many +4 favors lie in their stack."""
        return cast(int, self._shown(at.SPECIALS))

    # What the effects, and characters, ask for

    @property
    def rerollable(self) -> tuple[tuple[Colour, Token], ...]:
        """Your dice, each as (colour, token that it shows), alike ones once; of these one may be rolled again."""
        faces = self._shown(at.FACES)[self.seat]
        return tuple([(colour, _TOKEN[token]) for colour in Colour for token in sorted(set(faces[colour]))])

    @property
    def placeable(self) -> int:
        """How many dice of any colours you may place instead of naming a colour for the Investigator; 0 for none."""
        count = (self.character or PLAIN).places
        return count if sum(self.spare) >= count else 0

    @property
    def pair(self) -> tuple[int, ...]:
        """The two favors of which you keep one, sorted upward; empty if you are not asked."""
        return cast("tuple[int, ...]", self._parts[at.PAIR])

    @property
    def dump_colours(self) -> tuple[Colour, ...]:
        """The colours that you may name for the Investigator and of which you have a die to place (G22).

        If you have none of any colour you are still asked where any may be named (G23): then all three, for
        whichever you name, nothing is placed.
        """
        spare = self.spare
        return tuple([colour for colour in Colour if spare[colour]]) or _ANY_COLOUR

    @property
    def take_colours(self) -> tuple[Colour, ...]:
        """The colours that lie on the Investigator: its holder takes one of them (G25)."""
        return tuple([colour for colour in Colour if self._shown(at.DICE)[INVESTIGATOR][colour]])

    @property
    def protected(self) -> bool:
        """Whether you control the Lawyer now and may decline the Investigator's die (G26)."""
        return cast(bool, self._shown(at.CONTROL)[LAWYER] == self.seat)

    # What has happened

    @property
    def bids(self) -> tuple[tuple[ScoredBid, ...], ...]:
        """Every seat's bids of this round, in seat order; empty before the reveal."""
        return tuple(
            [tuple([ScoredBid(_TOKEN[token], *rest) for token, *rest in bids]) for bids in self._shown(at.BIDS)]
        )

    @property
    def events(self) -> tuple[TypedEvent, ...]:
        """What happened in public, oldest first: since your last decision, the whole last round at least.

        The classes are those of `gangland.gangster_dice.events`.
        """
        rounds: tuple[tuple[Any, ...], ...] = (*reversed(self.wire[at.HISTORY]), self.wire[at.SHOWN][at.TOLD])
        return tuple([typed(event) for events in rounds for event in events])


_set_table = View.__dict__["_table"].__set__
"""The slot's own setter, as in the class below this one."""
