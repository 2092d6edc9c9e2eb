"""What happened as Atom feeds (RFC 4287), as everybody may see it.

The feed of what somebody follows is theirs alone, by a secret in its address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as Xml

from flask import Blueprint, Response, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.base.clock import timestamp
from gangland_web.base.formats import GAME_TITLES
from gangland_web.base.text import shown
from gangland_web.models.accounts import Team
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.queries.authors import found_author
from gangland_web.queries.bots import bots_of_person, bots_of_team, entries_of
from gangland_web.queries.following import Happening, feed_of, happenings_of, newest, of_match, of_season
from gangland_web.queries.ladders import found_ladder
from gangland_web.queries.match_lists import (
    ListedMatch,
    latest_matches,
    matches_of_entries,
    matches_of_ladder,
    matches_of_tournament,
)
from gangland_web.queries.seasons import fixed_seasons
from gangland_web.queries.tournaments import found_tournament
from gangland_web.queries.visibility import NotVisible, results_visible
from gangland_web.services.following import mark_of, reader_of
from gangland_web.web.address import site_root
from gangland_web.web.caching import conditional
from gangland_web.web.sessions import reading

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
    entries: Sequence[Happening]


@pages.get("/results.atom")
def results() -> AnyResponse:
    """Tell the latest results of all ladders."""
    with reading() as db:
        matches = latest_matches(db, ENTRIES)
    return _answer(Feed("Gangland: results", url_for("home.index", _external=True), _NEVER, _all(matches)))


@pages.get("/ladders/<game>/<number:seats>.atom")
def ladder(game: str, seats: int) -> AnyResponse:
    """Tell the latest results of a ladder."""
    with reading() as db:
        found = found_ladder(db, game, seats)
        matches = matches_of_ladder(db, stored(found.id), ENTRIES).rows
        ended = [of_season(season, at, best) for season, at, best in fixed_seasons(db, found, ENTRIES)]
    title = f"Gangland: {GAME_TITLES[game]} ladder, {seats} seats"
    page = url_for("ladders.ladder", game=game, seats=seats, _external=True)
    return _answer(Feed(title, page, found.created_at, newest([*map(of_match, matches), *ended], ENTRIES)))


@pages.get("/tournaments/<number:tournament_id>.atom")
def tournament(tournament_id: int) -> AnyResponse:
    """Tell the latest results of a tournament; nothing while they are under embargo."""
    with reading() as db:
        found = found_tournament(db, tournament_id, None)
        matches = matches_of_tournament(db, tournament_id, ENTRIES) if results_visible(found, None) else ()
    page = url_for("tournaments.tournament", tournament_id=tournament_id, _external=True)
    return _answer(Feed(f"Gangland: {found.name}", page, found.created_at, _all(matches)))


@pages.get("/bots/<number:bot_id>.atom")
def bot(bot_id: int) -> AnyResponse:
    """Tell the latest ladder results of a bot, and what else happened to it."""
    with reading() as db:
        found = db.get(Bot, bot_id)
        if found is None:
            raise NotVisible
        entries = _of_bots(db, [found])
    page = url_for("bots.bot", bot_id=bot_id, _external=True)
    return _answer(Feed(f"Gangland: {found.name} ({GAME_TITLES[found.game]})", page, found.created_at, entries))


@pages.get("/authors/<number:author_id>.atom")
def author(author_id: int) -> AnyResponse:
    """Tell what happened to a person's own bots, ladder results among it."""
    with reading() as db:
        found = found_author(db, author_id)
        entries = _of_bots(db, [page.bot for page in bots_of_person(db, author_id)])
    page = url_for("authors.author", author_id=author_id, _external=True)
    return _answer(Feed(f"Gangland: bots by {found.name}", page, _NEVER, entries))


@pages.get("/teams/<number:team_id>.atom")
def team(team_id: int) -> AnyResponse:
    """Tell what happened to a team's bots, ladder results among it."""
    with reading() as db:
        found = db.get(Team, team_id)
        if found is None:
            raise NotVisible
        entries = _of_bots(db, [page.bot for page in bots_of_team(db, team_id)])
    page = url_for("teams.team", team_id=team_id, _external=True)
    return _answer(Feed(f"Gangland: team {found.name}", page, found.created_at, entries))


@pages.get("/following.atom")
def following() -> AnyResponse:
    """Tell what happened to whom somebody follows; the address has the secret by which it is theirs."""
    with reading() as db:
        reader = reader_of(db, request.args.get("key", ""))
        if reader is None:
            raise NotVisible("This is no feed, or no longer one. Create a new address on the page of what you follow.")
        entries, since = feed_of(db, reader, ENTRIES), mark_of(db, reader).read_at
    page = url_for("following.page", _external=True)
    answer = _answer(Feed("Gangland: what you follow", page, since, entries))
    answer.headers["Cache-Control"] = "private, max-age=60"
    return answer


def _of_bots(db: Session, bots: Sequence[Bot]) -> list[Happening]:
    """Return the latest ladder matches of bots, and what else happened to them."""
    ids = [stored(bot.id) for bot in bots]
    matches = matches_of_entries(db, entries_of(db, ids), ENTRIES).rows
    return newest([*_all(matches), *happenings_of(db, ids, limit=ENTRIES)], ENTRIES)


def _all(matches: Sequence[ListedMatch]) -> list[Happening]:
    return [of_match(match) for match in matches]


def _answer(feed: Feed) -> AnyResponse:
    answer = Response(atom(feed, site_root() + request.path), content_type="application/atom+xml; charset=utf-8")
    answer.headers["Cache-Control"] = _LASTS
    return conditional(answer)


def atom(feed: Feed, own: str) -> bytes:
    """Return a feed as a document; `own` is its own address."""
    root = Xml.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    updated = max((each.at for each in feed.entries), default=timestamp(feed.since))
    _texts(root, ("title", feed.title), ("id", own), ("updated", updated))
    Xml.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": own})
    Xml.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": feed.page})
    _texts(Xml.SubElement(root, "author"), ("name", "Gangland"))
    for each in feed.entries:
        _entry(Xml.SubElement(root, "entry"), each)
    body: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return body + b"\n"


def _entry(entry: Xml.Element, each: Happening) -> None:
    address = site_root() + each.page
    mark = f"{address}#{each.mark}" if each.mark else address
    _texts(entry, ("title", each.title), ("id", mark), ("updated", each.at), ("published", each.at))
    Xml.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": address})
    _texts(entry, ("summary", each.summary))


def _texts(parent: Xml.Element, *given: tuple[str, str]) -> None:
    for tag, text in given:
        Xml.SubElement(parent, tag).text = shown(text)  # leaves nothing that XML 1.0 may not have
