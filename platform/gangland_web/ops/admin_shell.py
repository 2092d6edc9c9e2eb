"""Shared functions of the `gangland admin` commands: database, files, output and exports."""

import os
import pwd
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated, Any, NoReturn, TypeVar

import typer
from typer.core import TyperGroup

from gangland_ladder.cli import output
from gangland_ladder.common.documents import Document, json_text
from gangland_ladder.common.texts import counted
from gangland_ladder.documents.installations import ArchiveExport, TableExport
from gangland_ladder.proof.archive_files import write_archive
from gangland_ladder.proof.archives import Content
from gangland_web.base.formats import Format
from gangland_web.base.text import shown
from gangland_web.models.database import Database
from gangland_web.models.organizing import COMMAND_LINE, Actor
from gangland_web.models.tournaments import Tournament
from gangland_web.ops.users import CannotStart, lock_folder, open_folder
from gangland_web.queries.exports import NoTable, Span, TableKind, open_table
from gangland_web.settings import SQLITE_FILE, read_settings, sqlite_url

# The database, files and output.

ACTOR = Actor(None, COMMAND_LINE)  # the actor in the log
FINDINGS, USAGE, SERVER = 1, 2, 3
SENTENCE_CHARS = 1000

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="FOLDER", help="The data folder. DATABASE_URL or ~/.local/share/gangland by default."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]

OPEN_RESOURCES = ExitStack()  # opened databases and locks of folders; locks are released last


class FullHelp(TyperGroup):
    """A group whose help shows the whole first sentence of each command."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first sentence of each command, regardless of its length."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(SENTENCE_CHARS)) for name, command in commands if command]
            )


class Command(output.SharedOptionsLast):
    """A command of `gangland admin`, with `--data` among the shared options and arguments in capitals."""

    shared = output.SHARED | {"data"}

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for parameter in self.params:
            if parameter.param_type_name == "argument" and parameter.metavar is None:
                name = str(parameter.name).upper()
                parameter.metavar = name if parameter.required else f"[{name}]"


FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class Commands(typer.Typer):
    """A group of commands of `gangland admin`."""

    def __init__(self, help: str, **settings: Any) -> None:
        super().__init__(cls=FullHelp, help=help, no_args_is_help=True, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[FunctionT], FunctionT]:
        """Return a decorator that adds a command to the group."""
        return super().command(name, cls=Command, **settings)


class Refused(ValueError):
    """A command cannot be executed; the message describes the expected input."""


def open_database(data: Path | None) -> Database:
    """Open the installation's database.  Raises Refused: there is none."""
    database = Database(_address(data))
    OPEN_RESOURCES.callback(database.close)
    return database


def new_database(data: Path | None) -> Database:
    """Open an empty database: that of DATABASE_URL, or a new one in the data folder.  Raises Refused."""
    settings = read_settings()
    address = settings.database_url
    if data is not None or address is None:
        folder = (data if data is not None else settings.data).expanduser().absolute()
        _check_owner(folder)
        try:
            open_folder(folder)
            OPEN_RESOURCES.enter_context(lock_folder(folder))
        except CannotStart as error:
            raise Refused(str(error)) from error
        address = sqlite_url(folder)
    database = Database(address)
    OPEN_RESOURCES.callback(database.close)
    return database


def _check_owner(folder: Path) -> None:
    """Check that the owner of a data folder can use files that this process writes there.  Raises Refused."""
    try:
        owner = folder.stat().st_uid
    except OSError:
        return
    if os.geteuid() == 0 != owner:
        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = f"#{owner}"
        raise Refused(f"{folder} belongs to {name}: put `runuser -u {name} --` in front of this command")


def _address(data: Path | None) -> str:
    settings = read_settings()
    if data is None and settings.database_url is not None:
        return settings.database_url
    folder = data if data is not None else settings.data
    if not (folder / SQLITE_FILE).is_file():
        raise Refused(f"no installation in {folder}: use --data, or DATABASE_URL for PostgreSQL")
    return sqlite_url(folder)


@contextmanager
def atomic_file(file: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Yield a stream that becomes the file when it is complete; after a failure there is no file.

    Raises Refused: the file cannot be written.
    """
    part = temporary_path(file)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except OSError as error:
        raise Refused(f"cannot write {file}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def temporary_path(file: Path) -> Path:
    """Return the temporary name of an incomplete file, which is left behind if the command is killed."""
    return file.with_name(f".{file.name}.{os.getpid()}")


def print_result(document: Document, lines: list[str], *, as_json: bool) -> None:
    """Print a result: the document as one line of JSON, or the lines as text."""
    sys.stdout.write((json_text(document) if as_json else "\n".join(map(_line, lines))) + "\n")


def warn(message: str) -> None:
    """Print that a secondary step failed."""
    sys.stderr.write(f"gangland: {_line(message)}\n")


def refuse(message: str, code: int, *lines: str) -> NoReturn:
    """Print an error message and further lines, and exit with the status `code`."""
    sys.stderr.write("\n".join((f"gangland: {_line(message)}", *lines)) + "\n")
    sys.exit(code)


def _line(text: str) -> str:
    """Return a text on one line, so that no part of it looks like a separate line of output."""
    return shown(text).replace("\n", "\\n")


# Exports: archives and tables, written completely or not at all.

STDOUT = Path("-")


class Kind(StrEnum):
    """The kinds of exports."""

    ARCHIVE = "archive"
    MATCHES = "matches"
    GAMES = "games"
    STANDINGS = "standings"
    RATINGS = "ratings"
    DAYS = "days"


File = Annotated[Path, typer.Argument(help="The file to write. - is stdout, for tables.")]
ExportKind = Annotated[Kind, typer.Option("--what", help="An archive for `gangland verify`, or a table.")]
TableForm = Annotated[
    Format | None, typer.Option("--as", help="The format of a table. By the file's extension, or csv, by default.")
]


def export_archive(file: Path, content: Content, *, as_json: bool) -> None:
    """Write an archive and print the result."""
    if file == STDOUT:
        raise Refused("expected a file for an archive, not stdout")
    _write(file, lambda stream: write_archive(stream, content))
    matches = content.tournament.matches
    document = ArchiveExport(file=str(file), matches=matches)
    print_result(document, [f"{file}: {counted(matches, 'match')}"], as_json=as_json)


def export_table(
    database: Database,
    source: Tournament,
    kind: TableKind,
    form: Format,
    file: Path,
    span: Span | None,
    *,
    as_json: bool,
) -> None:
    """Write a table and print the result; to stdout, only the table.  Raises Refused."""
    try:
        pieces = open_table(database, source, kind, span).pieces(form)
    except NoTable as error:
        raise Refused(str(error)) from error
    if file == STDOUT:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
        return
    _write(file, lambda stream: stream.writelines(pieces))
    print_result(TableExport(str(file), kind.value, form.value), [f"{file}: {kind} as {form}"], as_json=as_json)


def form_of(file: Path, option: Format | None) -> Format:
    """Return the format of a table: the option, else by the file's extension, else CSV.  Raises Refused."""
    ending = file.suffix.removeprefix(".")
    if option is not None:
        return option
    if file == STDOUT or not ending:
        return Format.CSV
    if ending not in list(Format):
        raise Refused(f"{file.name}: expected the extension {', '.join(Format)}, or --as, or --what archive")
    return Format(ending)


def _write(file: Path, fill: Callable[[IO[bytes]], None]) -> None:
    if file.exists():
        raise Refused(f"{file} already exists")
    with atomic_file(file) as stream:
        fill(stream)
