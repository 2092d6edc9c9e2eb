"""How winners of Gangster Dice got rid of their dice: when, on which token, and by which bid, from the events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gangland.game import Event
from gangland.gangster_dice import events as e
from gangland.gangster_dice.cards import COLOUR_NAMES, INVESTIGATOR, STREETS, TOKEN_NAMES, Dice, of_colour
from gangland.words import listed
from gangland_ladder.viewer.games.gangster_dice.words import counts_in_words

_TOKENS: Final = (INVESTIGATOR, STREETS)
"""Those on which dice can be left, in the order in which they are told."""


@dataclass(frozen=True, slots=True)
class Act:
    """Dice that a seat left on a token in a round."""

    round: int
    token: int
    dice: Dice


def acts_of(events: Mapping[int, Sequence[Event]], seat: int) -> list[Act]:
    """Return how a seat got rid of dice in a game, in order.

    Args:
        events: those of the game by round.
    """
    found = []
    for number, happened in events.items():
        for event in map(e.typed, happened):
            if isinstance(event, e.Staked) and event.seat == seat and event.colour is not None:
                found.append(Act(number, STREETS, of_colour(event.colour)))
            elif isinstance(event, e.Dumped) and event.seat == seat and event.colour is not None:
                found.append(Act(number, INVESTIGATOR, of_colour(event.colour, event.dice)))
            elif isinstance(event, e.Placed) and event.seat == seat:
                found.append(Act(number, INVESTIGATOR, event.dice))
    return [act for act in found if sum(act.dice)]


def way_sentence(events: Mapping[int, Sequence[Event]], seat: int, name: str) -> str:
    """Return in one sentence where all dice of a seat went and in which rounds, and in which it took some in."""
    acts = acts_of(events, seat)
    parts = []
    for token in _TOKENS:
        on_it = [act for act in acts if act.token == token]
        if on_it:
            dice = sum(sum(act.dice) for act in on_it)
            parts.append(f"{_count(dice)} on the {TOKEN_NAMES[token]} ({_rounds([act.round for act in on_it])})")
    sentence = f"{name} left {listed(parts)}" if parts else f"{name} left no die anywhere"
    taken = [
        number
        for number, happened in events.items()
        for event in map(e.typed, happened)
        if isinstance(event, e.Received) and event.seat == seat
    ]
    if taken:
        sentence += f", and took {_count(len(taken))} in ({_rounds(taken)})"
    return f"{sentence}."


def last_dice_sentence(events: Mapping[int, Sequence[Event]], seat: int, names: Sequence[str]) -> str | None:
    """Return by which bids a seat got rid of its last dice, in one sentence; None if none went in the last round."""
    number = max(events)
    last = acts_of({number: events[number]}, seat)
    if not last:
        return None
    happened = [e.typed(event) for event in events[number]]
    ways = [
        f"{counts_in_words(act.dice)} on the {TOKEN_NAMES[act.token]}{_bid(happened, act.token, seat, names)}"
        for act in last
    ]
    what = "die" if sum(sum(act.dice) for act in last) == 1 else "dice"
    return f"{names[seat]}'s last {what} went in round {number}: {'; '.join(ways)}."


def riddance_sentence(sentence: str, events: Sequence[Event], seat: int, rid: int) -> str:
    """Return a sentence with the one act by which a seat got rid of so many dice.

    Args:
        sentence: the sentence so far, without its figure and its full stop.
        events: those of the round; rid: the dice that the seat has fewer after it.

    Returns:
        The sentence; with the figure alone where no single act explains it.
    """
    happened = [e.typed(event) for event in events]
    acts = acts_of({0: events}, seat)
    won = {event.token for event in happened if isinstance(event, e.Won) and event.seat == seat}
    if len(acts) != 1 or acts[0].token not in won or sum(acts[0].dice) != rid:
        return f"{sentence}: {rid}."
    parts = [
        f"{count} {colour} {'die' if count == 1 else 'dice'}"
        for count, colour in zip(acts[0].dice, COLOUR_NAMES, strict=True)
        if count
    ]
    if acts[0].token == STREETS:
        return f"{sentence}: it won the Streets and put {listed(parts)} on them."
    return f"{sentence}: it won the Investigator and pinned {listed(parts)} on it."


def _bid(happened: Sequence[e.TypedEvent], token: int, seat: int, names: Sequence[str]) -> str:
    """Return with what a token was won, and against what."""
    won = next((event for event in happened if isinstance(event, e.Won) and event.token == token), None)
    if won is None or won.seat != seat:
        return ""
    if won.over:
        return f", won with {won.score} in a tie with {listed([names[each] for each in won.over])}"
    rivals = [
        f"{score} of {names[event.seat]}"
        for event in happened
        if isinstance(event, e.Revealed) and event.seat != seat
        for bid_on, _, score in event.bids
        if bid_on == token
    ]
    return f", won with {won.score} {f'against {listed(rivals)}' if rivals else 'unopposed'}"


def _rounds(numbers: Sequence[int]) -> str:
    shown = list(dict.fromkeys(numbers))
    return f"{'round' if len(shown) == 1 else 'rounds'} {listed([str(number) for number in shown])}"


def _count(dice: int) -> str:
    return f"{dice} {'die' if dice == 1 else 'dice'}"
