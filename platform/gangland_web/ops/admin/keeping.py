"""`gangland admin backup`, `examine`, `restore` and `digest`: everything that the database holds, as one file."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile, gettempdir
from typing import IO, Annotated, Any

import typer
from sqlalchemy.exc import DBAPIError

from gangland_ladder.documents.admin import Backup, Digest, Examined, Restore
from gangland_ladder.documents.admin import Results as ResultsOfBackup
from gangland_web.base.clock import timestamp
from gangland_web.models.database import Database
from gangland_web.models.site import Fact, fact, keep_fact
from gangland_web.ops.admin.exporting import STDOUT
from gangland_web.ops.admin.shell import (
    FINDINGS,
    Data,
    Json,
    Refused,
    new_database,
    open_database,
    refuse,
    tell,
    warn,
    whole_file,
)
from gangland_web.ops.backup import BackupRefused, Header, Restored, Results, results_digest, take_backup
from gangland_web.ops.backup import examine as examine_backup
from gangland_web.ops.backup import restore as restore_backup


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; - is stdout.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Overwrite an existing file.")] = False,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Write everything that the database holds at one moment into a file, while the site plays on.

    The file holds password hashes and the secrets of tournaments: nobody else can read it, and so it should stay.
    What goes to stdout may end nowhere: the site knows of it once `gangland admin examine` has read it.

    Example: gangland admin backup gangland-monday.backup
    """
    database = open_database(data)
    try:
        header = _to_stdout(database) if file == STDOUT else _to_file(database, file, overwrite=overwrite)
    except BackupRefused as why:
        raise Refused(str(why)) from why
    if file == STDOUT:
        return
    _note(database, header)
    size = file.stat().st_size
    document = Backup(**_facts(header), file=str(file), bytes=size)
    tell(document, [f"{file}: {size} bytes", *_lines(header.results)], as_json=as_json)


