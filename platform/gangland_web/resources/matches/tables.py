"""The tables of a match's page as files: its bots, and every game with every seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlmodel import Session

from gangland_web.resources.matches.models import rows_of
from gangland_web.resources.matches.queries import MatchPage
from gangland_web.resources.matches.rows import GameRow, MatchBot, match_bot, read_games
from gangland_web.resources.tables import Column, Sheet, columns_of

TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"bots": columns_of(MatchBot), "games": columns_of(GameRow)}


def match_sheet(db: Session, page: MatchPage, what: str) -> Sheet:
    """Return a table of a match, `what` out of `TABLES`; games only of a match that is done."""
    if what == "bots":
        return Sheet("match-bots", "", TABLES[what], [match_bot(row) for row in rows_of(db, page)])
    number = page.match.number
    rows = read_games(db, page.match.tournament_id, range(number, number + 1))
    return Sheet("match-games", "", TABLES[what], rows)
