"""Email addresses, new passwords, accounts for people without email, and roles."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from sqlalchemy import ColumnElement, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from gangland_web.base.formats import now_s
from gangland_web.base.text import address_key, look_key, name_key, normal_address, normal_name
from gangland_web.models.accounts import Act, EmailAddress, EmailCode, Kind, Mail, PasswordCode, Role, User, may
from gangland_web.models.bots import name_is_taken
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import Database
from gangland_web.models.organizing import Actor, log_action
from gangland_web.services import accounts, mail, tokens

# Email addresses: entering them, confirming them by a mailed code, and removing them.
#
# An unconfirmed address has no effect, and two accounts never have the same confirmed address. A user who enters an
# address does not learn whether another account has it, because only the email to that address says so.


class CodeRefused(ValueError):
    """A mailed code is not valid; the message is for the user."""

    def __init__(self) -> None:
        super().__init__("This code is not valid: it is mistyped, used or expired.")


def emails_of(db: Session, user_id: int) -> tuple[EmailAddress | None, EmailAddress | None]:
    """Return a user's confirmed address and unconfirmed address, each of which may be None."""
    rows = db.exec(select(EmailAddress).where(EmailAddress.user_id == user_id)).all()
    confirmed = next((row for row in rows if row.confirmed_at is not None), None)
    return confirmed, next((row for row in rows if row.confirmed_at is None), None)


def set_email(database: Database, user_id: int, typed: str) -> None:
    """Store an unconfirmed address in place of any earlier unconfirmed one, and queue an email with a code."""
    address = normal_address(typed)
    with database.write() as db:
        is_own = col(EmailCode.user_id) == user_id
        db.exec(delete(EmailCode).where(is_own, col(EmailCode.kind) == Kind.CONFIRM.value))
        db.exec(delete(Mail).where(col(Mail.user_id) == user_id, col(Mail.kind) == Kind.CONFIRM.value))
        statement = delete(EmailAddress).where(col(EmailAddress.user_id) == user_id)
        db.exec(statement.where(col(EmailAddress.confirmed_at).is_(None)))
        db.add(EmailAddress(user_id=user_id, address=address, address_key=address_key(address), created_at=now_s()))
        mail.queue_mail(db, Kind.CONFIRM, address, user_id)


def confirm_email(database: Database, user_id: int, typed: str) -> str:
    """Confirm a user's unconfirmed address, which replaces the confirmed one, and return it.  Raises CodeRefused."""
    try:
        with database.write() as db:
            confirmed, unconfirmed = emails_of(db, user_id)
            if unconfirmed is None:
                raise CodeRefused
            query = select(EmailCode).where(EmailCode.code_hash == accounts.hash_code(accounts.normal_code(typed)))
            query = query.where(EmailCode.user_id == user_id, EmailCode.kind == Kind.CONFIRM.value)
            query = query.where(EmailCode.address_key == unconfirmed.address_key, col(EmailCode.expires_at) > now_s())
            if db.exec(query).first() is None:
                raise CodeRefused
            if confirmed is not None:
                if confirmed.address_key != unconfirmed.address_key:
                    mail.notify_owner(db, Kind.ADDRESS, user_id)
                db.delete(confirmed)
                db.flush()
            db.exec(delete(EmailCode).where(col(EmailCode.user_id) == user_id))
            unconfirmed.confirmed_at = now_s()
            db.add(unconfirmed)
            return unconfirmed.address
    except IntegrityError as error:
        raise CodeRefused from error


def remove_email(database: Database, user_id: int) -> bool:
    """Remove a user's addresses, with a notice to the confirmed one; return False if there was no address."""
    with database.write() as db:
        confirmed, unconfirmed = emails_of(db, user_id)
        if confirmed is not None:
            mail.notify_owner(db, Kind.ADDRESS, user_id)
        delete_emails(db, user_id, keep_notices=True)
    return confirmed is not None or unconfirmed is not None


def delete_emails(db: Session, user_id: int, *, keep_notices: bool = False) -> None:
    """Delete a user's addresses, with their codes and queued emails; `keep_notices`: keep queued notices."""
    statement = delete(Mail).where(col(Mail.user_id) == user_id)
    if keep_notices:
        statement = statement.where(col(Mail.kind) == Kind.CONFIRM.value)
    db.exec(statement)
    db.exec(delete(EmailCode).where(col(EmailCode.user_id) == user_id))
    db.exec(delete(EmailAddress).where(col(EmailAddress.user_id) == user_id))


