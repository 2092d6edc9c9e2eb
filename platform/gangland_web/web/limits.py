"""Limits on how often one may try to sign in, sign up, use a setup code, upload or challenge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Flask, request
from flask_limiter import Limiter

from gangland_web.web.sessions import visitor
from gangland_web.web.text import name_key


def by_address() -> str:
    """Return the caller's address, as the trusted proxies gave it."""
    return request.remote_addr or "unknown"


def by_address_and_name() -> str:
    """Return the caller's address with the name that is tried, so that one school shares no count."""
    return f"{by_address()} {name_key(request.form.get('name', '')[:64])}"


def by_visitor() -> str:
    """Return who is signed in, or the caller's address."""
    found = visitor()
    return f"user {found.id}" if found else by_address()


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each form may be sent, in flask-limiter's words; tests set their own."""

    sign_in_name: str = "10 per 5 minutes"
    sign_in: str = "120 per 5 minutes"
    sign_up: str = "60 per hour"
    setup: str = "10 per hour"
    upload: str = "60 per hour"
    challenge: str = "120 per hour"
    enter: str = "60 per hour"


def storage_uri(redis_url: str | None) -> str:
    """Return the address of the counters: the broker where there is one, else this process's memory."""
    if redis_url is None:
        return "memory://"
    for prefix in ("redis+socket://", "unix://"):
        if redis_url.startswith(prefix):
            return "redis+unix://" + redis_url.removeprefix(prefix)
    return redis_url


def init_limits(app: Flask, rates: Rates, storage: str) -> None:
    """Guard the forms of `app`; a broker that is away makes each process count by itself."""
    limiter = Limiter(
        key_func=by_address,
        app=app,
        storage_uri=storage,
        strategy="fixed-window",
        in_memory_fallback_enabled=storage != "memory://",
        key_prefix="gangland:rate",
    )
    app.extensions["gangland_limiter"] = limiter
    for endpoint, rate, key in (
        ("accounts.sign_in", rates.sign_in_name, by_address_and_name),
        ("accounts.sign_in", rates.sign_in, by_address),
        ("accounts.sign_up", rates.sign_up, by_address),
        ("accounts.setup", rates.setup, by_address),
        ("bots.upload", rates.upload, by_visitor),
        ("challenges.mine", rates.challenge, by_visitor),
        ("tournaments.enter", rates.enter, by_visitor),
    ):
        view: Any = app.view_functions[endpoint]
        app.view_functions[endpoint] = limiter.limit(rate, key_func=key, methods=["POST"])(view)


def next_try_at(app: Flask) -> float | None:
    """Return when the form that was sent too often may be sent again, in Unix seconds."""
    limiter: Limiter = app.extensions["gangland_limiter"]
    hit = limiter.current_limit
    return None if hit is None else float(hit.reset_at)
