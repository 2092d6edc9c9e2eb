"""Identities from an OpenID Connect provider: signing up with one, and linking it to or unlinking it from an account.

An account is never looked up by an email address or a name from the provider, because these may later belong to a
different person.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from gangland_web.base.formats import now_s
from gangland_web.models.accounts import Identity, User
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.services.accounts import NO_PASSWORD, NameTaken, add_user, use_invitation

PROOF_S: Final = 300  # an authentication at the provider counts as fresh for this many seconds


@dataclass(frozen=True, slots=True)
class Subject:
    """A user at the provider, as identified by its signed token."""

    issuer: str
    subject: str
    proven_at: float | None  # Unix time of the user's last authentication at the provider


class AlreadyLinked(ValueError):
    """The identity is linked to another account."""


def owner_of_identity(db: Session, identity: Subject) -> User | None:
    """Return the user whose account an identity is linked to, or None."""
    query = select(User).join(Identity, col(Identity.user_id) == User.id)
    query = query.where(Identity.issuer == identity.issuer, Identity.subject == identity.subject)
    return db.exec(query.where(col(User.deleted_at).is_(None))).one_or_none()


def identities_of(db: Session, user_id: int) -> Sequence[Identity]:
    """Return a user's identities, oldest first."""
    return db.exec(select(Identity).where(Identity.user_id == user_id).order_by(col(Identity.id))).all()


def sign_up_by_identity(database: Database, identity: Subject, name: str, invitation: str = "") -> User:
    """Create an account without a password for an identity.  Raises NameTaken, AlreadyLinked or SignUpRefused."""
    try:
        with database.write() as db:
            if owner_of_identity(db, identity) is not None:
                raise AlreadyLinked
            use_invitation(db, invitation)
            user = add_user(db, name, NO_PASSWORD)
            db.add(_identity(identity, row_id(user.id)))
            return user
    except IntegrityError as error:
        raise NameTaken(name) from error


def link_identity(database: Database, identity: Subject, user_id: int) -> None:
    """Link an identity to an account.  Raises AlreadyLinked: the identity is linked to another account."""
    try:
        with database.write() as db:
            owner = owner_of_identity(db, identity)
            if owner is None:
                db.add(_identity(identity, user_id))
            elif owner.id != user_id:
                raise AlreadyLinked
    except IntegrityError as error:
        raise AlreadyLinked from error


def unlink_identities(database: Database, user_id: int) -> bool:
    """Remove a user's identities, or return False if the user does not have a password to sign in with."""
    with database.write() as db:
        if db.get_one(User, user_id).password_hash == NO_PASSWORD:
            return False
        delete_identities(db, user_id)
        return True


def delete_identities(db: Session, user_id: int) -> None:
    """Remove a user's identities."""
    db.exec(delete(Identity).where(col(Identity.user_id) == user_id))


def _identity(identity: Subject, user_id: int) -> Identity:
    return Identity(user_id=user_id, issuer=identity.issuer, subject=identity.subject, created_at=now_s())