# New passwords, which are set by the owner, with a one-time code from an organizer or admin, or with a mailed code.


class PasswordRefused(ValueError):
    """A password or a code is wrong; the message is for the user."""


def change_password(database: Database, user: User, old: str, new: str, *, sign_in: int) -> None:
    """Set a new password and end the account's other sign-ins.  Raises PasswordRefused: the old password is wrong."""
    if accounts.check_password(database, user.name_key, old) is None:
        raise PasswordRefused("This is not your current password.")
    hashed = accounts.hash_password(new)
    with database.write() as db:
        _set_password(db, db.get_one(User, user.id), hashed, except_id=sign_in)


def use_password_code(database: Database, name: str, typed: str, password: str) -> User:
    """Set a password with a code, end the account's sign-ins, and return the user.

    Raises PasswordRefused: the code is not valid for that name.  The message does not reveal the reason.
    """
    hashed, now = accounts.hash_password(password), now_s()
    with database.write() as db:
        query = (
            select(PasswordCode, User)
            .join(User, col(User.id) == PasswordCode.user_id)
            .where(
                PasswordCode.code_hash == accounts.hash_code(accounts.normal_code(typed)),
                col(PasswordCode.used_at).is_(None),
            )
            .where(User.name_key == name_key(normal_name(name[:256])), col(User.deleted_at).is_(None))
        )
        row = db.exec(query.where(col(PasswordCode.expires_at) > now)).first()
        if row is None or not _void_codes(db, col(PasswordCode.id) == row[0].id):
            raise PasswordRefused("This code is not valid for this name: it is mistyped, used or expired.")
        _set_password(db, row[1], hashed)
        return row[1]


def mail_password_code(database: Database, typed: str) -> None:
    """Queue an email with a code, which is sent only if an account has this address."""
    # The mailer looks up the address, so that neither the response nor its duration reveals whether it is known.
    with database.write() as db:
        mail.queue_mail(db, Kind.RECOVER, address_key(typed))


def use_mailed_code(database: Database, typed: str, password: str) -> User:
    """Set a password with a mailed code, end all sign-ins, and return the user.  Raises CodeRefused."""
    hashed = accounts.hash_password(password)
    with database.write() as db:
        query = select(EmailCode).where(EmailCode.code_hash == accounts.hash_code(accounts.normal_code(typed)))
        code = db.exec(query.where(EmailCode.kind == Kind.RECOVER.value, col(EmailCode.expires_at) > now_s())).first()
        if code is None or db.exec(delete(EmailCode).where(col(EmailCode.id) == code.id)).rowcount != 1:
            raise CodeRefused
        user = db.get_one(User, code.user_id)
        _set_password(db, user, hashed)
        return user


def _set_password(db: Session, user: User, hashed: str, *, except_id: int | None = None) -> None:
    user_id = row_id(user.id)
    user.password_hash = hashed
    db.add(user)
    _void_codes(db, col(PasswordCode.user_id) == user_id)
    db.exec(delete(EmailCode).where(col(EmailCode.user_id) == user_id, col(EmailCode.kind) == Kind.RECOVER.value))
    accounts.revoke_sign_ins(db, user_id, except_id=except_id)
    if except_id is None:  # set with a code: another user of the account may have created tokens
        tokens.revoke_tokens(db, user_id)
    mail.notify_owner(db, Kind.PASSWORD, user_id)


def _void_codes(db: Session, *conditions: ColumnElement[bool]) -> int:
    statement = update(PasswordCode).where(*conditions, col(PasswordCode.used_at).is_(None))
    return db.exec(statement.values(used_at=now_s())).rowcount


# Accounts for people without email, such as students, and codes for forgotten passwords.

CODE_VALIDITY_S: Final = 14 * 86_400.0
MAX_ALIASES: Final = 200


