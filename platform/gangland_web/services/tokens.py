"""API tokens: creating, listing, revoking and checking them, and the form for a new token."""

import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from sqlmodel import Session, col, delete, select, update

from gangland_web.base.formats import DAY_S, now_s
from gangland_web.base.text import normal_name, problem_with_name, whole_number
from gangland_web.models.accounts import Membership, Role, Token, User, is_member
from gangland_web.models.bots import Party
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import Database, in_transaction
from gangland_web.services.accounts import hash_secret

# Tokens.

MAX_TOKENS = 20  # maximum number of valid tokens per user
RETENTION_S = 30 * DAY_S  # how long an expired or revoked token is still listed
LAST_USED_INTERVAL_S = 60
ORGANIZE_DAYS = 7  # maximum number of days with the scope `organize`; such a token also requires the password
_PATTERN = re.compile(r"gangland_([1-9][0-9]{0,8})_([0-9a-f]{64})")
_NO_HASH = hash_secret("")


class Scope(StrEnum):
    """A permission of a token."""

    READ = "read"
    UPLOAD = "upload"
    WRITE = "write"
    ORGANIZE = "organize"


# Descriptions of the scopes for users.
SCOPES = {
    Scope.READ: "read your own pages, and follow the progress of your versions",
    Scope.UPLOAD: "upload bots and new versions of them",
    Scope.WRITE: "start challenges, enter and leave tournaments, run your team, retire bots, and revoke your tokens",
    Scope.ORGANIZE: "run tournaments as on the organizer's pages, for at most 7 days",
}
DEFAULT_SCOPES = frozenset({Scope.READ, Scope.UPLOAD})


class TooManyTokens(ValueError):
    """A user already has the maximum number of valid tokens."""


def create_token(database: Database, owner_id: int, name: str, scopes: frozenset[Scope], days: int) -> str:
    """Create a token and return its text; only a hash of its secret is stored.

    Raises TooManyTokens, or ValueError: the number of days is too high for the scope `organize`.
    """
    if Scope.ORGANIZE in scopes and days > ORGANIZE_DAYS:
        raise ValueError(
            f"a token with the permission to organize can be valid for at most {ORGANIZE_DAYS} days, not {days}"
        )
    secret, now = secrets.token_hex(32), now_s()
    with database.write() as db:
        db.get_one(User, owner_id, with_for_update=True)  # simultaneous requests are counted one at a time
        is_old = (col(Token.expires_at) < now - RETENTION_S) | (col(Token.revoked_at) < now - RETENTION_S)
        db.exec(delete(Token).where(col(Token.owner_id) == owner_id, is_old))
        if sum(is_valid(token, now) for token in tokens_of(db, owner_id)) >= MAX_TOKENS:
            raise TooManyTokens
        token = Token(
            owner_id=owner_id,
            name=name,
            secret_hash=hash_secret(secret),
            **{f"can_{scope.value}": scope in scopes for scope in Scope},
            created_at=now,
            expires_at=now + days * DAY_S,
        )
        add_row(db, token)
        return f"gangland_{token.id}_{secret}"


def tokens_of(db: Session, owner_id: int) -> list[Token]:
    """Return a user's tokens, newest first."""
    return list(db.exec(select(Token).where(Token.owner_id == owner_id).order_by(col(Token.id).desc())).all())


def is_valid(token: Token, now: float) -> bool:
    """Return whether a token has neither expired nor been revoked."""
    return token.revoked_at is None and now < token.expires_at


def scopes_of(token: Token) -> frozenset[Scope]:
    """Return the scopes of a token."""
    return frozenset(scope for scope in Scope if getattr(token, f"can_{scope.value}"))


@in_transaction
def revoke_token(db: Session, owner_id: int, token_id: int) -> bool:
    """Revoke a user's token; return False if it is another user's or has already been revoked."""
    is_own = (col(Token.id) == token_id) & (col(Token.owner_id) == owner_id) & col(Token.revoked_at).is_(None)
    return db.exec(update(Token).where(is_own).values(revoked_at=now_s())).rowcount == 1


def revoke_tokens(db: Session, owner_id: int) -> None:
    """Revoke all of a user's tokens in the caller's transaction."""
    is_unrevoked = (col(Token.owner_id) == owner_id) & col(Token.revoked_at).is_(None)
    db.exec(update(Token).where(is_unrevoked).values(revoked_at=now_s()))


