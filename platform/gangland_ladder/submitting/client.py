"""Calls to a site's API: bounded in time and size, repeated where that can do no harm, and never redirected."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any, TypeVar

import msgspec

from gangland import __version__
from gangland_ladder.submitting.answers import Problem
from gangland_ladder.submitting.site import Site, WrongSite
from gangland_ladder.submitting.tokens import NotSignedIn

TIMEOUT_S = 30.0
"""For each step of a call: to connect, and between any two bytes."""
CALL_S = 120.0
TRIES = 6
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
ANSWER_BYTES = 1024 * 1024
_BUSY = (409, 429, 502, 503, 504)
_CHUNK = 65_536
_WORDS = {
    "E302": "it does not know this token. Check that it is for this site and complete, or create a new one",
    "E303": "this token has expired. Create a new one",
    "E304": "this token was revoked. Create a new one",
    "E305": "this token may not do that. Create one with the permissions `upload` and `read`",
}
T = TypeVar("T")


class SiteFailed(Exception):
    """The network or the site failed; the message says how."""


class CallRefused(Exception):
    """The site refuses what was asked.

    Attributes:
        problem: what it says.
    """

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(problem.detail or problem.title or f"status {status}")
        self.status, self.problem = status, problem


@dataclass(frozen=True, slots=True)
class Reply:
    """What a site answered."""

    status: int
    headers: Message
    body: bytes

    @property
    def retry_after_s(self) -> float | None:
        """How long to wait before the next call, None if it does not say."""
        header = self.headers.get("Retry-After", "")
        return float(header) if header.isascii() and header.isdigit() and len(header) < 8 else None


class Client:
    """Calls one site with one token, which goes nowhere else: no redirect is followed, no proxy asked in the clear."""

    def __init__(self, site: Site, token: str) -> None:
        self.site = site
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json",
            "User-Agent": f"gangland/{__version__}",
        }
        self._opener = urllib.request.OpenerDirector()
        handlers: list[urllib.request.BaseHandler] = [urllib.request.HTTPHandler(), urllib.request.HTTPSHandler()]
        if site.is_secure:
            handlers.append(urllib.request.ProxyHandler())
        for handler in handlers:
            self._opener.add_handler(handler)

    def call(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> Reply:
        """Return the answer to a call: a good one, or 304.  It may be sent more than once.

        Raises:
            SiteFailed: no answer could be had, or none that is a site's.
            NotSignedIn: the token lets nobody in, or not here.
            CallRefused: the site refuses what was asked.
            WrongSite: the site is elsewhere.
        """
        for attempt in range(1, TRIES + 1):
            wait_s = FIRST_WAIT_S * 2 ** (attempt - 1)
            try:
                reply = self._once(method, path, headers or {}, body)
            except (OSError, http.client.HTTPException) as error:
                if attempt == TRIES or _is_hopeless(error):
                    raise SiteFailed(f"{self.site.address} cannot be reached: {_why(error)}") from error
            else:
                if reply.status not in _BUSY or attempt == TRIES:
                    return self._good(reply)
                retry_s = reply.retry_after_s
                if retry_s is not None and retry_s > LONGEST_WAIT_S:
                    raise SiteFailed(f"{self.site.address} asks to come back in {retry_s:.0f} s: {_detail(reply)}")
                wait_s = wait_s if retry_s is None else retry_s
            time.sleep(wait_s)
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
        request = urllib.request.Request(  # noqa: S310 - the site is http or https, and the opener knows no other
            f"{self.site.address}{path}", data=body, headers={**self._headers, **headers}, method=method
        )
        until = time.monotonic() + CALL_S
        with self._opener.open(request, timeout=TIMEOUT_S) as response:
            chunks, size = [], 0
            while chunk := response.read1(_CHUNK):
                size += len(chunk)
                if size > ANSWER_BYTES or time.monotonic() > until:
                    raise SiteFailed(f"{self.site.address} sent too much, or too slowly, for a site of Gangland")
                chunks.append(chunk)
            return Reply(response.status, response.headers, b"".join(chunks))

    def _good(self, reply: Reply) -> Reply:
        """Return an answer that is good; raise what any other means."""
        if reply.status in (200, 201, 304):
            return reply
        if 300 <= reply.status < 400:
            to = reply.headers.get("Location", "elsewhere")[:200]
            raise WrongSite(
                f"{self.site.address} redirects to {to}; a token is not sent to another address: give the right --site"
            )
        if reply.status in (401, 403) and (code := _problem(reply).code) in _WORDS:
            where = f"{self.site.address}/account/tokens"
            raise NotSignedIn(f"{code}: {self.site.address} says: {_WORDS[str(code)]} at {where}")
        if 400 <= reply.status < 500 and reply.status not in _BUSY:
            raise CallRefused(reply.status, _problem(reply))
        raise SiteFailed(f"{self.site.address} answers {reply.status}: {_detail(reply)}")

    def read(self, reply: Reply, kind: type[T]) -> T:
        """Return what an answer says.

        Raises:
            SiteFailed: it is not what a site of ours says.
        """
        try:
            return msgspec.json.decode(reply.body, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise SiteFailed(f"{self.site.address} sent an answer that no site of Gangland sends: {error}") from error


def _problem(reply: Reply) -> Problem:
    try:
        return msgspec.json.decode(reply.body, type=Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Problem(title=f"it answers {reply.status}, and nothing that a site of ours says")


def _detail(reply: Reply) -> str:
    problem = _problem(reply)
    return problem.detail or problem.title


def _is_hopeless(error: Exception) -> bool:
    """Tell whether it would fail in the same way again: a certificate that is no good, a name that there is not."""
    import socket
    import ssl

    reason: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    return isinstance(reason, ssl.SSLCertVerificationError | socket.gaierror)


def _why(error: Exception) -> str:
    reason: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    return str(getattr(reason, "strerror", None) or reason or type(reason).__name__)
