"""Accounts: sign-up, passwords, sign-ins, and one-time codes."""

import re
import secrets
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Any, Final, cast

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import defer
from sqlmodel import Session, col, delete, select, update

from gangland_web.base.formats import DAY_S, now_s
from gangland_web.base.text import look_key, name_key, normal_name, problem_with_name
from gangland_web.models.accounts import Membership, Role, SetupCode, SignIn, User, is_member
from gangland_web.models.bots import name_is_taken
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import Database, in_transaction
from gangland_web.models.organizing import Actor, log_action
from gangland_web.models.site import Fact, SiteFact, fact, store_fact

# The forms of the account pages, and the rules for names and passwords.

NAME_CHARS = (1, 64)
PASSWORD_CHARS = (8, 256)
# Names that could be mistaken for the site itself. Downloads call the owner of house bots "house".
RESERVED = frozenset({"admin", "gangland", "house", "the house"})
FOREIGN_SUFFIX = "(elsewhere)"  # suffix of the name of another site's user
TEAM_PREFIX = "team "  # prefix of a team's name in lists of users' names
_MIN_DIFFERENT_CHARS = 4


@dataclass(frozen=True, slots=True)
class AccountForm:
    """A name, a password and (for the first admin) a code; `errors` has the error messages by field."""

    name: str = ""
    password: str = ""
    code: str = ""
    errors: dict[str, str] = field(default_factory=dict)


def read_sign_in(form: Mapping[str, str]) -> AccountForm:
    """Read a sign-in form; overlong fields are truncated, so that no long password is hashed."""
    name = normal_name(form.get("name", "")[: 4 * NAME_CHARS[1]])
    return AccountForm(name, password_of(form.get("password", "")[: PASSWORD_CHARS[1] + 1]))


def read_sign_up(form: Mapping[str, str]) -> AccountForm:
    """Read a sign-up form and check the name and password."""
    name = normal_name(form.get("name", "")[: 4 * NAME_CHARS[1]])
    password = password_of(form.get("password", "")[: PASSWORD_CHARS[1] + 1])
    problems = {"name": name_problem(name), "password": password_problem(password, name)}
    errors = {field: problem for field, problem in problems.items() if problem}
    return AccountForm(name, password, form.get("code", "").strip()[:200], errors)


def password_of(raw: str) -> str:
    """Return a password in the normal form for hashing (NFC), which does not depend on the keyboard."""
    return unicodedata.normalize("NFC", raw)


def name_problem(name: str, *, of_team: bool = False) -> str | None:
    """Return the reason why a user (or a team) cannot have `name`, which must be in normal form, or None."""
    low, high = NAME_CHARS
    if not low <= len(name) <= high or len(name_key(name)) > high:
        return f"A name has {low} to {high} characters."
    if problem := problem_with_name(name):
        return f"A name {problem}."
    looks = look_key(name)
    if looks in map(look_key, RESERVED) or looks.startswith("(") or looks.endswith(look_key(FOREIGN_SUFFIX)):
        return "This name is reserved, or too similar to a reserved one."
    if looks.startswith(look_key(TEAM_PREFIX) + " ") and not of_team:
        return "This name looks like a team's name."
    return None


def password_problem(password: str, name: str) -> str | None:
    """Return the reason why a user with this name cannot have this password, or None."""
    low, high = PASSWORD_CHARS
    if len(password) < low:
        return f"A password has at least {low} characters."
    if len(password) > high:
        return f"A password has at most {high} characters."
    if len(set(password)) < _MIN_DIFFERENT_CHARS:
        return f"A password has at least {_MIN_DIFFERENT_CHARS} different characters."
    if is_easily_guessed(password, name):
        return "This password is too common."
    return None


# Common passwords, which are refused.

# The first entries of published lists of common passwords, and words from this site.
_COMMON: Final = frozenset(
    "password passwort passwd motdepasse contrasena qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm "
    "iloveyou letmein welcome willkommen bienvenue sunshine princess football baseball basketball superman batman "
    "spiderman starwars pokemon minecraft fortnite dragon monkey shadow master michael jordan charlie ashley jessica "
    "computer internet samsung google facebook whatever trustno freedom hello hallo bonjour changeme default secret "
    "geheim admin administrator root user guest test testing login school schule student teacher summer winter spring "
    "autumn january december monday friday chocolate banana cheese cookie flower butterfly purple loveme "
    "gangster gangland gangsterdice gangofdice tournament casino".split()
)
_KEY_ROWS: Final = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl")
_LETTERS_BY_SYMBOL: Final = str.maketrans("013457@$!", "oleasta" + "si")
_NON_LETTER_EDGES: Final = re.compile(r"^[^a-z]+|[^a-z]+$")
_SYMBOL_EDGES: Final = re.compile(r"^[\d\W_]+|[\d\W_]+$")


