"""Rate limits for forms and API calls, and lockout after wrong passwords."""

from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import Any, Final

from flask import Flask, Response, current_app, g, request, session
from flask_limiter import ApplicationLimit, Limiter
from limits.storage import MemoryStorage, Storage, storage_from_string

from gangland_web.base.formats import now_s, waiting_time
from gangland_web.base.text import ADDRESS_CHARS, address_key, name_key
from gangland_web.web.address import home_network
from gangland_web.web.requests import is_api
from gangland_web.web.sessions import caller, known_browser_key, visitor

# Lockout: wrong passwords are counted for each name at each address, and for each name at all addresses together.
#
# The first ten attempts in an hour are free. Then each attempt is allowed only after a pause. At one address, the pause
# doubles with each attempt, from 15 seconds to 15 minutes: about eighteen an hour. For a name at all addresses, the
# pause is at most a minute, and it does not apply at an address where a user of that name is signed in, so an attacker
# cannot lock the owner out. Attempts are counted before the password is checked, so parallel attempts gain nothing.
# Attempts for unknown names are counted too, so the lockout does not reveal which names exist. A browser that was
# signed in under a name before has a separate count.

FREE_ATTEMPTS: Final = 10
WINDOW_S: Final = 3600
FIRST_PAUSE_S: Final = 15
MAX_PAUSE_S: Final = 900
MAX_NAME_PAUSE_S: Final = 60  # the longest pause for a name from any address


class Lockout:
    """The counts of a site, shared on the broker; while it is unavailable, each process counts separately."""

    def __init__(self, storage: str) -> None:
        self._shared: Storage = _open_storage(storage)
        self._own = MemoryStorage()

    def count_attempt(self, who: str, *, max_pause_s: int = MAX_PAUSE_S) -> float | None:
        """Count an attempt; return None if it is allowed now, else the time of the next one, in Unix seconds."""
        key = sha256(who.encode()).hexdigest()
        try:
            return _count_attempt(self._shared, key, max_pause_s)
        except self._shared.base_exceptions:
            return _count_attempt(self._own, key, max_pause_s)

    def clear(self, who: str) -> None:
        """Delete the counts of a user who has signed in."""
        key = sha256(who.encode()).hexdigest()
        for name in (f"tries/{key}", f"pause/{key}"):
            self._own.clear(name)
            try:
                self._shared.clear(name)
            except self._shared.base_exceptions as error:
                current_app.logger.warning("could not reset a count of wrong passwords: %r", type(error))


def lockout() -> Lockout:
    """Return the lockout of the current application."""
    counts: Lockout = current_app.extensions["gangland_lockout"]
    return counts


def at_address(name: str, address: str) -> str:
    """Return the key of attempts for a name (`name_key`) at an address."""
    return f"{name} at {address}"


def _open_storage(storage: str) -> Storage:
    options: dict[str, Any] = {} if storage == "memory://" else {"key_prefix": "gangland:lockout"}
    opened = storage_from_string(storage, **options)
    if not isinstance(opened, Storage):
        raise TypeError(f"expected a synchronous storage, not {type(opened).__name__}")
    return opened


def _count_attempt(storage: Storage, key: str, max_pause_s: int) -> float | None:
    """Implement `Lockout.count_attempt`.  Of several simultaneous attempts after a pause, one is allowed."""
    pause = f"pause/{key}"
    if storage.get(pause) > 0:
        return max(storage.get_expiry(pause), now_s())
    attempts = storage.incr(f"tries/{key}", WINDOW_S)
    if attempts < FREE_ATTEMPTS:
        return None
    pause_s = min(max_pause_s, FIRST_PAUSE_S * 2 ** min(attempts - FREE_ATTEMPTS, 10))
    if storage.incr(pause, pause_s) == 1:
        return None
    return max(storage.get_expiry(pause), now_s())


# Limits on forms and API calls.


