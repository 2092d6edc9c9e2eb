"""`gangland admin import`: a tournament that was played on another installation."""

import re
from pathlib import Path
from typing import Annotated

import typer

from gangland_ladder.documents.admin import Import
from gangland_ladder.proof.archives.archive import ArchiveError
from gangland_web.ops.admin.shell import FINDINGS, Data, Json, Refused, open_database, refuse, tell
from gangland_web.services.archives import Imported, ImportRefused, import_archive

_HEX = re.compile(r"[0-9a-f]{64}")


def import_(
    archive: Annotated[Path, typer.Argument(help="A tournament's archive, or that of a ladder's day.")],
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The SHA-256 of its secret, as it was announced.")
    ] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Take in a tournament that was played elsewhere, if its archive proves itself; exit 1 if it does not.

    It is examined as `gangland verify` does it, then written as a tournament that is over, whole or not at all.

    Example: gangland admin import spring-cup.tar
    """
    if commitment is not None and not _HEX.fullmatch(commitment):
        raise Refused(f"--commitment is 64 hexadecimal digits, not {commitment!r}")
    try:
        came = import_archive(open_database(data), archive, announced=commitment)
    except ImportRefused as why:
        if why.findings:
            refuse(str(why), FINDINGS)
        raise Refused(str(why)) from why
    except ArchiveError as error:
        raise Refused(f"{archive.name} cannot be imported, see `gangland verify`: {error}") from error
    except OSError as error:
        raise Refused(f"cannot read {archive}: {error.strerror}") from error
    tell(_document(came), _lines(came), as_json=as_json)


def _document(came: Imported) -> Import:
    return Import(
        tournament=came.tournament_id,
        name=came.name,
        sha256=came.sha256,
        entries=came.entries,
        matches=came.proof.matches,
        games=came.proof.games,
        unproven=came.proof.unproven,
    )


def _lines(came: Imported) -> list[str]:
    return [
        f"{came.name} is tournament {came.tournament_id} here",
        f"{came.entries} entries, {came.proof.matches} matches, {came.proof.games} games, all proven",
        f"SHA-256 of the archive: {came.sha256}",
        "not proven by the archive:",
        *[f"  - {each}" for each in came.proof.unproven],
    ]
