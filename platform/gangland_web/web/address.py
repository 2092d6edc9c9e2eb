"""What the site's own addresses begin with: SITE_URL where it is set, and never what a request claims then.

Whoever asks by another name is sent to the right one, or told so.  Health is told to anybody who reaches us, and a
request of this very machine, by no proxy, is answered as well: so an organiser looks at their own laptop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import quote, urlsplit

from flask import Flask, Request, Response, abort, make_response, redirect, request, url_for
from werkzeug.routing import MapAdapter

from gangland_web.mail.settings import is_here
from gangland_web.web.requests import is_api

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

FOR_MACHINES: Final = ("/healthz", "/readyz", "/metrics", "/status.json")
"""Asked by address, from beside the site; nothing in them is an address of ours."""
_MISDIRECTED: Final = "gangland.misdirected"
_PORTS: Final = {"http": 80, "https": 443}
_FORWARDED: Final = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_FORWARDED")


class House(Flask):
    """The application, whose addresses for others begin with `site_url` where there is one."""

    site_url: str | None = None

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what builds addresses during a request, in the name of SITE_URL."""
        adapter = super().create_url_adapter(request)
        if adapter is not None and request is not None and self.site_url is not None:
            parts = urlsplit(self.site_url)
            adapter.server_name, adapter.url_scheme = parts.netloc.lower(), parts.scheme
        return adapter


class Doorman:
    """Marks requests that were meant for another host before anything reads whom they claim to be for."""

    def __init__(self, application: Application, site_url: str) -> None:
        """Stand before an application that is reached as `site_url`; behind what mends the proxy's headers."""
        self._application, self._site_url = application, urlsplit(site_url)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Pass a request on; one for another host bears a mark, and our own host so that its answer can be made."""
        if not self._is_ours(environ):
            environ[_MISDIRECTED] = environ["PATH_INFO"] not in FOR_MACHINES and not _is_of_this_machine(environ)
            if environ[_MISDIRECTED] or _named(environ.get("HTTP_HOST", "")) is None:
                environ["HTTP_HOST"] = self._site_url.netloc
        return self._application(environ, start_response)

    def _is_ours(self, environ: Environ) -> bool:
        usual = _PORTS[self._site_url.scheme]
        asked = _named(environ.get("HTTP_HOST", ""))
        if asked is None:
            return False
        name, port = asked
        return (name, port or usual) == ((self._site_url.hostname or "").lower(), self._site_url.port or usual)


def init_address(app: House, site_url: str | None) -> None:
    """Have the site known by one address alone; call it before anything else looks at requests."""
    app.site_url = site_url
    if site_url is None:
        return
    app.wsgi_app = Doorman(app.wsgi_app, site_url)  # type: ignore[method-assign]

    @app.before_request
    def show_the_way() -> Any:
        """Send readers to the right address; refuse everything else, which may hold what was not meant for us."""
        if not request.environ.get(_MISDIRECTED):
            return None
        if request.method not in ("GET", "HEAD") or is_api(request):
            abort(421, f"This site is at {site_url}; the request was for another host.")
        return _sent_on(site_url)


def _sent_on(site_url: str) -> Response:
    """Return a redirection to the same page of the right host; its address is of our own making, but for the path."""
    query = request.query_string.decode("latin-1")
    path = quote(request.path, safe="/:@!$&'()*+,;=~")
    answer = make_response(redirect(site_url + path + (f"?{query}" if query else ""), 307))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def site_root() -> str:
    """Return what people type to get here, without a slash at its end."""
    return url_for("home.index", _external=True).rstrip("/")


def _named(host: str) -> tuple[str, int | None] | None:
    """Return the name and the port of a Host header, None for what is none."""
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    odd = parts.username is not None or parts.path or parts.query or parts.fragment or any(c <= " " for c in host)
    return None if not name or odd else (name.lower(), port)


def _is_of_this_machine(environ: Environ) -> bool:
    """Tell whether somebody asks from this machine for this machine, and no proxy for somebody else."""
    asked = _named(environ.get("HTTP_HOST", ""))
    if asked is None or not is_here(asked[0]) or any(name in environ for name in _FORWARDED):
        return False
    try:
        return ip_address(environ.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
