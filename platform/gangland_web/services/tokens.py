"""API tokens: made, listed, revoked, checked, and their form."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

from sqlmodel import Session, col, delete, select, update

from gangland_web.base.clock import DAY_S, now_s
from gangland_web.base.text import normal_name, problem_with_name, whole_number
from gangland_web.models.accounts import Membership, Role, Token, User, is_in
from gangland_web.models.columns import stored
from gangland_web.models.database import Database, in_transaction
from gangland_web.models.owners import Party

# Tokens.


LIVE = 20
"""How many good tokens a person may have."""
KEPT_S = 30 * DAY_S
"""How long a token is listed after its end."""
USED_EVERY_S = 60
_FORM = re.compile(r"gangland_([1-9][0-9]{0,8})_([0-9a-f]{64})")
_NOBODYS = sha256(b"").hexdigest()


class Scope(StrEnum):
    """What a token may be for."""

    READ = "read"
    UPLOAD = "upload"
    WRITE = "write"
    ORGANISE = "organise"


SCOPES = {
    Scope.READ: "read what your own pages show, and follow your versions",
    Scope.UPLOAD: "upload bots and new versions of them",
    Scope.WRITE: "challenge, enter and leave tournaments, run your team, retire bots, and revoke your tokens",
    Scope.ORGANISE: "run tournaments as on the organiser's pages, for at most 7 days",
}
"""What each scope allows, in words."""
USUAL = frozenset({Scope.READ, Scope.UPLOAD})
"""What a token is for if nothing else is picked."""
ORGANISE_DAYS = 7
"""How long a token with the scope `organise` is good at most; to make one, the password is typed again."""


class Refusal(StrEnum):
    """Why a token lets nobody in, by its code in the error catalogue."""

    UNKNOWN = "E302"
    EXPIRED = "E303"
    REVOKED = "E304"


class TokenRefused(ValueError):
    """A token is not good, or no more."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.name.lower())
        self.why = why


class TooManyTokens(ValueError):
    """Somebody has as many good tokens as one may have."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """A good token, as far as those who ask need to know."""

    token_id: int
    owner_id: int
    owner: str
    name: str
    scopes: frozenset[Scope]
    expires_at: float
    role: str
    team_id: int | None = None

    @property
    def id(self) -> int:
        """The number of the account."""
        return self.owner_id

    @property
    def is_admin(self) -> bool:
        """Whether the whole house is theirs to run."""
        return self.role == Role.ADMIN

    @property
    def party(self) -> Party:
        """Whose bots its bearer may act for."""
        return Party(self.owner_id, self.team_id)


def make(database: Database, owner_id: int, name: str, scopes: frozenset[Scope], days: int) -> str:
    """Make a token and return it, the only time that it can be seen.

    Raises:
        TooManyTokens: the owner has `LIVE` good ones.
        ValueError: one that organizes was to be good for too long.
    """
    if Scope.ORGANISE in scopes and days > ORGANISE_DAYS:
        raise ValueError(
            f"a token with the permission to organise is valid for {ORGANISE_DAYS} days at most, not {days}"
        )
    secret, now = secrets.token_hex(32), now_s()
    with database.write() as db:
        db.get_one(User, owner_id, with_for_update=True)  # two at once are counted one after the other
        over = (col(Token.expires_at) < now - KEPT_S) | (col(Token.revoked_at) < now - KEPT_S)
        db.exec(delete(Token).where(col(Token.owner_id) == owner_id, over))
        if sum(is_good(token, now) for token in tokens_of(db, owner_id)) >= LIVE:
            raise TooManyTokens
        token = Token(
            owner_id=owner_id,
            name=name,
            secret_hash=_hashed(secret),
            **{f"can_{scope.value}": scope in scopes for scope in Scope},
            created_at=now,
            expires_at=now + days * DAY_S,
        )
        db.add(token)
        db.flush()
        return f"gangland_{token.id}_{secret}"


def tokens_of(db: Session, owner_id: int) -> list[Token]:
    """Return a person's tokens, the newest first."""
    return list(db.exec(select(Token).where(Token.owner_id == owner_id).order_by(col(Token.id).desc())).all())


def is_good(token: Token, now: float) -> bool:
    """Return whether a token lets its bearer in."""
    return token.revoked_at is None and now < token.expires_at


