"""The base class of every Gangster Dice bot, and the types of its answers."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from gangland.answers import items, short_repr
from gangland.bot import BaseBot
from gangland.gangster_dice.cards import EXCHANGE_LIMIT, NO_DICE, Colour, Dice, Token
from gangland.gangster_dice.views import View


class Bid(NamedTuple):
    """A bid of a favor from your hand on a token."""

    token: int
    favor: int


class Die(NamedTuple):
    """One of your dice: its color and the token whose symbol it shows."""

    colour: int
    token: int


class Exchange(NamedTuple):
    """An exchange with the Speakeasy: the dice that you give and take, as counts by color (white, red, blue)."""

    given: Dice
    taken: Dice

    @classmethod
    def of(cls, give: Iterable[int], take: Iterable[int]) -> Exchange:
        """Return the exchange of these dice, listed by color: `Exchange.of([Colour.RED], [Colour.WHITE])`."""
        return cls(_counts(list(give)), _counts(list(take)))


def _counts(colors: list[int]) -> Dice:
    return (colors.count(0), colors.count(1), colors.count(2))


NO_EXCHANGE = Exchange(NO_DICE, NO_DICE)


class Bot(BaseBot):
    """Derive your bot from this class; only `choose_bids` must be defined.

    Each method gets a frozen `View` and returns a plain answer.  You are only asked when there is more than one legal
    answer.
    """

    kinds: ClassVar = ("bids", "exchange", "stake", "dump", "take", "reroll", "swap", "keep", "discard")

    def choose_bids(self, view: View) -> Sequence[Bid | tuple[int, int]]:
        """Return `view.bids_required` bids: pairs of a token of `view.legal_tokens` and a favor of `view.hand`.

        Two bids must be on different tokens.  Use each favor at most as often as you hold it.
        """
        raise NotImplementedError(f"{type(self).__name__} has to define choose_bids(self, view)")

    def choose_exchange(self, view: View) -> Exchange | tuple[Dice, Dice] | None:
        """You kept the Speakeasy: return the dice to give and to take, or None for no exchange.

        Give from `view.dice`, take from `view.speakeasy.dice`: the same number each way, at most 3.
        By default: trade your rarest colors for your most frequent one.
        """
        stash, offer = view.dice, view.speakeasy.dice
        main = max(Colour, key=lambda color: (stash[color], offer[color]))
        unwanted = sorted((color for color in Colour if color != main), key=lambda color: stash[color])
        give = [color for color in unwanted for _ in range(stash[color])]
        count = min(EXCHANGE_LIMIT, len(give), offer[main])
        return Exchange.of(give[:count], [main] * count)

    def choose_stake(self, view: View) -> int | None:
        """You kept the Streets: return the color of a die to put there, or None.

        `view.spare` must have a die of this color.  By default: your rarest color.
        """
        return min((color for color in Colour if view.spare[color]), key=lambda color: view.spare[color])

    def choose_dump(self, view: View) -> int | Dice:
        """You won the Investigator from another seat: return the color to put on it, one of `view.dump_colours`.

        If `view.placeable` is not 0 (Liza), you may instead return exactly that number of dice from `view.spare`, as
        counts (white, red, blue).  By default: your most frequent color.
        """
        return max(view.dump_colours, key=lambda color: view.spare[color])

    def choose_take(self, view: View) -> int | None:
        """You hold the Investigator: return the color of the die to take, one of `view.take_colours`.

        Return None to decline (if `view.protected`).  By default: decline if possible, else your most frequent color.
        """
        return None if view.protected else max(view.take_colours, key=lambda color: view.dice[color])

    # Questions that only some characters are asked (`view.character`)

    def choose_reroll(self, view: View) -> Die | tuple[int, int] | None:
        """You may reroll one die before the bids: return one of `view.rerollable`, or None to keep all dice.

        Only Franky is asked.  By default: a die with your rarest symbol, unless all symbols are equal.
        """
        color, token = min(view.rerollable, key=lambda die: view.symbols[die[1]])
        return None if view.symbols[token] == sum(view.dice) else Die(color, token)

    def choose_swap(self, view: View) -> tuple[int, int] | None:
        """You took a new token: return (color to give, color to take from the Speakeasy), or None for no swap.

        Give from `view.spare`, take from `view.speakeasy.dice`.  Only Nancy is asked.
        By default: a die of your rarest color for the color there that you have the most of.
        """
        stash, offer = view.dice, view.speakeasy.dice
        give = min((color for color in Colour if view.spare[color]), key=lambda color: stash[color])
        take = max((color for color in Colour if offer[color]), key=lambda color: stash[color])
        return (give, take) if stash[take] > stash[give] else None

    def choose_keep(self, view: View) -> int:
        """You drew two favors, `view.pair`: return the one to keep; the other is discarded face up.

        Only Timmy is asked.  By default: the higher one.
        """
        return max(view.pair)

    def choose_discard(self, view: View) -> int | None:
        """You have to take a die from the Investigator: return a favor of `view.hand` to discard instead, or None.

        After a discard, your hand limit is one lower for the rest of the game.  After None, `choose_take` is called.
        Only Roberts is asked, while his hand limit is above 2.  By default: None.
        """
        return None

    @classmethod
    def encode(cls, kind: str, answer: Any) -> Any:
        """Return an answer as plain values, in the form that `legality` expects.  Raises TypeError."""
        if kind == "bids":
            expected = "a list of pairs (token, favor)"
            bids = [answer] if isinstance(answer, Bid) else answer
            return [_numbers(bid, 2, expected, answer) for bid in _items(bids, None, expected, answer)]
        if kind == "exchange":
            expected = "None or (given, taken), each three counts (white, red, blue)"
            sides = NO_EXCHANGE if answer is None else answer
            return [_numbers(side, len(Colour), expected, answer) for side in _items(sides, 2, expected, answer)]
        if kind in ("stake", "take"):
            return None if answer is None else _number(answer, "None or a color (0 to 2)", answer)
        if kind == "dump":
            expected = "a color (0 to 2) or three counts (white, red, blue)"
            if items(answer) is not None:
                return _numbers(answer, len(Colour), expected, answer)
            return _number(answer, expected, answer)
        return cls._encode_trait(kind, answer)

    @classmethod
    def _encode_trait(cls, kind: str, answer: Any) -> Any:
        if kind == "keep":
            return _number(answer, "one favor of the pair", answer)
        if kind == "discard":
            return None if answer is None else _number(answer, "None or a favor", answer)
        if kind == "reroll":
            return None if answer is None else _numbers(answer, 2, "None or (color, token shown)", answer)
        if kind == "swap":
            return None if answer is None else _numbers(answer, 2, "None or (color given, color taken)", answer)
        raise TypeError(f"Gangster Dice has no decision of kind {kind!r}")


def _items(value: Any, count: int | None, expected: str, answer: Any) -> list[Any]:
    values = items(value)
    if values is None or (count is not None and len(values) != count):
        raise TypeError(f"expected {expected}, got {short_repr(answer)}")
    return list(values)


def _numbers(value: Any, count: int, expected: str, answer: Any) -> list[int]:
    return [_number(item, expected, answer) for item in _items(value, count, expected, answer)]


def _number(value: Any, expected: str, answer: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"expected {expected}, got {short_repr(answer)}")
    return operator.index(value)


__all__ = ["NO_EXCHANGE", "Bid", "Bot", "Colour", "Die", "Exchange", "Token", "View"]