def examine(
    file: Annotated[Path, typer.Argument(help="A backup; - is stdin.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Read a backup from end to end, compare its digest of results with this site's, and have the site know of it.

    Exit 1 if it is whole and its results are not those that this site had then.

    Example: gangland admin examine - < gangland-monday.backup
    """
    database = open_database(data)
    try:
        header = examine_backup(_from_stdin() if file == STDOUT else file)
    except BackupRefused as why:
        raise Refused(f"{file.name} cannot be trusted: {why}") from why
    except OSError as error:
        raise Refused(f"cannot read {file}: {error.strerror}") from error
    same = header.results.up_to is None or _results_here(database, header) == header.results
    if same:
        _note(database, header)
    document = Examined(**_facts(header), file=str(file), same=same)
    compared = "the digest is that of this site" if same else "the digest is NOT that of this site"
    taken = f"a whole backup of {timestamp(header.made_at)}, taken by release {header.release}"
    tell(document, [taken, *_lines(header.results), compared], as_json=as_json)
    if not same:
        refuse("the backup is of another site, or results were changed since", FINDINGS)


def restore(
    file: Annotated[Path, typer.Argument(help="A backup; - is stdin.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Write a backup into an empty database, all of it or nothing, and bring that up to this release.

    The database is the one that DATABASE_URL names, or a new one in the data folder; it may be of the other kind than
    the one that the backup was taken of.  Exit 1 if the digest of results is not the backup's.

    Example: gangland admin restore gangland-monday.backup --data ./restored
    """
    try:
        if file != STDOUT and file.exists() and not file.is_file():
            raise Refused(f"{file} cannot be read twice: pipe it into  gangland admin restore -")
        with _stdin() if file == STDOUT else nullcontext(file) as source:
            done = restore_backup(new_database(data), source)
    except BackupRefused as why:
        raise Refused(f"{file.name} cannot be restored: {why}") from why
    except OSError as error:
        raise Refused(f"cannot read {file}: {error.strerror}") from error
    document = Restore(
        **_facts(done.header),
        file=str(file),
        rows=done.rows,
        same=done.same,
        returned=done.returned,
        signed_out=done.ended,
        maintenance=done.maintenance,
    )
    tell(document, _restored(done), as_json=as_json)
    if not done.same:
        refuse(f"the results are not those of the backup: {done.header.results} there, {done.results} here", FINDINGS)


def digest(
    up_to: Annotated[
        int | None, typer.Option("--up-to", min=1, metavar="MATCH", help="The last match in it, as in its address.")
    ] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Print the digest of all results, or of those that were there when a match was recorded.

    Two databases with the same digest up to the same match hold the same results, whatever was played since.

    Example: gangland admin digest --up-to 4711
    """
    with open_database(data).read() as session:
        try:
            results = results_digest(session.connection(), up_to)
        except BackupRefused as why:
            raise Refused(str(why)) from why
    tell(Digest(results.sha256, results.matches, results.up_to), _lines(results), as_json=as_json)


def _results_here(database: Database, header: Header) -> Results | None:
    """Return this site's results up to the last match of a backup; None if that match is not over here."""
    with database.read() as session:
        try:
            return results_digest(session.connection(), header.results.up_to)
        except BackupRefused:
            return None


def _note(database: Database, header: Header) -> None:
    """Have the site know of its newest backup; that is whole, whether it does or not."""
    facts = {"results": header.results.sha256, "up_to": header.results.up_to, "restored": False}
    try:
        with database.write() as session:
            known = fact(session, Fact.BACKUP)
            if known is not None and known.at > header.made_at:
                return
            keep_fact(session, Fact.BACKUP, facts, at=header.made_at)
    except DBAPIError as error:
        warn(
            "the backup is complete, but could not be recorded in the database, so the site still shows the age of"
            f" the one before: {str(error.orig).strip()}"
        )


def _from_stdin() -> IO[bytes]:
    if sys.stdin.isatty():
        raise Refused("a backup is not read from a terminal: name a file, or send one with < or |")
    return sys.stdin.buffer


@contextmanager
def _stdin() -> Iterator[IO[bytes]]:
    """Give what stands on stdin as a file that nobody else can read or find, and that is gone afterwards.

    Raises:
        Refused: stdin is a terminal, or there is no room.
    """
    sent = _from_stdin()
    with TemporaryFile() as kept:
        try:
            copyfileobj(sent, kept)
            kept.flush()
        except OSError as error:
            raise Refused(
                f"the input cannot be stored in {gettempdir()}: {error.strerror}; TMPDIR names another folder"
            ) from error
        yield kept


def _to_stdout(database: Database) -> Header:
    if sys.stdout.isatty():
        raise Refused("a backup is not written to a terminal: name a file, or send it on with > or |")
    header = take_backup(database, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return header


def _to_file(database: Database, file: Path, *, overwrite: bool) -> Header:
    """Write a file that its owner alone can read."""
    if file.exists() and not overwrite:
        raise Refused(f"{file} exists already: --overwrite replaces it")
    with whole_file(file, 0o600) as stream:
        return take_backup(database, stream)


def _facts(header: Header) -> dict[str, Any]:
    """Return what documents say of a backup, by member."""
    return {
        "release": header.release,
        "revision": header.revision,
        "made_at": timestamp(header.made_at),
        "results": ResultsOfBackup(**asdict(header.results)),
    }


def _lines(results: Results) -> list[str]:
    if results.up_to is None:
        return ["no match is finished yet"]
    return [
        f"results of {results.matches} matches, the last of them match {results.up_to}",
        f"digest: {results.sha256}",
    ]


def _restored(done: Restored) -> list[str]:
    under = "the site is under maintenance, as it was then; `gangland admin maintenance off` ends it: "
    return [
        f"restored {done.rows} rows of {timestamp(done.header.made_at)}, taken by release {done.header.release}",
        *_lines(done.results),
        "the digest is that of the backup" if done.same else "the digest is NOT that of the backup",
        f"{done.returned} matches that were under way are played again; {done.ended} sign-ins were ended",
        *([] if done.maintenance is None else [under + done.maintenance]),
    ]
