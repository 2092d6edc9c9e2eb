"""How viewers present Gang of Dice: its scenes, sentences and terminal lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from gangland.game import Event
from gangland.gang_of_dice import events as gang
from gangland.gang_of_dice.story import dice_text, faces_text
from gangland.gang_of_dice.views import View
from gangland.gang_of_dice.warnings import GANGSTER
from gangland.replay import Replay
from gangland.view import View as AnyView
from gangland.words import join_and
from gangland_ladder.viewer.games.gang_of_dice.picture import draw_center, draw_seat
from gangland_ladder.viewer.games.gang_of_dice.table import GangTable, html_parts, scene_of
from gangland_ladder.viewer.presentation import Presentation, seat_line, seats_of
from gangland_ladder.viewer.scenes import Scene

if TYPE_CHECKING:
    from rich.text import Text


_MAX_SENTENCE_CHARS: Final = 120  # A longer sentence omits the names of the other seats.


class GangOfDicePresentation(Presentation):
    """Shows the warning, the dice at stake, and each seat's roll and stash."""

    style = "gang"
    html_parts = staticmethod(html_parts)
    draw_seat = staticmethod(draw_seat)
    draw_center = staticmethod(draw_center)

    def table(self, replay: Replay) -> GangTable:
        return GangTable(self.table_scene, replay)

    def view_scene(self, view: AnyView, held: Sequence[int], defaulting: frozenset[int]) -> Scene:
        return scene_of(cast(View, view))

    def table_scene(self, state: Any, seats: int, defaulting: frozenset[int]) -> Scene:
        return scene_of(cast(View, self.game.observe(state, 0, defaulting)))  # no hand is hidden

    def owned(self, scene: Scene) -> tuple[int, ...]:
        """Include a seat's dice on the table until the round is over or the roll is bust."""
        players = scene["seats"].values()
        return tuple(
            player["dice"] + (len(player["roll"]) if scene["table"] and not player["bust"] else 0) for player in players
        )

    def rolled(self, seat: Scene) -> int:
        return len(seat["roll"])

    def decision_data(self, kind: str, decision: Any) -> dict[str, Any]:
        return {"again": decision} if kind == "reroll" else {}

    def question(self, view: AnyView, kind: str, state: Any) -> str:
        view = cast(View, view)
        if kind == "dice":
            return f"How many dice, 1 to {view.pool}?" if view.pool > 1 else "How many dice? Only one is left."
        warning = "The warning is triggered. " if view.triggered else ""
        rerolls = "1 reroll" if view.rerolls_left == 1 else f"{view.rerolls_left} rerolls"
        return f"{warning}Reroll any dice? ({rerolls} left)"

    def decision(self, kind: str, decision: Any) -> str:
        if kind == "dice":
            return f"rolls {self.game.unit.counted(decision)}"
        return f"rerolls {faces_text(decision)}" if decision else "stops"

    def button(self, kind: str, decision: Any) -> str:
        if kind == "reroll" and decision:
            return f"Reroll {self.game.unit.counted(len(decision))}"
        return super().button(kind, decision)

    def situation(self, view: AnyView, kind: str) -> str:
        view = cast(View, view)
        parts = [f"{view.card.colour} card"]
        if kind == "dice":
            place = "first" if view.first_seat == view.seat else "between others" if view.later_seats else "last"
            parts.append(f"{place} to roll")
        else:
            parts.append(f"after roll {3 - view.rerolls_left}")
            if view.triggered:
                parts.append("warning triggered")
            elif view.best_seat is None:
                parts.append("nobody leads")
            else:
                parts.append("would lead" if view.would_lead(view.total, view.stake) else "behind")
        return ", ".join(parts)

    def view_summary(self, view: AnyView) -> str:
        view = cast(View, view)
        parts = [f"card {view.card.id} ({view.card.colour}: {view.card.words})"]
        if view.dice:
            parts.append(f"rolled {dice_text(view.dice)}, {view.total} in all, rerolls left: {view.rerolls_left}")
        pools = ", ".join(f"{pool}{' (own)' if seat == view.seat else ''}" for seat, pool in enumerate(view.pools))
        parts.append(f"dice {pools}")
        parts.append(f"{view.table} on the table")
        if view.best_seat is not None:
            parts.append(f"seat {view.best_seat + 1} leads with {view.best_total} on {view.best_stake}")
        return "; ".join(parts)

    def win_reason(self, held: Sequence[int], winners: Sequence[int]) -> str:
        seats_left = [seat for seat, dice in enumerate(held) if dice]
        if not seats_left:
            return ", as the last to go out"
        return ", the only one with dice left" if seats_left == list(winners) and len(seats_left) == 1 else ""

    def gain(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        sentence = f"{names[seat]} won the most dice at once in round {number}: {count}"
        typed_events = [gang.typed(event) for event in events]
        win = next((event for event in typed_events if isinstance(event, gang.RoundWon) and event.seat == seat), None)
        if win is None or win.dice - _stake(typed_events, seat) != count:
            return f"{sentence}."
        valid_turns = [event for event in typed_events if isinstance(event, gang.Stood)]
        equal = [event.seat for event in valid_turns if event.total == win.total]
        # The seat rolled before one of the tied seats, and had more dice than another one.
        if win.tie_break == "turn" and equal[0] != seat:
            return f"{sentence}."
        rival_turns = sorted((event for event in valid_turns if event.seat != seat), key=lambda event: -event.total)
        bust = [names[event.seat] for event in typed_events if isinstance(event, gang.Busted)]
        with_names = [f"{event.total} by {names[event.seat]}" for event in rival_turns]
        with_names += [f"{'a bust' if len(bust) == 1 else 'busts'} by {join_and(bust)}"] if bust else []
        without_names = [str(event.total) for event in rival_turns]
        without_names += ["a bust" if len(bust) == 1 else f"{len(bust)} busts"] if bust else []
        tie_break = {"": "", "dice": " on more dice", "turn": " rolled first"}[win.tie_break]
        head = f"{sentence}, with {win.total}{tie_break} against"
        full = f"{head} {join_and(with_names)}."
        return full if len(full) <= _MAX_SENTENCE_CHARS else f"{head} {join_and(without_names)}."

    def loss(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        sentence = f"{names[seat]} lost the most dice at once in round {number}: {count}"
        typed_events = [gang.typed(event) for event in events]
        if _stake(typed_events, seat) != count:
            return f"{sentence}."
        if any(isinstance(event, gang.Busted) and event.seat == seat for event in typed_events):
            return f"{sentence}, staked on a bust roll."
        own_totals = [event.total for event in typed_events if isinstance(event, gang.Stood) and event.seat == seat]
        best_totals = [event.total for event in typed_events if isinstance(event, gang.RoundWon) and event.seat != seat]
        return (
            f"{sentence}, staked on {own_totals[0]} against {best_totals[0]}."
            if own_totals and best_totals
            else f"{sentence}."
        )

    def terminal_lines(self, scene: Scene, names: Sequence[str]) -> Iterator[Text]:
        from rich.text import Text

        card = scene["card"]
        color = "bold yellow" if card["color"] == "yellow" else "bold"
        yield Text.assemble((f"[{card['id']}] {card['color']}: {card['words']}", color))
        extra_dice = (("left", "left over"), ("bonus", "bonus dice"))
        parts = [f"{scene[name]} {label}" for name, label in extra_dice if scene[name]]
        details = f" ({', '.join(parts)})" if parts else ""
        yield Text(f"Table: {scene['table']} dice{details}")
        for seat, player in seats_of(scene):
            yield seat_line(names[seat], seat, player, f"{player['dice']} dice")
            if player["roll"]:
                dice = " ".join("G" if face == GANGSTER else str(face) for face in reversed(player["roll"]))
                best_mark = ", best" if scene["best"] == seat else ""
                yield Text.assemble("    ", (dice, "bold"), f"  = {player['total']}  ({player['state']}{best_mark})")

    def terminal_aside(self, aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
        from rich.text import Text

        if award := aside.get("award"):
            seat, dice = award
            yield Text(f"The round: {dice} dice {'stay on the table' if seat is None else f'for {names[seat]}'}")

    def terminal_help(self) -> Iterator[str]:
        yield "G among dice is a gangster."


PRESENTATION = GangOfDicePresentation


def _stake(typed_events: Sequence[gang.TypedEvent], seat: int) -> int:
    return next((len(event.dice) for event in typed_events if isinstance(event, gang.Rolled) and event.seat == seat), 0)
