"""What the commands for organisers share: which database, how times are written, what is printed."""

import os
import pwd
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from gangland_ladder.common.documents import Document, json_text
from gangland_web.base.text import shown
from gangland_web.models.database import Database
from gangland_web.ops.users import CannotStart, lock_folder, open_folder
from gangland_web.settings import SQLITE_FILE, read_settings, sqlite_url

FINDINGS, USAGE, SERVER = 1, 2, 3
SENTENCE_CHARS = 1000

Data = Annotated[
    Path | None,
    typer.Option("--data", help="The installation's data folder; DATABASE_URL or the user's data folder if left out."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout instead of text.")]

OPENED = ExitStack()
"""What the command opened: databases, and locks of folders, which are let go last."""


class WholeHelp(TyperGroup):
    """A group whose help has the whole first sentence of each command."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command's sentence, whatever its length."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(SENTENCE_CHARS)) for name, each in commands if each])


class Refused(ValueError):
    """A command that cannot be carried out; the message says what was expected."""


def open_database(data: Path | None) -> Database:
    """Open the installation's database.

    Raises:
        Refused: there is none.
    """
    database = Database(_address(data))
    OPENED.callback(database.close)
    return database


def new_database(data: Path | None) -> Database:
    """Open a database that is to be filled: the one that DATABASE_URL names, or a new one in the data folder.

    Raises:
        Refused: the folder cannot be used, or the platform runs on it.
    """
    settings = read_settings()
    address = settings.database_url
    if data is not None or address is None:
        folder = (data if data is not None else settings.data).expanduser().absolute()
        _need_own(folder)
        try:
            open_folder(folder)
            OPENED.enter_context(lock_folder(folder))
        except CannotStart as why:
            raise Refused(str(why)) from why
        address = sqlite_url(folder)
    database = Database(address)
    OPENED.callback(database.close)
    return database


def _need_own(folder: Path) -> None:
    """See that whoever owns a data folder could use what is written into it.

    Raises:
        Refused: it is somebody's, and root would write.
    """
    try:
        owner = folder.stat().st_uid
    except OSError:
        return
    if os.geteuid() == 0 != owner:
        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = f"#{owner}"
        raise Refused(
            f"{folder} is {name}'s, who could not use what root writes there: type it after `runuser -u {name} --`"
        )


def _address(data: Path | None) -> str:
    settings = read_settings()
    if data is None and settings.database_url is not None:
        return settings.database_url
    folder = data if data is not None else settings.data
    if not (folder / SQLITE_FILE).is_file():
        raise Refused(f"there is no installation in {folder}: give --data, or DATABASE_URL for one on PostgreSQL")
    return sqlite_url(folder)


def moment(text: str | None, option: str) -> float | None:
    """Return a time in Unix seconds; one without a zone is UTC.

    Raises:
        Refused: it is no time.
    """
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise Refused(f"{option} is a time such as 2027-03-01T18:00Z, not {text!r}") from error
    return (read if read.tzinfo is not None else read.replace(tzinfo=UTC)).timestamp()


@contextmanager
def whole_file(file: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Give a stream whose content becomes a file when all of it is written; what fails half-way leaves none.

    Raises:
        Refused: it cannot be written.
    """
    part = part_of(file)
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


def part_of(file: Path) -> Path:
    """Return the name under which a file is written until it is whole; of a command that is killed, it stays."""
    return file.with_name(f".{file.name}.{os.getpid()}")


def tell(document: Document, lines: list[str], *, as_json: bool) -> None:
    """Print a result, as one line of JSON or as text."""
    sys.stdout.write((json_text(document) if as_json else "\n".join(map(_line, lines))) + "\n")


def warn(message: str) -> None:
    """Say what did not come off beside what was asked for."""
    sys.stderr.write(f"gangland: {_line(message)}\n")


def refuse(message: str, code: int, *more: str) -> NoReturn:
    """Say why nothing was done, with more lines below it, and exit."""
    sys.stderr.write("\n".join((f"gangland: {_line(message)}", *more)) + "\n")
    sys.exit(code)


def _line(text: str) -> str:
    """Return a text on one line, so that no part of it passes for a line of ours."""
    return shown(text).replace("\n", "\\n")