class AccountForbidden(PermissionError):
    """The actor may not change this account, or may not set roles."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip to print, with an account's name and the code that sets its password once."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class CreatedAliases:
    """The slips of the accounts that were created, and the refused lines with the reasons."""

    slips: tuple[Slip, ...]
    problems: tuple[tuple[str, str], ...]


def create_aliases(database: Database, actor: Actor, lines: Sequence[str]) -> CreatedAliases:
    """Create accounts for people without email, one for each line, with codes for setting their passwords.

    Columns of a spreadsheet are joined, and a repeated name gets a number.  Refused lines are returned unchanged.
    """
    names: dict[int, str] = {}
    problems: dict[int, str] = {}
    with database.write() as db:
        keys: set[str] = set()
        looks: set[str] = set()
        listed = [normal_name(line.replace("\t", " ")) for line in lines]
        listed_keys = set(map(name_key, listed))
        for i, typed in enumerate(listed):
            name = typed
            if name_key(name) in keys:
                name = _free_name(db, name, keys | listed_keys)
            problem = accounts.name_problem(name) or (accounts.NAME_TAKEN if name_is_taken(db, name) else None)
            if problem is None and len(names) == MAX_ALIASES:
                problem = f"At most {MAX_ALIASES} accounts can be created at once: submit this one again."
            if problem is None and look_key(name) in looks:
                problem = "This name looks like another one in the list."
            if problem is None:
                names[i] = name
                keys.add(name_key(name))
                looks.add(look_key(name))
            else:
                problems[i] = problem
        # In the order of keys, so that two organizers who create accounts at the same time cannot deadlock.
        users = {i: _add_alias(db, actor, names[i]) for i in sorted(names, key=lambda i: name_key(names[i]))}
        slips = [Slip(user.name, _new_password_code(db, actor, user)) for i in names if (user := users[i]) is not None]
        if slips:
            log_action(
                db, actor, "created accounts", subject=f"{len(slips)} accounts", names=[slip.name for slip in slips]
            )
    problems |= {i: accounts.NAME_TAKEN for i, user in users.items() if user is None}
    return CreatedAliases(tuple(slips), tuple((lines[i], problems[i]) for i in sorted(problems)))


def _free_name(db: Session, name: str, keys: set[str]) -> str:
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in numbered if name_key(each) not in keys and not name_is_taken(db, each))


def _add_alias(db: Session, actor: Actor, name: str) -> User | None:
    user = User(
        name=name, name_key=name_key(name), password_hash=accounts.NO_PASSWORD, made_by=actor.id, created_at=now_s()
    )
    try:
        with db.begin_nested():
            add_row(db, user)
    except IntegrityError:
        return None
    return user


def reset_password(database: Database, actor: Actor, role: Role, name: str) -> Slip:
    """Create a password code for an account, whose old password works until the code is used.

    Raises LookupError (no account has that name) or AccountForbidden.
    """
    with database.write() as db:
        user = _find_user(db, name)
        if role is not Role.ADMIN and user.made_by != actor.id:
            raise AccountForbidden(f"you did not create the account {user.name}; an administrator can help")
        if role is not Role.ADMIN and user.role != Role.AUTHOR:
            raise AccountForbidden(f"{user.name} is now an {user.role}; an administrator can help")
        code = _new_password_code(db, actor, user)
        log_action(db, actor, "created a password code", subject=user.name)
        return Slip(user.name, code)


def _new_password_code(db: Session, actor: Actor, user: User) -> str:
    now = now_s()
    _void_codes(db, col(PasswordCode.user_id) == user.id)
    code = accounts.new_code()
    db.add(
        PasswordCode(
            user_id=row_id(user.id),
            code_hash=accounts.hash_code(code),
            made_by=row_id(actor.id),
            made_at=now,
            expires_at=now + CODE_VALIDITY_S,
        )
    )
    return code


def _find_user(db: Session, name: str) -> User:
    user = db.exec(select(User).where(User.name_key == name_key(normal_name(name)))).one_or_none()
    if user is None or user.deleted_at is not None:
        raise LookupError(f"no account is called {name!r}")
    return user


def set_role(database: Database, actor: Actor, admin: User, name: str, role: Role) -> User:
    """Set an account's role, and void password codes that others have created for it.

    Raises AccountForbidden, LookupError (no account has that name) or ValueError (the account is the last admin's).
    """
    if not may(admin, Act.SET_ROLES):
        raise AccountForbidden("only an administrator can set roles")
    with database.write() as db:
        admins = db.exec(select(User).where(User.role == Role.ADMIN.value).with_for_update()).all()
        user = _find_user(db, name)
        if role is not Role.ADMIN and [other.id for other in admins] == [user.id]:
            raise ValueError(f"{user.name} is the only administrator. Make someone else an administrator first")
        former_role, user.role = user.role, role.value
        db.add(user)
        # Otherwise an organizer with a slip for the account could use its new role.
        _void_codes(db, col(PasswordCode.user_id) == user.id, col(PasswordCode.made_by) != actor.id)
        log_action(db, actor, "set a role", subject=user.name, was=former_role, now=role.value)
        return user
