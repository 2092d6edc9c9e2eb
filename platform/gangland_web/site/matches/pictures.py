"""Pictures and clips of a game, by address: a decision as PNG, a round or the whole game as animated WebP or GIF.

A picture is drawn here, as previews are: it takes less than the page of the game.  A clip is made by a worker that
knows no secret; until it is there, its address answers 202 with a page that waits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec
from flask import Blueprint, abort, current_app, make_response, render_template, request
from redis.exceptions import RedisError
from werkzeug.wrappers import Response

from gangland.replay import load
from gangland_ladder.viewer.drawing.canvas import TEXT_CHARS
from gangland_ladder.viewer.drawing.colours import Scheme
from gangland_ladder.viewer.drawing.fonts import one_line, readable
from gangland_ladder.viewer.film import NoSuchStop, film_of
from gangland_ladder.viewer.pictures.making import Form, clip_round, made
from gangland_ladder.viewer.pictures.orders import ClipOrder
from gangland_web.base.text import sentence, shown
from gangland_web.broker.clips import Requested, ask, standing, take_made
from gangland_web.broker.link import PAGE_WAIT_S, connect
from gangland_web.models.matches import RATED, PlayedGame
from gangland_web.queries.matches import MatchPage, notes_of, public_film
from gangland_web.services.analyses import is_shown_to_all
from gangland_web.site.matches.clip_files import ClipFiles
from gangland_web.site.requested import requested_game
from gangland_web.web.caching import answered, build, conditional
from gangland_web.web.limits import count_clip, may_order_clip
from gangland_web.web.requests import settings

pages = Blueprint("pictures", __name__, url_prefix="/matches/<number:match_id>/games/<number:block>/<number:rotation>")

AGAIN_S: Final = 2
"""So long the page of a clip that is being made waits before it looks for it; then ever longer."""
_PART: Final = re.compile(r"game|end|r[1-9][0-9]{0,8}(?:\.s[1-9][0-9]{0,8}\.d[1-9][0-9]{0,8})?")
_OFF: Final = "This site makes no clips; `gangland replay FILE --clip` does it on your own machine."
_FULL: Final = "Too many clips wait to be made already; try again in a minute."
_FAILED: Final = "This clip could not be made."


@pages.get("/picture/<part>.png")
def picture(match_id: int, block: int, rotation: int, part: str) -> Response:
    """Draw a decision, a round's first, or the end."""
    page, played = requested_game(match_id, block, rotation)
    order = _order(page, played, part, Form.PNG)

    def draw() -> bytes:
        try:
            film = film_of(load(order.replay), order.names, notes=order.notes)
            return made(film, part, Form.PNG, Scheme(order.scheme), of=order.of)
        except NoSuchStop as mistake:
            abort(404, sentence(shown(str(mistake), limit=300)))

    return _kept(answered(_mark(order), draw, Form.PNG.mimetype, current_app.extensions["gangland_cards"]), page)


@pages.get("/clip/<part>.<any(webp, gif):ending>")
def clip(match_id: int, block: int, rotation: int, part: str, ending: str) -> Response:
    """Answer with a clip of a round or of the game; with a page that waits while it is being made."""
    page, played = requested_game(match_id, block, rotation)
    form = Form(ending)
    order = _order(page, played, part, form)
    mark = _mark(order)
    key, files = f"{mark}.{form}", ClipFiles(settings().data)
    body = files.get(key)
    if body is None:
        body = _requested(files, key, order, lambda: clip_round(public_film(page, played), part))
    if body is None:
        return _waiting(page, played, part)
    answer = Response(body, mimetype=form.mimetype)
    answer.set_etag(mark)
    return _kept(conditional(answer), page)


def _requested(files: ClipFiles, key: str, order: ClipOrder, check: Callable[[], object]) -> bytes | None:
    """Have a clip made, if nobody has asked for it yet; return it if it has come meanwhile.

    Args:
        check: raises NoSuchStop if the game has no such part.
    """
    url = settings().redis_url
    if settings().analysis_workers < 1 or url is None:
        abort(404, _OFF)
    client = connect(url, wait_s=PAGE_WAIT_S)
    try:
        for name, body in take_made(client):
            files.put(name, body)
        if (found := files.get(key)) is not None:
            return found
        outcome = standing(client, key)
        if outcome is None:
            may_order_clip()
            check()
            outcome = ask(client, key, order)
            if outcome is Requested.YES:
                count_clip()
    except NoSuchStop as mistake:
        abort(404, sentence(shown(str(mistake), limit=300)))
    except (RedisError, OSError) as error:
        current_app.logger.error("a clip was not asked for: %r", error)
        abort(503)
    finally:
        client.close()
    if outcome in (Requested.FULL, Requested.FAILED):
        abort(503, _FULL if outcome is Requested.FULL else _FAILED)
    return None


def _waiting(page: MatchPage, played: PlayedGame, part: str) -> Response:
    where = {"match_id": page.match.id, "block": played.block, "rotation": played.rotation}
    answer = make_response(render_template("clip.html", page=page, part=part, again_s=AGAIN_S, where=where), 202)
    answer.headers["Retry-After"] = str(AGAIN_S)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _kept(answer: Response, page: MatchPage) -> Response:
    """Let everybody keep what everybody may see; nobody else's."""
    public = page.match.purpose in RATED and is_shown_to_all(page.tournament)
    answer.headers["Cache-Control"] = "public, max-age=300" if public else "private, no-cache"
    if public:
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


def _order(page: MatchPage, played: PlayedGame, part: str, form: Form) -> ClipOrder:
    """Return all that a picture or a clip is made of; ends in 404 or 400 for what the address cannot ask for."""
    if _PART.fullmatch(part) is None:
        abort(404)
    of = f"Match {page.match.id}, block {played.block + 1}, rotation {played.rotation + 1}"
    return ClipOrder(played.replay, _names(page, played), notes_of(played), part, form.value, _scheme().value, of)


def _mark(order: ClipOrder) -> str:
    """Return what stands for a picture or a clip: what it is made of, as a game may be played again, and the code."""
    return sha256(build().encode() + msgspec.json.encode(order)).hexdigest()[:32]


def _names(page: MatchPage, played: PlayedGame) -> list[str]:
    """Return the bots' names, "Seat 2" in place of one that no font here has letters for."""
    lines = [one_line(shown(name), TEXT_CHARS) for name in page.names(played.seating)]
    return [readable(line, f"Seat {seat}") for seat, line in enumerate(lines, 1)]


def _scheme() -> Scheme:
    given = request.args.get("scheme", Scheme.LIGHT.value)
    if given not in set(Scheme):
        abort(400, f"scheme must be {' or '.join(Scheme)}, not {shown(given, limit=20)!r}")
    return Scheme(given)
