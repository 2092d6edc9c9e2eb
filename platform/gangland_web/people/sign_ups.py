"""Who may sign up: everybody, whoever has an invitation, or nobody."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from sqlmodel import Session

from gangland_web.base.clock import DAY_S, now_s
from gangland_web.models.database import in_transaction
from gangland_web.models.log import Actor, note_act
from gangland_web.models.site import Fact, SiteFact, fact, keep_fact
from gangland_web.people.codes import hash_code, new_code, normal_code

PLACES: Final = (1, 500)
DAYS: Final = (1, 90)
_MOST_CODES: Final = 50


class SignUps(StrEnum):
    """Who may sign up."""

    OPEN = "open"
    INVITED = "invited"
    CLOSED = "closed"


class SignUpRefused(ValueError):
    """Nobody may sign up, or the invitation is not good; the message is for whoever tried."""


def who_may(db: Session) -> SignUps:
    """Return who may sign up."""
    return SignUps(_known(fact(db, Fact.SIGN_UPS))["who"])


@in_transaction
def let_sign_up(db: Session, actor: Actor, who: SignUps) -> None:
    """Say who may sign up from now on; invitations stay good."""
    known = _held(db)
    note_act(db, actor, "said who can sign up", subject=who.value, was=known["who"])
    keep_fact(db, Fact.SIGN_UPS, known | {"who": who.value})


@in_transaction
def invite_people(db: Session, actor: Actor, places: int, days: int) -> str:
    """Make an invitation to sign up and return its code, the only time that it can be seen.

    Raises:
        SignUpRefused: the numbers are none that are possible.
    """
    for number, (least, most), what in ((places, PLACES, "people"), (days, DAYS, "days")):
        if not least <= number <= most:
            raise SignUpRefused(f"An invitation is for {least} to {most} {what}, not {number}.")
    code, known = new_code(), _held(db)
    codes = [*known["codes"], {"hash": hash_code(code), "places": places, "expires_at": now_s() + days * DAY_S}]
    keep_fact(db, Fact.SIGN_UPS, known | {"codes": codes[-_MOST_CODES:]})
    note_act(db, actor, "invited people to sign up", subject=f"{places} people", days=days)
    return code


def admit(db: Session, invitation: str) -> None:
    """Take one place of an invitation, where one is needed; the caller's transaction makes the account.

    Raises:
        SignUpRefused: this person cannot sign up.
    """
    if who_may(db) is SignUps.OPEN:
        return
    known = _held(db)
    if known["who"] == SignUps.CLOSED:
        raise SignUpRefused("Sign-up is closed on this site.")
    wanted = hash_code(normal_code(invitation))
    if not any(each["hash"] == wanted for each in known["codes"]):
        raise SignUpRefused("This invitation is not valid: it is mistyped, used up or expired.")
    codes = [each | {"places": each["places"] - (each["hash"] == wanted)} for each in known["codes"]]
    keep_fact(db, Fact.SIGN_UPS, known | {"codes": [each for each in codes if each["places"] > 0]})


def _held(db: Session) -> dict[str, Any]:
    """Return what is known, kept from other writers until the transaction ends."""
    return _known(db.get(SiteFact, Fact.SIGN_UPS.value, with_for_update=True, populate_existing=True))


def _known(kept: SiteFact | None) -> dict[str, Any]:
    """Return who may sign up, with the invitations that are good."""
    value: dict[str, Any] = kept.value if kept is not None else {"who": SignUps.OPEN.value, "codes": []}
    return value | {"codes": [each for each in value["codes"] if each["expires_at"] > now_s()]}
