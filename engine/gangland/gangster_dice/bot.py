"""The base class of every Gangster Dice bot, and the values that its answers are made of."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from gangland.answers import items, shown
from gangland.bot import BaseBot
from gangland.gangster_dice.cards import EXCHANGE_LIMIT, NO_DICE, Colour, Dice, Token
from gangland.gangster_dice.views import View


class Bid(NamedTuple):
    """A bid on a token with a favor of the hand."""

    token: int
    favor: int


class Die(NamedTuple):
    """One of your dice, by its colour and the token whose symbol it shows."""

    colour: int
    token: int


class Exchange(NamedTuple):
    """An exchange with the Speakeasy: counts by colour (white, red, blue) of what you give and take."""

    given: Dice
    taken: Dice

    @classmethod
    def of(cls, give: Iterable[int], take: Iterable[int]) -> Exchange:
        """Make an exchange of lists of colours, one for each die: `Exchange.of([Colour.RED], [Colour.WHITE])`."""
        given, taken = list(give), list(take)
        return cls(_counts(given), _counts(taken))


def _counts(colours: list[int]) -> Dice:
    return (colours.count(0), colours.count(1), colours.count(2))


NO_EXCHANGE = Exchange(NO_DICE, NO_DICE)


class Bot(BaseBot):
    """Derive your bot from this class; `choose_bids` is all that it must define.

    Each method gets a frozen `View` and returns a plain answer.  You are only asked when there
    is more than one legal answer.
    """

    kinds: ClassVar = ("bids", "exchange", "stake", "dump", "take", "reroll", "swap", "keep", "discard")

    def choose_bids(self, view: View) -> Sequence[Bid | tuple[int, int]]:
        """Return `view.bids_required` bids: pairs of a token of `view.legal_tokens` and a favor of `view.hand`.

        Two bids are on different tokens.  Each favor as often as you hold it.
        """
        raise NotImplementedError(f"{type(self).__name__} has to define choose_bids(self, view)")

    def choose_exchange(self, view: View) -> Exchange | tuple[Dice, Dice] | None:
        """You won the Speakeasy again: return what to give and take, None for nothing.

        Give out of `view.dice`, take out of `view.speakeasy.dice`: equally many, 3 at most.
        By default: gather the colour that you have most of, in exchange for those that you have fewest of.
        """
        stash, lying = view.dice, view.speakeasy.dice
        main = max(Colour, key=lambda colour: (stash[colour], lying[colour]))
        unwanted = sorted((colour for colour in Colour if colour != main), key=lambda colour: stash[colour])
        give = [colour for colour in unwanted for _ in range(stash[colour])]
        count = min(EXCHANGE_LIMIT, len(give), lying[main])
        return Exchange.of(give[:count], [main] * count)

    def choose_stake(self, view: View) -> int | None:
        """You won the Streets again: return the colour of a die to put there, None for none.

        One of which `view.spare` has a die.
        By default: a die of the colour that you have fewest of.
        """
        return min((colour for colour in Colour if view.spare[colour]), key=lambda colour: view.spare[colour])

    def choose_dump(self, view: View) -> int | Dice:
        """You won the Investigator from another seat: return the colour to put on it.

        One of `view.dump_colours`.  If `view.placeable` (Liza), you may return exactly so many dice of
        `view.spare` instead, as counts (white, red, blue).
        By default: the colour that you have most of.
        """
        return max(view.dump_colours, key=lambda colour: view.spare[colour])

    def choose_take(self, view: View) -> int | None:
        """You hold the Investigator: return the colour of the die to take, None to decline (if `view.protected`).

        One of `view.take_colours`, of dice that lie on it.
        By default: decline if possible, else the colour that you have most of.
        """
        return None if view.protected else max(view.take_colours, key=lambda colour: view.dice[colour])

    # What only some characters are asked (`view.character`)

    def choose_reroll(self, view: View) -> Die | tuple[int, int] | None:
        """You may roll one die again before anyone bids: return (colour, token that it shows), None for none.

        One of `view.rerollable`.  Only Franky is asked.
        By default: a die of the symbol that shows least often, unless all show the same.
        """
        colour, token = min(view.rerollable, key=lambda die: view.symbols[die[1]])
        return None if view.symbols[token] == sum(view.dice) else Die(colour, token)

    def choose_swap(self, view: View) -> tuple[int, int] | None:
        """You newly took a token: return (colour to give, colour to take from the Speakeasy), None for no swap.

        The first out of `view.spare`, the second out of `view.speakeasy.dice`.  Only Nancy is asked.
        By default: a die of the colour that you have fewest of for one that you have most of.
        """
        stash, lying = view.dice, view.speakeasy.dice
        give = min((colour for colour in Colour if view.spare[colour]), key=lambda colour: stash[colour])
        take = max((colour for colour in Colour if lying[colour]), key=lambda colour: stash[colour])
        return (give, take) if stash[take] > stash[give] else None

    def choose_keep(self, view: View) -> int:
        """You drew two favors: return the one of `view.pair` that you keep; the other is discarded face up.

        Its value, not its place there.  Only Timmy is asked.
        By default: the higher.
        """
        return max(view.pair)

    def choose_discard(self, view: View) -> int | None:
        """You are to take a die from the Investigator: return a favor to discard instead, None to go on.

        A favor of `view.hand`; your hand stays smaller by one for the rest of the game.  Only Roberts is
        asked, while his hand limit is above 2; None goes on to `choose_take`.  By default: None.
        """
        return None

    @classmethod
    def encode(cls, kind: str, answer: Any) -> Any:
        """Return an answer as plain values, in the form that `legality` gives each kind of decision.

        Raises:
            TypeError: the answer cannot be understood; the message says what was expected.
        """
        if kind == "bids":
            expected = "a list of pairs (token, favor)"
            bids = [answer] if isinstance(answer, Bid) else answer
            return [_numbers(bid, 2, expected, answer) for bid in _items(bids, None, expected, answer)]
        if kind == "exchange":
            expected = "None or (given, taken), each three counts (white, red, blue)"
            sides = NO_EXCHANGE if answer is None else answer
            return [_numbers(side, len(Colour), expected, answer) for side in _items(sides, 2, expected, answer)]
        if kind in ("stake", "take"):
            return None if answer is None else _number(answer, "None or a colour (0 to 2)", answer)
        if kind == "dump":
            if items(answer) is not None:
                return _numbers(answer, len(Colour), "a colour (0 to 2) or three counts (white, red, blue)", answer)
            return _number(answer, "a colour (0 to 2) or three counts (white, red, blue)", answer)
        return cls._encode_trait(kind, answer)

    @classmethod
    def _encode_trait(cls, kind: str, answer: Any) -> Any:
        if kind == "keep":
            return _number(answer, "one favor of the pair", answer)
        if kind == "discard":
            return None if answer is None else _number(answer, "None or a favor", answer)
        if kind == "reroll":
            return None if answer is None else _numbers(answer, 2, "None or (colour, token that it shows)", answer)
        if kind == "swap":
            return None if answer is None else _numbers(answer, 2, "None or (colour given, colour taken)", answer)
        raise TypeError(f"Gangster Dice has no decision of kind {kind!r}")


def _items(value: Any, count: int | None, expected: str, answer: Any) -> list[Any]:
    held = items(value)
    if held is None or (count is not None and len(held) != count):
        raise TypeError(f"expected {expected}, got {shown(answer)}")
    return list(held)


def _numbers(value: Any, count: int, expected: str, answer: Any) -> list[int]:
    return [_number(item, expected, answer) for item in _items(value, count, expected, answer)]


def _number(value: Any, expected: str, answer: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"expected {expected}, got {shown(answer)}")
    return operator.index(value)


__all__ = ["NO_EXCHANGE", "Bid", "Bot", "Colour", "Die", "Exchange", "Token", "View"]
