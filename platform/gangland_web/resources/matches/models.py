"""A match as pages' JSON, the API, tables and exports have it: one model and one builder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from flask import url_for
from sqlmodel import Session

from gangland_web.base.clock import timestamp
from gangland_web.base.formats import Row
from gangland_web.models.columns import stored
from gangland_web.resources.fields import BASE, Count, Game, Hex64, Model, Moment, Number, Path
from gangland_web.resources.matches.queries import MatchPage
from gangland_web.resources.matches.rows import GameRow, MatchBot, MatchFacts, match_bot, read_games, read_matches
from gangland_web.resources.matches.waiting import dice_of, why_not_played
from gangland_web.resources.tables import Column, TableData, columns_of


class MatchDetail(Model):
    """A match and the bots in it; its dice hang on the secret behind `commitment`.

    `number` is its number in its tournament or ladder, `seats` how many bots play; `waits` says what a scheduled match
    waits for.  `host` is the worker host that played it, null before it is recorded.
    """

    id: Number
    number: Number
    url: Path
    page: Path
    game: Game
    seats: int
    blocks: Count
    is_final: bool
    purpose: str
    tournament: Number | None
    state: str
    waits: str
    void_reason: str | None
    rating_order: int | None
    day: str | None
    created_at: Moment | None
    over_at: Moment | None
    digest: Hex64 | None
    commitment: Hex64 | None
    secret: Hex64 | None
    host: str | None
    bots: list[MatchBot]


def match_detail(db: Session, page: MatchPage) -> MatchDetail:
    """Return a match that whoever looks may see."""
    found, of, dice = page.match, page.tournament, dice_of(db, page)
    rows = rows_of(db, page)
    facts: dict[str, Any] = {name: rows[0][name] for name in MatchFacts.__struct_fields__ if name != "match"}
    return MatchDetail(
        **facts,
        id=stored(found.id),
        url=f"{BASE}/matches/{found.id}",
        page=url_for("matches.match", match_id=found.id),
        purpose=found.purpose,
        tournament=of.id if of.kind == "tournament" else None,
        waits=why_not_played(db, page),
        created_at=timestamp(found.created_at),
        commitment=dice.commitment,
        secret=dice.secret,
        host=page.host,
        bots=msgspec.convert([match_bot(row) for row in rows], list[MatchBot]),
    )


def rows_of(db: Session, page: MatchPage) -> list[Row]:
    """Return a row for each bot of a match, as exports have them."""
    number = page.match.number
    return read_matches(db, page.match.tournament_id, range(number, number + 1))


TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"bots": columns_of(MatchBot), "games": columns_of(GameRow)}


def match_table(db: Session, page: MatchPage, what: str) -> TableData:
    """Return a table of a match, `what` out of `TABLES`; games only of a match that is done."""
    if what == "bots":
        return TableData("match-bots", "", TABLES[what], [match_bot(row) for row in rows_of(db, page)])
    number = page.match.number
    rows = read_games(db, page.match.tournament_id, range(number, number + 1))
    return TableData("match-games", "", TABLES[what], rows)
