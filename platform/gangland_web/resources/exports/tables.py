"""Which tables there are of a tournament or a ladder, and what stands in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gangland_web.core.table_formats import Form, Row, encoded
from gangland_web.league.tournaments.final import final_standings
from gangland_web.resources.exports import rows
from gangland_web.resources.exports.rows import COLUMNS, Span, What
from gangland_web.store.columns import stored
from gangland_web.store.database import Database
from gangland_web.store.models.tournaments import Tournament

MATCHES_MOST: Final = 10_000
"""How many matches of a ladder one answer may have; a shell on the server has no such bound."""


class NoTable(ValueError):
    """There is no such table; the message says why, and what there is."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that are read as they are taken; `matches` is how many matches they are about."""

    what: What
    rows: Iterator[Row]
    matches: int = 0

    def pieces(self, form: Form) -> Iterator[bytes]:
        """Yield the table in a form, piece by piece."""
        return encoded(form, self.what.value, COLUMNS[self.what], self.rows)


def open_table(database: Database, tournament: Tournament, what: What, span: Span | None = None) -> Table:
    """Return a table of a tournament or a ladder.

    Raises:
        NoTable: there is none of the kind, or not yet.
    """
    tournament_id = stored(tournament.id)
    if what in (What.MATCHES, What.GAMES):
        with database.read() as session:
            asked = rows.numbers(session, tournament_id, span or Span())
        read = rows.matches if what is What.MATCHES else rows.games
        return Table(what, read(database, tournament_id, asked), len(asked))
    if what is What.RATINGS:
        return Table(what, rows.ratings(database, tournament_id))
    if what is What.DAYS:
        return Table(what, _days(database, tournament))
    return Table(what, _standings(database, tournament))


def _days(database: Database, tournament: Tournament) -> Iterator[Row]:
    if tournament.kind != "ladder":
        raise NoTable("a ladder has days; a tournament has matches, games, standings and ratings")
    return rows.days(database, stored(tournament.id))


def _standings(database: Database, tournament: Tournament) -> Iterator[Row]:
    if tournament.kind != "tournament":
        raise NoTable("a ladder never ends, so it has no final standings: its ratings say who is ahead")
    with database.read() as session:
        found = final_standings(session, tournament)
    if found is None:
        raise NoTable(f"{tournament.name} is {tournament.state} and has no standings; they come when all is played")
    return rows.standings(database, stored(tournament.id), found)
