"""Read the analysis of a match: where each seat's result came from, and the means of each bot."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final, NamedTuple

from flask import url_for
from sqlalchemy import case
from sqlmodel import Session, col, select

from gangland_ladder.analysis.account import Account, GameFigures, Share
from gangland_ladder.analysis.comparison import CLEAR_ERRORS
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.commentary import percent
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import AnalysisState, GameAnalysis, Job, JobState
from gangland_web.models.matches import PlayedGame
from gangland_web.queries import analyses, matches, tables
from gangland_web.queries.bot_analysis import PARTS
from gangland_web.services.analyses import ANALYSIS, NotAnalyzedReason, not_analyzed_reason

# Rows of the files: one row per seat of a game.


class SeatAnalysis(tables.Model):
    """A seat of a game, and the parts of its result as shares of a win; null if the game is not analyzed.

    `state` is "done", "open", "failed" or "unknown" (not requested).  The members from `start` to `rest` add up to
    `result`.
    """

    match: tables.Number
    block: tables.Block
    rotation: tables.Rotation
    state: str
    seat: tables.Count
    bot: str
    version: tables.Number
    start: Share | None
    luck: Share | None
    own: Share | None
    others: Share | None
    hidden: Share | None
    error: Share | None
    rest: Share | None
    result: Share | None
    decisions: tables.Count | None
    cost: Share | None


SEAT_ROWS: Final = tables.table_of(
    *("match-analysis", SeatAnalysis, "/matches/N/analysis"),
    "Where the result of each seat came from, game by game.",
    *tables.columns_of(SeatAnalysis),
)


class GameState(NamedTuple):
    """A game of a match, and the state of its analysis."""

    game_id: int
    block: int
    rotation: int
    seating: tuple[int, ...]
    state: str  # "unknown" if it was not requested
    done_at: float | None


def game_states(db: Session, match_id: int) -> list[GameState]:
    """Return the state of the analysis of each game of a match, by block and rotation."""
    query: Any = (
        select(
            PlayedGame.id,
            PlayedGame.block,
            PlayedGame.rotation,
            PlayedGame.seating,
            case((col(GameAnalysis.state) == AnalysisState.OPEN.value, Job.state), else_=col(GameAnalysis.state)),
            GameAnalysis.done_at,
        )  # type: ignore[call-overload]
        .outerjoin(GameAnalysis, col(GameAnalysis.game_id) == PlayedGame.id)
        .outerjoin(Job, (col(Job.kind) == ANALYSIS.name) & (col(Job.subject) == PlayedGame.id))
        .where(PlayedGame.match_id == match_id)
        .order_by(col(PlayedGame.block), col(PlayedGame.rotation))
    )
    return [
        GameState(game_id, block, rotation, tuple(seating), state or "unknown", done_at)
        for game_id, block, rotation, seating, state, done_at in db.exec(query).all()
    ]


def seats_table(db: Session, page: matches.MatchPage) -> tables.TableData:
    """Return the seats of all games of a match; the table is empty if no game may be analyzed."""
    states = game_states(db, row_id(page.match.id)) if not_analyzed_reason(page.match, page.tournament) is None else []
    figures = _figures(db, states)
    rows = [_row(page, game, seat, figures.get(game.game_id)) for game in states for seat in range(len(game.seating))]
    return SEAT_ROWS.of(rows)


def _row(page: matches.MatchPage, game: GameState, seat: int, figures: GameFigures | None) -> SeatAnalysis:
    bot = page.seats[game.seating[seat]]
    account = None if figures is None else figures.accounts[seat]
    own = [] if figures is None else [decision for decision in figures.decisions if decision.seat == seat]
    return SeatAnalysis(
        match=row_id(page.match.id),
        block=game.block,
        rotation=game.rotation,
        state="failed" if game.state == AnalysisState.DONE.value and figures is None else game.state,
        seat=seat,
        bot=bot.bot,
        version=bot.version,
        **{part: None if account is None else getattr(account, part) for part in PARTS},
        decisions=None if figures is None else len(own),
        cost=None if figures is None else fsum(decision.cost for decision in own),
    )


def _figures(db: Session, states: Sequence[GameState]) -> dict[int, GameFigures]:
    return analyses.figures_of_games(db, [game.game_id for game in states if game.state == AnalysisState.DONE.value])


# The match page: the means of each bot, and a row for each seat.


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """The analysis on a match's page."""

    games: int  # the number of analyzed games
    total: int
    waiting: int  # games waiting for analysis
    unknown: int  # games whose analysis was not requested
    message: str  # why there is no analysis
    sentence: str  # whether the bot in last place was unlucky
    means: tables.TableData  # a row for each bot
    lines: tables.TableData  # a row for each seat of each analyzed game
    hidden: tuple[str, ...]  # headings of empty columns

    @property
    def counts(self) -> str:
        """A sentence with the number of analyzed games, and how to have the others analyzed."""
        text = f"{self.games} of {counted(self.total, 'game')} analyzed"
        text += f"; {self.waiting} waiting" if self.waiting else ""
        return f"{text}. Open a game to have it analyzed." if self.unknown else f"{text}."


_REST: Final = "Not analyzed"


