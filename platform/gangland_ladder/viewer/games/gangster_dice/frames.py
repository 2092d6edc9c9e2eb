"""The table of Gangster Dice as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland_ladder.viewer.games.gangster_dice.words import counts_in_words, discards_in_words
from gangland_ladder.viewer.lines import seat_line, seats
from gangland_ladder.viewer.scenes import Scene

_COLOUR_STYLES: Final = ("bold", "bold red", "bold blue")


def frame(scene: Scene, names: Sequence[str]) -> Iterator[Text]:
    """Yield a scene as lines."""
    for number, token in scene["tokens"].items():
        holder = "nobody" if token["holder"] is None else names[token["holder"]]
        yield Text(f"{TOKEN_NAMES[int(number)]:<13}{counts_in_words(token['dice'])}; {holder}")
    discards = discards_in_words(scene["discards"])
    yield Text(f"Deck {scene['deck']}, +4 left {scene['specials']}, discarded {discards}", style="dim")
    for seat, each in seats(scene):
        who = f" ({each['character']})" if each["character"] else ""
        yield seat_line(names[seat], seat, each, f"{counts_in_words(each['dice'])}{who}")
        yield _faces(each["faces"])
        yield from _hand(each)
    if own := scene.get("own"):
        yield from _own(own)


def bids_laid(aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
    """Yield the bids that are put down and not turned up."""
    for seat, bids in aside.get("laid", {}).items():
        laid = " and ".join(f"{favor} on the {TOKEN_NAMES[token]}" for token, favor in bids)
        yield Text(f"{names[int(seat)]} has laid {laid}")


def _faces(faces: list[list[int]]) -> Text:
    parts: list[Any] = ["    "]
    for colour, tokens in enumerate(faces):
        if tokens:
            shown = " ".join(SYMBOL_NAMES[token] for token in tokens)
            parts.append((f"{COLOUR_NAMES[colour]} {shown}  ", _COLOUR_STYLES[colour]))
    return Text.assemble(*parts)


def _hand(each: Scene) -> Iterator[Text]:
    hand = each["hand"]
    favors = f"{each['favors']} favors" if hand is None else f"favors {', '.join(map(str, hand)) or 'none'}"
    special = f", {each['specials']} of them +4" if hand is None and each["specials"] else ""
    bids = " and ".join(f"{TOKEN_NAMES[token]} with {favor} = {score}" for token, favor, score in each["bids"])
    yield Text(f"    {favors}{special}{f'; bid {bids}' if bids else ''}")


def _own(own: Scene) -> Iterator[Text]:
    if sum(own["locked"]):
        yield Text(f"Own locked dice: {counts_in_words(own['locked'])}")
    if own["exchanged"]:
        given, taken = own["exchanged"]
        yield Text(f"Own exchange: {counts_in_words(given)} for {counts_in_words(taken)}")
    if own["staked"] is not None:
        yield Text(f"Own stake: a {COLOUR_NAMES[own['staked']]} die")
    if own["pair"]:
        yield Text(f"Own pair: the favors {own['pair'][0]} and {own['pair'][1]}, of which one is kept")