def is_easily_guessed(password: str, name: str) -> bool:
    """Return whether a password is its owner's name, a common word, a keyboard row, or a repeated string."""
    # Surrounding digits and symbols are ignored, and so are digits in place of letters.
    plain = password.casefold()
    core = _SYMBOL_EDGES.sub("", plain)
    decoded = _NON_LETTER_EDGES.sub("", plain.translate(_LETTERS_BY_SYMBOL))
    owner = _SYMBOL_EDGES.sub("", name_key(name)) or name_key(name)
    variants = {plain, core, decoded, _NON_LETTER_EDGES.sub("", core.translate(_LETTERS_BY_SYMBOL))}
    if variants & _COMMON or (owner and {*variants, name_key(password)} & {owner, owner[::-1], name_key(name)}):
        return True
    is_repeated = re.fullmatch(r"(.{1,4})\1+.{0,3}", plain) is not None
    return is_repeated or _is_row(plain) or _is_row(core)


def _is_row(text: str) -> bool:
    """Return whether a text follows the alphabet, the digits or a row of keys, in either direction."""
    return len(text) > 3 and any(text in row * 2 or text[::-1] in row * 2 for row in _KEY_ROWS)


# Sign-ups: who can sign up (anyone, invited people, or no one), and invitations.

INVITATION_PLACES: Final = (1, 500)
INVITATION_DAYS: Final = (1, 90)
_MAX_CODES: Final = 50  # a new invitation replaces the oldest one


class SignUpPolicy(StrEnum):
    """Who can sign up."""

    OPEN = "open"
    INVITED = "invited"
    CLOSED = "closed"


class SignUpRefused(ValueError):
    """Sign-up is closed, or an invitation is not valid or cannot be created; the message is for the user."""


def sign_up_policy(db: Session) -> SignUpPolicy:
    """Return who can sign up."""
    return SignUpPolicy(_current_sign_ups(fact(db, Fact.SIGN_UPS))["who"])


@in_transaction
def set_sign_up_policy(db: Session, actor: Actor, policy: SignUpPolicy) -> None:
    """Set who can sign up from now on; invitations remain valid."""
    stored = _lock_sign_ups(db)
    log_action(db, actor, "set who can sign up", subject=policy.value, was=stored["who"])
    store_fact(db, Fact.SIGN_UPS, stored | {"who": policy.value})


@in_transaction
def invite_people(db: Session, actor: Actor, places: int, days: int) -> str:
    """Create a sign-up invitation, and return its code; only a hash of the code is stored.  Raises SignUpRefused."""
    for number, (low, high), unit in ((places, INVITATION_PLACES, "people"), (days, INVITATION_DAYS, "days")):
        if not low <= number <= high:
            raise SignUpRefused(f"An invitation must be for {low} to {high} {unit}, not {number}.")
    code, stored = new_code(), _lock_sign_ups(db)
    codes = [*stored["codes"], {"hash": hash_code(code), "places": places, "expires_at": now_s() + days * DAY_S}]
    store_fact(db, Fact.SIGN_UPS, stored | {"codes": codes[-_MAX_CODES:]})
    log_action(db, actor, "invited people to sign up", subject=f"{places} people", days=days)
    return code


def use_invitation(db: Session, invitation: str) -> None:
    """Use one place of an invitation, unless sign-up is open.  Raises SignUpRefused: this user cannot sign up."""
    if sign_up_policy(db) is SignUpPolicy.OPEN:
        return
    stored = _lock_sign_ups(db)
    if stored["who"] == SignUpPolicy.CLOSED:
        raise SignUpRefused("Sign-up is closed on this site.")
    code_hash = hash_code(normal_code(invitation))
    if not any(code["hash"] == code_hash for code in stored["codes"]):
        raise SignUpRefused("This invitation is not valid: it is mistyped, used up or expired.")
    codes = [code | {"places": code["places"] - (code["hash"] == code_hash)} for code in stored["codes"]]
    store_fact(db, Fact.SIGN_UPS, stored | {"codes": [code for code in codes if code["places"] > 0]})


