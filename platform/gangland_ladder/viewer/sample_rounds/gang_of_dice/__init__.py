"""The sample round of Gang of Dice."""

from dataclasses import dataclass
from typing import Final

from gangland.games import game_named
from gangland.gang_of_dice import events as gang
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS, WarningCard
from gangland_ladder.viewer.sample_rounds import NAMES, Sample, events_and_dice
from gangland_ladder.viewer.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice after a roll, their total, and the event as a sentence."""

    dice: tuple[tuple[str, bool], ...]  # each with its face and whether it was just rerolled
    total: int
    sentence: str


@dataclass(frozen=True, slots=True)
class GangTurn:
    """A seat's turn."""

    seat: int
    name: str
    rolls: tuple[Roll, ...]
    end: str  # "bust" or "stands"
    held: tuple[int, int]  # the seat's dice before and after the round


@dataclass(frozen=True, slots=True)
class GangRound:
    """The sample round."""

    card: WarningCard
    turns: tuple[GangTurn, ...]
    winner: int
    sentence: str


def _draw(timeline: Timeline, number: int) -> GangRound:
    round_events, held = events_and_dice(timeline, number)
    events = [gang.typed(event) for event in round_events]
    round_began = next(event for event in events if isinstance(event, gang.RoundBegan))
    win = next(event for event in events if isinstance(event, gang.RoundWon))
    bust = {event.seat for event in events if isinstance(event, gang.Busted)}
    turns = tuple(
        GangTurn(
            seat,
            NAMES[seat],
            tuple(_roll(event) for event in events if isinstance(event, gang.Rolled) and event.seat == seat),
            "bust" if seat in bust else "stands",
            held[seat],
        )
        for seat in round_began.order
    )
    sentence = game_named("gang-of-dice").sentence(win, NAMES) or ""
    return GangRound(WARNINGS[NUMBER_OF[round_began.card]], turns, win.seat, sentence)


def _roll(event: gang.Rolled) -> Roll:
    new_faces, dice = list(event.drawn) if event.again else [], []
    for face in reversed(event.dice):
        is_new = face in new_faces
        if is_new:
            new_faces.remove(face)
        dice.append((str(face or "gangster"), is_new))
    return Roll(tuple(dice), sum(event.dice), game_named("gang-of-dice").sentence(event, NAMES) or "")


SAMPLE: Final = Sample(round=1, draw=_draw)
