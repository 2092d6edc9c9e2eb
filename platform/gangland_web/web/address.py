"""URLs: the site's own address, the host names that it accepts, links to the next page, and route converters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from flask import Flask, Request, abort, current_app, has_request_context, redirect, request, url_for
from flask.globals import request_ctx
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import AnyConverter, BaseConverter, IntegerConverter, Map, MapAdapter, ValidationError

from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_web.base.formats import GAME_TITLES
from gangland_web.settings import is_loopback
from gangland_web.web.requests import is_api

# The site's own address is SITE_URL, never an address that a request claims.
#
# Without SITE_URL, the site's URLs begin with a name of this machine, and organizers are asked to set SITE_URL as soon
# as a request uses another host name. With SITE_URL, a request for another host name is redirected or gets a 421.
# Health checks are answered for any host name. So are requests from this machine without a proxy, for an organizer at
# their own laptop.

Network = IPv4Network | IPv6Network
Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

# Monitoring requests these paths by IP address; the responses contain no URL of this site.
MONITORING_PATHS: Final = ("/healthz", "/readyz", "/metrics", "/status.json")
_MISDIRECTED: Final = "gangland.misdirected"
_PORTS: Final = {"http": 80, "https": 443}
MAX_CACHED_URLS: Final = 512  # the number of URLs that a process caches; every page has about forty
_FORWARDED: Final = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_FORWARDED")
# Headers in which a client may make claims; the application does not read them.
_UNTRUSTED_HEADERS: Final = (
    *_FORWARDED,
    *(f"HTTP_X_{name}" for name in ("FORWARDED_PREFIX", "FORWARDED_PORT", "FORWARDED_SSL", "FORWARDED_SCHEME")),
    *(f"HTTP_X_{name}" for name in ("FORWARDED_SERVER", "REAL_IP", "CLIENT_IP", "SCRIPT_NAME", "ORIGINAL_URL")),
    *(f"HTTP_X_{name}" for name in ("REWRITE_URL", "HOST", "SCHEME", "URL_SCHEME", "HTTP_METHOD_OVERRIDE")),
    *(f"HTTP_{name}" for name in ("SCRIPT_NAME", "PATH_INFO", "REMOTE_ADDR", "PROXY", "FRONT_END_HTTPS")),
)
HOME_PREFIX: Final = 64  # bits of an IPv6 address that identify a network; a household can choose the other bits
FROM_PROXY: Final = "gangland.from_proxy"  # in the environment of a request that a configured proxy passed on
_WAS_FORWARDED: Final = "gangland.was_forwarded"


class GanglandApp(Flask):
    """The application.  Its external URLs begin with `site_url` if that is set."""

    site_url: str | None = None
    # Whether a request used a host name other than this machine's own while SITE_URL is not set.
    uses_other_name: bool = False
    proxy_headers: ProxyHeaders

    def client_of(self, environ: Environ) -> str:
        """Return the network of a request's client, as a short text; clients take turns by network."""
        return self.proxy_headers.client_of(environ)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return the URL adapter of a request, with the host and scheme of SITE_URL, or without it a local host."""
        adapter = super().create_url_adapter(request)
        if adapter is None or request is None:
            return adapter
        if self.site_url is not None:
            parts = urlsplit(self.site_url)
            adapter.server_name, adapter.url_scheme = parts.netloc.lower(), parts.scheme
        elif not _uses_local_name(request.environ):
            port = request.environ.get("SERVER_PORT", "")
            adapter.server_name = (
                f"localhost:{port}" if port.isdigit() and int(port) not in _PORTS.values() else "localhost"
            )
            self.uses_other_name = self.uses_other_name or request.path not in MONITORING_PATHS
        return adapter

    def url_for(self, /, endpoint: str, **values: Any) -> str:
        """Return the same URL as Flask's `url_for`, from a cache of the latest URLs."""
        adapter = request_ctx.url_adapter if has_request_context() else None
        if adapter is None or endpoint.startswith("."):
            return super().url_for(endpoint, **values)
        base = adapter.script_name, adapter.url_scheme, adapter.server_name, adapter.default_method
        try:
            return self._cached_url_for(base, endpoint, **values)
        except TypeError:  # a value is a list
            return super().url_for(endpoint, **values)

    @cached_property
    def _cached_url_for(self) -> Callable[..., str]:
        @lru_cache(maxsize=MAX_CACHED_URLS, typed=True)
        def cached_url_for(_base: tuple[str, ...], endpoint: str, **values: Any) -> str:
            return Flask.url_for(self, endpoint, **values)

        return cached_url_for

    def suggested_site_url(self) -> str | None:
        """Return the URL to suggest as SITE_URL, None if it is not needed, or "" if this request does not show it."""
        if self.site_url is not None or not self.uses_other_name:
            return None
        local_name = _uses_local_name(request.environ) or _host_and_port(request.host) is None
        return "" if local_name else f"{request.scheme}://{request.host}"


class ProxyHeaders:
    """Middleware that reads the client's address, host and scheme from a configured proxy and drops other claims."""

    def __init__(self, application: Application, hops: int, proxies: Iterable[Network]) -> None:
        """Wrap an application behind `hops` proxies; the last proxy is in one of these networks."""
        self._application, self._proxies = application, tuple(proxies) if hops else ()
        self._hops = hops
        self._proxy_fix = ProxyFix(self._drop, x_for=hops, x_proto=hops, x_host=hops)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Pass a request on."""
        environ[_WAS_FORWARDED] = any(name in environ for name in _FORWARDED)
        environ[FROM_PROXY] = self._is_proxy(environ.get("REMOTE_ADDR", ""))
        return (self._proxy_fix if environ[FROM_PROXY] else self._drop)(environ, start_response)

    def _drop(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        for name in _UNTRUSTED_HEADERS:
            environ.pop(name, None)
        return self._application(environ, start_response)

    def _is_proxy(self, sender: str) -> bool:
        if not self._proxies:
            return False
        try:
            address = ip_address(sender)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)

    def client_of(self, environ: Environ) -> str:
        """Return the network of a client, as a configured proxy reports it, else the peer's network."""
        peer = environ["REMOTE_ADDR"]
        if self._is_proxy(peer):
            forwarded = environ.get("HTTP_X_FORWARDED_FOR", "").rsplit(",", self._hops)
            client = home_network(forwarded[-self._hops].strip()[:64]) if len(forwarded) >= self._hops else None
            if client is not None:
                return client
        return home_network(peer) or str(peer)


