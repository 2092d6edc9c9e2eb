"""A run of a draft as its author sees it: progress, findings and games."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Final

from sqlmodel import Session, col, select

from gangland.replay import load
from gangland_ladder.analysis.account import MISTAKES, Analysis, GameFigures
from gangland_ladder.analysis.transfer import NotKept, unpack
from gangland_ladder.errors import fault_title, last_line
from gangland_ladder.matches.match_orders import FailingView, Problem
from gangland_ladder.rating.duel_scores import DuelBlock, measured
from gangland_ladder.viewer.commentary import verdict
from gangland_ladder.viewer.film import Film, film_of
from gangland_web.base.formats import fault_words, seconds
from gangland_web.models.columns import stored
from gangland_web.models.jobs import DraftRun, JobState, RunAnalysis, RunKind, RunState
from gangland_web.queries.bots import Finding, finding_of
from gangland_web.services.drafts import DRAFT, DRAFT_CHECK, RunGame, RunResult, RunSetup, kind_of, result_of, setup_of
from gangland_web.services.jobs import find_job, place_in_queue

OWN: Final = 0
"""The number of the draft among the players."""
WORST: Final = 5
"""At most this many of the costliest decisions of a game are named."""
SURE: Final = 0.9
"""From this probability on a duel says who is probably better."""
SHORT_CHARS: Final = 160
"""The longest text of a view's field that is shown unfolded."""


@dataclass(frozen=True, slots=True)
class RunFinding:
    """A problem, and what the bot saw where it was found: None where no view is at fault.

    Attributes:
        short, long: the view's fields, as name and text; a long text would hide the short ones.
    """

    finding: Finding
    view: FailingView | None
    method: str
    short: tuple[tuple[str, str], ...] = ()
    long: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RunFault:
    """A seat's failure in a game; `message` and `line` are the draft's own, None for an opponent."""

    who: str
    words: str
    round: int
    message: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class ShownRunGame:
    """A game of a run: who won, by name, and in which seat the draft sat, from 0."""

    number: int
    block: int
    rotation: int
    seat: int
    won: bool
    place: int
    names: tuple[str, ...]
    faults: tuple[RunFault, ...]


