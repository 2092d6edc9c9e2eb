"""An event of Gang of Dice as an English sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gangland.game import Event
from gangland.gang_of_dice.events import AllBust, Busted, Eliminated, Ended, Rolled, RoundBegan, RoundWon, Stood, typed
from gangland.gang_of_dice.warnings import GANGSTER, NUMBER_OF, NUMBERS, WARNINGS
from gangland.words import listed, spelled

Names = tuple[str, ...]

_LISTED = 8
"""More dice than these are told by their faces, not one by one."""


def sentence(event: Event, names: Names) -> str | None:
    """Return the event as a sentence."""
    named = typed(event)
    return _TELLERS[type(named)](named, names)


def dice_in_words(dice: Sequence[int]) -> str:
    """Return dice as a person says them, the best first: "5, 5, 2 and a gangster"."""
    if len(dice) > _LISTED:
        return faces_in_words(dice)
    parts = [str(face) for face in sorted(dice, reverse=True) if face != GANGSTER]
    return listed([*parts, *_alike(dice, GANGSTER)])


def faces_in_words(dice: Sequence[int]) -> str:
    """Return dice by their faces, which no number of dice can be mistaken for: "two 5s, a 2 and a gangster"."""
    return listed([part for face in (*reversed(NUMBERS), GANGSTER) for part in _alike(dice, face)])


def _alike(dice: Sequence[int], face: int) -> list[str]:
    """Return the dice with a face in words; nothing for none."""
    count = dice.count(face)
    what = "gangster" if face == GANGSTER else str(face)
    return [f"a {what}" if count == 1 else f"{spelled(count)} {what}s"] if count else []


def _count(number: int, what: str = "dice") -> str:
    return f"{number} {'die' if what == 'dice' and number == 1 else what}"


def _round(event: RoundBegan, names: Names) -> str:
    card = WARNINGS[NUMBER_OF[event.card]]
    text = f"The warning is {card.id}, {card.colour}: {card.words}."
    on_table = [f"{_count(event.carried)} left from before"] if event.carried else []
    on_table += [f"{_count(event.bonus, 'bonus dice')}"] if event.bonus else []
    if on_table:
        text += f" On the table: {listed(on_table)}."
    return f"{text} {names[event.order[0]]} begins."


def _rolled(event: Rolled, names: Names) -> str:
    name, rolled = names[event.seat], dice_in_words(event.dice)
    if len(event.dice) > 1:
        rolled += f", {sum(event.dice)} in all"
    if event.roll == 1:
        return f"{name} rolls {_count(len(event.dice))}: {rolled}."
    if len(event.again) == len(event.dice):
        which = {1: "the die", 2: "both dice"}.get(len(event.dice), f"all {len(event.dice)} dice")
        return f"{name} rerolls {which}: {rolled}."
    return f"{name} rerolls {faces_in_words(event.again)} and gets {faces_in_words(event.drawn)}, for {rolled}."


def _stood(event: Stood, names: Names) -> str:
    return f"{names[event.seat]} stands at {event.total}."


def _busted(event: Busted, names: Names) -> str:
    return f"{names[event.seat]} triggers the warning and is bust."


def _won(event: RoundWon, names: Names) -> str:
    how = {"": "", "dice": ", on more dice than any other with that total", "turn": ", having rolled it first"}
    name, taken = names[event.seat], _count(event.dice)
    return f"{name} wins the round with {event.total}{how[event.tie_break]}, and takes {taken}."


def _all_bust(event: AllBust, _: Names) -> str:
    return f"Everybody is bust: {_count(event.dice)} stay on the table."


def _eliminated(event: Eliminated, names: Names) -> str:
    verb = "is" if len(event.seats) == 1 else "are"
    return f"{listed([names[seat] for seat in event.seats])} {verb} out of dice and out of the game."


def _ended(event: Ended, names: Names) -> str:
    held = listed([f"{dice} for {name}" for name, dice in zip(names, event.pools, strict=True)])
    left = f" {_count(event.unclaimed)} on the table belong to nobody." if event.unclaimed else ""
    return f"The game is over. Dice at the end: {held}.{left}"


_TELLERS: dict[type, Callable[[Any, Names], str]] = {
    RoundBegan: _round,
    Rolled: _rolled,
    Stood: _stood,
    Busted: _busted,
    RoundWon: _won,
    AllBust: _all_bust,
    Eliminated: _eliminated,
    Ended: _ended,
}
