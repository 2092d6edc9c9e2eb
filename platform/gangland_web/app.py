"""Create the Flask application; all state is in the application that `create_app` returns."""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from flask import Blueprint, Flask, current_app
from flask_wtf.csrf import CSRFProtect
from werkzeug.utils import find_modules, import_string

from gangland_sandbox.intake import PLAIN
from gangland_web.api import routes as api
from gangland_web.metrics import CACHED, STARTS, Counts, Publisher
from gangland_web.models.database import Database
from gangland_web.ops import prometheus as metrics
from gangland_web.services.accounts import MAX_IDLE_S, dummy_hash
from gangland_web.services.challenges import Allowance
from gangland_web.settings import Oidc, Settings, read_oidc, read_settings
from gangland_web.site import accounts, matches, pictures, rendering
from gangland_web.web import address, caching, limits, middleware, requests, sessions

FORM_OVERHEAD_BYTES = 16 * 1024  # the maximum size of an upload form without its file


def create_app(
    settings: Settings | None = None,
    *,
    database: Database | None = None,
    rates: limits.Rates | None = None,
    rate_storage: str | None = None,
    allowance: Allowance | None = None,
    oidc: Oidc | None = None,
    live_s: float | None = None,
) -> Flask:
    """Return the site.

    Args:
        settings: read from the environment if None.
        database: opened at the URL in the settings if None.
        rates: how often each form may be submitted.
        rate_storage: where submissions are counted; if None, the broker in the settings, or memory without a broker.
        allowance: how many challenges a user may request.
        oidc: the OpenID provider; read from the environment if None and no settings are given.
        live_s: how long to cache a live part that is the same for all users, in seconds; 1 if None and no settings
            are given.

    Raises ConfigError: a required setting is missing.
    """
    oidc = read_oidc(os.environ) if settings is None and oidc is None else oidc
    live_s = caching.LIFETIME_S if settings is None and live_s is None else live_s
    settings = settings or read_settings()
    app = address.GanglandApp("gangland_web.site")
    app.request_class = requests.Request
    app.config.update(_config(settings))
    app.session_interface = sessions.SessionInterface()
    app.json.sort_keys = False  # type: ignore[attr-defined]  # documents list members as documented
    app.extensions["gangland_settings"] = settings
    app.extensions["gangland_allowance"] = allowance or Allowance()
    app.extensions["gangland_database"] = database or Database(settings.need_database_url())
    app.extensions["gangland_counts"] = counts = Counts()
    app.extensions["gangland_publisher"] = Publisher(counts, settings.redis_url) if settings.redis_url else None
    counts.add(STARTS, process="web")
    middleware.init_access(app)
    address.init_address(app, settings.site_url)
    if live_s:
        app.wsgi_app = caching.LiveParts(app.wsgi_app, live_s, lambda: counts.add(CACHED))  # type: ignore[method-assign]
    app.proxy_headers = address.ProxyHeaders(app.wsgi_app, settings.trusted_proxies, settings.proxies)
    app.wsgi_app = app.proxy_headers  # type: ignore[method-assign]
    rates = rates or limits.Rates()
    limits.init_limits(app, rates, rate_storage or limits.storage_uri(settings.redis_url))
    app.after_request(limits.rate_headers)
    app.url_map.converters |= {
        "game": address.GameConverter,
        "number": address.NumberConverter,
        "match": address.MatchConverter,
    }
    caching.init_compression(app)
    middleware.init_security(app)
    middleware.init_maintenance(app)
    middleware.init_hidden_bots(app)
    forms = CSRFProtect(app)
    forms.exempt(api.pages)
    forms.exempt(matches.request_analysis)  # pages without a session may request an analysis, too
    middleware.init_errors(app)
    rendering.init_rendering(app)
    caching.init_page_cache(app)
    pictures.init_cards(app)
    for blueprint in (middleware.pages, metrics.pages, api.pages, api.reference_pages, *_site_blueprints()):
        app.register_blueprint(blueprint)
    if oidc is not None:
        from gangland_web.web.oidc import Provider

        app.extensions["gangland_oidc"] = Provider(app, oidc)
    app.extensions["gangland_oidc_settings"] = oidc
    limits.guard_forms(app, rates)
    dummy_hash()  # computed now, so that the first sign-in is not slower than later ones
    app.context_processor(_template_values)
    return app


def _site_blueprints() -> Iterator[Blueprint]:
    for name in find_modules("gangland_web.site", recursive=True):
        pages = getattr(import_string(name), "pages", None)
        if isinstance(pages, Blueprint):
            yield pages


def _config(settings: Settings) -> dict[str, Any]:
    return {
        "SECRET_KEY": settings.need_secret_key(),
        "MAX_CONTENT_LENGTH": PLAIN.largest_bytes + FORM_OVERHEAD_BYTES,
        "MAX_FORM_MEMORY_SIZE": PLAIN.source_bytes + FORM_OVERHEAD_BYTES,
        "MAX_FORM_PARTS": 20,
        "PERMANENT_SESSION_LIFETIME": timedelta(seconds=MAX_IDLE_S),
        "SESSION_COOKIE_NAME": "__Host-gangland" if settings.secure_cookies else "gangland",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": settings.secure_cookies,
        "WTF_CSRF_TIME_LIMIT": 24 * 3600,
        "SEND_FILE_MAX_AGE_DEFAULT": 3600,
        "TEMPLATES_AUTO_RELOAD": False,
    }


def _template_values() -> dict[str, Any]:
    return {
        "visitor": sessions.visitor(),
        "maintenance_reason": middleware.maintenance_reason,
        "site_root": address.site_root,
        "printed_url": address.printed_url,
        "printed_root": address.printed_root,
        "prints_local_urls": address.prints_local_urls,
        "suggested_site_url": current_app.suggested_site_url if isinstance(current_app, address.GanglandApp) else None,
        "sends_mail": accounts.sends_mail(),
        "oidc": current_app.extensions["gangland_oidc_settings"],
    }
