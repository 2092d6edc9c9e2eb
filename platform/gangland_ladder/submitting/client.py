"""Call a site's `/api/v1`, and read the answers."""

from __future__ import annotations

import http.client
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from gangland import __version__
from gangland_ladder.common.documents import Document, one_of
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.submitting.tokens import NotSignedIn, Site, WrongSite

# Submitting a bot, and following its version until it has a verdict.


API = "/api/v1"
# Interval between requests for a version: the first value after each change, then increasing up to the second.
MIN_INTERVAL_S, MAX_INTERVAL_S = 1.0, 5.0
_INTERVAL_FACTOR = 1.5


def token_info(client: Client) -> Token:
    """Return the owner and scopes of the token. Raises the errors of `Client.call`."""
    return client.read(client.call("GET", f"{API}/token"), Token)


def send(client: Client, bot: LocalBot, game: str, name: str | None, team: str | None = None) -> Version:
    """Upload a bot, for the named team if given, and return its version. Raises the errors of `Client.call`."""
    optional_fields = {"game": game, "name": name, "team": team}
    fields = {key: value for key, value in optional_fields.items() if value is not None}
    # The call may be sent more than once; because of the Idempotency-Key, the site carries it out only once.
    boundary = secrets.token_hex(24)
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Idempotency-Key": secrets.token_hex(16)}
    reply = client.call("POST", f"{API}/bots", headers=headers, body=_form(boundary, fields, bot))
    return client.read(reply, Version)


def follow(client: Client, version_id: int, on_change: Callable[[Version], None]) -> Version:
    """Return a version once it has a verdict; call `on_change` at each change. Raises the errors of `Client.call`."""
    reply: Reply | None = None
    wait_s = MIN_INTERVAL_S
    while True:
        tag = reply.headers.get("ETag") if reply is not None else None
        answer = client.call("GET", f"{API}/versions/{version_id}", headers={"If-None-Match": tag} if tag else {})
        if answer.status != 304:
            reply, wait_s = answer, MIN_INTERVAL_S
            version = client.read(reply, Version)
            on_change(version)
            if version.terminal:
                return version
        time.sleep(max(wait_s, min(answer.retry_after_s or 0.0, 60.0)))
        wait_s = min(wait_s * _INTERVAL_FACTOR, MAX_INTERVAL_S)


def _form(boundary: str, fields: dict[str, str], bot: LocalBot) -> bytes:
    parts = [  # the file name needs no quoting, because the intake accepts only plain names
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{bot.filename}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    return "".join(parts).encode() + head.encode() + bot.source + f"\r\n--{boundary}--\r\n".encode()


# Calls, which are limited in time and size, retried if that is harmless, and never redirected.


TIMEOUT_S = 30.0  # Timeout for each step of a call: for connecting, and between any two bytes.
CALL_TIMEOUT_S = 120.0
MAX_ATTEMPTS = 6
FIRST_WAIT_S = 1.0
MAX_WAIT_S = 60.0
ANSWER_BYTES = 1024 * 1024
_RETRY_STATUSES = (409, 429, 502, 503, 504)
_CHUNK_BYTES = 65_536
_TOKEN_PROBLEMS = {
    "E302": "unknown token. Copy all of it, or create another",
    "E303": "the token has expired. Create another",
    "E304": "the token was revoked. Create another",
    "E305": "the token lacks a permission. Create one with `upload` and `read`",
}
T = TypeVar("T")


class SiteFailure(Exception):
    """The network or the site failed; the message explains how."""


class CallRefused(Exception):
    """The site refused the call."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(problem.detail or problem.title or f"status {status}")
        self.status, self.problem = status, problem


@dataclass(frozen=True, slots=True)
class Reply:
    """A site's answer to a call."""

    status: int
    headers: Message
    body: bytes

    @property
    def retry_after_s(self) -> float | None:
        """Seconds to wait before the next call; None if the site does not say."""
        header = self.headers.get("Retry-After", "")
        return float(header) if header.isascii() and header.isdigit() and len(header) < 8 else None


class Client:
    """A client of one site with one token; it follows no redirects, and uses proxies only with TLS."""

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
        """Return the answer to a call if its status is 200, 201 or 304. The call may be sent more than once.

        Raises SiteFailure: there is no valid answer; NotSignedIn: the token is invalid or not allowed for this call;
        CallRefused: the site refuses the call; WrongSite: the site redirects.
        """
        for attempt in range(1, MAX_ATTEMPTS + 1):
            wait_s = FIRST_WAIT_S * 2 ** (attempt - 1)
            try:
                reply = self._send_once(method, path, headers or {}, body)
            except (OSError, http.client.HTTPException) as error:
                if attempt == MAX_ATTEMPTS or _is_permanent(error):
                    raise SiteFailure(f"{self.site.address} cannot be reached: {_reason(error)}") from error
            else:
                if reply.status not in _RETRY_STATUSES or attempt == MAX_ATTEMPTS:
                    return self._check(reply)
                retry_s = reply.retry_after_s
                if retry_s is not None and retry_s > MAX_WAIT_S:
                    raise SiteFailure(f"{self.site.address} asks to retry in {retry_s:.0f} s: {_detail(reply)}")
                wait_s = wait_s if retry_s is None else retry_s
            time.sleep(wait_s)
        raise AssertionError("the last attempt returns or raises")

    def _send_once(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
        request = urllib.request.Request(  # noqa: S310 - the site is http or https, and the opener supports no other
            f"{self.site.address}{path}", data=body, headers={**self._headers, **headers}, method=method
        )
        deadline = time.monotonic() + CALL_TIMEOUT_S
        with self._opener.open(request, timeout=TIMEOUT_S) as response:
            chunks, size = [], 0
            while chunk := response.read1(_CHUNK_BYTES):
                size += len(chunk)
                if size > ANSWER_BYTES or time.monotonic() > deadline:
                    raise SiteFailure(f"{self.site.address} sent too large an answer, or sent it too slowly")
                chunks.append(chunk)
            return Reply(response.status, response.headers, b"".join(chunks))

    def _check(self, reply: Reply) -> Reply:
        if reply.status in (200, 201, 304):
            return reply
        if 300 <= reply.status < 400:
            url = reply.headers.get("Location", "elsewhere")[:200]
            raise WrongSite(
                f"{self.site.address} redirects to {url}. A token is only sent to --site, so give the final URL there."
            )
        if reply.status in (401, 403) and (code := _problem(reply).code) in _TOKEN_PROBLEMS:
            tokens_page = f"{self.site.address}/account/tokens"
            raise NotSignedIn(f"{code}: {self.site.address} says: {_TOKEN_PROBLEMS[str(code)]} at {tokens_page}")
        if 400 <= reply.status < 500 and reply.status not in _RETRY_STATUSES:
            raise CallRefused(reply.status, _problem(reply))
        raise SiteFailure(f"{self.site.address} answered {reply.status}: {_detail(reply)}")

    def read(self, reply: Reply, kind: type[T]) -> T:
        """Return the decoded body of an answer. Raises SiteFailure: the body has another form."""
        try:
            return msgspec.json.decode(reply.body, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise SiteFailure(f"{self.site.address} sent an unexpected answer: {error}") from error


def _problem(reply: Reply) -> Problem:
    try:
        return msgspec.json.decode(reply.body, type=Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Problem(title=f"status {reply.status} without an explanation")


def _detail(reply: Reply) -> str:
    problem = _problem(reply)
    return problem.detail or problem.title


def _is_permanent(error: Exception) -> bool:
    import socket
    import ssl

    reason: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    return isinstance(reason, ssl.SSLCertVerificationError | socket.gaierror)


def _reason(error: Exception) -> str:
    reason: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    return str(getattr(reason, "strerror", None) or reason or type(reason).__name__)


# The parts of a site's answers that are read here, and the document that is printed.


Whole = Annotated[int, Meta(ge=0, le=2**53)]
Word = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=8000)]


class Finding(Struct, frozen=True):
    """A reason for a refusal or rejection.

    Attributes:
        message: the first line states the problem.
        code: the code in the error catalog, with its title; null if the platform was at fault.
        line: the line in the bot's file.
        fix: how to fix it.
        page: the documentation page, below docs/.
    """

    message: Text
    code: Word | None = None
    title: Text | None = None
    line: Whole | None = None
    fix: Text | None = None
    page: Text | None = None


class Problem(Struct, frozen=True):
    """An error of the site (RFC 9457)."""

    title: Text = ""
    detail: Text = ""
    code: Word | None = None
    findings: Annotated[list[Finding], Meta(max_length=50)] = []


class Step(Struct, frozen=True):
    """A step on the way to the ladders.

    Attributes:
        state: the state that it reaches; the label describes it.
        status: done, failed or waiting.
        seconds: how long it took; null until then.
    """

    state: Word
    label: Text
    status: Word
    seconds: float | None = None


class Queue(Struct, frozen=True):
    """The queue in front of a version.

    Attributes:
        ahead: the number of other versions' checks or trials before its next one.
        trials_done: the number of its own trials that were played, out of `trials_all`.
        check: its own check: queued, running or done; other checks count for `ahead` while it is queued.
    """

    ahead: Whole
    trials_done: Whole
    trials_all: Whole
    check: Word = "done"


class SubmittedVersion(Struct, frozen=True):
    """The progress of a version, as printed.

    Attributes:
        id: the version's id, for --follow.
        version: the version's number, from 1.
        state: received, scanned, imported, legal, timed, trial, active, rejected or retired.
        headline: the state as a sentence.
        page: its page's URL.
        steps: the steps to the ladders.
        queue: the queue in front of it; null after the verdict.
    """

    id: Whole
    bot: Text
    game: Annotated[Word, Meta(description="Name of the game.")]
    version: Whole
    state: Word
    headline: Text
    page: Text
    steps: Annotated[list[Step], Meta(max_length=50)]
    queue: Queue | None = None


class Version(SubmittedVersion, frozen=True, kw_only=True):
    """A version with its findings, and whether it has reached its final state."""

    terminal: bool
    findings: Annotated[list[Finding], Meta(max_length=50)] = []


class Token(Struct, frozen=True):
    """The site's description of a token."""

    owner: Text
    scopes: Annotated[list[Word], Meta(max_length=50)]
    expires_at: Word


class Submit(Document, tag="gangland/submit/1"):
    """The progress of a bot at a site.

    Attributes:
        site: the site's URL.
        file: the file's name; null if a version is only followed.
        outcome: refused: the site did not accept it. waiting: there is no verdict yet. retired: another version
            replaced it.
        version: the version as last read; null if it was refused.
        problems: why it was refused or rejected.
        follow: the command that follows it from here; null if there is nothing to wait for.
    """

    title = "gangland submit --json"

    site: str
    file: str | None
    outcome: Annotated[str, one_of("refused", "waiting", "active", "rejected", "retired")]
    version: SubmittedVersion | None
    problems: list[Finding]
    follow: str | None
