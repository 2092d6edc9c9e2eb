"""What a view shows, as plain values that a viewer draws: in a terminal, on a page, on the site.

A scene has a part for each seat, under the seat's number from 0 as a text, so that two scenes of a game have the
same names all the way down and the later one can be told as a difference (`delta`).  A seat's scene is its view and
nothing else; the table's scene, for people who see all, has every seat's hand besides.
"""

from __future__ import annotations

from typing import Any

from gangland.game import Game
from gangland.gang_of_dice.views import Turn
from gangland.gang_of_dice.views import View as GangOfDiceView
from gangland.gangster_dice.characters import BY_KEY
from gangland.gangster_dice.views import Player
from gangland.gangster_dice.views import View as GangsterDiceView
from gangland.view import View

Scene = dict[str, Any]


def scene_of(view: View) -> Scene:
    """Return what a view shows."""
    if isinstance(view, GangOfDiceView):
        return _gang_of_dice(view)
    if isinstance(view, GangsterDiceView):
        return _gangster_dice(view)
    raise TypeError(f"no view of a game: {type(view).__name__}")


def table_scene(game: Game[Any], state: Any, seats: int, defaulting: frozenset[int]) -> Scene:
    """Return what lies on the table and in all hands."""
    views = [game.observe(state, seat, defaulting) for seat in range(seats)]
    scene = scene_of(views[0])
    for seat, view in enumerate(views):
        if isinstance(view, GangsterDiceView):
            scene["seats"][str(seat)]["hand"] = list(view.hand)
    scene.pop("own", None)
    return scene


def dice_held(scene: Scene) -> tuple[int, ...]:
    """Return how many dice each seat has in a scene, in seat order."""
    held = [seat["dice"] for seat in scene["seats"].values()]
    return tuple(dice if isinstance(dice, int) else sum(dice) for dice in held)


def copied(scene: Scene) -> Scene:
    """Return a scene of its own, all the way down; `deepcopy` takes several times as long."""
    copy: Scene = _copied(scene)
    return copy


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(each) for name, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value


def delta(before: Scene, now: Scene) -> Scene:
    """Return what of a scene differs from the one before: names with their new values, the same all the way down."""
    return {
        name: delta(before[name], value) if isinstance(value, dict) and isinstance(before.get(name), dict) else value
        for name, value in now.items()
        if name not in before or before[name] != value
    }


def _gang_of_dice(view: GangOfDiceView) -> Scene:
    turns = {turn.seat: turn for turn in view.turns}
    return {
        "card": {"id": view.card.id, "colour": str(view.card.colour), "words": view.card.words},
        "left": view.carried,
        "bonus": view.bonus,
        "table": view.table,
        "best": view.best_seat,
        "order": list(view.order),
        "seats": {str(seat): _gang_seat(view, seat, turns.get(seat)) for seat in range(view.seats)},
    }


def _gang_seat(view: GangOfDiceView, seat: int, turn: Turn | None) -> Scene:
    state = "out" if seat in view.eliminated else ""
    if turn is not None:
        state = "bust" if turn.bust else "stands" if turn.final else f"roll {len(turn.rolls)}"
    return {
        "dice": view.pools[seat],
        "roll": [] if turn is None else list(turn.dice),
        "total": None if turn is None else turn.total,
        "state": state,
        "fault": seat in view.defaulting,
    }


def _gangster_dice(view: GangsterDiceView) -> Scene:
    bids = view.bids or ((),) * view.seats
    return {
        "deck": view.deck,
        "discards": list(view.discards),
        "specials": view.specials,
        "tokens": {
            str(int(each.token)): {"dice": list(each.dice), "holder": each.holder, "winner": each.winner}
            for each in view.tokens
        },
        "seats": {
            str(player.seat): _gangster_seat(
                view, player, [[int(b.token), b.favor, b.score] for b in bids[player.seat]]
            )
            for player in view.players
        },
        "own": {
            "locked": list(view.locked),
            "exchanged": view.exchanged and [list(side) for side in view.exchanged],
            "staked": view.staked,
            "pair": list(view.pair),
        },
    }


def _gangster_seat(view: GangsterDiceView, player: Player, bids: list[list[int]]) -> Scene:
    """Return a seat's part, with the roll of the dice that it still has: those given away are the last of a colour."""
    return {
        "dice": list(player.dice),
        "faces": [list(map(int, faces[:left])) for faces, left in zip(player.faces, player.dice, strict=True)],
        "hand": list(view.hand) if player.seat == view.seat else None,
        "favors": player.hand_size,
        "specials": player.specials,
        "character": BY_KEY[player.character].name if player.character in BY_KEY else None,
        "bids": bids,
        "fault": player.defaulting,
    }