def _lock_sign_ups(db: Session) -> dict[str, Any]:
    return _current_sign_ups(db.get(SiteFact, Fact.SIGN_UPS.value, with_for_update=True, populate_existing=True))


def _current_sign_ups(fact: SiteFact | None) -> dict[str, Any]:
    value: dict[str, Any] = fact.value if fact is not None else {"who": SignUpPolicy.OPEN.value, "codes": []}
    return value | {"codes": [code for code in value["codes"] if code["expires_at"] > now_s()]}


# Accounts: signing up, checking passwords, and becoming the admin with the setup code.

# A stored hash that no password matches.
NO_PASSWORD: Final = "!"  # noqa: S105 (not a password)

NAME_TAKEN: Final = "This name, or one that looks the same, is taken."


class NameTaken(ValueError):
    """Another account or team has that name, ignoring case, or one that looks like it."""


class WrongCode(ValueError):
    """A setup code is wrong, or it has been used."""


def sign_up(
    database: Database, name: str, password: str, code: str = "", *, invitation: str = "", address: str = "unknown"
) -> User:
    """Create a user; with a setup `code`, the user becomes an admin in the same transaction.

    Raises NameTaken, WrongCode, or (without a code) SignUpRefused: sign-up is closed or the invitation is not valid.
    """
    hashed = hash_password(password)
    try:
        with database.write() as db:
            if not code:
                use_invitation(db, invitation)
            user = add_user(db, name, hashed)
            if code:
                _use_code(db, code, user, address)
            return user
    except IntegrityError as error:
        raise NameTaken(name) from error


def add_user(db: Session, name: str, password_hash: str) -> User:
    """Add a user in the caller's transaction.  Raises NameTaken."""
    if name_is_taken(db, name):
        raise NameTaken(name)
    return add_row(db, User(name=name, name_key=name_key(name), password_hash=password_hash, created_at=now_s()))


def check_password(database: Database, name: str, password: str) -> User | None:
    """Return the user with that name and password, or None; a password is verified in either case, which takes time."""
    user = None if problem_with_name(name) else _find_user(database, name)
    if user is not None and (user.deleted_at is not None or user.password_hash == NO_PASSWORD):
        user = None  # verify against dummy_hash, so that the time does not reveal an account without a password
    stored_hash = user.password_hash if user else dummy_hash()
    try:
        with _hasher() as hasher:
            hasher.verify(stored_hash, password)
    except (VerificationError, InvalidHashError):
        return None
    if user is not None and _HASHER.check_needs_rehash(user.password_hash):
        hashed = hash_password(password)
        with database.write() as db:  # unless the password has changed in the meantime
            is_unchanged = (col(User.id) == user.id) & (col(User.password_hash) == user.password_hash)
            db.exec(update(User).where(is_unchanged).values(password_hash=hashed))
    return user


def _find_user(database: Database, name: str) -> User | None:
    with database.read() as db:
        user = db.exec(select(User).where(User.name_key == name_key(name))).one_or_none()
        db.expunge_all()
        return user


def become_admin(database: Database, user_id: int, code: str, *, address: str) -> None:
    """Make a signed-in user an admin.  Raises WrongCode: the setup code is wrong, or it has been used."""
    with database.write() as db:
        _use_code(db, code, db.get_one(User, user_id), address)


def _use_code(db: Session, code: str, user: User, address: str) -> None:
    is_unused = (col(SetupCode.code_hash) == hash_code(code)) & col(SetupCode.used_at).is_(None)
    updated = db.exec(update(SetupCode).where(is_unused).values(used_at=now_s()))
    if updated.rowcount != 1:
        raise WrongCode
    former_role, user.role = user.role, Role.ADMIN.value
    db.add(user)
    actor = Actor(row_id(user.id), address)
    log_action(db, actor, "became administrator by code", subject=user.name, was=former_role, now=user.role)


def has_unused_setup_code(db: Session) -> bool:
    """Return whether there is an unused setup code for the first admin."""
    return db.exec(select(func.count()).select_from(SetupCode).where(col(SetupCode.used_at).is_(None))).one() > 0


def hash_password(password: str) -> str:
    """Return a password's hash for storage."""
    with _hasher() as hasher:
        return hasher.hash(password)


