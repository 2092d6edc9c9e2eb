"""The request as this application reads it."""

from __future__ import annotations

from io import BytesIO
from typing import IO

import flask


class Request(flask.Request):
    """A request whose uploads stay in memory: they are capped, and a stranger's file does not touch a disk."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        return BytesIO()


def is_api(request: flask.Request) -> bool:
    """Tell whether a program asks, with a token: no cookie is read or set then, and errors are problem+json."""
    return request.path.startswith("/api/")


_COOKIELESS = ("/embed/", "/oembed", "/viewer/", "/cards/", "/feeds/")


def is_for_all(request: flask.Request) -> bool:
    """Tell whether the answer is the same for everybody: no cookie is read or set then, so anybody may keep it."""
    return request.path.startswith(_COOKIELESS)


def is_framed(request: flask.Request) -> bool:
    """Tell whether the answer may stand in other sites' frames."""
    return request.path.startswith("/embed/")
