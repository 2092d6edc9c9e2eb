"""Content for other sites: news feeds, games to embed in frames, and oEmbed.

All of these show only public data.  The URL of the feed of followed bots, users and teams contains a secret.
"""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit
from xml.etree import ElementTree as Xml

from flask import Blueprint, abort, current_app, jsonify, render_template, request, url_for
from flask import Response as FlaskResponse
from markupsafe import Markup
from sqlmodel import Session
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from gangland.words import join_and
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import NoSuchFrame, Timeline
from gangland_web.base.formats import GAME_TITLES, now_s, timestamp
from gangland_web.base.text import shown, whole_number
from gangland_web.models.accounts import Team
from gangland_web.models.bots import Bot
from gangland_web.models.columns import row_id
from gangland_web.models.matches import PlayedGame
from gangland_web.queries import authors, ladders, match_lists, matches, seasons, tournament_pages, tournaments
from gangland_web.queries.bots import bots_of_person, bots_of_team, entries_of
from gangland_web.queries.following import NewsItem, feed_of, match_news, newest, news_of, season_news
from gangland_web.queries.visibility import NotVisible, results_visible
from gangland_web.services.following import feed_reader, mark_of
from gangland_web.site.serving import requested_frame, requested_game, row_or_404
from gangland_web.site.viewer import timeline_markup
from gangland_web.web.address import site_root
from gangland_web.web.caching import cached_page, make_conditional
from gangland_web.web.sessions import reading

pages = Blueprint("sharing", __name__)


# Atom feeds (RFC 4287).

_ENTRIES: Final = 30
_ATOM: Final = "http://www.w3.org/2005/Atom"
_CACHE_CONTROL: Final = "public, max-age=60"
_NEVER: Final = 0.0


@pages.get("/feeds/results.atom")
def results_feed() -> Response:
    """Return the latest results of all ladders."""
    with reading() as db:
        matches = match_lists.latest_matches(db, _ENTRIES)
    return _feed("results", [*map(match_news, matches)], _NEVER, "home.index")


@pages.get("/feeds/ladders/<game>/<number:seats>.atom")
def ladder_feed(game: str, seats: int) -> Response:
    """Return the latest results of a ladder."""
    with reading() as db:
        ladder = ladders.get_ladder(db, game, seats)
        matches = map(match_news, match_lists.matches_of_ladder(db, row_id(ladder.id), _ENTRIES).rows)
        ended = [season_news(season, at, best) for season, at, best in seasons.final_seasons(db, ladder, _ENTRIES)]
    title, entries = f"{GAME_TITLES[game]} ladder, {seats} seats", newest([*matches, *ended], _ENTRIES)
    return _feed(title, entries, ladder.created_at, "ladders.ladder", game=game, seats=seats)


@pages.get("/feeds/tournaments/<number:tournament_id>.atom")
def tournament_feed(tournament_id: int) -> Response:
    """Return a tournament's latest results; the feed is empty while they are under embargo."""
    with reading() as db:
        tournament = tournaments.get_tournament(db, tournament_id, None)
        public = results_visible(tournament, None)
        matches = match_lists.latest_of_tournament(db, tournament_id, _ENTRIES).rows if public else ()
        entries = [*map(match_news, matches)]
    since, page = tournament.created_at, "tournaments.tournament"
    return _feed(tournament.name, entries, since, page, tournament_id=tournament_id)


@pages.get("/feeds/bots/<number:bot_id>.atom")
def bot_feed(bot_id: int) -> Response:
    """Return the latest ladder results of a bot, and its other news."""
    with reading() as db:
        bot = row_or_404(db.get(Bot, bot_id))
        entries = _bot_entries(db, [bot])
    return _feed(f"{bot.name} ({GAME_TITLES[bot.game]})", entries, bot.created_at, "bots.bot", bot_id=bot_id)