@dataclass(frozen=True, slots=True)
class Rates:
    """The limits of each form and of the API, in flask-limiter's notation; tests set other limits.

    Uploads on the page and through the API count together.  All visitors at an address, such as a class of thirty,
    share its rates; a visitor's own rates are checked first.
    """

    sign_in_name: str = "10 per 5 minutes"
    sign_in: str = "120 per 5 minutes"
    sign_up: str = "120 per hour"
    setup: str = "10 per hour"
    upload: str = "60 per hour"
    challenge: str = "120 per hour"
    enter: str = "60 per hour"
    tokens: str = "30 per hour"
    opened: str = "60 per hour"
    analyses: str = "60 per hour"
    tables: str = "30 per hour"
    runs: str = "120 per hour"
    runs_address: str = "3600 per hour"
    decisions: str = "120 per minute"
    hints: str = "20 per minute"
    cards: str = "240 per minute"
    clip_polls: str = "600 per minute"  # by all visitors at an address who wait for clips
    clips: str = "30 per hour"
    clips_address: str = "900 per hour"
    api: str = "600 per minute"
    api_anonymous: str = "120 per minute"
    mail_to: str = "4 per hour"
    forms: str = "600 per hour"  # all forms of a visitor, including refused ones
    forms_address: str = "18000 per hour"
    tables_address: str = "900 per hour"
    decisions_address: str = "3600 per minute"
    opened_address: str = "900 per hour"
    analyses_address: str = "900 per hour"


def storage_uri(redis_url: str | None) -> str:
    """Return the URI of the counters' storage: the broker if there is one, else this process's memory."""
    if redis_url is None:
        return "memory://"
    for prefix in ("redis+socket://", "unix://"):
        if redis_url.startswith(prefix):
            return "redis+unix://" + redis_url.removeprefix(prefix)
    return redis_url


def init_limits(app: Flask, rates: Rates, storage: str) -> None:
    """Limit calls of the API; call it before any code reads requests.  Refused calls count too."""
    app.extensions["gangland_lockout"] = Lockout(storage)
    calls = (
        ApplicationLimit(
            rates.api,
            key_function=bearer_key,
            scope="api",
            error_message=_own_message(*_CALLS),
            exempt_when=lambda: not is_api(request) or caller() is None,
        ),
        ApplicationLimit(
            rates.api_anonymous,
            key_function=client_key,
            scope="api",
            error_message=_shared_message(*_CALLS),
            exempt_when=lambda: not is_api(request) or caller() is not None,
        ),
    )
    app.extensions["gangland_limiter"] = Limiter(
        key_func=client_key,
        app=app,
        application_limits=list(calls),
        request_identifier=_endpoint,
        storage_uri=storage,
        strategy="fixed-window",
        in_memory_fallback_enabled=storage != "memory://",
        key_prefix="gangland:rate",
    )


