"""API calls for ladders, matches and games."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from sqlmodel import Session

from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.viewer.commentary import result_sentence
from gangland_web.api.declared import Archive, Example, Lines, Stored, call
from gangland_web.base.formats import day_text, read_day
from gangland_web.models.columns import row_id
from gangland_web.models.tournaments import Tournament
from gangland_web.queries import analyses, exports, match_analysis, match_lists, seasons, tables, tournaments
from gangland_web.queries import ladders as ladder_queries
from gangland_web.queries import matches as match_pages
from gangland_web.services.tokens import Scope
from gangland_web.web.address import next_page
from gangland_web.web.caching import archive_file, attachment
from gangland_web.web.requests import Problem, analyzes_games
from gangland_web.web.sessions import current_user, database

# Ladders and seasons, and ladder days with their secrets.


class BoardPage(tables.Model):
    """The page of a leaderboard: the bots after a key, or before one; `next` has the key."""

    after: tables.Key | None = None
    before: tables.Key | None = None
    limit: tables.Limit = 100


class DaysPage(tables.Model):
    """The page of days."""

    before: Annotated[int, Meta(ge=0, le=10**6, description="Only earlier days, counted from 1970.")] | None = None
    limit: tables.Limit = 30


class MatchesPage(tables.Model):
    """The page of matches, the highest number first."""

    before: Annotated[int, Meta(ge=1, le=match_lists.MAX_KEY, description="Only matches below this key of `next`.")] = (
        match_lists.MAX_KEY
    )
    limit: tables.Limit = 50


Leaderboard: Any = ladder_queries.BOARD.model
MatchList: Any = match_lists.MATCHES.model


@call("GET", "/ladders", subject="ladders")
def ladders(db: Session) -> ladder_queries.Ladders:
    """List the ladders."""
    return ladder_queries.ladder_list(db)


@call("GET", "/ladders/{game}/{seats}", subject="ladders", answer=Leaderboard)
def leaderboard(db: Session, game: tables.Game, seats: tables.Seats, query: BoardPage) -> Any:
    """List the bots of a ladder, the best first."""
    state = _state(db, game, seats)
    page = ladder_queries.ladder_page(db, state, _window(query), size=query.limit)
    return tables.table(ladder_queries.board_table(page, next_page(after=page.next_key)))


def _state(db: Session, game: str, seats: int) -> ladder_queries.LadderState:
    state = ladder_queries.ladder_state(db, game, seats)
    if state is None:
        raise Problem(404, "E310", f"There is no ladder of {game} at {seats} seats yet.")
    return state


def _window(query: BoardPage) -> ladder_queries.Window:
    bounds = [(name, text) for name, text in (("after", query.after), ("before", query.before)) if text is not None]
    if not bounds:
        return ladder_queries.FIRST_PAGE
    if len(bounds) > 1:
        raise Problem(400, "E309", "Send either after or before, not both.")
    ((name, text),) = bounds
    try:
        return ladder_queries.Window(ladder_queries.read_key(text), upwards=name == "before")
    except ValueError as error:
        raise Problem(400, "E309", f"Expected {name} in the form RATING:NUMBER, as in `next`.") from error


@call("GET", "/ladders/{game}/{seats}/matches", subject="ladders", answer=MatchList)
def ladder_matches(db: Session, game: tables.Game, seats: tables.Seats, query: MatchesPage) -> Any:
    """List a ladder's finished matches, the highest number first."""
    page = match_lists.matches_of_ladder(db, _state(db, game, seats).id, query.limit, before=query.before)
    return tables.table(match_lists.matches_table(page.rows, next_page(before=page.next_key)))


@call("GET", "/ladders/{game}/{seats}/days", subject="ladders")
def ladder_days(db: Session, game: tables.Game, seats: tables.Seats, query: DaysPage) -> ladder_queries.Days:
    """List a ladder's days, newest first."""
    days = ladder_queries.days_of(db, ladder_queries.get_ladder(db, game, seats), query.limit + 1, before=query.before)
    more = read_day(days[query.limit - 1].day) if len(days) > query.limit else None
    return ladder_queries.Days(rows=days[: query.limit], next=next_page(before=more))


@call("GET", "/ladders/{game}/{seats}/seasons", subject="ladders")
def ladder_seasons(db: Session, game: tables.Game, seats: tables.Seats) -> seasons.Seasons:
    """List a ladder's seasons, latest first."""
    return seasons.Seasons(rows=seasons.season_list(db, ladder_queries.get_ladder(db, game, seats).id, game, seats))


@call("GET", "/ladders/{game}/{seats}/seasons/{season}", subject="ladders", example=Example(path={"seats": "4"}))
def ladder_season(db: Session, game: tables.Game, seats: tables.Seats, season: tables.Number) -> seasons.SeasonDetail:
    """Get a season: its days, and its standings once they are final."""
    ladder = ladder_queries.get_ladder(db, game, seats)
    row = seasons.get_season(db, ladder, season)
    return seasons.season_detail(db, ladder, row, seasons.season_rows(db, row))


