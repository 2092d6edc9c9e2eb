"""A round of each game as its rules page draws it: out of a recorded game, so that every number is the engine's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gangland.game import Event
from gangland.games import game_named
from gangland.gang_of_dice import events as gang
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS, WarningCard
from gangland.gangster_dice import events as gangster
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland.replay import Replay, load
from gangland_ladder.viewer.film import film_of

NAMES: Final = ("Fox", "Owl", "Crow")
"""What the bots at the drawn tables are called."""
ROUND: Final = {"gang-of-dice": 1, "gangster-dice": 4}
"""Which round of the recorded game is drawn."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice as they lie after a roll: a face and whether it was just rolled again; their total, and what happened."""

    dice: tuple[tuple[str, bool], ...]
    total: int
    told: str


@dataclass(frozen=True, slots=True)
class GangTurn:
    """A seat's turn in Gang of Dice: `end` is "bust" or "stands"; `held`: its dice before the round and after it."""

    seat: int
    name: str
    rolls: tuple[Roll, ...]
    end: str
    held: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GangRound:
    """A round of Gang of Dice."""

    card: WarningCard
    turns: tuple[GangTurn, ...]
    winner: int
    told: str


@dataclass(frozen=True, slots=True)
class GangsterBid:
    """What a seat of Gangster Dice rolled and bid.

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
    """A round of Gangster Dice; `holders` name who had each token as it began, `effects` tell what the tokens did."""

    bids: tuple[GangsterBid, ...]
    holders: tuple[tuple[str, str, str], ...]
    effects: tuple[str, ...]


def recorded_game(game: str) -> Replay:
    """Return the recorded game whose round is drawn."""
    name = f"round_{game.replace('-', '_')}.json"
    return load((files(__package__) / "examples" / name).read_text(encoding="utf-8"))


@cache
def drawn_round(game: str) -> GangRound | GangsterRound:
    """Return the round that a game's rules page draws."""
    replay, number = recorded_game(game), ROUND[game]
    film = film_of(replay, NAMES)
    held = dict(film.dice)
    change = list(zip(held[number], held[number + 1], strict=True))
    if game == "gang-of-dice":
        return _gang(film.events[number], change)
    first = next(stop for stop in film.stops if stop.round == number)
    return _gangster(film.events[number], change, first.before)


def _gang(events: Sequence[Event], held: list[tuple[int, int]]) -> GangRound:
    happened = [gang.typed(event) for event in events]
    began = next(event for event in happened if isinstance(event, gang.RoundBegan))
    won = next(event for event in happened if isinstance(event, gang.RoundWon))
    bust = {event.seat for event in happened if isinstance(event, gang.Busted)}
    turns = tuple(
        GangTurn(
            seat,
            NAMES[seat],
            tuple(_roll(event) for event in happened if isinstance(event, gang.Rolled) and event.seat == seat),
            "bust" if seat in bust else "stands",
            held[seat],
        )
        for seat in began.order
    )
    told = game_named("gang-of-dice").sentence(won, NAMES) or ""
    return GangRound(WARNINGS[NUMBER_OF[began.card]], turns, won.seat, told)


def _roll(event: gang.Rolled) -> Roll:
    fresh, dice = list(event.drawn) if event.again else [], []
    for face in reversed(event.dice):
        new = face in fresh
        if new:
            fresh.remove(face)
        dice.append((str(face or "gangster"), new))
    return Roll(tuple(dice), sum(event.dice), game_named("gang-of-dice").sentence(event, NAMES) or "")


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
    seat: int,
    faces: Sequence[Sequence[int]],
    token: int,
    favor: int,
    score: int,
    wins: bool,
    held: tuple[int, int],
) -> GangsterBid:
    dice = tuple(
        (COLOUR_NAMES[colour], SYMBOL_NAMES[face], face == token) for colour, row in enumerate(faces) for face in row
    )
    counted = sum(counts for _, _, counts in dice)
    return GangsterBid(
        seat, NAMES[seat], dice, TOKEN_NAMES[token], SYMBOL_NAMES[token], counted, favor, score, wins, held
    )
