"""A game in other sites' pages: a slim page for their frames, and oEmbed, by which they find it.

Both know nobody: what a stranger may not see is not there.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, abort, current_app, jsonify, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from gangland.words import listed
from gangland_ladder.viewer.film import Film, NoSuchStop
from gangland_ladder.viewer.games import presentation_of
from gangland_web.base.clock import now_s
from gangland_web.base.text import shown, whole_number
from gangland_web.models.matches import PlayedGame
from gangland_web.queries.matches import MatchPage, public_film
from gangland_web.queries.tournament_pages import premiered_game
from gangland_web.queries.visibility import results_visible
from gangland_web.site.requested import requested_game, requested_stop
from gangland_web.site.viewer_files import film_markup
from gangland_web.web.address import site_root
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import reading

pages = Blueprint("embed", __name__)

THEMES: Final = ("auto", "light", "dark")
WIDTH: Final = 760
_LEAST: Final = 240
_ADDRESS_CHARS: Final = 2000


@pages.get("/embed/matches/<number:match_id>/games/<number:block>/<number:rotation>")
def game(match_id: int, block: int, rotation: int) -> Response:
    """Show a game alone, in a theme of the framing page's choice, at the decision that the address names."""
    theme = request.args.get("theme", "auto")
    if theme not in THEMES:
        abort(400, f"theme must be {', '.join(THEMES)}, not {shown(theme, limit=20)!r}")
    with reading() as db:
        premiered = premiered_game(db, match_id, block, rotation, now_s())
    page, played = premiered or requested_game(match_id, block, rotation)
    made_of = f"game {played.id} {page.tournament.id} {page.tournament.revision}"
    return cached_page(made_of, lambda: _game_page(page, played, theme), personal=False)


def _game_page(page: MatchPage, played: PlayedGame, theme: str) -> str:
    film = public_film(page, played)
    where: dict[str, Any] = {"match_id": played.match_id, "block": played.block, "rotation": played.rotation}
    address = url_for("matches.game", _external=True, **where)
    if not results_visible(page.tournament, None):  # a premiere has shown this game, and its own page is hidden
        address = url_for("tournaments.tournament", tournament_id=page.tournament.id, _external=True)
    return render_template(
        "embed.html",
        theme=theme,
        address=address,
        **film_markup(film, start=requested_stop(film)),
    )


@pages.get("/oembed")
def oembed() -> Response:
    """Say how a game's page is embedded, as oembed.com has it: 404 for other addresses, 501 for other formats."""
    if request.args.get("format", "json") != "json":
        abort(501, "format must be json")
    address = request.args.get("url")
    if not address or len(address) > _ADDRESS_CHARS:
        abort(400, "url must be the address of a game's page")
    where, fragment = _game_at(address)
    page, played = requested_game(**where)
    film = public_film(page, played)
    answer: Response = jsonify(_rich(page, film, where, fragment))
    answer.headers["Access-Control-Allow-Origin"] = "*"
    answer.headers["Cache-Control"] = "public, max-age=300"
    return answer


def _game_at(address: str) -> tuple[dict[str, Any], str]:
    """Return which game an address of this site names, and its fragment; 404 if it names none."""
    try:
        parts = urlsplit(address)
        found = current_app.url_map.bind("localhost").match(parts.path, method="GET")
    except (ValueError, HTTPException):
        abort(404, "no game has this address")
    endpoint, values = found
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != urlsplit(site_root()).netloc:
        abort(404, "this is no address of this site")
    if endpoint not in ("matches.game", "embed.game"):
        abort(404, "no game has this address")
    return {name: int(values[name]) for name in ("match_id", "block", "rotation")}, parts.fragment


def _rich(page: MatchPage, film: Film, where: dict[str, Any], fragment: str) -> dict[str, Any]:
    width = _at_most("maxwidth", WIDTH)
    height = _at_most("maxheight", presentation_of(film.game).frame_px)
    names = listed([shown(name, limit=60) for name in film.names])
    title = f"{film.title}: {names}"
    source = url_for("embed.game", _external=True, _anchor=_known(film, fragment) if fragment else None, **where)
    frame = Markup(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0;max-width:100%"></iframe>'
    ).format(source, width, height, title)
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Gangland",
        "provider_url": url_for("home.index", _external=True),
        "title": title,
        "cache_age": 300,
        "thumbnail_url": _thumbnail(page, film, where, fragment),
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
        "html": str(frame),
        "width": width,
        "height": height,
    }


def _thumbnail(page: MatchPage, film: Film, where: dict[str, Any], fragment: str) -> str:
    """Return the address of the picture of the decision that a fragment names, that of the match without one."""
    if not fragment:
        return url_for("pictures.match_card", match_id=page.match.id, _external=True)
    return url_for("pictures.picture", part=_known(film, fragment), scheme="dark", _external=True, **where)


def _known(film: Film, fragment: str) -> str:
    """Return the address of a stop that a fragment names, that of the first for anything else."""
    try:
        return film.at(film.index_of(fragment))
    except NoSuchStop:
        return film.at(0)


def _at_most(name: str, usual: int) -> int:
    given = request.args.get(name, "")
    if not given:
        return usual
    number = whole_number(given, digits=6)
    if number is None:
        abort(400, f"{name} must be a whole number of pixels, not {shown(given, limit=20)!r}")
    return max(_LEAST, min(usual, number))