# Streams of results, line by line in the order of matches, which can be resumed; and archives.


class After(tables.Model):
    """The beginning of the stream."""

    after: Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Only matches with higher numbers.")] = 0


@call("GET", "/tournaments/{tournament_id}/results.ndjson", subject="tournaments")
def results(db: Session, tournament_id: tables.Number, query: After) -> Lines[match_lists.MatchRow]:
    """Stream a tournament's matches, a line for each bot in a match.

    If the stream breaks off, repeat the call with `after`: the number of the last match whose lines are complete.
    """
    tournament = tournaments.shown_tournament(db, tournament_id, current_user())
    span, name = exports.Span(first=query.after + 1), f"tournament-{tournament_id}-results"
    return _lines(tournament, exports.TableKind.MATCHES, span, name)


@call("GET", "/tournaments/{tournament_id}/games.ndjson", subject="tournaments")
def games_played(db: Session, tournament_id: tables.Number, query: After) -> Lines[match_lists.GameRow]:
    """Stream a tournament's games, a line for each seat of a game."""
    tournament = tournaments.shown_tournament(db, tournament_id, current_user())
    span, name = exports.Span(first=query.after + 1), f"tournament-{tournament_id}-games"
    return _lines(tournament, exports.TableKind.GAMES, span, name)


@call("GET", "/tournaments/{tournament_id}/archive.tar", subject="tournaments")
def archive(db: Session, tournament_id: tables.Number) -> Archive:
    """Get the archive of a tournament, which `gangland verify` checks."""
    content = exports.tournament_content(db, tournament_id, current_user())
    return Archive(archive_file(content, f"gangland-tournament-{tournament_id}"))


@call("GET", "/ladders/{game}/{seats}/results.ndjson", subject="ladders")
def ladder_results(db: Session, game: tables.Game, seats: tables.Seats, query: After) -> Lines[match_lists.MatchRow]:
    """Stream a ladder's matches, a line for each bot in a match.

    A response has at most 10,000 matches; repeat the call with `after` for the next ones.
    """
    ladder = ladder_queries.get_ladder(db, game, seats)
    last = min(query.after + exports.MAX_MATCHES, HIGHEST_ID)
    span = exports.Span(first=query.after + 1, last=last)
    return _lines(ladder, exports.TableKind.MATCHES, span, f"{game}-{seats}-results")


@call("GET", "/ladders/{game}/{seats}/days/{day}/results.ndjson", subject="ladders")
def day_results(
    db: Session, game: tables.Game, seats: tables.Seats, day: tables.Day, query: After
) -> Lines[match_lists.MatchRow]:
    """Stream the matches of a ladder's day, a line for each bot in a match."""
    ladder, number = ladder_queries.get_ladder(db, game, seats), read_day(day)
    if number is None:
        raise Problem(404, "E310", f"There is no day {day}.")
    span = exports.Span(first=query.after + 1, day=number)
    return _lines(ladder, exports.TableKind.MATCHES, span, f"{game}-{seats}-{day}-results")


@call("GET", "/ladders/{game}/{seats}/days/{day}/archive.tar", subject="ladders")
def day_archive(db: Session, game: tables.Game, seats: tables.Seats, day: tables.Day) -> Archive:
    """Get the archive of a ladder's day, which `gangland verify` checks, once its secret is public."""
    ladder, number = ladder_queries.get_ladder(db, game, seats), exports.day_number(day)
    content = exports.day_content(db, ladder, number)
    return Archive(archive_file(content, f"gangland-{game}-{seats}-{day_text(number)}"))


def _lines(tournament: Tournament, kind: exports.TableKind, span: exports.Span, name: str) -> Lines[Any]:
    return Lines(exports.open_table(database(), tournament, kind, span).rows, name)


# Matches and their games, with every decision.


class FaultResponse(tables.Model):
    """A seat's fault; only the bot's owner sees `title` and `message`.

    `at` is the address of the decision; it is null before the seat's first decision and after the game.
    """

    seat: tables.Count
    fault: str
    round: int | None
    where: str
    at: str | None
    title: str | None
    message: str | None


class DecisionResponse(tables.Model):
    """A decision, in the order of the game's questions; decisions of one `ply` are made at the same time.

    `sentences` describe its consequences; only the bot's owner sees `log`.
    """

    at: str
    round: int
    seat: tables.Count
    kind: str
    ply: tables.Count
    decision: Any
    question: str
    did: str
    failed: bool
    sentences: list[str]
    luck: list[float]
    log: str


class GameResponse(tables.Model):
    """A game with all its decisions; `names`, `places` and `luck` are by seat."""

    match: tables.Number
    block: tables.Count
    rotation: tables.Count
    game: tables.Game
    names: list[str]
    places: list[int]
    luck: list[float]
    rounds: int
    reason: str
    result: str
    ending: str
    faults: list[FaultResponse]
    decisions: list[DecisionResponse]
    replay: tables.Path


