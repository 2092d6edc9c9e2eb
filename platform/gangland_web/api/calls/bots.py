"""Bots: who they are, how they stand, and what their pages' charts are drawn from."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from sqlmodel import Session

from gangland_ladder.matches.orders import HIGHEST_ID
from gangland_web.api.calls.ladders import MatchesPage, MatchList
from gangland_web.api.framework.declared import Archive, Example, call
from gangland_web.models.columns import stored
from gangland_web.queries.bot_analysis import AnalysisChoice, BotAnalysis, NoSuchVersion, bot_analysis, chosen_version
from gangland_web.queries.bot_figures import TABLES_AT_A_SIZE, figure, subject_of
from gangland_web.queries.bots import (
    BotDetail,
    BotPage,
    BotSummary,
    VersionDetail,
    bot_detail,
    bot_page,
    bot_summary,
    bot_table,
    entries_of,
    listed_bots,
    ratings_of,
    source_of,
    version_detail,
    version_page,
)
from gangland_web.queries.comparison import Against, against
from gangland_web.queries.documented import DOCUMENTED
from gangland_web.queries.match_lists import matches_of_entries, matches_table
from gangland_web.queries.tables import Game, Limit, Model, Name, Number, Path, Seats, table
from gangland_web.services.tokens import Scope
from gangland_web.web.address import next_page
from gangland_web.web.caching import source_file
from gangland_web.web.requests import Problem, settings
from gangland_web.web.sessions import is_mine


class Bots(Model):
    """Bots, in order of their numbers."""

    bots: list[BotSummary]
    next: Path | None


class BotsPage(Model):
    """Which bots, and which page of them."""

    game: Game | None = None
    name: Name | None = None
    after: Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Bots with higher numbers.")] = 0
    limit: Limit = 50


class AtASize(Model):
    """At which table size; where it has played most, if nothing is said."""

    seats: Seats | None = None


@call("GET", "/bots", subject="bots", example=Example(query="game=gang-of-dice&limit=10"))
def bots(db: Session, query: BotsPage) -> Bots:
    """List bots: of a game, or the one of a name, in any spelling."""
    found = listed_bots(db, query.limit + 1, game=query.game, name=query.name, after=query.after)
    more = stored(found[query.limit - 1][0].id) if len(found) > query.limit else None
    return Bots(bots=[bot_summary(bot, owner) for bot, owner in found[: query.limit]], next=next_page(after=more))


@call("GET", "/bots/{bot_id}", subject="bots")
def bot(db: Session, bot_id: Number) -> BotDetail:
    """Tell of a bot and its versions."""
    return bot_detail(_page(db, bot_id))


@call("GET", "/bots/{bot_id}/versions/{number}", subject="bots", example=Example(path={"number": "1"}))
def bot_version(db: Session, bot_id: Number, number: Number) -> VersionDetail:
    """Tell how far a bot's version has come; to its owner also why, and its trials."""
    page = version_page(db, bot_id, number)
    if page is None:
        raise Problem(404, "E310", f"Bot {bot_id} has no version {number}.")
    return version_detail(db, page, private=is_mine(page.bot))


@call(
    "GET",
    "/bots/{bot_id}/versions/{number}/source",
    subject="bots",
    needs=Scope.READ,
    kinds=("text/plain", "application/zip"),
    example=Example(path={"bot_id": "$MY_BOT", "number": "1"}),
)
def source(db: Session, bot_id: Number, number: Number) -> Archive:
    """Return the source of a version of one's own, byte for byte, as the file or zip that was sent."""
    page = version_page(db, bot_id, number)
    if page is None or not is_mine(page.bot):
        raise Problem(404, "E310", f"You have no version {number} of a bot {bot_id}.")
    return Archive(source_file(source_of(db, page.version), page.version.filename))


@call("GET", "/bots/{bot_id}/matches", subject="bots", answer=MatchList)
def bot_matches(db: Session, bot_id: Number, query: MatchesPage) -> Any:
    """List a bot's finished ladder matches, of all its versions, the highest number first."""
    _page(db, bot_id)
    found = matches_of_entries(db, entries_of(db, [bot_id]), query.limit, before=query.before)
    return table(matches_table(found.rows, next_page(before=found.older)))


@call("GET", "/bots/{bot_id}/analysis", subject="bots")
def bot_costs(db: Session, bot_id: Number, query: AnalysisChoice) -> BotAnalysis:
    """Tell what a bot's decisions cost it in its analysed ladder games."""
    page = _page(db, bot_id)
    try:
        chosen = chosen_version(db, page.bot, query.seats, query.version)
        return bot_analysis(db, chosen, query, is_on=settings().analysis_workers > 0)
    except NoSuchVersion as nothing:
        raise Problem(404, "E310", str(nothing)) from nothing


@call("GET", "/bots/{bot_id}/against/{other_id}", subject="bots")
def bot_against(db: Session, bot_id: Number, other_id: Number, query: AtASize) -> Against:
    """Compare two bots at a table size: how they stand and play, and what came of their meetings on the ladder."""
    return against(db, bot_id, other_id, query.seats)[0]


def _page(db: Session, bot_id: int) -> BotPage:
    page = bot_page(db, bot_id)
    if page is None:
        raise Problem(404, "E310", f"There is no bot {bot_id}.")
    return page


def _declare_table(what: str) -> None:
    """Declare the call for a table of a bot's page."""

    def at_a_size(db: Session, bot_id: Number, query: AtASize) -> Any:
        subject = subject_of(_page(db, bot_id).bot, ratings_of(db, bot_id), query.seats)
        if subject is None:
            raise Problem(404, "E310", "It has played no rated match there.")
        return table(figure(db, subject, what).table)

    def whole(db: Session, bot_id: Number) -> Any:
        return table(bot_table(db, _page(db, bot_id), what))

    rows, documented = at_a_size if what in TABLES_AT_A_SIZE else whole, DOCUMENTED[f"bot-{what}"]
    rows.__doc__ = documented.about.partition(" (`?")[0]
    answer = documented.model(f"bot-{what}")
    call("GET", f"/bots/{{bot_id}}/{what}", subject="bots", name=f"bot_{what}", answer=answer)(rows)


for _what in (*TABLES_AT_A_SIZE, "ratings", "errors"):
    _declare_table(_what)
