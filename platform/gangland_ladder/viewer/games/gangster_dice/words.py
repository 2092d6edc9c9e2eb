"""Decisions and situations of Gangster Dice in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from gangland.gangster_dice.cards import COLOUR_NAMES, EXCHANGE_LIMIT, INVESTIGATOR, SPECIAL, SYMBOL_NAMES, TOKEN_NAMES
from gangland.gangster_dice.views import View
from gangland.words import listed, listed_or

_FEW, _SOME = 3, 6
"""Dice of a stash up to which it is few, and some."""


def counts_in_words(counts: Sequence[int]) -> str:
    """Return counts by colour as "2 white and 1 blue", "no dice" for none."""
    parts = [f"{count} {name}" for count, name in zip(counts, COLOUR_NAMES, strict=True) if count]
    return listed(parts) or "no dice"


def favor_name(card: int) -> str:
    """Return what stands on a favor card."""
    return "+4" if card == SPECIAL else str(card)


def discards_in_words(discards: Sequence[int]) -> str:
    """Return how many favors of each value lie in the discards."""
    return ", ".join(f"{favor_name(favor)} ×{count}" for favor, count in enumerate(discards) if count) or "none"


def _favors(hand: Sequence[int]) -> str:
    return listed([favor_name(card) for card in hand])


def _hand(hand: Sequence[int]) -> str:
    return f"the favor{'' if len(hand) == 1 else 's'} {_favors(hand)}"


def _bids_question(view: View) -> str:
    shown = listed([f"the {TOKEN_NAMES[token]} ({view.symbols[token]})" for token in view.legal_tokens])
    bids = "Bid on one" if view.bids_required == 1 else f"Bid on {view.bids_required}"
    return f"{bids} of {shown}, with {_hand(view.hand)}?"


def _exchange_question(view: View) -> str:
    return (
        f"Exchange up to {min(EXCHANGE_LIMIT, sum(view.spare))} of {counts_in_words(view.spare)} for as many of "
        f"{counts_in_words(view.speakeasy.dice)} at the Speakeasy?"
    )


def _dump_question(view: View) -> str:
    colours = listed_or([COLOUR_NAMES[colour] for colour in view.dump_colours])
    or_any = f", or exactly {view.placeable} dice of any colours" if view.placeable else ""
    given = counts_in_words(view.spare)
    return f"All dice of which colour go on the Investigator: {colours}{or_any}? To give there are {given}."


def _take_question(view: View) -> str:
    colours = listed_or([COLOUR_NAMES[colour] for colour in view.take_colours])
    return f"Take a {colours} die from the Investigator{', or none, thanks to the Lawyer' if view.protected else ''}?"


QUESTIONS: Final[dict[str, Callable[[View], str]]] = {
    "bids": _bids_question,
    "exchange": _exchange_question,
    "stake": lambda view: f"Put one of {counts_in_words(view.spare)} on the Streets, or none?",
    "dump": _dump_question,
    "take": _take_question,
    "reroll": lambda _: "Reroll one of the dice, or none?",
    "swap": lambda view: (
        f"Swap one of {counts_in_words(view.spare)} for one of {counts_in_words(view.speakeasy.dice)} "
        "at the Speakeasy, or none?"
    ),
    "keep": lambda view: f"Keep the favor {listed_or(list(map(favor_name, view.pair)))}?",
    "discard": lambda view: f"Discard one of the favors {_favors(view.hand)} instead of taking a die, or none?",
}
"""By kind, how people ask it, with what is legal."""


def situation(view: View) -> str:
    """Return of which kind the situation of a question is."""
    own = sum(view.dice)
    size = f"1 to {_FEW}" if own <= _FEW else f"{_FEW + 1} to {_SOME}" if own <= _SOME else f"over {_SOME}"
    held = [token.token for token in view.tokens if token.holder == view.seat]
    tokens = len(held) - (INVESTIGATOR in held)
    token_count = "no token" if not tokens else "1 token" if tokens == 1 else f"{tokens} tokens"
    return f"{size} own dice, {token_count}{', holds the Investigator' if INVESTIGATOR in held else ''}"


def view_summary(view: View) -> str:
    """Return the chief things that a view shows in one line; seats are counted from 1."""
    shows = [f"{count} {name}" for count, name in zip(view.symbols, SYMBOL_NAMES, strict=True) if count]
    parts = [f"dice {counts_in_words(view.dice)}", f"symbols {', '.join(shows) or 'none'}"]
    parts.append(f"favors {', '.join(map(str, view.hand)) or 'none'}")
    parts.append(f"others have {', '.join(str(sum(player.dice)) for player in view.opponents)} dice")
    held = [f"{TOKEN_NAMES[each.token]}: seat {each.holder + 1}" for each in view.tokens if each.holder is not None]
    return "; ".join([*parts, *held])


def _bids(bids: Sequence[tuple[int, int]]) -> str:
    return "bids " + " and ".join(f"the favor {favor_name(favor)} on the {TOKEN_NAMES[token]}" for token, favor in bids)


def _exchange(decision: tuple[Sequence[int], Sequence[int]]) -> str:
    given, taken = decision
    return f"gives {counts_in_words(given)} for {counts_in_words(taken)}" if sum(given) else "exchanges nothing"


def _stake(colour: int | None) -> str:
    return f"puts {'no' if colour is None else f'a {COLOUR_NAMES[colour]}'} die on the Streets"


def _dump(decision: int | Sequence[int]) -> str:
    if isinstance(decision, int):  # it may have no unlocked die of that colour (G23)
        return f"names {COLOUR_NAMES[decision]} for the Investigator"
    return f"puts {counts_in_words(decision)} on the Investigator"


def _take(colour: int | None) -> str:
    return "takes no die" if colour is None else f"takes a {COLOUR_NAMES[colour]} die"


def _reroll(die: tuple[int, int] | None) -> str:
    if die is None:
        return "rerolls no die"
    colour, token = die
    return f"rerolls a {COLOUR_NAMES[colour]} {SYMBOL_NAMES[token]}"


def _swap(dice: tuple[int, int] | None) -> str:
    if dice is None:
        return "swaps no die"
    given, taken = dice
    return f"swaps a {COLOUR_NAMES[given]} die for a {COLOUR_NAMES[taken]} one"


def _keep(favor: int) -> str:
    return f"keeps the favor {favor_name(favor)}"


def _discard(favor: int | None) -> str:
    return "discards no favor" if favor is None else f"discards the favor {favor_name(favor)}"


DECISIONS: Final[dict[str, Callable[[Any], str]]] = {
    "bids": _bids,
    "exchange": _exchange,
    "stake": _stake,
    "dump": _dump,
    "take": _take,
    "reroll": _reroll,
    "swap": _swap,
    "keep": _keep,
    "discard": _discard,
}
"""By kind, how a decision in canonical form is told."""
