"""Events as English sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from gangland.game import Event
from gangland.gangster_dice import events as e
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES, Dice, of_colour

Names = tuple[str, ...]


def sentence(event: Event, names: Names) -> str | None:
    """Return the event as a sentence, None when it is not worth one.

    Args:
        names: what to call the seats, in seat order.
    """
    typed = e.typed(event)
    return _TELLERS[type(typed)](typed, names)


def _seated(event: e.Seated, names: Names) -> str:
    return f"{names[event.seat]} is {event.character.name}."


def _dealt(event: e.Dealt, names: Names) -> str:
    return f"{names[event.seat]} is dealt {_hand(event.cards)}."


def _round(_event: e.Round, _names: Names) -> None:
    """Say nothing: what tells a story says which round it is in."""


def _rolled(event: e.Rolled, names: Names) -> str:
    dice = [
        f"{colour} {', '.join(SYMBOL_NAMES[face] for face in faces)}"
        for colour, faces in zip(COLOUR_NAMES, event.faces, strict=True)
        if faces
    ]
    return f"{names[event.seat]} rolls {'; '.join(dice)}."


def _rerolled(event: e.Rerolled, names: Names) -> str:
    old, new = SYMBOL_NAMES[event.old], SYMBOL_NAMES[event.new]
    return f"{names[event.seat]} rerolls a {COLOUR_NAMES[event.colour]} {old}: it shows a {new}."


def _revealed(event: e.Revealed, names: Names) -> str:
    bids = [f"on the {TOKEN_NAMES[token]} with {_favor(favor)}, scoring {score}" for token, favor, score in event.bids]
    return f"{names[event.seat]} bids {', and '.join(bids)}."


def _won(event: e.Won, names: Names) -> str:
    winner, token = names[event.seat], TOKEN_NAMES[event.token]
    if event.over:
        rivals = _and([names[seat] for seat in event.over])
        return f"{winner} ties with {rivals} at {event.score}, has the last word and wins the {token}."
    return f"{winner} wins the {token} with {event.score}."


def _tied(event: e.Tied, names: Names) -> str:
    seats = _and([names[seat] for seat in event.seats])
    return f"{seats} tie for the {TOKEN_NAMES[event.token]} at {event.score}: nobody wins it."


def _took(event: e.Took, names: Names) -> str:
    if event.previous is None:
        return f"{names[event.seat]} takes control of the {TOKEN_NAMES[event.token]}."
    return f"{names[event.seat]} takes the {TOKEN_NAMES[event.token]} from {names[event.previous]}."


def _moved(event: e.Moved, names: Names) -> str:
    if event.previous is None:
        return f"The Investigator turns up at {names[event.seat]}'s door."
    return f"The Investigator moves on from {names[event.previous]} to {names[event.seat]}."


def _exchanged(event: e.Exchanged, names: Names) -> str:
    if not sum(event.given):
        return f"{names[event.seat]} exchanges nothing at the Speakeasy."
    return f"{names[event.seat]} gives {_dice(event.given)} to the Speakeasy for {_dice(event.taken)}."


def _staked(event: e.Staked, names: Names) -> str:
    if event.colour is None:
        return f"{names[event.seat]} puts no die on the Streets."
    return f"{names[event.seat]} puts a {COLOUR_NAMES[event.colour]} die on the Streets."


def _dumped(event: e.Dumped, names: Names) -> str:
    if event.colour is None:
        return f"{names[event.seat]} has no die to pin on the Investigator."
    if not event.dice:
        return f"{names[event.seat]} names {COLOUR_NAMES[event.colour]} and pins nothing on the Investigator."
    return f"{names[event.seat]} pins {_dice(of_colour(event.colour, event.dice))} on the Investigator."


def _placed(event: e.Placed, names: Names) -> str:
    return f"{names[event.seat]} picks {_dice(event.dice)} and pins them on the Investigator."


def _swapped(event: e.Swapped, names: Names) -> str:
    if event.given is None or event.taken is None:
        return f"{names[event.seat]} swaps no die."
    given, taken = COLOUR_NAMES[event.given], COLOUR_NAMES[event.taken]
    return f"{names[event.seat]} slips a {given} die to the Speakeasy for a {taken} one."


def _special(event: e.Special, names: Names) -> str:
    return f"The Lawyer gets {names[event.seat]} a +4 favor."


def _reshuffled(event: e.Reshuffled, _names: Names) -> str:
    return f"The favor deck has run out: the {event.cards} discards are shuffled."


def _paired(event: e.Paired, names: Names) -> str:
    return f"{names[event.seat]} looks at {_and([_favor(card) for card in event.cards])}."


def _passed(event: e.Passed, names: Names) -> str:
    return f"{names[event.seat]} does not keep {_favor(event.favor)}."


def _drew(event: e.Drew, names: Names) -> str:
    return f"{names[event.seat]} draws {_and([_favor(card) for card in event.cards])}."


def _dropped(event: e.Dropped, names: Names) -> str:
    return f"{names[event.seat]} buys the Investigator off with {_favor(event.favor)}: no die, and a smaller hand."


def _received(event: e.Received, names: Names) -> str:
    return f"{names[event.seat]} takes a {COLOUR_NAMES[event.colour]} die from the Investigator."


def _declined(event: e.Declined, names: Names) -> str:
    return f"{names[event.seat]} is protected by the Lawyer and takes no die from the Investigator."


def _emptied(event: e.Emptied, names: Names) -> str:
    return f"{_and([names[seat] for seat in event.seats])} {'has' if len(event.seats) == 1 else 'have'} no dice left."


def _limit_reached(event: e.LimitReached, _names: Names) -> str:
    return f"Round {event.number} was the last, by house rule: the fewest dice win."


_TELLERS: Final[dict[type[Any], Callable[[Any, Names], str | None]]] = {
    e.Seated: _seated,
    e.Dealt: _dealt,
    e.Round: _round,
    e.Rolled: _rolled,
    e.Rerolled: _rerolled,
    e.Revealed: _revealed,
    e.Won: _won,
    e.Tied: _tied,
    e.Took: _took,
    e.Moved: _moved,
    e.Exchanged: _exchanged,
    e.Staked: _staked,
    e.Dumped: _dumped,
    e.Placed: _placed,
    e.Swapped: _swapped,
    e.Special: _special,
    e.Reshuffled: _reshuffled,
    e.Paired: _paired,
    e.Passed: _passed,
    e.Drew: _drew,
    e.Dropped: _dropped,
    e.Received: _received,
    e.Declined: _declined,
    e.Emptied: _emptied,
    e.LimitReached: _limit_reached,
}


def _and(parts: Sequence[str]) -> str:
    """Join as people do: "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _hand(cards: Sequence[int]) -> str:
    return f"the favor{'' if len(cards) == 1 else 's'} {_and([str(card) if card < 4 else '+4' for card in cards])}"


def _favor(card: int) -> str:
    return f"a {card}" if card < 4 else "a +4"


def _dice(dice: Dice) -> str:
    return _and(
        [
            f"{count} {colour} {'die' if count == 1 else 'dice'}"
            for count, colour in zip(dice, COLOUR_NAMES, strict=True)
            if count
        ]
    )
