"""Which tables there are of a tournament or a ladder, and what stands in them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from sqlmodel import Session

from gangland_web.base.formats import Form, Row, encoded
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.entries import read_ratings
from gangland_web.resources.exports import rows
from gangland_web.resources.exports.rows import ROWS, Span, What
from gangland_web.resources.ladders.days import days_of
from gangland_web.resources.tournaments.standings import standings_of
from gangland_web.services.settling import final_standings

MATCHES_MOST: Final = 10_000
"""How many matches of a ladder one answer may have; a shell on the server has no such bound."""


class NoTable(ValueError):
    """There is no such table; the message says why, and what there is."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that are read as they are taken; `matches` is how many matches they are about.

    Attributes:
        head: what its JSON document says beside its rows.
    """

    what: What
    rows: Iterator[Row]
    matches: int = 0
    head: Mapping[str, Any] = field(default_factory=dict)

    def pieces(self, form: Form, *, spreadsheet: bool = False) -> Iterator[bytes]:
        """Yield the table in a form, piece by piece; `encoded` says what `spreadsheet` is."""
        name = "tournament-standings" if self.what is What.STANDINGS else self.what.value
        return encoded(form, name, ROWS[self.what].__struct_fields__, self.rows, self.head, spreadsheet=spreadsheet)


def open_table(database: Database, tournament: Tournament, what: What, span: Span | None = None) -> Table:
    """Return a table of a tournament or a ladder.

    Raises:
        NoTable: there is none of the kind, or not yet.
    """
    tournament_id = stored(tournament.id)
    if what in (What.MATCHES, What.GAMES):
        with database.read() as session:
            wanted = rows.numbers(session, tournament_id, span or Span())
        read = rows.matches if what is What.MATCHES else rows.games
        return Table(what, read(database, tournament_id, wanted), len(wanted))
    with database.read() as session:
        if what is What.RATINGS:
            return Table(what, iter(read_ratings(session, tournament_id)))
        if what is What.DAYS:
            return Table(what, iter(_days(session, tournament)))
        return _standings(session, tournament)


def _days(session: Session, tournament: Tournament) -> list[Row]:
    if tournament.kind != "ladder":
        raise NoTable("a ladder has days; a tournament has matches, games, standings and ratings")
    return [msgspec.to_builtins(day) for day in days_of(session, tournament)]


def _standings(session: Session, tournament: Tournament) -> Table:
    if tournament.kind != "tournament":
        raise NoTable("a ladder never ends, so it has no final standings: its ratings say who is ahead")
    kept = final_standings(session, tournament)
    if kept is None:
        raise NoTable(f"{tournament.name} is {tournament.state} and has no standings; they come when all is played")
    head = msgspec.to_builtins(standings_of(session, tournament, kept))
    return Table(What.STANDINGS, iter(head.pop("rows")), head=head)
