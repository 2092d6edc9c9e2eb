"""Who sees what of a match: one rule for its pages, its games, and all that is made of them."""

from __future__ import annotations

from flask import abort

from gangland_web.http.sessions import is_mine, reading
from gangland_web.league.matches.retention import need_kept
from gangland_web.resources.matches.queries import MatchPage, game_of, match_page
from gangland_web.resources.visibility.tournaments import results_seen
from gangland_web.store.lifecycles.matches import MatchState, Purpose
from gangland_web.store.models.matches import PlayedGame


def visible(page: MatchPage | None) -> MatchPage:
    """Return the page if whoever looks may see it, else answer that there is none.

    A trial is its owner's business alone, a challenge that of all whose bots sit there, an audit nobody's, and of a
    check the version's page tells; what a tournament came to is nobody's under its embargo.
    """
    if page is None or page.match.purpose in (Purpose.CHECK, Purpose.AUDIT):
        abort(404)
    if page.match.purpose in (Purpose.TRIAL, Purpose.CHALLENGE) and not any(is_mine(seat) for seat in page.seats):
        abort(404)
    if not results_seen(page.tournament):
        abort(404)
    return page


def visible_game(match_id: int, block: int, rotation: int) -> tuple[MatchPage, PlayedGame]:
    """Return a game of a match that is over, if whoever looks may see it; else answer that there is none.

    Raises:
        NotKept: its replay is not kept any more.
    """
    with reading() as db:
        page = visible(match_page(db, match_id))
        played = game_of(db, match_id, block, rotation)
    if played is None or page.match.state != MatchState.DONE:
        abort(404)
    need_kept(page.match)
    return page, played
