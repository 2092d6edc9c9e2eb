"""Read the data for the page of a draft's run (a check, a match or a duel)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any, Final

from sqlmodel import Session

from gangland_ladder.analysis.account import MISTAKES
from gangland_ladder.common.texts import counted
from gangland_ladder.errors import fault_title, last_line
from gangland_ladder.matches.match_jobs import CheckReport, FailingView, Problem
from gangland_ladder.rating.duel_scores import DuelBlock, duel_score
from gangland_ladder.viewer.commentary import verdict
from gangland_ladder.viewer.timeline import Timeline
from gangland_web.base.formats import fault_label, seconds
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import DraftRun, JobState, RunKind, RunState
from gangland_web.models.matches import Match, PlayedGame
from gangland_web.queries.analyses import figures_of_games
from gangland_web.queries.bots import Finding, finding_of
from gangland_web.queries.matches import games_of
from gangland_web.services.drafts import DRAFT, DRAFT_CHECK, OWN_POSITION, RunSetup, check_of, kind_of, setup_of
from gangland_web.services.jobs import find_job, place_in_queue

MAX_WORST: Final = 5  # the maximum number of costliest decisions listed for a game
MIN_CONFIDENCE: Final = 0.9  # if the probability is at least this, one side of a duel is called probably better
SHORT_CHARS: Final = 160  # longer texts of a view's fields are folded


@dataclass(frozen=True, slots=True)
class RunFinding:
    """A problem that a check found."""

    finding: Finding
    view: FailingView | None  # the view where it occurred, if any
    method: str
    short: tuple[tuple[str, str], ...] = ()  # fields of the view, as name and text
    long: tuple[tuple[str, str], ...] = ()  # fields with long texts, which pages fold


@dataclass(frozen=True, slots=True)
class RunFault:
    """A seat's failure in a game."""

    name: str  # of the bot
    text: str
    round: int
    message: str | None  # None for an opponent
    line: int | None  # of the draft; None for an opponent


@dataclass(frozen=True, slots=True)
class RunGame:
    """A game of a run."""

    game_id: int
    number: int  # in the run, from 0
    block: int
    rotation: int
    seat: int  # the draft's seat, from 0
    won: bool
    place: int
    faults: tuple[RunFault, ...]
    cost: float | None  # of the draft's decisions, in shares of a win; None before the game is analyzed


@dataclass(frozen=True, slots=True)
class RunCosts:
    """The cost of the draft's decisions in an analyzed game, in shares of a win."""

    judged: int  # the number of judged decisions
    cost: float
    worst: tuple[tuple[str, str], ...]  # the costliest decisions: address and description


@dataclass(frozen=True, slots=True)
class SeatWins:
    """The draft's games and wins from a seat."""

    seat: int  # from 0
    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class RunPage:
    """The contents of a run's page."""

    run: DraftRun
    setup: RunSetup
    headline: str
    is_open: bool  # whether the run is waiting or under way
    ahead: int  # the number of runs that start before this one
    passed: bool  # whether this is a check that found no problem
    findings: tuple[RunFinding, ...]
    games: tuple[RunGame, ...]
    seats: tuple[SeatWins, ...]
    key: str | None  # of the run's match, for its URL
    confidence_text: str  # for a duel, which side is better; otherwise empty


def run_page(db: Session, run: DraftRun) -> RunPage:
    """Return the contents of a run's page."""
    setup, check = setup_of(run), check_of(run)
    match = None if run.match_id is None else db.get_one(Match, run.match_id)
    played = [] if match is None else games_of(db, row_id(match.id))
    costs = _costs(db, [row_id(game.id) for game in played])
    games = tuple(_game(setup, number, game, costs) for number, game in enumerate(played))
    job = find_job(db, kind_of(run), row_id(run.id))
    ahead = place_in_queue(db, job, DRAFT, DRAFT_CHECK) - 1 if job is not None and job.state == JobState.WAITING else 0
    findings = () if check is None else _findings(check)
    return RunPage(
        run=run,
        setup=setup,
        headline=_headline(run, job is not None and job.begun_at is not None, check, games),
        is_open=run.state == RunState.OPEN,
        ahead=ahead,
        passed=check is not None and not findings and not games,
        findings=findings,
        games=games,
        seats=_seats(games),
        key=None if match is None else match.key,
        confidence_text=_confidence_text(played) if played and run.kind == RunKind.DUEL else "",
    )


def run_costs(timeline: Timeline, played: PlayedGame) -> RunCosts | None:
    """Return the cost of the draft's decisions in a game, or None if it is not known."""
    seat = played.seating.index(OWN_POSITION)
    judged = [(frame, frame.judged) for frame in timeline.frames if frame.seat == seat and frame.judged is not None]
    if not judged:
        return None
    costliest = sorted((each for each in judged if each[1].mark in MISTAKES), key=lambda each: -each[1].cost)[
        :MAX_WORST
    ]
    worst = tuple((frame.at, f"{frame.did}. {verdict(timeline.game, judgment)}") for frame, judgment in costliest)
    return RunCosts(len(judged), fsum(judgment.cost for _, judgment in judged), worst)


