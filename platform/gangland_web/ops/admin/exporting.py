"""Writing exports from a shell: archives and tables, whole or not at all."""

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated

import typer

from gangland_ladder.documents.admin import ArchiveExport, TableExport
from gangland_ladder.proof.archives.archive import Content
from gangland_ladder.proof.archives.files import write_archive
from gangland_web.base.formats import Form
from gangland_web.models.database import Database
from gangland_web.models.tournaments import Tournament
from gangland_web.ops.admin.shell import Refused, tell, whole_file
from gangland_web.queries.exports import NoTable, Span, What, open_table

STDOUT = Path("-")


class Kind(StrEnum):
    """What can be exported."""

    ARCHIVE = "archive"
    MATCHES = "matches"
    GAMES = "games"
    STANDINGS = "standings"
    RATINGS = "ratings"
    DAYS = "days"


File = Annotated[Path, typer.Argument(help="The file to write; - is stdout, for tables.")]
Wanted = Annotated[Kind, typer.Option("--what", help="An archive that `gangland verify` examines, or a table.")]
As = Annotated[
    Form | None, typer.Option("--as", help="How a table is written; by the file's ending, or csv, if left out.")
]


def export_archive(file: Path, content: Content, *, as_json: bool) -> None:
    """Write an archive and say so."""
    if file == STDOUT:
        raise Refused("an archive is written to a file, not to stdout")
    _write(file, lambda stream: write_archive(stream, content))
    matches = content.tournament.matches
    tell(ArchiveExport(file=str(file), matches=matches), [f"{file}: {matches} matches"], as_json=as_json)


def export_table(
    database: Database, tournament: Tournament, what: What, form: Form, file: Path, span: Span | None, *, as_json: bool
) -> None:
    """Write a table and say so; to stdout, write the table alone.

    Raises:
        Refused: there is no such table, or not yet.
    """
    try:
        pieces = open_table(database, tournament, what, span).pieces(form)
    except NoTable as none:
        raise Refused(str(none)) from none
    if file == STDOUT:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
        return
    _write(file, lambda stream: stream.writelines(pieces))
    tell(TableExport(str(file), what.value, form.value), [f"{file}: {what} as {form}"], as_json=as_json)


def form_of(file: Path, given: Form | None) -> Form:
    """Return the form to write a table in: the one given, else by the file's ending, else CSV.

    Raises:
        Refused: the ending is that of an archive, or of nothing that is written here.
    """
    ending = file.suffix.removeprefix(".")
    if given is not None:
        return given
    if file == STDOUT or not ending:
        return Form.CSV
    if ending not in list(Form):
        raise Refused(f"{file.name} ends in none of {', '.join(Form)}: say --as, or --what archive for an archive")
    return Form(ending)


def _write(file: Path, fill: Callable[[IO[bytes]], None]) -> None:
    if file.exists():
        raise Refused(f"{file} exists already, and nothing is overwritten")
    with whole_file(file) as stream:
        fill(stream)