@cache
def dummy_hash() -> str:
    """Return a hash that no password matches, so that checking an unknown name takes as long as for a known one."""
    return hash_password(secrets.token_hex(32))


# Argon2id with OWASP's parameters for many simultaneous sign-ins: 19 MiB and about 20 ms for each password.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_HASHING_LOCK = Lock()


@contextmanager
def _hasher() -> Iterator[PasswordHasher]:
    # One thread at a time, so that simultaneous sign-ins do not need more memory than one.
    with _HASHING_LOCK:
        yield _HASHER


# Sign-ins: one row for each browser in which a user is signed in, so that each sign-in can be ended separately.
#
# The cookie holds a signed key of 256 random bits, and the table holds the SHA-256 of the key. A sign-in ends when its
# owner ends it, when the password is changed elsewhere, when the account is suspended or deleted, when a new sign-in
# replaces it (see MAX_SIGN_INS), after two weeks without a visit, and in any case after ninety days.

MAX_IDLE_S: Final = 14 * DAY_S
MAX_AGE_S: Final = 90 * DAY_S
FRESH_S: Final = 15 * 60.0  # how long a sign-in is fresh after the user proved their identity
LAST_SEEN_INTERVAL_S: Final = 3600.0  # between updates of a sign-in's last use, since most page views should not write
AGENT_CHARS: Final = 160
MAX_SIGN_INS: Final = 20  # per user; a new sign-in replaces the least recently used one


@dataclass(frozen=True, slots=True)
class ActiveSignIn:
    """A valid sign-in and its owner."""

    sign_in: SignIn
    user: User
    team_id: int | None  # the user's current team, or None

    @property
    def is_fresh(self) -> bool:
        """Whether the user proved their identity in this sign-in within the last FRESH_S seconds."""
        return now_s() - self.sign_in.proven_at <= FRESH_S


def begin_sign_in(database: Database, user_id: int, address: str, agent: str) -> str:
    """Sign a user in, and return the key for the cookie; only a hash of the key is stored."""
    key, now = secrets.token_urlsafe(32), now_s()
    with database.write() as db:
        sign_ins = sorted(sign_ins_of(db, user_id), key=lambda sign_in: (sign_in.last_seen_at, row_id(sign_in.id)))
        for old in sign_ins[: max(0, len(sign_ins) - MAX_SIGN_INS + 1)]:
            db.delete(old)
        has_expired = (col(SignIn.last_seen_at) < now - MAX_IDLE_S) | (col(SignIn.begun_at) < now - MAX_AGE_S)
        db.exec(delete(SignIn).where(has_expired))
        _delete_expired_requests(db)
        db.add(
            SignIn(
                user_id=user_id,
                key_hash=hash_secret(key),
                begun_at=now,
                last_seen_at=now,
                proven_at=now,
                address=address[:64],
                agent=agent[:AGENT_CHARS],
            )
        )
    return key


def find_sign_in(db: Session, key: str) -> ActiveSignIn | None:
    """Return the sign-in with this key and its owner, or None if it has ended or does not exist."""
    now = now_s()
    query = (
        select(SignIn, User, Membership.team_id)
        .join(User, col(User.id) == SignIn.user_id)
        .outerjoin(Membership, is_member(User.id))
        .where(SignIn.key_hash == hash_secret(key))
    )
    query = query.where(col(SignIn.last_seen_at) >= now - MAX_IDLE_S, col(SignIn.begun_at) >= now - MAX_AGE_S)
    row = db.exec(query.options(defer(cast(Any, SignIn.held)))).first()
    is_valid = row is not None and row[1].deleted_at is None and row[1].suspended_for is None
    return ActiveSignIn(*row) if row is not None and is_valid else None


def record_sign_in_use(database: Database, sign_in: SignIn) -> None:
    """Record that a sign-in is in use, at most once every LAST_SEEN_INTERVAL_S seconds."""
    now = now_s()
    if now - sign_in.last_seen_at < LAST_SEEN_INTERVAL_S:
        return
    database.try_write(update(SignIn).where(col(SignIn.id) == sign_in.id).values(last_seen_at=now))


def record_proof(database: Database, sign_in_id: int) -> None:
    """Record that the user just proved their identity, with the password or through the provider."""
    with database.write() as db:
        db.exec(update(SignIn).where(col(SignIn.id) == sign_in_id).values(proven_at=now_s()))