@pages.get("/feeds/authors/<number:author_id>.atom")
def author_feed(author_id: int) -> Response:
    """Return news and ladder results of a user's bots."""
    with reading() as db:
        author = authors.get_author(db, author_id)
        entries = _bot_entries(db, [page.bot for page in bots_of_person(db, author_id)])
    return _feed(f"bots by {author.name}", entries, _NEVER, "authors.author", author_id=author_id)


@pages.get("/feeds/teams/<number:team_id>.atom")
def team_feed(team_id: int) -> Response:
    """Return news and ladder results of a team's bots."""
    with reading() as db:
        team = row_or_404(db.get(Team, team_id))
        entries = _bot_entries(db, [page.bot for page in bots_of_team(db, team_id)])
    return _feed(f"team {team.name}", entries, team.created_at, "teams.team", team_id=team_id)


@pages.get("/feeds/following.atom")
def following_feed() -> Response:
    """Return news about everything that an account follows; the URL contains the account's secret key."""
    with reading() as db:
        reader = feed_reader(db, request.args.get("key", ""))
        if reader is None:
            raise NotVisible("This feed does not exist or was replaced. Create a new link on your Following page.")
        entries, since = feed_of(db, reader, _ENTRIES), mark_of(db, reader).read_at
    response = _feed("Following", entries, since, "authors.news")
    response.headers["Cache-Control"] = "private, max-age=60"
    return response


def _bot_entries(db: Session, bots: Sequence[Bot]) -> list[NewsItem]:
    ids = [row_id(bot.id) for bot in bots]
    matches = match_lists.matches_of_entries(db, entries_of(db, ids), _ENTRIES).rows
    return newest([*map(match_news, matches), *news_of(db, ids, limit=_ENTRIES)], _ENTRIES)


def _feed(title: str, entries: Sequence[NewsItem], since: float, endpoint: str, **parameters: Any) -> Response:
    """Return a feed about the page `endpoint`; `since` is the time of the last update of an empty feed."""
    page, feed_url = url_for(endpoint, _external=True, **parameters), site_root() + request.path
    body = atom(f"Gangland: {title}", entries, since, page=page, feed_url=feed_url)
    response = FlaskResponse(body, content_type="application/atom+xml; charset=utf-8")
    response.headers["Cache-Control"] = _CACHE_CONTROL
    return make_conditional(response)


def atom(title: str, entries: Sequence[NewsItem], since: float, *, page: str, feed_url: str) -> bytes:
    """Return a feed as an XML document; `feed_url` is its URL."""
    root = Xml.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    updated = max((entry.at for entry in entries), default=timestamp(since))
    _texts(root, ("title", title), ("id", feed_url), ("updated", updated))
    Xml.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": feed_url})
    Xml.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": page})
    _texts(Xml.SubElement(root, "author"), ("name", "Gangland"))
    for item in entries:
        entry, address = Xml.SubElement(root, "entry"), site_root() + item.page
        entry_id = f"{address}#{item.mark}" if item.mark else address
        at, summary = item.at, item.summary
        _texts(entry, ("title", item.title), ("id", entry_id), ("updated", at), ("published", at))
        Xml.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": address})
        _texts(entry, ("summary", summary))
    body: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return body + b"\n"


def _texts(parent: Xml.Element, *texts: tuple[str, str]) -> None:
    for tag, text in texts:
        Xml.SubElement(parent, tag).text = shown(text)  # replaces characters that XML 1.0 forbids


# Embedded games, and oEmbed, which tells other sites how to embed them.

_THEMES: Final = ("auto", "light", "dark")
WIDTH: Final = 760
_MIN_PIXELS: Final = 240
_ADDRESS_CHARS: Final = 2000


@pages.get("/embed/matches/<number:match_id>/games/<number:block>/<number:rotation>")
def framed_game(match_id: int, block: int, rotation: int) -> Response:
    """Show a game without the rest of the page; the query string sets the theme and the first decision."""
    theme = request.args.get("theme", "auto")
    if theme not in _THEMES:
        abort(400, f"theme must be {', '.join(_THEMES)}, not {shown(theme, limit=20)!r}")
    with reading() as db:
        premiered = tournament_pages.premiered_game(db, match_id, block, rotation, now_s())
    page, played = premiered or requested_game(match_id, block, rotation)
    cache_key = f"game {played.id} {page.tournament.id} {page.tournament.revision}"
    return cached_page(cache_key, lambda: _frame_page(page, played, theme), personal=False)


