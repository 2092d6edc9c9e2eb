"""Pages that a browser need not fetch again, and that a process need not make again: told apart by a mark.

A mark stands for all that a page is made of: the site's own code, what is shown (by a revision of the database), who
looks, and the address.  It is known before anything is read or rendered, and is the page's ETag.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeVar

from flask import Flask, current_app, request, session
from werkzeug.wrappers import Response

import gangland
import gangland_ladder
import gangland_web
from gangland_web.base.clock import now_s
from gangland_web.http.address import site_root
from gangland_web.http.maintenance import closed_for
from gangland_web.http.sessions import visitor

T = TypeVar("T", bound=Response)

KEPT_PAGES = 256
"""How many pages each process keeps for those who are not signed in; one of 100 rows has some 60 KB."""
KEPT_BYTES = 32 * 1024**2
"""What all of them may weigh: the page of a long game has megabytes, and each address of it is a page of its own."""
_FORMS_LAST_S = 6 * 3600
"""How long a signed-in page may be kept: a quarter of what the token in its forms is good for."""


class Pages:
    """Pages as they were sent, the latest used first to stay."""

    def __init__(self, most: int = KEPT_PAGES, most_bytes: int = KEPT_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, mark: str) -> bytes | None:
        """Return the page of a mark, None if it is not kept."""
        with self._lock:
            body = self._kept.get(mark)
            if body is not None:
                self._kept.move_to_end(mark)
            return body

    def put(self, mark: str, body: bytes) -> None:
        """Keep a page, in place of those which were not asked for the longest; one too large for all is not kept."""
        if self._most < 1 or len(body) > self._most_bytes:
            return
        with self._lock:
            self._bytes += len(body) - len(self._kept.pop(mark, b""))
            self._kept[mark] = body
            while len(self._kept) > self._most or self._bytes > self._most_bytes:
                self._bytes -= len(self._kept.popitem(last=False)[1])

    def get_or_put(self, mark: str, make: Callable[[], bytes]) -> bytes:
        """Return the page of a mark, made and kept if it was not."""
        body = self.get(mark)
        if body is None:
            body = make()
            self.put(mark, body)
        return body


def init_page_cache(app: Flask, most: int = KEPT_PAGES) -> None:
    """Give the application its kept pages."""
    app.extensions["gangland_pages"] = Pages(most)
    build()


@cache
def build() -> str:
    """Return a word for the code, templates and static files of this site: other ones may make other pages."""
    digest = sha256()
    for package in (gangland, gangland_ladder, gangland_web):  # whose sentences, viewer and pages they are
        folder = Path(str(package.__file__)).parent
        for file in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
            digest.update(f"{file.relative_to(folder)}\0".encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def cached_page(
    shown: str,
    make: Callable[[], str],
    *,
    mimetype: str = "text/html",
    personal: bool = True,
    has_query: bool = True,
    keep_own: bool = False,
) -> Response:
    """Answer with a page, with 304 to whoever has it already, or with the same page as to the last who asked.

    Args:
        shown: stands for what the page shows, besides its address: a revision, and what else it hangs on.
        make: makes the page.
        personal: signed-in people see a page of their own.
        has_query: whether the query of the address changes the page.
        keep_own: keep this visitor's page too, since it costs much to make; `shown` has to say whose it is if nobody is
            signed in.
    """
    if personal and "_flashes" in session:  # what was flashed is shown once
        return Response(make(), mimetype=mimetype)
    who = visitor() if personal else None
    own = who is not None or keep_own
    viewer = f"{who} {session.get('csrf_token')} {now_s() // _FORMS_LAST_S}" if own else ""
    address = f"{site_root()} {request.full_path if has_query else request.path}"
    mark = sha256("\0".join([build(), address, shown, viewer, closed_for() or ""]).encode()).hexdigest()[:32]
    pages: Pages = current_app.extensions["gangland_pages"]
    return answered(mark, lambda: make().encode(), mimetype, pages if who is None or keep_own else None)


def answered(mark: str, make: Callable[[], bytes], mimetype: str, pages: Pages | None) -> Response:
    """Answer with what a mark stands for: kept or made now; with 304, and nothing made, to whoever has it already."""
    if request.if_none_match.contains_weak(mark):
        answer = Response(status=304)
    else:
        answer = Response(make() if pages is None else pages.get_or_put(mark, make), mimetype=mimetype)
    answer.set_etag(mark)
    return answer


def conditional(response: T) -> T:
    """Return a response with its ETag (of its bytes unless it has one), as 304 to whoever has it already."""
    response.add_etag()
    environ = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}  # for writers alone
    response.make_conditional(environ)
    return response
