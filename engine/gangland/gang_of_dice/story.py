"""An event of Gang of Dice as an English sentence."""

from __future__ import annotations

from collections.abc import Sequence

from gangland.game import Event
from gangland.gang_of_dice.events import AllBust, Busted, Eliminated, Ended, Rolled, RoundBegan, RoundWon, Stood, typed
from gangland.gang_of_dice.warnings import GANGSTER, NUMBER_OF, NUMBERS, WARNINGS
from gangland.words import join_and, number_word

Names = tuple[str, ...]

_MAX_LISTED = 8
"""The maximum number of dice to list one by one; more are counted by face."""


def dice_text(dice: Sequence[int]) -> str:
    """Return dice as text, the best first: "5, 5, 2 and a gangster"."""
    if len(dice) > _MAX_LISTED:
        return faces_text(dice)
    parts = [str(face) for face in sorted(dice, reverse=True) if face != GANGSTER]
    return join_and([*parts, *_count_face(dice, GANGSTER)])


def faces_text(dice: Sequence[int]) -> str:
    """Return dice counted by face, so that no face looks like a number of dice: "two 5s, a 2 and a gangster"."""
    return join_and([part for face in (*reversed(NUMBERS), GANGSTER) for part in _count_face(dice, face)])


def _count_face(dice: Sequence[int], face: int) -> list[str]:
    count = dice.count(face)
    name = "gangster" if face == GANGSTER else str(face)
    return [f"a {name}" if count == 1 else f"{number_word(count)} {name}s"] if count else []


def _count(number: int, noun: str = "dice") -> str:
    return f"{number} {'die' if noun == 'dice' and number == 1 else noun}"


def sentence(event: Event, names: Names) -> str | None:
    """Return the event as a sentence."""
    match typed_event := typed(event):
        case RoundBegan():
            card = WARNINGS[NUMBER_OF[typed_event.card]]
            text = f"The warning is {card.id}, {card.colour}: {card.words}."
            on_table = [f"{_count(typed_event.carried)} left from before"] if typed_event.carried else []
            on_table += [f"{_count(typed_event.bonus, 'bonus dice')}"] if typed_event.bonus else []
            if on_table:
                text += f" On the table: {join_and(on_table)}."
            return f"{text} {names[typed_event.order[0]]} begins."
        case Rolled():
            return _rolled(typed_event, names)
        case Stood():
            return f"{names[typed_event.seat]} stands at {typed_event.total}."
        case Busted():
            return f"{names[typed_event.seat]} triggers the warning and is bust."
        case RoundWon():
            ties = {"": "", "dice": ", on more dice than any other with that total", "turn": ", having rolled it first"}
            won = f"{names[typed_event.seat]} wins the round with {typed_event.total}{ties[typed_event.tie_break]}"
            return f"{won}, and takes {_count(typed_event.dice)}."
        case AllBust():
            return f"Everybody is bust: {_count(typed_event.dice)} stay on the table."
        case Eliminated():
            verb = "is" if len(typed_event.seats) == 1 else "are"
            return f"{join_and([names[seat] for seat in typed_event.seats])} {verb} out of dice and out of the game."
        case Ended():
            held = join_and([f"{dice} for {name}" for name, dice in zip(names, typed_event.pools, strict=True)])
            left = f" {_count(typed_event.unclaimed)} on the table belong to nobody." if typed_event.unclaimed else ""
            return f"The game is over. Dice at the end: {held}.{left}"


def _rolled(event: Rolled, names: Names) -> str:
    name, rolled = names[event.seat], dice_text(event.dice)
    if len(event.dice) > 1:
        rolled += f", {sum(event.dice)} in all"
    if event.roll == 1:
        return f"{name} rolls {_count(len(event.dice))}: {rolled}."
    if len(event.again) == len(event.dice):
        rerolled_text = {1: "the die", 2: "both dice"}.get(len(event.dice), f"all {len(event.dice)} dice")
        return f"{name} rerolls {rerolled_text}: {rolled}."
    return f"{name} rerolls {faces_text(event.again)} and gets {faces_text(event.drawn)}, for {rolled}."