def _headline(run: DraftRun, is_begun: bool, check: CheckReport | None, games: Sequence[RunGame]) -> str:
    name = {RunKind.CHECK: "check", RunKind.PLAY: "match", RunKind.DUEL: "duel"}[RunKind(run.kind)]
    if run.state == RunState.FAILED:
        return f"This {name} failed. {run.failed_for}"
    if check is None:
        return f"The {name} is running." if is_begun else f"Queued: the {name} starts when a worker is free."
    if problems := len(check.problems):
        no_game = "" if run.kind == RunKind.CHECK else " No game was played."
        return f"The check found {problems} problem{'s' if problems > 1 else ''}.{no_game}"
    if games:
        return f"Your bot won {sum(game.won for game in games)} of {len(games)} game{'s' if len(games) > 1 else ''}."
    is_complete = "timed" in check.stages
    summary = (
        f"No problem found in {counted(check.decisions, 'decision')}; the slowest took {seconds(check.slowest_s)}."
    )
    return summary if is_complete else f"{summary} This check was cut short. An upload is checked in full."


def _findings(check: CheckReport) -> tuple[RunFinding, ...]:
    views = {each.number: each for each in check.failing}
    return tuple(_finding(problem, views.get(problem.view or 0)) for problem in check.problems)


def _finding(problem: Problem, view: FailingView | None) -> RunFinding:
    fields = () if view is None else tuple(view.fields)
    short = tuple(each for each in fields if len(each[1]) <= SHORT_CHARS)
    long = tuple(each for each in fields if len(each[1]) > SHORT_CHARS)
    return RunFinding(finding_of(problem, in_editor=True), view, problem.method, short, long)


def _game(setup: RunSetup, number: int, game: PlayedGame, costs: Mapping[tuple[int, int], float]) -> RunGame:
    own = game.seating.index(OWN_POSITION)
    return RunGame(
        game_id=row_id(game.id),
        number=number,
        block=game.block,
        rotation=game.rotation,
        seat=own,
        won=game.places[own] == min(game.places),
        place=game.places[own],
        faults=tuple(_fault(setup, game.seating, own, fault) for fault in game.faults),
        cost=costs.get((row_id(game.id), own)),
    )


def _fault(setup: RunSetup, seating: Sequence[int], own: int, fault: Mapping[str, Any]) -> RunFault:
    seat, kind, message = fault["seat"], fault["kind"], fault["message"]
    return RunFault(
        name=setup.names[seating[seat]],
        text=fault_title(kind, message) if seat == own else fault_label(kind),
        round=fault["round"],
        message=message if seat == own else None,
        line=last_line(message, setup.filename) if seat == own else None,
    )


def _confidence_text(games: Sequence[PlayedGame]) -> str:
    """Return a sentence on which side of a duel is better, computed as by `gangland duel`; empty if unknown."""
    blocks: dict[int, list[Fraction]] = {}
    for game in games:
        own, other = (game.places[game.seating.index(position)] for position in (OWN_POSITION, 1))
        place = Fraction(3, 2) if own == other else Fraction(1 + (own > other))
        blocks.setdefault(game.block, []).append(place)
    means = [sum(places, Fraction(0)) / len(places) for _, places in sorted(blocks.items())]
    duel = duel_score([DuelBlock(2, mean, 3 - mean) for mean in means])
    if duel is None:
        return ""
    if duel.better >= MIN_CONFIDENCE:
        return f"Your draft is probably better ({duel.better:.0%} sure)."
    if duel.better <= 1 - MIN_CONFIDENCE:
        return f"Your uploaded version is probably better ({1 - duel.better:.0%} sure)."
    return (
        f"Too few games to say which is better. There is a {duel.better:.0%} chance that it is your draft."
        " `gangland duel` plays until one is clearly better."
    )


def _costs(db: Session, games: Sequence[int]) -> dict[tuple[int, int], float]:
    """Return the cost of the decisions of each (game, seat), for analyzed games."""
    return {
        (game_id, seat): fsum(decision.cost for decision in figures.decisions if decision.seat == seat)
        for game_id, figures in figures_of_games(db, games).items()
        for seat in range(figures.seats)
    }


def _seats(games: Sequence[RunGame]) -> tuple[SeatWins, ...]:
    by_seat: dict[int, list[RunGame]] = {}
    for game in games:
        by_seat.setdefault(game.seat, []).append(game)
    return tuple(SeatWins(seat, len(own), sum(game.won for game in own)) for seat, own in sorted(by_seat.items()))