@dataclass(frozen=True, slots=True)
class RunCosts:
    """What the draft's decisions cost in an analyzed game, in shares of a win: all, and the costliest with addresses.

    Attributes:
        judged: how many decisions there were.
    """

    judged: int
    cost: float
    worst: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SeatWins:
    """In how many games the draft sat in a seat, from 0, and how many of these it won."""

    seat: int
    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run with all that its page shows.

    Attributes:
        is_open: whether it waits or is under way.
        ahead: how many runs are sent first, while it waits.
        is_good: whether it is a check that is over and found nothing; how a match ended is for its author to judge.
        sureness: of a duel, one sentence on what its games say of who is better; else empty.
        costs: of each analyzed game, by its number, what the draft's decisions cost, in shares of a win.
    """

    run: DraftRun
    setup: RunSetup
    headline: str
    is_open: bool
    ahead: int
    is_good: bool
    findings: tuple[RunFinding, ...]
    games: tuple[ShownRunGame, ...]
    seats: tuple[SeatWins, ...]
    costs: Mapping[int, float]
    sureness: str


def run_page(db: Session, run: DraftRun) -> RunPage:
    """Return what the page of a run shows."""
    setup, result = setup_of(run), result_of(run)
    games = () if result is None else tuple(_game(setup, number, each) for number, each in enumerate(result.games))
    job = find_job(db, kind_of(run), stored(run.id))
    ahead = place_in_queue(db, job, DRAFT, DRAFT_CHECK) - 1 if job is not None and job.state == JobState.WAITING else 0
    is_open = run.state == RunState.OPEN
    findings = () if result is None else _findings(result)
    return RunPage(
        run=run,
        setup=setup,
        headline=_headline(run, job is not None and job.begun_at is not None, result, games),
        is_open=is_open,
        ahead=ahead,
        is_good=result is not None and not findings and not games,
        findings=findings,
        games=games,
        seats=_seats(games),
        costs=_costs(db, run, games),
        sureness=_sureness(result.games) if result is not None and run.kind == RunKind.DUEL else "",
    )


def run_film(run: DraftRun, number: int, analysis: Analysis | None = None) -> tuple[Film, ShownRunGame] | None:
    """Return a game of a run as a film with what the draft logged, None where there is no such game.

    Args:
        analysis: of this game, as far as it is known.

    Raises:
        ReplayError: its rules are not known any more.
    """
    setup, result = setup_of(run), result_of(run)
    if result is None or number >= len(result.games):
        return None
    game = result.games[number]
    logs = {decision: text for decision, text in game.log if decision is not None}
    notes = {fault.decision: fault_words(fault.kind) for fault in game.faults if fault.decision is not None}
    shown = _game(setup, number, game)
    return film_of(load(game.replay), shown.names, logs=logs, notes=notes, analysis=analysis), shown


def run_costs(film: Film, seat: int) -> RunCosts | None:
    """Return what the decisions of a seat cost, None where nothing is known; the costliest are in words."""
    judged = [(stop, stop.judged) for stop in film.stops if stop.seat == seat and stop.judged is not None]
    if not judged:
        return None
    dear = sorted((each for each in judged if each[1].mark in MISTAKES), key=lambda each: -each[1].cost)[:WORST]
    worst = tuple((stop.at, f"{stop.did}. {verdict(film.game, found)}") for stop, found in dear)
    return RunCosts(len(judged), fsum(found.cost for _, found in judged), worst)


def _headline(run: DraftRun, begun: bool, result: RunResult | None, games: Sequence[ShownRunGame]) -> str:
    name = {RunKind.CHECK: "check", RunKind.PLAY: "match", RunKind.DUEL: "duel"}[RunKind(run.kind)]
    if run.state == RunState.FAILED:
        return f"Nothing came of this {name}. {run.failed_for}"
    if result is None:
        return f"The {name} is running." if begun else f"Queued: the {name} begins as soon as a worker is free."
    if problems := len(result.check.problems):
        none = "" if run.kind == RunKind.CHECK else " No game was played."
        return f"The check found {problems} problem{'s' if problems > 1 else ''}.{none}"
    if games:
        return f"Your bot won {sum(game.won for game in games)} of {len(games)} game{'s' if len(games) > 1 else ''}."
    report = result.check
    whole = "timed" in report.stages
    found = f"No problem found in {report.decisions} decisions; the slowest took {seconds(report.slowest_s)}."
    return found if whole else f"{found} Time ran out before the check was complete; an upload is checked to the end."


def _findings(result: RunResult) -> tuple[RunFinding, ...]:
    views = {each.number: each for each in result.check.failing}
    problems = result.check.problems
    return tuple(_finding(each, views.get(each.view or 0)) for each in problems)


def _finding(problem: Problem, view: FailingView | None) -> RunFinding:
    fields = () if view is None else tuple(view.fields)
    short = tuple(each for each in fields if len(each[1]) <= SHORT_CHARS)
    long = tuple(each for each in fields if len(each[1]) > SHORT_CHARS)
    return RunFinding(finding_of(problem, in_editor=True), view, problem.method, short, long)


def _game(setup: RunSetup, number: int, game: RunGame) -> ShownRunGame:
    own = game.seating.index(OWN)
    names = tuple(setup.names[who] for who in game.seating)
    return ShownRunGame(
        number=number,
        block=game.block,
        rotation=game.rotation,
        seat=own,
        won=game.places[own] == min(game.places),
        place=game.places[own],
        names=names,
        faults=tuple(
            RunFault(
                who=names[fault.seat],
                words=fault_title(fault.kind, fault.message) if fault.seat == own else fault_words(fault.kind),
                round=fault.round,
                message=fault.message if fault.seat == own else None,
                line=last_line(fault.message, setup.filename) if fault.seat == own else None,
            )
            for fault in game.faults
        ),
    )


def _sureness(games: Sequence[RunGame]) -> str:
    """Return in a sentence what the games of a duel say of who is better, as `gangland duel` would; empty for none."""
    blocks: dict[int, list[Fraction]] = {}
    for game in games:
        own, other = (game.places[game.seating.index(who)] for who in (OWN, 1))
        place = Fraction(3, 2) if own == other else Fraction(1 + (own > other))
        blocks.setdefault(game.block, []).append(place)
    means = [sum(places, Fraction(0)) / len(places) for _, places in sorted(blocks.items())]
    duel = measured([DuelBlock(2, mean, 3 - mean) for mean in means])
    if duel is None:
        return ""
    if duel.better >= SURE:
        return f"Your draft is probably better: these games make it {duel.better:.0%} likely."
    if duel.better <= 1 - SURE:
        return f"Your uploaded version is probably better: these games make it {1 - duel.better:.0%} likely."
    return (
        "These games are too few to say which is better: it is your draft with a probability of"
        f" {duel.better:.0%}. gangland duel plays until it is known."
    )


def _costs(db: Session, run: DraftRun, games: Sequence[ShownRunGame]) -> dict[int, float]:
    known = select(RunAnalysis.number, RunAnalysis.figures).where(RunAnalysis.run_id == run.id)
    costs: dict[int, float] = {}
    for number, packed in db.exec(known.where(col(RunAnalysis.figures).is_not(None)).order_by(col(RunAnalysis.number))):
        with suppress(NotKept):  # the page of the game says so
            figures = unpack(packed or b"", GameFigures)
            own = [each.cost for each in figures.decisions if each.seat == games[number].seat]
            costs[number] = fsum(own)
    return costs


def _seats(games: Sequence[ShownRunGame]) -> tuple[SeatWins, ...]:
    by_seat: dict[int, list[ShownRunGame]] = {}
    for game in games:
        by_seat.setdefault(game.seat, []).append(game)
    return tuple(SeatWins(seat, len(own), sum(each.won for each in own)) for seat, own in sorted(by_seat.items()))