def guard_forms(app: Flask, rates: Rates) -> None:
    """Limit the forms of `app`, counted together with the API calls that do the same.

    Where secrets can be guessed or files are read, every try counts; elsewhere, refused forms do not.  Refused forms,
    and forms not named here, are limited by the rate of all forms.
    """
    limiter: Limiter = app.extensions["gangland_limiter"]
    others = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    for endpoint, rate, key, message in (
        ("accounts.sign_in", rates.sign_in_name, known_or_name_key, _own_message(*_SIGN_IN)),
        ("accounts.sign_in", rates.sign_in, known_or_client_key, _shared_message(*_SIGN_IN)),
        ("accounts.sign_up", rates.sign_up, client_key, _shared_message("tried to sign up {count} times", "try again")),
        ("accounts.setup", rates.setup, client_key, _shared_message(*_CODES)),
        ("accounts.set_password", rates.sign_in, client_key, _shared_message(*_CODES)),
        ("accounts.recover", rates.sign_up, client_key, _shared_message("requested {count} codes", "request another")),
        ("accounts.recover_code", rates.sign_up, client_key, _shared_message(*_CODES)),
        ("accounts.check_email_code", rates.setup, visitor_key, _own_message(*_CODES)),
        ("viewer.open_file", rates.opened, sender_key, _own_message(*_OPENED)),
        ("viewer.open_file", rates.opened_address, client_key, _shared_message(*_OPENED)),
        ("play.decide", rates.decisions, sender_key, _own_message(*_DECISIONS)),
        ("play.decide", rates.decisions_address, client_key, _shared_message(*_DECISIONS)),
        ("play.hint", rates.hints, table_key, _own_message("requested {count} hints", "request another")),
    ):
        _guard(app, endpoint, limiter.limit(rate, key_func=key, methods=["POST"], error_message=message))
        others.discard(endpoint)
    for rate, scope, parts, endpoints in (
        (
            *(rates.upload, "upload", ("uploaded {count} times", "upload again")),
            "bots.restore editor.upload editor.upload_file api.upload api.new_version api.restore",
        ),
        (
            *(rates.setup, "password", ("typed your password {count} times", "try again")),
            "accounts.confirm_password accounts.new_password accounts.leave accounts.add_email accounts.drop_email",
        ),
        (rates.setup, "join", _CODES, "teams.join api.join_by_code"),
    ):
        for endpoint in endpoints.split():
            who = bearer_key if endpoint.startswith("api.") else visitor_key
            tried: dict[str, Any] = {"methods": ["POST"], "error_message": _own_message(*parts)}
            _guard(app, endpoint, limiter.shared_limit(rate, scope, key_func=who, **tried))
            others.discard(endpoint)
    for endpoint in ("accounts.recover", "accounts.add_email"):
        mailed = "{count} codes for this email address were requested {period}. You can request another in {wait}."
        mailing: dict[str, Any] = {"key_func": email_key, "methods": ["POST"], "error_message": mailed}
        _guard(app, endpoint, limiter.shared_limit(rates.mail_to, "mail", **mailing))
    counted: dict[str, Any] = {"methods": ["POST"], "deduct_when": lambda response: response.status_code < 400}
    for names, rate, scope, parts, at_address in (
        ("accounts.tokens", rates.tokens, "tokens", ("created {count} tokens", "create another"), None),
        ("matches.request_analysis", rates.analyses, "analyses", _ANALYSES, rates.analyses_address),
        ("editor.run", rates.runs, "runs", ("run drafts {count} times", "run one again"), rates.runs_address),
        ("api.challenge", rates.challenge, "challenge", ("started {count} matches", "start another"), None),
        (
            "tournaments.enter tournaments.enter_event api.enter api.enter_event",
            *(rates.enter, "enter", ("entered bots {count} times", "enter another"), None),
        ),
        (
            "play.begin play.open_rematch",
            *(rates.tables, "tables", ("started {count} games", "play again"), rates.tables_address),
        ),
        ("teams.create api.make_team", rates.tokens, "team", ("created {count} teams", "create another"), None),
        (
            "teams.invite api.invite_to_team",
            *(rates.tokens, "invitation", ("created {count} invitations", "create another"), None),
        ),
    ):
        for endpoint in names.split():
            key = bearer_key if endpoint.startswith("api.") else sender_key
            exempt = None if at_address is None else _is_unknown
            own: dict[str, Any] = {"key_func": key, "exempt_when": exempt, "error_message": _own_message(*parts)}
            _guard(app, endpoint, limiter.shared_limit(rate, scope, **own, **counted))
            if at_address is not None:
                at: dict[str, Any] = {"key_func": client_key, "error_message": _shared_message(*parts), **counted}
                _guard(app, endpoint, limiter.shared_limit(at_address, f"{scope} at", **at))
    for endpoint in sorted(name for name in others if not name.startswith("api.")):
        for rate, key, message in (
            (rates.forms, sender_key, _own_message(*_FORMS)),
            (rates.forms_address, client_key, _shared_message(*_FORMS)),
        ):
            _guard(app, endpoint, limiter.limit(rate, key_func=key, methods=["POST"], error_message=message))
    visits: dict[str, Any] = {"key_func": client_key, "methods": ["GET"], "error_message": _shared_message(*_SIGN_IN)}
    oidc_limit = limiter.shared_limit(rates.sign_in, "oidc", **visits)
    for endpoint in ("oidc.begin", "oidc.add", "oidc.confirm", "oidc.callback"):
        _guard(app, endpoint, oidc_limit)
    pictures = _shared_message("loaded {count} pictures", "load more")
    card_limit = limiter.shared_limit(rates.cards, "cards", key_func=client_key, error_message=pictures)
    for name in ("picture", "site_card", "bot_card", "match_card", "tournament_card"):
        _guard(app, f"pictures.{name}", card_limit)
    message = _shared_message("requested clips {count} times", "try again")
    _guard(app, "pictures.clip", limiter.limit(rates.clip_polls, key_func=client_key, error_message=message))
    may_order = _do_nothing
    for rate, scope, key, message in (
        # Visitors without an account share the count of their address, so the message names no one.
        (rates.clips, "clips", visitor_key, "{count} clips were requested {period}. Request another in {wait}."),
        (rates.clips_address, "clips at", client_key, _shared_message(*_CLIPS)),
    ):
        ordered: dict[str, Any] = {"deduct_when": lambda _: "clip_is_ordered" in g, "error_message": message}
        may_order = limiter.shared_limit(rate, scope, key_func=key, **ordered)(may_order)
    app.extensions["gangland_may_order_clip"] = may_order


# Messages of a 429 response: `count` and `period` are those of the limit, `wait` is the time until its next period.

_SIGN_IN: Final = ("tried to sign in {count} times", "try again")
_CODES: Final = ("tried {count} codes", "try again")
_OPENED: Final = ("opened {count} replays", "open another")
_DECISIONS: Final = ("made {count} decisions", "continue")
_ANALYSES: Final = ("requested {count} analyses", "request another")
_CLIPS: Final = ("requested {count} clips", "request another")
_FORMS: Final = ("sent {count} forms", "send another")
_CALLS: Final = ("made {count} calls", "continue")


