"""How viewers present Gangster Dice: its scenes, sentences and terminal lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from gangland.game import Event
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland.gangster_dice.characters import HOUSE_SET
from gangland.gangster_dice.views import View
from gangland.replay import Replay
from gangland.view import View as AnyView
from gangland_ladder.viewer.games.gangster_dice import sentences
from gangland_ladder.viewer.games.gangster_dice.picture import draw_center, draw_seat
from gangland_ladder.viewer.games.gangster_dice.table import BiddingTable, html_parts, scene_of
from gangland_ladder.viewer.presentation import Presentation, seat_line, seats_of
from gangland_ladder.viewer.scenes import Scene

if TYPE_CHECKING:
    from rich.text import Text

_STYLES: Final = ("bold", "bold red", "bold blue")


class GangsterDicePresentation(Presentation):
    """Shows the four tokens, the cards, and each seat's dice, favors and bids."""

    style = "gangster"
    embed_height_px = 1150
    minor_events = frozenset({"dealt", "drew", "paired", "passed", "reshuffled"})
    hidden_kinds = frozenset({"keep"})  # not asked for two equal favors
    html_parts = staticmethod(html_parts)
    draw_seat = staticmethod(draw_seat)
    draw_center = staticmethod(draw_center)

    def table(self, replay: Replay) -> BiddingTable:
        return BiddingTable(self.table_scene, replay)

    def view_scene(self, view: AnyView, held: Sequence[int], defaulting: frozenset[int]) -> Scene:
        return scene_of(cast(View, view))

    def table_scene(self, state: Any, seats: int, defaulting: frozenset[int]) -> Scene:
        views = [cast(View, self.game.observe(state, seat, defaulting)) for seat in range(seats)]
        scene = scene_of(views[0])
        for seat, view in enumerate(views):
            scene["seats"][str(seat)]["hand"] = list(view.hand)
        scene.pop("own")
        return scene

    def held(self, scene: Scene) -> tuple[int, ...]:
        return tuple(sum(seat["dice"]) for seat in scene["seats"].values())

    def rolled(self, seat: Scene) -> int:
        return sum(len(faces) for faces in seat["faces"])

    def script_texts(self) -> dict[str, Any]:
        return {
            "tokens": TOKEN_NAMES,
            "colors": COLOUR_NAMES,
            "symbols": SYMBOL_NAMES,
            "unit": self.game.luck_unit,
            "more": self.game.unit.more_is_better,
        }

    def question(self, view: AnyView, kind: str, state: Any) -> str:
        return sentences.QUESTIONS[kind](cast(View, view))

    def decision(self, kind: str, decision: Any) -> str:
        return sentences.DECISIONS[kind](decision)

    def button(self, kind: str, decision: Any) -> str:
        return sentences.BUTTONS[kind](decision)

    def situation(self, view: AnyView, kind: str) -> str:
        return sentences.situation(cast(View, view))

    def view_summary(self, view: AnyView) -> str:
        return sentences.view_summary(cast(View, view))

    def abilities(self, scene: Scene, names: Sequence[str]) -> list[str]:
        # The printed game has the characters' names, but not their abilities (G34).
        ability = {character.name: character.ability for character in HOUSE_SET}
        characters = zip(names, (player["character"] for player in scene["seats"].values()), strict=True)
        return [
            f"{name}, {character} (house rule): {ability[character]}" for name, character in characters if character
        ]

    def win_reason(self, held: Sequence[int], winners: Sequence[int]) -> str:
        return ""

    def ways_to_win(
        self, events: Mapping[int, Sequence[Event]], names: Sequence[str], winner: int, *, by_rules: bool
    ) -> list[tuple[str, int | None]]:
        last_dice = sentences.last_dice_sentence(events, winner, names) if by_rules else None
        acts = sentences.dice_left_by(events, winner)
        way = sentences.how_won_sentence(events, winner, names[winner])
        return [*([(last_dice, max(events))] if last_dice else []), (way, acts[0].round if acts else None)]

    def gain(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        return sentences.gain_sentence(
            f"{names[seat]} got rid of the most dice at once in round {number}", events, seat, count
        )

    def loss(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        return f"{names[seat]} took the most dice at once in round {number}: {count}."

    def terminal_lines(self, scene: Scene, names: Sequence[str]) -> Iterator[Text]:
        from rich.text import Text

        for number, token in scene["tokens"].items():
            holder = "nobody" if token["holder"] is None else names[token["holder"]]
            yield Text(f"{TOKEN_NAMES[int(number)]:<13}{sentences.counts_text(token['dice'])}; {holder}")
        discards = sentences.discards_text(scene["discards"])
        yield Text(f"Deck {scene['deck']}, +4 left {scene['specials']}, discarded {discards}", style="dim")
        for seat, player in seats_of(scene):
            character = f" ({player['character']})" if player["character"] else ""
            yield seat_line(names[seat], seat, player, f"{sentences.counts_text(player['dice'])}{character}")
            yield Text.assemble("    ", *_faces_line(player["faces"]))
            yield Text(_hand_line(player))
        yield from map(Text, _own_lines(scene.get("own", {})))

    def terminal_aside(self, aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
        from rich.text import Text

        for seat, bids in aside.get("laid", {}).items():
            bids_text = " and ".join(f"{favor} on the {TOKEN_NAMES[token]}" for token, favor in bids)
            yield Text(f"{names[int(seat)]} has laid {bids_text}")


PRESENTATION = GangsterDicePresentation


def _faces_line(faces: Sequence[Sequence[int]]) -> Iterator[tuple[str, str]]:
    for color, tokens in enumerate(faces):
        if tokens:
            yield f"{COLOUR_NAMES[color]} {' '.join(SYMBOL_NAMES[token] for token in tokens)}  ", _STYLES[color]


def _hand_line(seat: Scene) -> str:
    hand = seat["hand"]
    favors = f"{seat['favors']} favors" if hand is None else f"favors {', '.join(map(str, hand)) or 'none'}"
    special = f", {seat['specials']} of them +4" if hand is None and seat["specials"] else ""
    bids = " and ".join(f"{TOKEN_NAMES[token]} with {favor} = {score}" for token, favor, score in seat["bids"])
    return f"    {favors}{special}{f'; bid {bids}' if bids else ''}"


def _own_lines(own_values: Scene) -> Iterator[str]:
    if not own_values:
        return
    if sum(own_values["locked"]):
        yield f"Own locked dice: {sentences.counts_text(own_values['locked'])}"
    if own_values["exchanged"]:
        gives, takes = own_values["exchanged"]
        yield f"Own exchange: {sentences.counts_text(gives)} for {sentences.counts_text(takes)}"
    if own_values["staked"] is not None:
        yield f"Own stake: a {COLOUR_NAMES[own_values['staked']]} die"
    if own_values["pair"]:
        yield f"Own pair: the favors {own_values['pair'][0]} and {own_values['pair'][1]}; one of them is kept"