def has_sign_in_from(database: Database, name_key: str, address: str) -> bool:
    """Return whether the user with that name has a stored sign-in from an address."""
    with database.read() as db:
        query = select(SignIn.id).join(User, col(User.id) == SignIn.user_id)
        return (
            db.exec(query.where(User.name_key == name_key, SignIn.address == address[:64]).limit(1)).first() is not None
        )


def sign_ins_of(db: Session, user_id: int) -> Sequence[SignIn]:
    """Return a user's sign-ins, most recently used first."""
    query = select(SignIn).where(SignIn.user_id == user_id)
    query = query.order_by(col(SignIn.last_seen_at).desc(), col(SignIn.id).desc())
    return db.exec(query.options(defer(cast(Any, SignIn.held)))).all()


def revoke_sign_in(database: Database, user_id: int, sign_in_id: int) -> bool:
    """End one of a user's own sign-ins; return False if the user has no such sign-in."""
    with database.write() as db:
        ended = db.exec(delete(SignIn).where(col(SignIn.id) == sign_in_id, col(SignIn.user_id) == user_id))
    return ended.rowcount == 1


def revoke_sign_ins(db: Session, user_id: int, *, except_id: int | None = None) -> int:
    """End all sign-ins of a user, except `except_id`; return the number ended."""
    statement = delete(SignIn).where(col(SignIn.user_id) == user_id)
    if except_id is not None:
        statement = statement.where(col(SignIn.id) != except_id)
    return db.exec(statement).rowcount


# Held requests: forms that wait until their sender has authenticated with the provider, stored without these fields.
UNSTORED_FIELDS: Final = frozenset({"old", "password", "own_password", "proof", "leave_proof"})
HELD_S: Final = 15 * 60.0  # how long a form is stored while its sender authenticates with the provider


@dataclass(frozen=True, slots=True)
class HeldRequest:
    """A stored form and its URL, to be submitted once the sender has authenticated with the provider."""

    url: str
    fields: Sequence[tuple[str, str]]


def hold_request(database: Database, sign_in_id: int, url: str, fields: Sequence[tuple[str, str]]) -> str:
    """Store a sign-in's latest form for HELD_S seconds, without passwords, and return a mark that identifies it."""
    mark = secrets.token_urlsafe(9)
    stored_fields = [pair for pair in fields if pair[0] not in UNSTORED_FIELDS]
    held = {"mark": mark, "act": url, "sent": stored_fields, "until": now_s() + HELD_S}
    with database.write() as db:
        _delete_expired_requests(db)
        db.exec(update(SignIn).where(col(SignIn.id) == sign_in_id).values(held=held))
    return mark


def take_held_request(database: Database, sign_in_id: int, mark: str) -> HeldRequest | None:
    """Return and delete the stored form with this mark; None if it does not exist or has expired."""
    with database.write() as db:
        _delete_expired_requests(db)
        held = db.exec(select(SignIn.held).where(SignIn.id == sign_in_id)).first()
        if held is None or not secrets.compare_digest(held["mark"].encode(), mark.encode()):
            return None
        db.exec(update(SignIn).where(col(SignIn.id) == sign_in_id).values(held=None))
    return HeldRequest(held["act"], [(name, value) for name, value in held["sent"]])


def _delete_expired_requests(db: Session) -> None:
    has_expired = col(SignIn.held)["until"].as_float() <= now_s()
    db.exec(update(SignIn).where(has_expired).values(held=None))


# One-time codes that are easy to type from paper or an email, and the hashes of stored codes and other secrets.

_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that look alike on a printed slip
_GROUP_CHARS: Final = 4


def new_code(groups: int = 3) -> str:
    """Return a new code such as `k7mp-2xqa-9vbd`, with nearly 20 random bits per group."""
    texts = ("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_CHARS)) for _ in range(groups))
    return "-".join(texts)


def normal_code(typed: str) -> str:
    """Return a typed code in its original form, ignoring case, spaces and hyphens."""
    chars = "".join(char for char in typed.casefold()[:64] if char in _ALPHABET)
    return "-".join(chars[start : start + _GROUP_CHARS] for start in range(0, len(chars), _GROUP_CHARS))


def hash_code(code: str) -> str:
    """Return the hash that is stored for a code, ignoring spaces around the code."""
    return hash_secret(code.strip())


def hash_secret(secret: str) -> str:
    """Return the SHA-256 (hex) that is stored for a secret of many random bits."""
    return sha256(secret.encode()).hexdigest()
