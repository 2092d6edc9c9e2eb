"""What a view of Gangster Dice shows, as a scene."""

from __future__ import annotations

from gangland.gangster_dice.views import Player, View
from gangland_ladder.viewer.scenes import Scene


def scene_of(view: View) -> Scene:
    """Return what a view shows."""
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
            str(player.seat): _seat(view, player, [[int(b.token), b.favor, b.score] for b in bids[player.seat]])
            for player in view.players
        },
        "own": {
            "locked": list(view.locked),
            "exchanged": view.exchanged and [list(side) for side in view.exchanged],
            "staked": view.staked,
            "pair": list(view.pair),
        },
    }


def _seat(view: View, player: Player, bids: list[list[int]]) -> Scene:
    """Return a seat's part, with the roll of the dice that it still has: those given away are the last of a colour."""
    return {
        "dice": list(player.dice),
        "faces": [list(map(int, faces[:left])) for faces, left in zip(player.faces, player.dice, strict=True)],
        "hand": list(view.hand) if player.seat == view.seat else None,
        "favors": player.hand_size,
        "specials": player.specials,
        "character": player.character.name if player.character else None,
        "bids": bids,
        "fault": player.defaulting,
    }