class LogResponse(tables.Model):
    """The log of your bot in a game, in parts."""

    seat: tables.Count
    bot: str
    version: tables.Number
    parts: list[LogPart]


class LogPart(tables.Model):
    """A piece of a log; `decision` is the number of the decision, if it is known."""

    decision: int | None
    text: str


class Logs(tables.Model):
    """The logs of your bots in a game."""

    logs: list[LogResponse]


Games: Any = match_lists.MATCH_GAMES.model
SeatRows: Any = match_analysis.SEAT_ROWS.model


@call("GET", "/matches", subject="matches", answer=MatchList)
def matches(db: Session) -> Any:
    """List the latest finished matches of all ladders."""
    return tables.table(match_lists.matches_table(match_lists.latest_matches(db, match_lists.PAGE_SIZE)))


@call("GET", "/matches/{match_id}", subject="matches")
def match(db: Session, match_id: tables.Number) -> match_lists.MatchDetail:
    """Get a match: its bots, and how it changed their ratings."""
    return match_lists.match_detail(db, match_pages.visible_match(db, match_id, current_user()))


@call("GET", "/matches/{match_id}/games", subject="matches", answer=Games)
def match_games(db: Session, match_id: tables.Number) -> Any:
    """List all games of a match, a row for each seat."""
    return tables.table(match_lists.match_table(db, match_pages.visible_match(db, match_id, current_user()), "games"))


@call("GET", "/matches/{match_id}/analysis", subject="matches", answer=SeatRows)
def match_costs(db: Session, match_id: tables.Number) -> Any:
    """List the causes of each seat's result, game by game."""
    return tables.table(match_analysis.seats_table(db, match_pages.visible_match(db, match_id, current_user())))


@call("GET", "/matches/{match_id}/replays.ndjson", subject="matches", kinds=("application/x-ndjson",), problems=(410,))
def match_replays(db: Session, match_id: tables.Number) -> Archive:
    """Get all replays of a match, one per line, by block and rotation."""
    lines = match_pages.replay_lines(db, match_pages.finished_match(db, match_id, current_user()))
    return Archive(attachment(lines, "application/x-ndjson", f"gangland-match-{match_id}.ndjson"))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}", subject="matches", problems=(410,))
def game(db: Session, match_id: tables.Number, block: tables.Block, rotation: tables.Rotation) -> GameResponse:
    """Get a game, decision by decision; owners also see faults and logs of their bots."""
    page, played = match_pages.visible_game(db, match_id, block, rotation, current_user())
    return _game_response(page, match_pages.game_details(page, played, current_user()))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/replay", subject="matches", problems=(410,))
def replay(db: Session, match_id: tables.Number, block: tables.Block, rotation: tables.Rotation) -> Stored:
    """Get a game's replay with the names of its bots, for `gangland replay`."""
    page, played = match_pages.visible_game(db, match_id, block, rotation, current_user())
    return Stored(match_pages.replay_file(page, played), f"match-{match_id}-block-{block}-rotation-{rotation}")


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/analysis", subject="matches", problems=(410,))
def analysis(
    db: Session, match_id: tables.Number, block: tables.Block, rotation: tables.Rotation
) -> analyses.GameAnalysisResponse:
    """Get the state of a game's analysis, and its results so far."""
    page, played = match_pages.visible_game(db, match_id, block, rotation, current_user())
    return analyses.analysis_response(*analyses.analysis_of(db, page, played, is_on=analyzes_games()))


@call("GET", "/matches/{match_id}/games/{block}/{rotation}/logs", subject="matches", needs=Scope.READ, problems=(410,))
def logs(db: Session, match_id: tables.Number, block: tables.Block, rotation: tables.Rotation) -> Logs:
    """Get the logs of your bots in a game."""
    page, played = match_pages.visible_game(db, match_id, block, rotation, current_user())
    return Logs(
        logs=[
            LogResponse(
                seat=log.number,
                bot=log.seat.bot,
                version=log.seat.version,
                parts=[LogPart(decision=decision, text=text) for decision, text in log.parts],
            )
            for log in match_pages.own_logs(page, played, current_user())
        ]
    )


def _game_response(page: match_pages.MatchPage, details: match_pages.GameDetails) -> GameResponse:
    timeline, played = details.timeline, details.played
    path = f"{tables.BASE}/matches/{page.match.id}/games/{played.block}/{played.rotation}"
    return tables.model_from(
        GameResponse,
        timeline,
        match=row_id(page.match.id),
        block=played.block,
        rotation=played.rotation,
        result=result_sentence(timeline),
        faults=[tables.model_from(FaultResponse, fault, seat=fault.number) for fault in details.faults],
        decisions=[tables.model_from(DecisionResponse, frame, failed=frame.fault) for frame in timeline.frames],
        replay=f"{path}/replay",
    )
