"""Results as Atom feeds (RFC 4287), as everybody may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as Xml

from flask import Blueprint, Response, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.core.clock import timestamp
from gangland_web.core.formats import GAME_TITLES, number
from gangland_web.core.text import shown
from gangland_web.http.address import site_root
from gangland_web.http.cache import conditional
from gangland_web.http.sessions import current_user, reading
from gangland_web.resources.authors import found_author
from gangland_web.resources.bots.queries import bots_of_person, bots_of_team, entries_of
from gangland_web.resources.ladders.queries import found_ladder
from gangland_web.resources.ladders.seasons import Placed, SeasonSummary, fixed_seasons
from gangland_web.resources.matches.lists import (
    ListedMatch,
    latest_matches,
    matches_of_entries,
    matches_of_ladder,
    matches_of_tournament,
)
from gangland_web.resources.tournaments.visible import found_tournament
from gangland_web.resources.visibility import NotVisible, results_visible
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.teams import Team

pages = Blueprint("feeds", __name__, url_prefix="/feeds")

ENTRIES: Final = 30
_ATOM: Final = "http://www.w3.org/2005/Atom"
_LASTS: Final = "public, max-age=60"
_NEVER: Final = 0.0


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed: `page` is the address of what it is about, `since` when that began, in Unix seconds."""

    title: str
    page: str
    since: float
    matches: Sequence[ListedMatch]
    more: Sequence[FeedEntry] = ()


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry of a feed: the address of its page is its id too; `at` in Unix seconds."""

    at: float
    page: str
    title: str
    about: str


@pages.get("/results.atom")
def results() -> AnyResponse:
    """Tell the latest results of all ladders."""
    with reading() as db:
        matches = latest_matches(db, ENTRIES)
    return _answer(Feed("Gangland: results", url_for("home.index", _external=True), _NEVER, matches))


@pages.get("/ladders/<game>/<number:seats>.atom")
def ladder(game: str, seats: int) -> AnyResponse:
    """Tell the latest results of a ladder."""
    with reading() as db:
        found = found_ladder(db, game, seats)
        matches = matches_of_ladder(db, stored(found.id), ENTRIES).rows
        ended = [_season(season, at, best) for season, at, best in fixed_seasons(db, found, ENTRIES)]
    title = f"Gangland: {GAME_TITLES[game]} ladder, {seats} seats"
    page = url_for("leaderboard.ladder", game=game, seats=seats, _external=True)
    return _answer(Feed(title, page, found.created_at, matches, ended))


@pages.get("/tournaments/<number:tournament_id>.atom")
def tournament(tournament_id: int) -> AnyResponse:
    """Tell the latest results of a tournament; nothing while they are under embargo."""
    with reading() as db:
        found = found_tournament(db, tournament_id, current_user())
        matches = matches_of_tournament(db, tournament_id, ENTRIES) if results_visible(found, current_user()) else ()
    page = url_for("tournaments.tournament", tournament_id=tournament_id, _external=True)
    return _answer(Feed(f"Gangland: {found.name}", page, found.created_at, matches))


@pages.get("/bots/<number:bot_id>.atom")
def bot(bot_id: int) -> AnyResponse:
    """Tell the latest ladder results of a bot."""
    with reading() as db:
        found = db.get(Bot, bot_id)
        if found is None:
            raise NotVisible
        matches = _of_bots(db, [found])
    page = url_for("bots.bot", bot_id=bot_id, _external=True)
    return _answer(Feed(f"Gangland: {found.name}", page, found.created_at, matches))


@pages.get("/authors/<number:author_id>.atom")
def author(author_id: int) -> AnyResponse:
    """Tell the latest ladder results of a person's own bots."""
    with reading() as db:
        found = found_author(db, author_id)
        matches = _of_bots(db, [page.bot for page in bots_of_person(db, author_id)])
    page = url_for("authors.author", author_id=author_id, _external=True)
    return _answer(Feed(f"Gangland: bots by {found.name}", page, _NEVER, matches))


@pages.get("/teams/<number:team_id>.atom")
def team(team_id: int) -> AnyResponse:
    """Tell the latest ladder results of a team's bots."""
    with reading() as db:
        found = db.get(Team, team_id)
        if found is None:
            raise NotVisible
        matches = _of_bots(db, [page.bot for page in bots_of_team(db, team_id)])
    page = url_for("teams.team", team_id=team_id, _external=True)
    return _answer(Feed(f"Gangland: team {found.name}", page, found.created_at, matches))


def _of_bots(db: Session, bots: Sequence[Bot]) -> Sequence[ListedMatch]:
    return matches_of_entries(db, entries_of(db, [stored(bot.id) for bot in bots]), ENTRIES).rows


def _answer(feed: Feed) -> AnyResponse:
    answer = Response(atom(feed, site_root() + request.path), content_type="application/atom+xml; charset=utf-8")
    answer.headers["Cache-Control"] = _LASTS
    return conditional(answer)


def atom(feed: Feed, own: str) -> bytes:
    """Return a feed as a document; `own` is its own address."""
    root = Xml.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    entries = sorted([*map(_match, feed.matches), *feed.more], key=lambda one: -one.at)[:ENTRIES]
    updated = entries[0].at if entries else feed.since
    _texts(root, ("title", feed.title), ("id", own), ("updated", timestamp(updated)))
    Xml.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": own})
    Xml.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": feed.page})
    _texts(Xml.SubElement(root, "author"), ("name", "Gangland"))
    for one in entries:
        _entry(Xml.SubElement(root, "entry"), one)
    body: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return body + b"\n"


def _match(match: ListedMatch) -> FeedEntry:
    names = ", ".join(seat.bot for seat in match.bots)
    places = "; ".join(f"{seat.bot}: mean place {number(seat.mean_place)}" for seat in match.bots)
    address = url_for("matches.match", match_id=match.id, _external=True)
    about = f"{GAME_TITLES[match.game]}, {match.seats} seats. {places}."
    return FeedEntry(match.done_at or _NEVER, address, f"Match {match.id}: {names}", about)


def _season(season: SeasonSummary, at: float, best: Sequence[Placed]) -> FeedEntry:
    address = site_root() + season.page
    first = "; ".join(f"rank {row.rank}: {row.bot}, {number(row.rating)}" for row in best) or "no rated match"
    about = f"{season.first_day} to {season.last_day}. {first}."
    return FeedEntry(at, address, f"The standings of season {season.number} are fixed", about)


def _entry(entry: Xml.Element, one: FeedEntry) -> None:
    when = timestamp(one.at)
    _texts(entry, ("title", one.title), ("id", one.page), ("updated", when), ("published", when))
    Xml.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": one.page})
    _texts(entry, ("summary", one.about))


def _texts(parent: Xml.Element, *given: tuple[str, str]) -> None:
    for tag, text in given:
        Xml.SubElement(parent, tag).text = shown(text)  # leaves nothing that XML 1.0 may not have