def _frame_page(page: matches.MatchPage, played: PlayedGame, theme: str) -> str:
    timeline = matches.public_timeline(page, played)
    parameters: dict[str, Any] = {"match_id": played.match_id, "block": played.block, "rotation": played.rotation}
    address = url_for("matches.game", _external=True, **parameters)
    # The premiere has already shown this game, but the game's own page is still hidden.
    if not results_visible(page.tournament, None):
        address = url_for("tournaments.tournament", tournament_id=page.tournament.id, _external=True)
    return render_template(
        "sharing/embed.html", theme=theme, address=address, **timeline_markup(timeline, start=requested_frame(timeline))
    )


@pages.get("/oembed")
def oembed() -> Response:
    """Describe how to embed a game (oembed.com); 404 for other URLs, 501 for other formats."""
    if request.args.get("format", "json") != "json":
        abort(501, "format must be json")
    address = request.args.get("url")
    if not address or len(address) > _ADDRESS_CHARS:
        abort(400, "url must be the URL of a game's page")
    parameters, fragment = _game_of_address(address)
    page, played = requested_game(**parameters)
    timeline = matches.public_timeline(page, played)
    response: Response = jsonify(_oembed_answer(page, timeline, parameters, fragment))
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "public, max-age=300"
    return response


def _game_of_address(address: str) -> tuple[dict[str, Any], str]:
    """Parse the URL of a game's page into its parameters and fragment; 404 for other URLs."""
    try:
        parts = urlsplit(address)
        endpoint, values = current_app.url_map.bind("localhost").match(parts.path, method="GET")
    except (ValueError, HTTPException):
        abort(404, "there is no game at this URL")
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != urlsplit(site_root()).netloc:
        abort(404, "this is not a URL on this site")
    if endpoint not in ("matches.game", "sharing.framed_game") or not isinstance(values["match_id"], int):
        abort(404, "there is no public game at this URL")
    return {name: values[name] for name in ("match_id", "block", "rotation")}, parts.fragment


def _oembed_answer(
    page: matches.MatchPage, timeline: Timeline, parameters: dict[str, Any], fragment: str
) -> dict[str, Any]:
    width = _pixels("maxwidth", WIDTH)
    height = _pixels("maxheight", presentation_of(timeline.game).embed_height_px)
    names = join_and([shown(name, limit=60) for name in timeline.names])
    title = f"{timeline.title}: {names}"
    frame = _known_frame(timeline, fragment) if fragment else None
    source = url_for("sharing.framed_game", _external=True, _anchor=frame, **parameters)
    if frame is None:
        thumbnail = url_for("pictures.match_card", match_id=page.match.id, _external=True)
    else:
        thumbnail = url_for("pictures.picture", part=frame, scheme="dark", _external=True, **parameters)
    markup = Markup(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0;max-width:100%"></iframe>'
    ).format(source, width, height, title)
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Gangland",
        "provider_url": url_for("home.index", _external=True),
        "title": title,
        "cache_age": 300,
        "thumbnail_url": thumbnail,
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
        "html": str(markup),
        "width": width,
        "height": height,
    }


def _known_frame(timeline: Timeline, fragment: str) -> str:
    try:
        return timeline.at(timeline.index_of(fragment))
    except NoSuchFrame:
        return timeline.at(0)


def _pixels(name: str, default: int) -> int:
    text = request.args.get(name) or str(default)
    number = whole_number(text, digits=6)
    if number is None:
        abort(400, f"{name} must be a whole number of pixels, not {shown(text, limit=20)!r}")
    return max(_MIN_PIXELS, min(default, number))