def _own_message(done: str, next_time: str) -> str:
    """Return the message of a limit of one visitor."""
    return f"You have {done} {{period}}. You can {next_time} in {{wait}}."


def _shared_message(done: str, next_time: str) -> str:
    """Return the message of a limit shared by all visitors at an address."""
    return f"People on your network have {done} {{period}}. You can {next_time} in {{wait}}."


def may_order_clip() -> None:
    """Check that the caller may order a clip.  Raises RateLimitExceeded: the caller has ordered too many."""
    current_app.extensions["gangland_may_order_clip"]()


def count_clip() -> None:
    """Count a clip that the caller has ordered; call `may_order_clip` first."""
    g.clip_is_ordered = True


def exceeded_limit(app: Flask, message: str) -> tuple[str, float] | None:
    """Return the filled-in message of the exceeded limit, and the seconds until the next possible request."""
    limiter: Limiter = app.extensions["gangland_limiter"]
    hit = limiter.current_limit
    if hit is None:
        return None
    wait_s = max(1.0, hit.reset_at - now_s())
    unit, units = hit.limit.GRANULARITY.name, hit.limit.multiples
    period = f"this {unit}" if units == 1 else f"in {units} {unit}s"
    # Counters end on whole seconds, so an hour's counter may have slightly more than an hour left.
    wait = waiting_time(min(wait_s, hit.limit.get_expiry()))
    return message.format(count=hit.limit.amount, period=period, wait=wait), wait_s


def rate_headers(response: Response) -> Response:
    """Add the remaining calls and the seconds until the count is reset (RateLimit-*)."""
    if not is_api(request):
        return response
    limiter: Limiter = current_app.extensions["gangland_limiter"]
    hit = min(limiter.current_limits, key=lambda limit: limit.remaining, default=None)
    if hit is not None:
        response.headers["RateLimit-Limit"] = str(hit.limit.amount)
        response.headers["RateLimit-Remaining"] = str(max(0, hit.remaining))
        response.headers["RateLimit-Reset"] = str(max(0, ceil(hit.reset_at - now_s())))
    return response


def _do_nothing() -> None:
    """Do nothing; the limiter counts the calls of this function."""


def _guard(app: Flask, endpoint: str, limit: Any) -> None:
    app.view_functions[endpoint] = limit(app.view_functions[endpoint])


def _endpoint() -> str:
    """Return the endpoint of the request; unknown URLs of the API count too."""
    return request.endpoint or ("nowhere" if is_api(request) else "")


# Keys of the counts: an address, a name, a browser, a user, a table.


def client_key() -> str:
    """Return the caller's address as reported by the trusted proxies; for IPv6, its network."""
    sender = request.remote_addr or "unknown"
    return home_network(sender) or sender


def _submitted_name() -> str:
    return name_key(request.form.get("name", "")[:64])


def known_or_name_key() -> str:
    """Return the key of a browser that was signed in under the name before, else the name at the caller's address."""
    return known_browser_key(_submitted_name()) or f"{client_key()} {_submitted_name()}"


def known_or_client_key() -> str:
    """Return the key of a browser that was signed in under the name before, else the caller's address."""
    return known_browser_key(_submitted_name()) or client_key()


def email_key() -> str:
    """Return the email address in the form, so that no mailbox is flooded."""
    return f"mail {address_key(request.form.get('email', '')[:ADDRESS_CHARS])}"


def visitor_key() -> str:
    """Return the signed-in visitor, or the caller's address."""
    person = visitor()
    return f"user {person.id}" if person else client_key()


def sender_key() -> str:
    """Return the signed-in visitor, else the browser that sends a form, else the caller's address.

    A browser gets a new key by dropping its cookie, so combine this key with a limit for the address, and do not use it
    where secrets can be guessed.
    """
    person, token = visitor(), session.get("csrf_token")
    if person is not None or token is None:
        return visitor_key()
    return f"browser {sha256(str(token).encode()).hexdigest()[:32]}"


def _is_unknown() -> bool:
    return visitor() is None and "csrf_token" not in session


def table_key() -> str:
    """Return the table of the submitted form."""
    return f"table {str((request.view_args or {}).get('token', ''))[:64]}"


def bearer_key() -> str:
    """Return the owner of the request's token, else the caller's address."""
    bearer = caller()
    return f"user {bearer.owner_id}" if bearer else client_key()
