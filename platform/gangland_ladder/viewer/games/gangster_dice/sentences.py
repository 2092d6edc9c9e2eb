"""Texts of Gangster Dice: questions, decisions, situations, and the story of how a winner got rid of its dice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gangland.game import Event
from gangland.gangster_dice import cards
from gangland.gangster_dice import events as e
from gangland.gangster_dice.rules import GAME
from gangland.gangster_dice.views import View
from gangland.words import join_and

_count: Final = GAME.unit.counted
_SMALL_STASH, _MEDIUM_STASH = 3, 6  # Limits by which `situation` classifies the size of a stash.


def counts_text(counts: Sequence[int]) -> str:
    """Return counts by color as "2 white and 1 blue" or "no dice"."""
    parts = [f"{count} {name}" for count, name in zip(counts, cards.COLOUR_NAMES, strict=True) if count]
    return join_and(parts) or "no dice"


def favor_name(card: int) -> str:
    """Return the text of a favor card."""
    return "+4" if card == cards.SPECIAL else str(card)


def discards_text(discards: Sequence[int]) -> str:
    """Return the number of discarded favors of each value."""
    return ", ".join(f"{favor_name(favor)} ×{count}" for favor, count in enumerate(discards) if count) or "none"


def _bids_question(view: View) -> str:
    if view.bids_required == 1:
        return "Place your bid: pick a token and a favor card."
    return f"Place {view.bids_required} bids: pick a token and a favor card for each."


def _exchange_question(view: View) -> str:
    limit = min(cards.EXCHANGE_LIMIT, sum(view.spare), sum(view.speakeasy.dice))
    return f"Exchange dice with the Speakeasy? (up to {limit})"


QUESTIONS: Final[dict[str, Callable[[View], str]]] = {
    "bids": _bids_question,
    "exchange": _exchange_question,
    "stake": lambda _: "Put a die on the Streets?",
    "dump": lambda view: (
        f"Which color goes on the Investigator{f', or which {view.placeable} dice' if view.placeable else ''}?"
    ),
    "take": lambda view: (
        "Take a die from the Investigator? The Lawyer lets you refuse."
        if view.protected
        else "Which die do you take from the Investigator?"
    ),
    "reroll": lambda _: "Reroll one die?",
    "swap": lambda _: "Swap a die with the Speakeasy?",
    "keep": lambda _: "Which favor card do you keep?",
    "discard": lambda _: "Discard a favor card instead of taking a die?",
}


def situation(view: View) -> str:
    """Return the kind of situation in which a question is asked."""
    stash_size = sum(view.dice)
    size = (
        f"1 to {_SMALL_STASH}"
        if stash_size <= _SMALL_STASH
        else f"{_SMALL_STASH + 1} to {_MEDIUM_STASH}"
        if stash_size <= _MEDIUM_STASH
        else f"over {_MEDIUM_STASH}"
    )
    held_tokens = [token.token for token in view.tokens if token.holder == view.seat]
    tokens = len(held_tokens) - (cards.INVESTIGATOR in held_tokens)
    token_count = "no token" if not tokens else "1 token" if tokens == 1 else f"{tokens} tokens"
    return f"{size} own dice, {token_count}{', holds the Investigator' if cards.INVESTIGATOR in held_tokens else ''}"


def view_summary(view: View) -> str:
    """Return the main values of a view in one line, with seats numbered from 1."""
    symbols = [f"{count} {name}" for count, name in zip(view.symbols, cards.SYMBOL_NAMES, strict=True) if count]
    parts = [f"dice {counts_text(view.dice)}", f"symbols {', '.join(symbols) or 'none'}"]
    parts.append(f"favors {', '.join(map(str, view.hand)) or 'none'}")
    parts.append(f"others have {', '.join(str(sum(player.dice)) for player in view.opponents)} dice")
    holders = [
        f"{cards.TOKEN_NAMES[token.token]}: seat {token.holder + 1}"
        for token in view.tokens
        if token.holder is not None
    ]
    return "; ".join([*parts, *holders])


def _dump(decision: int | Sequence[int]) -> str:
    if isinstance(decision, int):  # there may be no unlocked die of that color (G23)
        return f"names {cards.COLOUR_NAMES[decision]} for the Investigator"
    return f"puts {counts_text(decision)} on the Investigator"


DECISIONS: Final[dict[str, Callable[[Any], str]]] = {
    "bids": lambda bids: (
        "bids "
        + " and ".join(f"the favor {favor_name(favor)} on the {cards.TOKEN_NAMES[token]}" for token, favor in bids)
    ),
    "exchange": lambda sides: (
        f"gives {counts_text(sides[0])} for {counts_text(sides[1])}" if sum(sides[0]) else "exchanges nothing"
    ),
    "stake": lambda color: f"puts {'no' if color is None else f'a {cards.COLOUR_NAMES[color]}'} die on the Streets",
    "dump": _dump,
    "take": lambda color: "takes no die" if color is None else f"takes a {cards.COLOUR_NAMES[color]} die",
    "reroll": lambda die: (
        f"rerolls a {cards.COLOUR_NAMES[die[0]]} {cards.SYMBOL_NAMES[die[1]]}" if die else "rerolls no die"
    ),
    "swap": lambda dice: (
        f"swaps a {cards.COLOUR_NAMES[dice[0]]} die for a {cards.COLOUR_NAMES[dice[1]]} one" if dice else "swaps no die"
    ),
    "keep": lambda favor: f"keeps the favor {favor_name(favor)}",
    "discard": lambda favor: "discards no favor" if favor is None else f"discards the favor {favor_name(favor)}",
}


def _put(dice: int | Sequence[int]) -> str:
    return f"Put all {cards.COLOUR_NAMES[dice]} dice" if isinstance(dice, int) else f"Put {_count(sum(dice))}"


BUTTONS: Final[dict[str, Callable[[Any], str]]] = {
    "bids": lambda bids: "Place bid" if len(bids) == 1 else "Place bids",
    "exchange": lambda sides: f"Exchange {_count(sum(sides[0]))}" if sum(sides[0]) else "Exchange nothing",
    "stake": lambda color: "Put no die" if color is None else f"Put a {cards.COLOUR_NAMES[color]} die",
    "dump": _put,
    "take": lambda color: "Take no die" if color is None else f"Take a {cards.COLOUR_NAMES[color]} die",
    "reroll": lambda die: (
        f"Reroll the {cards.COLOUR_NAMES[die[0]]} {cards.SYMBOL_NAMES[die[1]]}" if die else "Keep all dice"
    ),
    "swap": lambda dice: "Swap dice" if dice else "Swap nothing",
    "keep": lambda favor: f"Keep favor {favor_name(favor)}",
    "discard": lambda favor: "Discard nothing" if favor is None else f"Discard favor {favor_name(favor)}",
}


# How winners got rid of their dice: the rounds, tokens and bids, from the events.

_TOKENS: Final = (cards.INVESTIGATOR, cards.STREETS)  # The tokens for a seat's dice, in the order of the sentences.


@dataclass(frozen=True, slots=True)
class DiceLeft:
    """Dice that a seat left on a token in a round."""

    round: int
    token: int
    dice: cards.Dice


def dice_left_by(events: Mapping[int, Sequence[Event]], seat: int) -> list[DiceLeft]:
    """Return the dice that a seat left on tokens, in order."""
    acts = []
    for number, round_events in events.items():
        for event in map(e.typed, round_events):
            if isinstance(event, e.Staked) and event.seat == seat and event.colour is not None:
                acts.append(DiceLeft(number, cards.STREETS, cards.of_color(event.colour)))
            elif isinstance(event, e.Dumped) and event.seat == seat and event.colour is not None:
                acts.append(DiceLeft(number, cards.INVESTIGATOR, cards.of_color(event.colour, event.dice)))
            elif isinstance(event, e.Placed) and event.seat == seat:
                acts.append(DiceLeft(number, cards.INVESTIGATOR, event.dice))
    return [act for act in acts if sum(act.dice)]


def how_won_sentence(events: Mapping[int, Sequence[Event]], seat: int, name: str) -> str:
    """Return a sentence about the tokens on which a seat left dice, and the rounds in which it took dice."""
    acts = dice_left_by(events, seat)
    parts = []
    for token in _TOKENS:
        on_token = [act for act in acts if act.token == token]
        if on_token:
            dice = _count(sum(sum(act.dice) for act in on_token))
            parts.append(f"{dice} on the {cards.TOKEN_NAMES[token]} ({_rounds([act.round for act in on_token])})")
    sentence = f"{name} left {join_and(parts)}" if parts else f"{name} left no dice on tokens"
    received = [
        number
        for number, round_events in events.items()
        for event in map(e.typed, round_events)
        if isinstance(event, e.Received) and event.seat == seat
    ]
    if received:
        sentence += f", and took {_count(len(received))} ({_rounds(received)})"
    return f"{sentence}."


def last_dice_sentence(events: Mapping[int, Sequence[Event]], seat: int, names: Sequence[str]) -> str | None:
    """Return a sentence about the bids by which a seat got rid of its last dice, or None if it had no such bids."""
    number = max(events)
    last_acts = dice_left_by({number: events[number]}, seat)
    if not last_acts:
        return None
    round_events = [e.typed(event) for event in events[number]]
    ways = [
        f"{counts_text(act.dice)} on the {cards.TOKEN_NAMES[act.token]}{_bid(round_events, act.token, seat, names)}"
        for act in last_acts
    ]
    unit = "die" if sum(sum(act.dice) for act in last_acts) == 1 else "dice"
    return f"{names[seat]}'s last {unit} went in round {number}: {'; '.join(ways)}."


def gain_sentence(sentence: str, events: Sequence[Event], seat: int, lost: int) -> str:
    """Complete the sentence with the token that received all `lost` dice of a round, or only with their number."""
    typed_events = [e.typed(event) for event in events]
    acts = dice_left_by({0: events}, seat)
    won_tokens = {event.token for event in typed_events if isinstance(event, e.Won) and event.seat == seat}
    if len(acts) != 1 or acts[0].token not in won_tokens or sum(acts[0].dice) != lost:
        return f"{sentence}: {lost}."
    parts = [
        f"{count} {color} {'die' if count == 1 else 'dice'}"
        for count, color in zip(acts[0].dice, cards.COLOUR_NAMES, strict=True)
        if count
    ]
    if acts[0].token == cards.STREETS:
        return f"{sentence}: it won the Streets and put {join_and(parts)} on them."
    return f"{sentence}: it won the Investigator and pinned {join_and(parts)} on it."


def _bid(events: Sequence[e.TypedEvent], token: int, seat: int, names: Sequence[str]) -> str:
    win = next((event for event in events if isinstance(event, e.Won) and event.token == token), None)
    if win is None or win.seat != seat:
        return ""
    if win.over:
        return f", won with {win.score} in a tie with {join_and([names[rival] for rival in win.over])}"
    rivals = [
        f"{score} by {names[event.seat]}"
        for event in events
        if isinstance(event, e.Revealed) and event.seat != seat
        for bid_on, _, score in event.bids
        if bid_on == token
    ]
    return f", won with {win.score} {f'against {join_and(rivals)}' if rivals else 'unopposed'}"


def _rounds(numbers: Sequence[int]) -> str:
    rounds = list(dict.fromkeys(map(str, numbers)))
    return f"{'round' if len(rounds) == 1 else 'rounds'} {join_and(rounds)}"