def scopes_of(token: Token) -> frozenset[Scope]:
    """Return what a token is for."""
    return frozenset(scope for scope in Scope if getattr(token, f"can_{scope.value}"))


@in_transaction
def revoke(db: Session, owner_id: int, token_id: int) -> bool:
    """Revoke a token of this owner; False if there is no such one that was not revoked before."""
    own = (col(Token.id) == token_id) & (col(Token.owner_id) == owner_id) & col(Token.revoked_at).is_(None)
    return db.exec(update(Token).where(own).values(revoked_at=now_s())).rowcount == 1


def revoke_all(db: Session, owner_id: int) -> None:
    """Revoke every token of an owner as part of a transaction."""
    live = (col(Token.owner_id) == owner_id) & col(Token.revoked_at).is_(None)
    db.exec(update(Token).where(live).values(revoked_at=now_s()))


def bearer_of(database: Database, given: str) -> Bearer:
    """Return whose a token is, and note that it was used.

    It is looked up by its id and its secret compared in constant time.  Only whoever knows the
    secret is told that the token has expired or was revoked.

    Raises:
        TokenRefused: it is unknown, expired or revoked.
    """
    found = _FORM.fullmatch(given)
    token_id, secret = (int(found[1]), found[2]) if found else (0, "")
    with database.read() as db:
        chosen = select(Token, User, Membership.team_id).join(User, col(User.id) == Token.owner_id)
        row = db.exec(chosen.outerjoin(Membership, is_in(User.id)).where(Token.id == token_id)).one_or_none()
    token, owner, team_id = row or (None, None, None)
    same = hmac.compare_digest(token.secret_hash if token else _NOBODYS, _hashed(secret))
    if token is None or owner is None or not same:
        raise TokenRefused(Refusal.UNKNOWN)
    now = now_s()
    if token.revoked_at is not None or owner.deleted_at is not None or owner.suspended_for is not None:
        raise TokenRefused(Refusal.REVOKED)
    if now >= token.expires_at:
        raise TokenRefused(Refusal.EXPIRED)
    _used(database, token, now)
    scopes = scopes_of(token)
    return Bearer(
        stored(token.id), token.owner_id, owner.name, token.name, scopes, token.expires_at, owner.role, team_id
    )


def _used(database: Database, token: Token, now: float) -> None:
    if token.last_used_at is not None and token.last_used_at > now - USED_EVERY_S:
        return
    database.note(update(Token).where(col(Token.id) == token.id).values(last_used_at=now))


def _hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


# The form.


NAME_CHARS = 64
DAYS = (1, 365)
DEFAULT_DAYS = 90


@dataclass(frozen=True, slots=True)
class TokenForm:
    """A token to be made; `errors` says per field what is wrong."""

    name: str = ""
    scopes: frozenset[Scope] = USUAL
    days: str = str(DEFAULT_DAYS)
    errors: dict[str, str] = field(default_factory=dict)


def read_token(form: Mapping[str, str], given: Sequence[str]) -> TokenForm:
    """Read a token's name and days, and the scopes that were ticked."""
    name = normal_name(form.get("name", "")[: 4 * NAME_CHARS])
    days = form.get("days", "").strip()[:8]
    scope_problem = None if given and set(given) <= set(Scope) else "Choose at least one permission."
    problems = {"name": _name_problem(name), "scope": scope_problem, "days": _days_problem(days)}
    if Scope.ORGANISE in given and not problems["days"] and int(days) > ORGANISE_DAYS:
        problems["days"] = f"A token with the permission to organise is valid for {ORGANISE_DAYS} days at most."
    errors = {where: problem for where, problem in problems.items() if problem}
    return TokenForm(name, frozenset(scope for scope in Scope if scope in given), days, errors)


def _name_problem(name: str) -> str | None:
    if not 1 <= len(name) <= NAME_CHARS:
        return f"A token's name has 1 to {NAME_CHARS} characters, such as the machine that has it."
    if problem := problem_with_name(name):
        return f"A token's name {problem}."
    return None


def _days_problem(days: str) -> str | None:
    least, most = DAYS
    number = whole_number(days)
    if number is not None and least <= number <= most:
        return None
    return f"A token is valid for {least} to {most} days."