@lru_cache(maxsize=MAX_CACHED_URLS)
def home_network(sender: str) -> str | None:
    """Return an IPv4 address, or the network of an IPv6 address; None if malformed."""
    try:
        address = ip_address(sender)
    except ValueError:
        return None
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or ip_network((int(address), HOME_PREFIX), strict=False))


class HostMiddleware:
    """Middleware that marks requests for another host, before any code reads their host."""

    def __init__(self, application: Application, site_url: str) -> None:
        """Wrap an application at `site_url`; `ProxyHeaders` wraps this middleware."""
        self._application, self._site_url = application, urlsplit(site_url)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Pass a request on; one for another host is marked, and gets our host so that it can be answered."""
        if not self._is_ours(environ):
            environ[_MISDIRECTED] = environ["PATH_INFO"] not in MONITORING_PATHS and not _is_local(environ)
            if environ[_MISDIRECTED] or _host_and_port(environ.get("HTTP_HOST", "")) is None:
                environ["HTTP_HOST"] = self._site_url.netloc
        return self._application(environ, start_response)

    def _is_ours(self, environ: Environ) -> bool:
        default = _PORTS[self._site_url.scheme]
        host = _host_and_port(environ.get("HTTP_HOST", ""))
        if host is None:
            return False
        name, port = host
        return (name, port or default) == ((self._site_url.hostname or "").lower(), self._site_url.port or default)


def init_address(app: GanglandApp, site_url: str | None) -> None:
    """Give the site a single address; call it before any code reads requests."""
    app.site_url = site_url
    if site_url is None:
        return
    app.wsgi_app = HostMiddleware(app.wsgi_app, site_url)  # type: ignore[method-assign]

    @app.before_request
    def redirect_to_site_url() -> Any:
        if not request.environ.get(_MISDIRECTED):
            return None
        if request.method not in ("GET", "HEAD") or is_api(request):
            abort(421, f"This site is at {site_url}; the request was for another host.")
        query = request.query_string.decode("latin-1")
        path = quote(request.path, safe="/:@!$&'()*+,;=~")  # only the path comes from the request
        response = redirect(site_url + path + (f"?{query}" if query else ""), 307)
        response.headers["Cache-Control"] = "no-store"
        return response


def site_root() -> str:
    """Return the site's URL as people type it, without a trailing slash."""
    return url_for("home.index", _external=True).rstrip("/")


def printed_root() -> str:
    """Return the site's URL to print; only for signed-in users, because it may come from their request."""
    host = _host_and_port(request.host)
    if current_app.site_url is not None or host is None:  # type: ignore[attr-defined]
        return site_root()
    name, port = host
    host_name = f"[{name}]" if ":" in name else name
    return f"{request.scheme}://{host_name}" + ("" if port in (None, _PORTS[request.scheme]) else f":{port}")


def printed_url(endpoint: str, **values: Any) -> str:
    """Return the URL of a page as it is printed."""
    return printed_root() + url_for(endpoint, **values)


def prints_local_urls() -> bool:
    """Return whether a printed URL would work only on this machine."""
    return is_loopback(urlsplit(printed_root()).hostname or "")


def _host_and_port(host: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    extra = parts.username is not None or parts.path or parts.query or parts.fragment
    return None if not name or extra or any(char <= " " for char in host) else (name.lower(), port)


def _uses_local_name(environ: Environ) -> bool:
    host = _host_and_port(environ.get("HTTP_HOST", ""))
    return host is not None and is_loopback(host[0])


def _is_local(environ: Environ) -> bool:
    """Return whether a request comes from this machine, for this machine, and without a proxy."""
    host = _host_and_port(environ.get("HTTP_HOST", ""))
    if host is None or not is_loopback(host[0]) or environ.get(_WAS_FORWARDED):
        return False
    try:
        return ip_address(environ.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def next_page(**key: str | int | None) -> str | None:
    """Return the URL of the page after a key, or None without a key."""
    ((name, value),) = key.items()
    if value is None:
        return None
    arguments = {name: text for name, text in request.args.items() if name not in ("after", "before")}
    return f"{request.path}?{urlencode({**arguments, name: value})}"


class NumberConverter(IntegerConverter):
    """A whole number that both databases can look up; larger numbers get a 404."""

    def __init__(self, url_map: Map, *args: Any, **kwargs: Any) -> None:
        super().__init__(url_map, *args, **{"max": HIGHEST_ID, **kwargs})


class GameConverter(AnyConverter):
    """The name of a game."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, *GAME_TITLES)


class MatchConverter(BaseConverter):
    """The number of a match, or the key of a private match (`Match.key`)."""

    regex = "[A-Za-z0-9_-]{1,32}"

    def to_python(self, value: str) -> int | str:
        """Return a number as an int, and a key unchanged."""
        if not value.isdigit():
            return value
        if len(value) > len(str(HIGHEST_ID)) or int(value) > HIGHEST_ID:
            raise ValidationError
        return int(value)
