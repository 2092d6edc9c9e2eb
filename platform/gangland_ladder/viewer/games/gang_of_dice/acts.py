"""What a seat did in a round that its dice came or went by: the one act that explains the figure, from the events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gangland.game import Event
from gangland.gang_of_dice import events as gang
from gangland.gang_of_dice.story import listed
from gangland.gangster_dice import events as gangster
from gangland.gangster_dice.cards import COLOUR_NAMES, INVESTIGATOR, STREETS, Dice, of_colour

_LONGEST: Final = 120
"""A sentence that would be longer with the names of all seats goes without those of the others."""


def telling_of_gain(told: str, events: Sequence[Event], seat: int, gain: int, names: Sequence[str]) -> str:
    """Return a sentence of Gang of Dice, with the roll that won the round and what it won against.

    Args:
        told: the sentence so far, without its full stop.
        events: those of the round; gain: the dice that the seat has more after it.

    Returns:
        The sentence; as it was, but for the full stop, where the round that the seat won does not explain the gain.
    """
    happened = [gang.typed(event) for event in events]
    won = next((event for event in happened if isinstance(event, gang.RoundWon) and event.seat == seat), None)
    if won is None or won.dice - _stake(happened, seat) != gain:
        return f"{told}."
    stood = [event for event in happened if isinstance(event, gang.Stood)]
    equal = [event.seat for event in stood if event.total == won.total]
    if won.tie_break == "turn" and equal[0] != seat:  # it rolled before one of them, and had more dice than another
        return f"{told}."
    others = sorted((event for event in stood if event.seat != seat), key=lambda event: -event.total)
    bust = [names[event.seat] for event in happened if isinstance(event, gang.Busted)]
    called = [f"{event.total} of {names[event.seat]}" for event in others]
    called += [f"{'a bust' if len(bust) == 1 else 'busts'} of {listed(bust)}"] if bust else []
    counted = [str(event.total) for event in others]
    counted += ["a bust" if len(bust) == 1 else f"{len(bust)} busts"] if bust else []
    how = {"": "", "dice": " on more dice", "turn": " rolled first"}[won.tie_break]
    full = f"{told}, with {won.total}{how} against {listed(called)}."
    return full if len(full) <= _LONGEST else f"{told}, with {won.total}{how} against {listed(counted)}."


def telling_of_loss(told: str, events: Sequence[Event], seat: int, loss: int) -> str:
    """Return a sentence of Gang of Dice, with the roll that a seat lost its stake on; see `telling_of_gain`."""
    happened = [gang.typed(event) for event in events]
    if _stake(happened, seat) != loss:
        return f"{told}."
    if any(isinstance(event, gang.Busted) and event.seat == seat for event in happened):
        return f"{told}, staked on a roll that was bust."
    own = [event.total for event in happened if isinstance(event, gang.Stood) and event.seat == seat]
    best = [event.total for event in happened if isinstance(event, gang.RoundWon) and event.seat != seat]
    return f"{told}, staked on {own[0]} against {best[0]}." if own and best else f"{told}."


def telling_of_riddance(told: str, events: Sequence[Event], seat: int, rid: int) -> str:
    """Return a sentence of Gangster Dice, with the one act by which a seat got rid of so many dice.

    Args:
        told: the sentence so far, without its figure and its full stop.
        events: those of the round; rid: the dice that the seat has fewer after it.

    Returns:
        The sentence; with the figure alone where no single act explains it.
    """
    happened = [gangster.typed(event) for event in events]
    acts: list[tuple[int, Dice]] = []
    for event in happened:
        if isinstance(event, gangster.Staked) and event.seat == seat and event.colour is not None:
            acts.append((STREETS, of_colour(event.colour)))
        elif isinstance(event, gangster.Dumped) and event.seat == seat and event.colour is not None:
            acts.append((INVESTIGATOR, of_colour(event.colour, event.dice)))
        elif isinstance(event, gangster.Placed) and event.seat == seat:
            acts.append((INVESTIGATOR, event.dice))
    acts = [(token, dice) for token, dice in acts if sum(dice)]
    won = {event.token for event in happened if isinstance(event, gangster.Won) and event.seat == seat}
    if len(acts) != 1 or acts[0][0] not in won or sum(acts[0][1]) != rid:
        return f"{told}: {rid}."
    token, dice = acts[0]
    parts = [
        f"{count} {colour} {'die' if count == 1 else 'dice'}"
        for count, colour in zip(dice, COLOUR_NAMES, strict=True)
        if count
    ]
    if token == STREETS:
        return f"{told}: it won the Streets and put {listed(parts)} on them."
    return f"{told}: it won the Investigator and pinned {listed(parts)} on it."


def _stake(happened: Sequence[gang.TypedEvent], seat: int) -> int:
    """Return how many dice a seat staked in a round, 0 for none."""
    return next((len(event.dice) for event in happened if isinstance(event, gang.Rolled) and event.seat == seat), 0)
