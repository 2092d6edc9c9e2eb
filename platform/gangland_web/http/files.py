"""Answers that are files to be kept."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Final

from flask import Response

from gangland_ladder.proof.archives.archive import Content
from gangland_ladder.proof.archives.files import write_archive

_PIECE: Final = 1 << 16
_SOURCES: Final = {"py": "text/plain", "zip": "application/zip"}


def attachment(body: str | bytes | Iterator[bytes], mimetype: str, name: str) -> Response:
    """Return a file of a name that is ours."""
    answer = Response(body, mimetype=mimetype)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def source_file(source: bytes, filename: str) -> Response:
    """Return a bot's source as the file or zip that was sent; whether one may see it, the caller has asked."""
    answer = Response(source, mimetype=_SOURCES[filename.rpartition(".")[2]])
    answer.headers.set("Content-Disposition", "attachment", filename=filename)
    return answer


def archive_file(content: Content, name: str) -> Response:
    """Return an archive, written to the disk first: its head says how long and what it is."""
    file = TemporaryFile()  # noqa: SIM115 (closed by whoever sends it)
    try:
        write_archive(file, content)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer = attachment(_pieces(file), "application/x-tar", f"{name}.tar")
    answer.call_on_close(file.close)
    answer.content_length = size
    return answer


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece
