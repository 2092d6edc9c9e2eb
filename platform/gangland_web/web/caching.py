"""Responses: cached pages, compression, downloads, stored clips, and live parts of pages."""

import gzip
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from threading import Lock
from typing import Any, Final, TypeVar
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, current_app, request, session
from werkzeug.datastructures import Accept, Headers
from werkzeug.http import parse_accept_header, parse_etags, unquote_etag
from werkzeug.wrappers import Response as AnyResponse

import gangland
import gangland_ladder
import gangland_web
from gangland_ladder.proof.archive_files import write_archive
from gangland_ladder.proof.archives import Content
from gangland_ladder.viewer.clips import MAX_BYTES as MAX_CLIP_BYTES
from gangland_web.base.formats import now_s
from gangland_web.web.address import site_root
from gangland_web.web.middleware import maintenance_reason
from gangland_web.web.requests import is_api, is_public
from gangland_web.web.sessions import visitor

# Cached pages. Each has a key, which is also its ETag.
#
# The key covers everything that determines a page: the site's code, the content (by a revision of the database), the
# visitor, and the URL. So it is known before anything is read or rendered.

T = TypeVar("T", bound=AnyResponse)

MAX_PAGES = 256  # in each process, for anonymous visitors; a page of 100 rows is about 60 KB
MAX_CACHE_BYTES = 32 * 1024**2  # of all cached pages; a long game's page takes megabytes for each of its URLs
_FORM_LIFETIME_S = 6 * 3600  # signed-in users' pages expire well before the CSRF tokens in them (24 hours)


class Pages:
    """A cache of rendered pages that drops the least recently used ones."""

    def __init__(self, max_pages: int = MAX_PAGES, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_pages = max_pages
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, etag: str) -> bytes | None:
        """Return the page with this ETag, or None."""
        with self._lock:
            body = self._kept.get(etag)
            if body is not None:
                self._kept.move_to_end(etag)
            return body

    def put(self, etag: str, body: bytes) -> None:
        """Cache a page, and drop the least recently used ones.  A page larger than the cache is not stored."""
        if self._max_pages < 1 or len(body) > self._max_bytes:
            return
        with self._lock:
            self._bytes += len(body) - len(self._kept.pop(etag, b""))
            self._kept[etag] = body
            while len(self._kept) > self._max_pages or self._bytes > self._max_bytes:
                self._bytes -= len(self._kept.popitem(last=False)[1])

    def get_or_put(self, etag: str, make: Callable[[], bytes]) -> bytes:
        """Return the page with this ETag; render and cache it if necessary."""
        body = self.get(etag)
        if body is None:
            body = make()
            self.put(etag, body)
        return body


def init_page_cache(app: Flask, max_pages: int = MAX_PAGES) -> None:
    """Create the application's page cache."""
    app.extensions["gangland_pages"] = Pages(max_pages)
    code_digest()


@cache
def code_digest() -> str:
    """Return a digest of the site's code, templates and static files, which determine its pages."""
    digest = sha256()
    for package in (gangland, gangland_ladder, gangland_web):  # sentences, viewer, pages
        folder = Path(str(package.__file__)).parent
        for file in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
            digest.update(f"{file.relative_to(folder)}\0".encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def cached_page(
    contents: str,
    make: Callable[[], str],
    *,
    mimetype: str = "text/html",
    personal: bool = True,
    has_query: bool = True,
    keep_own: bool = False,
) -> AnyResponse:
    """Return a page, cached or rendered now; 304 if the client already has it.

    Args:
        contents: identifies the page's content together with its URL: a revision, and its other inputs.
        personal: whether each signed-in user sees a page of their own.
        has_query: whether the query string changes the page.
        keep_own: whether to cache this visitor's page too.  `contents` must then differ between anonymous visitors,
            because they have no account that distinguishes them.
    """
    if personal and "_flashes" in session:  # flashed messages are shown once
        return AnyResponse(make(), mimetype=mimetype)
    who = visitor() if personal else None
    own = who is not None or keep_own
    viewer = f"{who} {session.get('csrf_token')} {now_s() // _FORM_LIFETIME_S}" if own else ""
    address = f"{site_root()} {request.full_path if has_query else request.path}"
    parts = (code_digest(), address, contents, viewer, maintenance_reason() or "")
    etag = sha256("\0".join(parts).encode()).hexdigest()[:32]
    pages: Pages = current_app.extensions["gangland_pages"]
    return answer_page(etag, lambda: make().encode(), mimetype, pages if who is None or keep_own else None)


def answer_page(etag: str, make: Callable[[], bytes], mimetype: str, pages: Pages | None) -> AnyResponse:
    """Return the page with this ETag, cached or rendered now; 304, without rendering it, if the client has it."""
    if request.if_none_match.contains_weak(etag):
        response = AnyResponse(status=304)
    else:
        response = AnyResponse(make() if pages is None else pages.get_or_put(etag, make), mimetype=mimetype)
    response.set_etag(etag)
    return response


def make_conditional(response: T) -> T:
    """Return a response with an ETag, by default computed from its bytes; 304 if the client already has it."""
    response.add_etag()
    environ = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}  # only for writes
    response.make_conditional(environ)
    return response


# Compression with gzip, where it reveals no secret.
#
# If a compressed page contains both a secret and text that an attacker controls, an attacker who can make a browser
# request the page and count its bytes can find out the secret (BREACH). So only public responses are compressed: static
# files, and responses that set no cookie, to requests without a token or a cookie that the view reads. A page with a
# form sets a cookie.

# Endpoints of public files; a blueprint's own `NAME.static` counts as well.
STATIC = frozenset({"static", "viewer.file", "documentation.image", "documentation.source"})
COMPRESSED_TYPES = ("text/", "image/svg+xml", "application/json", "application/javascript", "application/atom+xml")
MIN_BYTES = 512  # compressing smaller responses gains nothing
MAX_BYTES = 4 * 1024**2  # larger responses are downloads; compression would hold them in memory
_KEPT = 64


def init_compression(app: Flask) -> None:
    """Compress responses where that is safe; call it before the headers are registered."""

    @app.after_request
    def compress(response: Response) -> Response:
        if not _is_compressible(response):
            return response
        response.vary.add("Accept-Encoding")
        if response.status_code == 304:
            _weaken(response)
            return response
        if not accepts_gzip(request.headers.get("Accept-Encoding", "")):
            return response
        length = response.calculate_content_length() if response.is_sequence else response.content_length
        if length is None or not MIN_BYTES <= length <= MAX_BYTES:
            return response
        response.direct_passthrough = False
        body = response.get_data()
        packed = _compress(body) if _is_file(response) else gzip.compress(body, 5, mtime=0)
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
        response.headers.pop("Accept-Ranges", None)  # ranges refer to the uncompressed bytes
        _weaken(response)
        return response


@lru_cache(maxsize=_KEPT)
def accepts_gzip(accepted: str) -> bool:
    """Return whether an Accept-Encoding header accepts gzip."""
    return parse_accept_header(accepted, Accept)["gzip"] > 0


def _weaken(response: Response) -> None:
    """Make the ETag weak: the content equals the uncompressed content, but the bytes differ."""
    etag, _ = response.get_etag()
    if etag is not None:
        response.set_etag(etag, weak=True)


@lru_cache(maxsize=_KEPT)
def _compress(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


def _is_compressible(response: Response) -> bool:
    """Return whether a response may be compressed because its length leaks nothing."""
    if response.status_code not in (200, 304, 404) or {"Content-Encoding", "Content-Range"} & set(
        response.headers.keys()
    ):
        return False
    if not (response.mimetype or "").startswith(COMPRESSED_TYPES):
        return False
    if _is_file(response):
        return True
    reads_cookies = not is_api(request) and not is_public(request)
    known = (request.cookies and reads_cookies) or "Authorization" in request.headers
    return not (known or session.modified or "Set-Cookie" in response.headers)


def _is_file(response: Response) -> bool:
    """Return whether the response is a public file; a 404 page is not, as it depends on the visitor."""
    endpoint = request.endpoint or ""
    return response.status_code != 404 and (endpoint in STATIC or endpoint.endswith(".static"))


# Downloads.

_PIECE: Final = 1 << 16
_SOURCES: Final = {"py": "text/plain", "zip": "application/zip"}


def attachment(body: str | bytes | Iterator[bytes], mimetype: str, name: str) -> Response:
    """Return a download; `name` is trusted."""
    response = Response(body, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def source_file(source: bytes, filename: str) -> Response:
    """Return a bot's source as the uploaded file or zip; the caller has checked permission."""
    response = Response(source, mimetype=_SOURCES[filename.rpartition(".")[2]])
    response.headers.set("Content-Disposition", "attachment", filename=filename)
    return response


def archive_file(content: Content, name: str) -> Response:
    """Return an archive, first written to a file, so that the headers have its length and digest."""
    file = TemporaryFile()  # noqa: SIM115 (closed by the response)
    try:
        write_archive(file, content)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    response = attachment(iter(partial(file.read, _PIECE), b""), "application/x-tar", f"{name}.tar")
    response.call_on_close(file.close)
    response.content_length = size
    return response


# Finished clips, as files in the data folder: at most `CLIPS_BYTES` in all, the least recently requested dropped first.

CLIPS_BYTES: Final = 64_000_000  # the limit for all clips; in a container, their folder is in memory (tmpfs)
_FIRST_BYTES: Final = {"webp": b"RIFF", "gif": b"GIF89a"}


class ClipFiles:
    """The clips of a site, shared by its processes."""

    def __init__(self, data: Path, max_bytes: int = CLIPS_BYTES) -> None:
        """Store clips in a subfolder of the data folder, which is created with the first clip."""
        self._folder = data / "clips"
        self._max_bytes = max_bytes

    def get(self, name: str) -> bytes | None:
        """Return a clip, or None."""
        path = self._folder / name
        try:
            body = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return body

    def put(self, name: str, body: bytes) -> None:
        """Store a clip, unless it is invalid or too large, and drop the least recently used ones.  Raises OSError."""
        if len(body) > MAX_CLIP_BYTES or not body.startswith(_FIRST_BYTES[name.rpartition(".")[2]]):
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = mkstemp(dir=self._folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        Path(temporary).replace(self._folder / name)
        self._prune()

    def _prune(self) -> None:
        ages = []
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # deleted by another process
                status = path.stat()
                ages.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in ages)
        for _, size, path in sorted(ages):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size


# Live parts of pages, rendered once a second in each process for all visitors.
#
# During a school's tournament, hundreds of pages are open, and each requests an update every two seconds. Most of the
# cost of an update is the application around it, so this middleware responds before the application is called.

LIFETIME_S: Final = 1.0  # half the time between two updates of a page
MAX_PARTS: Final = 64
# Environment key: False if the response may be cached; the view sets it to True if it is public.
IS_PUBLIC: Final = "gangland.live_for_all"

_PATH_SUFFIX: Final = "/live"
_PERSONAL_HEADERS: Final = frozenset({"set-cookie", "x-request-id"})
_BODY_HEADERS: Final = frozenset({"content-length", "content-type", "content-encoding"})
_Key = tuple[str, str, str, bool, bool]


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A cached response, without the headers meant only for its first client."""

    headers: tuple[tuple[str, str], ...]
    etag: str
    body: bytes

    def send(self, held: str, start: StartResponse, own: Iterable[tuple[str, str]] = ()) -> Iterable[bytes]:
        """Send the response, or 304 if `held` has its ETag; `own` are headers only for this client."""
        if self.etag and held and (held == self.etag or parse_etags(held).contains_weak(unquote_etag(self.etag)[0])):
            start("304 NOT MODIFIED", [*(pair for pair in self.headers if pair[0].lower() not in _BODY_HEADERS), *own])
            return (b"",)
        start("200 OK", [*self.headers, *own])
        return (self.body,)


class LiveParts:
    """Middleware that answers requests for live parts from a short-lived cache.

    When a response has expired, one request renders the next.  Until that is ready, all others get the old one.
    """

    def __init__(
        self, application: WSGIApplication, lifetime_s: float = LIFETIME_S, on_hit: Callable[[], None] | None = None
    ) -> None:
        """Wrap an application; `on_hit` is called for each response from memory."""
        self._application, self._lifetime_s, self._on_hit = application, lifetime_s, on_hit
        self._kept: OrderedDict[_Key, tuple[float, CachedResponse]] = OrderedDict()
        self._lock = Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        key = _key(environ)
        if key is None:
            return self._application(environ, start_response)
        response = self._find(key)
        if response is None:
            return self._make(key, environ, start_response)
        if self._on_hit is not None:
            self._on_hit()
        return response.send(_etags_of(environ), start_response)

    def _find(self, key: _Key) -> CachedResponse | None:
        """Return the cached response, or None if the caller must render a new one."""
        now = time.monotonic()
        with self._lock:
            until, response = self._kept.get(key, (0.0, None))
            if response is not None and now >= until:
                # One caller renders the next response.  The old one is extended first, so that all other callers get it
                # meanwhile; otherwise every open page would call the application at once.
                self._kept[key] = (now + self._lifetime_s, response)
                return None
            return response

    def _make(self, key: _Key, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[IS_PUBLIC] = False
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def begin(status: str, headers: list[tuple[str, str]], _failure: Any = None, /) -> Callable[[bytes], object]:
            started[:] = [(status, headers)]
            return lambda _: None

        response = None
        try:
            body = _read_body(self._application(environ, begin))
            status, headers = started[0]
            if environ[IS_PUBLIC] and status.startswith("200"):
                lasting = tuple(pair for pair in headers if pair[0].lower() not in _PERSONAL_HEADERS)
                response = CachedResponse(lasting, Headers(headers).get("ETag", ""), body)
        finally:
            self._keep(key, response)
        if response is None:
            start_response(status, headers)
            return (body,)
        own = [pair for pair in headers if pair[0].lower() in _PERSONAL_HEADERS]
        return response.send(_etags_of(environ), start_response, own)

    def _keep(self, key: _Key, response: CachedResponse | None) -> None:
        with self._lock:
            self._kept.pop(key, None)
            if response is not None:
                self._kept[key] = (time.monotonic() + self._lifetime_s, response)
            while len(self._kept) > MAX_PARTS:
                self._kept.popitem(last=False)


def _key(environ: WSGIEnvironment) -> _Key | None:
    """Return the cache key of a request, or None if it is not for a live part."""
    path = environ.get("PATH_INFO", "")
    if environ.get("REQUEST_METHOD") != "GET" or not path.endswith(_PATH_SUFFIX) or environ.get("QUERY_STRING"):
        return None
    packed = accepts_gzip(environ.get("HTTP_ACCEPT_ENCODING", ""))
    return environ["wsgi.url_scheme"], environ.get("SCRIPT_NAME", ""), path, packed, "HTTP_COOKIE" in environ


def _etags_of(environ: WSGIEnvironment) -> str:
    return str(environ.get("HTTP_IF_NONE_MATCH", ""))


def _read_body(response: Iterable[bytes]) -> bytes:
    try:
        return b"".join(response)
    finally:
        close = getattr(response, "close", None)
        if close is not None:
            close()
