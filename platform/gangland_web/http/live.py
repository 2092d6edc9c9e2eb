"""Live parts that are the same for everybody: made once a second in each process, for all who ask meanwhile.

A school with a tournament on leaves hundreds of pages open, each of which asks every two seconds how far it is.  Most
of what such a question costs is not the answer but the application around it, so it is answered before that.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.http import parse_etags, unquote_etag

from gangland_web.http.compress import takes_gzip

LASTS_S: Final = 1.0
"""Half the time between two questions of one page."""
MOST: Final = 64
FOR_ALL: Final = "gangland.live_for_all"
"""Set to False in the environment of a request whose answer may be kept; the view sets True if all may have it."""

_ENDS: Final = "/live"
_OWN: Final = frozenset({"set-cookie", "x-request-id"})
_OF_BODIES: Final = frozenset({"content-length", "content-type", "content-encoding"})
_Key = tuple[str, str, str, bool, bool]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was sent, without what was its first reader's own."""

    headers: tuple[tuple[str, str], ...]
    mark: str
    body: bytes

    def answer(self, held: str, start: StartResponse, own: Iterable[tuple[str, str]] = ()) -> Iterable[bytes]:
        """Send it, or that nothing has changed to whoever holds its mark.

        Args:
            own: headers for this reader alone.
        """
        if self.mark and held and (held == self.mark or parse_etags(held).contains_weak(unquote_etag(self.mark)[0])):
            start("304 NOT MODIFIED", [*(pair for pair in self.headers if pair[0].lower() not in _OF_BODIES), *own])
            return (b"",)
        start("200 OK", [*self.headers, *own])
        return (self.body,)


class LiveParts:
    """Answers what it has kept for less than a while, and has everything else made by the application.

    Where an answer's time is over, one asks for the next and everybody else still gets it.
    """

    def __init__(
        self, application: WSGIApplication, lasts_s: float = LASTS_S, on_kept: Callable[[], None] | None = None
    ) -> None:
        """Stand before an application; `on_kept` is called for each answer that it was not asked for."""
        self._application, self._lasts_s, self._on_kept = application, lasts_s, on_kept
        self._kept: OrderedDict[_Key, tuple[float, Kept]] = OrderedDict()
        self._lock = Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        key = _key(environ)
        if key is None:
            return self._application(environ, start_response)
        kept = self._find(key)
        if kept is None:
            return self._make(key, environ, start_response)
        if self._on_kept is not None:
            self._on_kept()
        return kept.answer(_held(environ), start_response)

    def _find(self, key: _Key) -> Kept | None:
        """Return what is kept, None if it is the caller's turn to have it made."""
        now = time.monotonic()
        with self._lock:
            until, kept = self._kept.get(key, (0.0, None))
            if kept is not None and now >= until:
                # One caller makes the next answer; its time is put off first, so that all others meanwhile get the old
                # one.  Without that every page that is open would ask the application at once.
                self._kept[key] = (now + self._lasts_s, kept)
                return None
            return kept

    def _make(self, key: _Key, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[FOR_ALL] = False
        began: list[tuple[str, list[tuple[str, str]]]] = []

        def begin(status: str, headers: list[tuple[str, str]], _failure: Any = None, /) -> Callable[[bytes], object]:
            """Hear how the answer begins."""
            began[:] = [(status, headers)]
            return lambda _: None

        kept = None
        try:
            body = _whole(self._application(environ, begin))
            status, headers = began[0]
            if environ[FOR_ALL] and status.startswith("200"):
                lasting = tuple(pair for pair in headers if pair[0].lower() not in _OWN)
                kept = Kept(lasting, _header(headers, "etag"), body)
        finally:
            self._keep(key, kept)
        if kept is None:
            start_response(status, headers)
            return (body,)
        own = [pair for pair in headers if pair[0].lower() in _OWN]
        return kept.answer(_held(environ), start_response, own)

    def _keep(self, key: _Key, kept: Kept | None) -> None:
        with self._lock:
            self._kept.pop(key, None)
            if kept is not None:
                self._kept[key] = (time.monotonic() + self._lasts_s, kept)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)


def _key(environ: WSGIEnvironment) -> _Key | None:
    """Return what the answer hangs on if it is the same for everybody; None for what is no live part."""
    path = environ.get("PATH_INFO", "")
    if environ.get("REQUEST_METHOD") != "GET" or not path.endswith(_ENDS) or environ.get("QUERY_STRING"):
        return None
    packed = takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", ""))
    return environ["wsgi.url_scheme"], environ.get("SCRIPT_NAME", ""), path, packed, "HTTP_COOKIE" in environ


def _held(environ: WSGIEnvironment) -> str:
    return str(environ.get("HTTP_IF_NONE_MATCH", ""))


def _header(headers: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")


def _whole(answer: Iterable[bytes]) -> bytes:
    try:
        return b"".join(answer)
    finally:
        close = getattr(answer, "close", None)
        if close is not None:
            close()
