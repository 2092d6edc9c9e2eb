"""A played game as its page shows it: its film, what its owners' bots logged, and what went wrong in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from zstandard import ZstdDecompressor

from gangland.games import game_named
from gangland.replay import Answered, Replay, Step, expand, load
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.errors.catalogue import fault_title
from gangland_ladder.matches.logs import LogPart
from gangland_ladder.proof.named_replays import named_replay
from gangland_ladder.viewer.film import END, Film, film_of
from gangland_ladder.viewer.games import presentation_of
from gangland_web.base.formats import fault_words
from gangland_web.models.matches import PlayedGame
from gangland_web.resources.matches.queries import MatchPage, SeatRow
from gangland_web.resources.visibility import CurrentUser, acts_for

_LOG_BYTES = 1024 * 1024
"""The most that a game's logs may weigh unpacked; the limits of play allow 64 KiB."""


@dataclass(frozen=True, slots=True)
class ShownLog:
    """What a bot of the visitor's logged in a game, whole and in parts; `number` is its seat, from 0."""

    number: int
    seat: SeatRow
    parts: tuple[LogPart, ...]

    @property
    def text(self) -> str:
        """The whole log."""
        return "\n".join(text for _, text in self.parts)

    @property
    def known(self) -> dict[int, str]:
        """The log of each decision of which that is known."""
        return {decision: text for decision, text in self.parts if decision is not None}


@dataclass(frozen=True, slots=True)
class ShownFault:
    """A seat's failure.

    Attributes:
        number: its seat, from 0; fault: its kind; word: what everybody is told.
        at: the address of its decision, None if it failed before its first or after the game; `where` says so.
        kind: of the question that it failed at; saw, legal: what it was shown and which answers there were, in words.
        title, message, log: for its owner alone, None for everybody else.
    """

    number: int
    seat: SeatRow
    fault: str
    word: str
    round: int
    where: str
    at: str | None = None
    kind: str = ""
    saw: str = ""
    legal: str = ""
    title: str | None = None
    message: str | None = None
    log: str | None = None


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game with all that its page says of it; `logs` and the details of `faults` are the visitor's own."""

    played: PlayedGame
    replay: Replay
    film: Film
    seats: tuple[SeatRow, ...]
    faults: tuple[ShownFault, ...]
    logs: tuple[ShownLog, ...]

    @property
    def unplaced_logs(self) -> dict[int, str]:
        """Whole logs, by seat, of which it is not known what was written at which decision."""
        return {log.number: log.text for log in self.logs if log.text and not log.known}


def shown_game(
    page: MatchPage, played: PlayedGame, who: CurrentUser | None, analysis: Analysis | None = None
) -> ShownGame:
    """Return what a game's page shows to whoever looks.

    Args:
        analysis: of the game, as much as is known.

    Raises:
        ReplayError: its rules are not known any more.
    """
    replay = load(played.replay)
    logs = own_logs(page, played, who)
    at_decisions = {number: text for log in logs for number, text in log.known.items()}
    film = film_of(replay, page.names(played.seating), logs=at_decisions, notes=notes_of(played), analysis=analysis)
    seats = tuple(page.seats[position] for position in played.seating)
    return ShownGame(played, replay, film, seats, _faults(played, replay, film, seats, who), logs)


def public_film(page: MatchPage, played: PlayedGame, analysis: Analysis | None = None) -> Film:
    """Return the game as anybody may have it.

    Raises:
        ReplayError: its rules are not known any more.
    """
    return film_of(load(played.replay), page.names(played.seating), notes=notes_of(played), analysis=analysis)


def replay_file(page: MatchPage, played: PlayedGame) -> str:
    """Return a game's replay as it is handed out, with the names of its bots, on one line."""
    return named_replay(played.replay, page.names(played.seating))


def notes_of(played: PlayedGame) -> dict[int, str]:
    """Return how seats failed, in the word that everybody is told, by decision."""
    return {each["decision"]: fault_words(each["kind"]) for each in played.faults if each["decision"] is not None}


def own_logs(page: MatchPage, played: PlayedGame, who: CurrentUser | None) -> tuple[ShownLog, ...]:
    """Return what the own bots of whoever looks logged in a game, by seat."""
    seats = [(number, page.seats[position]) for number, position in enumerate(played.seating)]
    mine = [(number, seat) for number, seat in seats if acts_for(who, seat)]
    if not mine or played.logs is None:
        return ()
    logs = json.loads(ZstdDecompressor().decompress(played.logs, max_output_size=_LOG_BYTES))
    return tuple(
        ShownLog(number, seat, tuple((decision, text) for decision, text in logs[seat.position]))
        for number, seat in mine
        if logs[seat.position]
    )


def _faults(
    played: PlayedGame, replay: Replay, film: Film, seats: tuple[SeatRow, ...], who: CurrentUser | None
) -> tuple[ShownFault, ...]:
    decisions = _decisions_of(replay, {fault["decision"] for fault in played.faults} - {None})
    return tuple(_fault(fault, replay, film, seats, decisions.get(fault["decision"]), who) for fault in played.faults)


def _decisions_of(replay: Replay, numbers: set[int]) -> dict[int, tuple[Step, Answered]]:
    """Return the decisions of these numbers, with the steps at which they were asked."""
    if not numbers:
        return {}
    return {
        answer.number: (step, answer)
        for step in expand(replay)
        for answer in step.answers
        if answer.number is not None and answer.number in numbers
    }


def _fault(
    fault: dict[str, Any],
    replay: Replay,
    film: Film,
    seats: tuple[SeatRow, ...],
    decision: tuple[Step, Answered] | None,
    who: CurrentUser | None,
) -> ShownFault:
    common = _common(fault, seats[fault["seat"]], mine=acts_for(who, seats[fault["seat"]]))
    if decision is None:
        late = (fault["seat"], None) not in replay.faults
        where = "after the game" if late else "before its first decision"
        return ShownFault(where=where, at=END if late else None, **common)
    step, answer = decision
    game, stop = game_named(replay.game), film.stops[fault["decision"]]
    return ShownFault(
        where=f"in round {stop.round}",
        at=stop.at,
        kind=answer.kind,
        saw=presentation_of(replay.game).view_summary(game.observe(step.before, stop.seat, step.defaulting)),
        legal=game.legal(step.before, stop.seat),
        log=stop.log if acts_for(who, seats[stop.seat]) else None,
        **common,
    )


def _common(fault: dict[str, Any], seat: SeatRow, *, mine: bool) -> dict[str, Any]:
    """Return what is told of any fault, wherever in the game it was."""
    return {
        "number": fault["seat"],
        "seat": seat,
        "fault": fault["kind"],
        "word": fault_words(fault["kind"]),
        "round": fault["round"],
        "title": fault_title(fault["kind"], fault["message"]) if mine else None,
        "message": fault["message"] if mine else None,
    }
