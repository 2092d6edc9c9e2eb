"""A game of a match, as whoever is signed in may see it."""

from __future__ import annotations

from gangland_web.http.sessions import looker, reading
from gangland_web.resources.matches.queries import MatchPage
from gangland_web.resources.matches.visibility import visible_game
from gangland_web.store.models.matches import PlayedGame


def seen_game(match_id: int, block: int, rotation: int) -> tuple[MatchPage, PlayedGame]:
    """Return a game with its match; ends in 404 or 410 without it (`visible_game`)."""
    who = looker()
    with reading() as db:
        return visible_game(db, match_id, block, rotation, who)