class RefusalReason(StrEnum):
    """The reason why a token is refused; the value is the code in the error catalog."""

    UNKNOWN = "E302"
    EXPIRED = "E303"
    REVOKED = "E304"


class TokenRefused(ValueError):
    """A token is unknown, expired or revoked."""

    def __init__(self, reason: RefusalReason) -> None:
        super().__init__(reason.name.lower())
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Bearer:
    """The user who makes a call, with a valid token or (without one) from a shell on the server."""

    token_id: int | None
    owner_id: int
    owner: str
    name: str
    scopes: frozenset[Scope]
    expires_at: float
    role: str
    team_id: int | None = None

    @property
    def id(self) -> int:
        """The id of the user's account."""
        return self.owner_id

    @property
    def is_admin(self) -> bool:
        """Whether the user is an administrator."""
        return self.role == Role.ADMIN

    @property
    def party(self) -> Party:
        """The user and the user's team, for whose bots the bearer may act."""
        return Party(self.owner_id, self.team_id)


def bearer_of(database: Database, token_text: str) -> Bearer:
    """Return the bearer of a token, and record that the token was used.  Raises TokenRefused."""
    parts = _PATTERN.fullmatch(token_text)
    token_id, secret = (int(parts[1]), parts[2]) if parts else (0, "")
    with database.read() as db:
        query = select(Token, User, Membership.team_id).join(User, col(User.id) == Token.owner_id)
        row = db.exec(query.outerjoin(Membership, is_member(User.id)).where(Token.id == token_id)).one_or_none()
    token, owner, team_id = row or (None, None, None)
    # Compared in constant time. Only a client that knows the secret learns that the token has expired or was revoked.
    is_same = hmac.compare_digest(token.secret_hash if token else _NO_HASH, hash_secret(secret))
    if token is None or owner is None or not is_same:
        raise TokenRefused(RefusalReason.UNKNOWN)
    now = now_s()
    if token.revoked_at is not None or owner.deleted_at is not None or owner.suspended_for is not None:
        raise TokenRefused(RefusalReason.REVOKED)
    if now >= token.expires_at:
        raise TokenRefused(RefusalReason.EXPIRED)
    if token.last_used_at is None or token.last_used_at <= now - LAST_USED_INTERVAL_S:
        database.try_write(update(Token).where(col(Token.id) == token.id).values(last_used_at=now))
    scopes = scopes_of(token)
    return Bearer(
        row_id(token.id), token.owner_id, owner.name, token.name, scopes, token.expires_at, owner.role, team_id
    )


# The form for a new token.

NAME_CHARS = 64
DAYS = (1, 365)
DEFAULT_DAYS = 90


@dataclass(frozen=True, slots=True)
class TokenForm:
    """The form for a new token; `errors` has the error messages by field."""

    name: str = ""
    scopes: frozenset[Scope] = DEFAULT_SCOPES
    days: str = str(DEFAULT_DAYS)
    errors: dict[str, str] = field(default_factory=dict)


def read_token(form: Mapping[str, str], selected: Sequence[str]) -> TokenForm:
    """Read a token's name, number of days and selected scopes."""
    name = normal_name(form.get("name", "")[: 4 * NAME_CHARS])
    days = form.get("days", "").strip()[:8]
    scope_problem = None if selected and set(selected) <= set(Scope) else "Choose at least one permission."
    problems = {"name": _name_problem(name), "scope": scope_problem, "days": _days_problem(days)}
    if Scope.ORGANIZE in selected and not problems["days"] and int(days) > ORGANIZE_DAYS:
        problems["days"] = f"A token with the permission to organize can be valid for at most {ORGANIZE_DAYS} days."
    errors = {field: problem for field, problem in problems.items() if problem}
    return TokenForm(name, frozenset(scope for scope in Scope if scope in selected), days, errors)


def _name_problem(name: str) -> str | None:
    if not 1 <= len(name) <= NAME_CHARS:
        return f"A token's name must have 1 to {NAME_CHARS} characters."
    if problem := problem_with_name(name):
        return f"A token's name {problem}."
    return None


def _days_problem(days: str) -> str | None:
    low, high = DAYS
    number = whole_number(days)
    if number is not None and low <= number <= high:
        return None
    return f"A token must be valid for {low} to {high} days."