class SeatAccount(NamedTuple):
    """The rounded parts of a bot's result, in one game or on average; they add up to it."""

    bot: str
    account: Account
    place: str = ""
    page: str = ""


_PARTS: Final = (
    tables.Column("bot", "Bot"),
    *tables.several(tables.Kind.SHARE, "account", digits=1, start="Start", luck="Luck", own="Its own decisions"),
    *tables.several(tables.Kind.SHARE, "account", digits=1, others="The others' decisions"),
    *tables.several(tables.Kind.SHARE, "account", digits=1, hidden="Hidden information"),
    *tables.several(tables.Kind.SHARE, "account", digits=1, error="Reference error", rest=_REST, result="Result"),
)
_MEANS: Final = tables.table_of(
    *("match-analysis-means", SeatAccount, "", ""), *_PARTS, phone=("Bot", "Luck", "Its own decisions")
)
_PLACE: Final = tables.Column("", "Game", cell="place_page")
_LINES: Final = tables.table_of(
    *("match-analysis-lines", SeatAccount, "", ""), _PLACE, *_PARTS, phone=("Game", "Bot", "Luck", "Its own decisions")
)


def match_analysis(db: Session, page: matches.MatchPage, states: Sequence[GameState], *, is_on: bool) -> MatchAnalysis:
    """Return the analysis for a match's page; `is_on`: whether the site analyzes games."""
    reason = not_analyzed_reason(page.match, page.tournament)
    figures = {} if reason else _figures(db, states)
    counts = Counter(game.state for game in states)
    analyzed = [game for game in states if game.game_id in figures]
    accounts: dict[int, list[Account]] = {seat.position: [] for seat in page.seats}
    for game in analyzed:
        for position, account in zip(game.seating, figures[game.game_id].accounts, strict=True):
            accounts[position].append(account)
    means = {position: _mean(of_seat) for position, of_seat in accounts.items() if of_seat}
    hidden = () if any(account.rest for of_seat in accounts.values() for account in of_seat) else (_REST,)
    return MatchAnalysis(
        games=len(analyzed),
        total=len(states),
        waiting=counts[JobState.WAITING.value] + counts[JobState.LEASED.value],
        unknown=counts["unknown"] if is_on and not reason else 0,
        message="" if analyzed else str(reason or ("" if is_on else NotAnalyzedReason.OFF)),
        sentence=_sentence(page, accounts, means),
        means=_means(page, means),
        lines=_lines(page, analyzed, figures),
        hidden=hidden,
    )


def _mean(accounts: Sequence[Account]) -> Account:
    return Account(*(fsum(getattr(account, part) for account in accounts) / len(accounts) for part in PARTS))


def _rounded(account: Account) -> Account:
    parts = [part for part in PARTS if part != "result"]
    shares = analyses.rounded_shares([getattr(account, part) for part in parts], account.result)
    return Account(**dict(zip(parts, shares, strict=True)), result=account.result)


def _means(page: matches.MatchPage, means: dict[int, Account]) -> tables.TableData:
    rows = [SeatAccount(seat.label, _rounded(means[seat.position])) for seat in page.seats if seat.position in means]
    caption = "Means over the analyzed games. Result: the share of opponents that the bot finished ahead of. "
    caption += "The parts add up to the result. A large reference error makes the other parts less certain."
    return _MEANS.of(rows, caption)


def _lines(page: matches.MatchPage, games: Sequence[GameState], figures: dict[int, GameFigures]) -> tables.TableData:
    rows = []
    for game in games:
        place: dict[str, Any] = {"match_id": page.match.id, "block": game.block, "rotation": game.rotation}
        address, name = url_for("matches.game", **place), f"Block {game.block + 1}, rotation {game.rotation + 1}"
        for account, position in zip(figures[game.game_id].accounts, game.seating, strict=True):
            rows.append(SeatAccount(page.seats[position].label, _rounded(account), name, address))
    return _LINES.of(rows, "One row per seat.")


def _sentence(page: matches.MatchPage, accounts: dict[int, list[Account]], means: dict[int, Account]) -> str:
    """Return whether luck or its own decisions cost the last bot more, as a sentence; empty if there are no means."""
    if not means:
        return ""
    last = min(means, key=lambda position: (means[position].result, position))
    account, name = means[last], page.seats[last].label
    games = accounts[last]
    scope = "In the analyzed game" if len(games) == 1 else f"In the {len(games)} analyzed games"
    if account.result >= account.start:
        return f"{scope} no bot finished below its share at the start."
    luck, own = account.luck, account.own
    moved = "took" if luck < 0 else "gave"
    text = f"{scope} {name} finished lowest: luck {moved} it {percent(abs(luck))} of a win per game,"
    text += f" its own decisions cost {percent(abs(own))}"
    _, error = analyses.mean_and_error([game.luck - game.own for game in games])
    if abs(luck - own) < max(abs(account.error), CLEAR_ERRORS * (error or 0.0)):
        return f"{text}. It is not clear which of them weighed more."
    if luck < own:
        return f"{text}. It lost more to bad luck than to its own decisions."
    if luck < 0:
        return f"{text}. It lost more to its own decisions than to bad luck."
    return f"{text}. Bad luck was not the reason."
