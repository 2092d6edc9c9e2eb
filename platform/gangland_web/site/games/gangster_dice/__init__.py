"""What pages show of Gangster Dice alone: its rules in a minute with a drawn round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gangland.game import Event
from gangland.games import game_named
from gangland.gangster_dice import events as gangster
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland_ladder.viewer.film import Film
from gangland_web.site.games import NAMES, Pages, happened_in


@dataclass(frozen=True, slots=True)
class GangsterBid:
    """What a seat rolled and bid.

    Attributes:
        dice: colour, symbol, and whether it counts for the bid.
        token: its name, its symbol; counted: how many dice show it; wins: whether it gets the token.
        held: its dice before the round and after it.
    """

    seat: int
    name: str
    dice: tuple[tuple[str, str, bool], ...]
    token: str
    symbol: str
    counted: int
    favor: int
    score: int
    wins: bool
    held: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GangsterRound:
    """A round; `holders` name who had each token as it began, `effects` tell what the tokens did."""

    bids: tuple[GangsterBid, ...]
    holders: tuple[tuple[str, str, str], ...]
    effects: tuple[str, ...]


def drawn(film: Film, number: int) -> GangsterRound:
    """Return a round as the rules page draws it."""
    first = next(stop for stop in film.stops if stop.round == number)
    return _gangster(*happened_in(film, number), first.before)


def _gangster(events: Sequence[Event], held: list[tuple[int, int]], before: dict[str, Any]) -> GangsterRound:
    happened = [gangster.typed(event) for event in events]
    faces = {event.seat: event.faces for event in happened if isinstance(event, gangster.Rolled)}
    won = {(event.token, event.seat) for event in happened if isinstance(event, gangster.Won)}
    bids = tuple(
        _bid(event.seat, faces[event.seat], *event.bids[0], (event.bids[0][0], event.seat) in won, held[event.seat])
        for event in happened
        if isinstance(event, gangster.Revealed)
    )
    holders = tuple(
        (TOKEN_NAMES[int(token)], SYMBOL_NAMES[int(token)], "nobody" if at["holder"] is None else NAMES[at["holder"]])
        for token, at in before["tokens"].items()
    )
    kinds = (gangster.Took, gangster.Moved, gangster.Exchanged, gangster.Staked, gangster.Dumped, gangster.Special)
    shown = (*kinds, gangster.Received)
    sentences = (game_named("gangster-dice").sentence(event, NAMES) for event in events if _is(event, shown))
    return GangsterRound(bids, holders, tuple(filter(None, sentences)))


def _is(event: Event, kinds: tuple[type, ...]) -> bool:
    return isinstance(gangster.typed(event), kinds)


def _bid(
    seat: int, faces: Sequence[Sequence[int]], token: int, favor: int, score: int, wins: bool, held: tuple[int, int]
) -> GangsterBid:
    dice = tuple(
        (COLOUR_NAMES[colour], SYMBOL_NAMES[face], face == token) for colour, row in enumerate(faces) for face in row
    )
    counted = sum(counts for _, _, counts in dice)
    return GangsterBid(
        seat, NAMES[seat], dice, TOKEN_NAMES[token], SYMBOL_NAMES[token], counted, favor, score, wins, held
    )


PAGES: Final = Pages(drawn_round=4, draw=drawn)
