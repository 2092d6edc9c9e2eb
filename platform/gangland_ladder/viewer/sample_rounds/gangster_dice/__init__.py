"""The sample round of Gangster Dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gangland.games import game_named
from gangland.gangster_dice import events as gangster
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland_ladder.viewer.sample_rounds import NAMES, Sample, events_and_dice
from gangland_ladder.viewer.timeline import Timeline


@dataclass(frozen=True, slots=True)
class GangsterBid:
    """A seat's roll and bid."""

    seat: int
    name: str
    dice: tuple[tuple[str, str, bool], ...]  # the color and symbol of each die, and whether the die counts for the bid
    token: str
    symbol: str
    counted: int  # the number of dice that show the token's symbol
    favor: int
    score: int
    wins: bool
    held: tuple[int, int]  # the seat's dice before and after the round


@dataclass(frozen=True, slots=True)
class GangsterRound:
    """The sample round."""

    bids: tuple[GangsterBid, ...]
    holders: tuple[tuple[str, str, str], ...]  # each token with its symbol and first holder
    effects: tuple[str, ...]  # as sentences


_EFFECTS: Final = (
    *(gangster.Took, gangster.Moved, gangster.Exchanged, gangster.Staked, gangster.Dumped, gangster.Special),
    gangster.Received,
)


def _draw(timeline: Timeline, number: int) -> GangsterRound:
    round_events, held = events_and_dice(timeline, number)
    events = [gangster.typed(event) for event in round_events]
    faces = {event.seat: event.faces for event in events if isinstance(event, gangster.Rolled)}
    winners = {(event.token, event.seat) for event in events if isinstance(event, gangster.Won)}
    bids = tuple(
        _bid(event.seat, faces[event.seat], *event.bids[0], (event.bids[0][0], event.seat) in winners, held[event.seat])
        for event in events
        if isinstance(event, gangster.Revealed)
    )
    tokens = next(frame for frame in timeline.frames if frame.round == number).before["tokens"]
    holders = tuple(
        (
            TOKEN_NAMES[int(token)],
            SYMBOL_NAMES[int(token)],
            "no one" if state["holder"] is None else NAMES[state["holder"]],
        )
        for token, state in tokens.items()
    )
    effects = (event for event in round_events if isinstance(gangster.typed(event), _EFFECTS))
    sentences = (game_named("gangster-dice").sentence(event, NAMES) for event in effects)
    return GangsterRound(bids, holders, tuple(filter(None, sentences)))


def _bid(
    seat: int, faces: Sequence[Sequence[int]], token: int, favor: int, score: int, wins: bool, held: tuple[int, int]
) -> GangsterBid:
    dice = tuple(
        (COLOUR_NAMES[color], SYMBOL_NAMES[face], face == token) for color, row in enumerate(faces) for face in row
    )
    counted = sum(counts for _, _, counts in dice)
    return GangsterBid(
        seat, NAMES[seat], dice, TOKEN_NAMES[token], SYMBOL_NAMES[token], counted, favor, score, wins, held
    )


SAMPLE: Final = Sample(round=4, draw=_draw)
