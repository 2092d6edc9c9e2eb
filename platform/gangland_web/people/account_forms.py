"""What people type on the account pages, read and checked before anything is done with it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from gangland_web.base.text import look_key, name_key, normal_name, problem_with_name
from gangland_web.people.passwords import is_easily_guessed

NAME_CHARS = (1, 64)
PASSWORD_CHARS = (8, 256)
RESERVED = frozenset({"admin", "gangland", "house", "the house"})
"""Names that would pass for the platform's own; files of tables call house bots' owner "house"."""
ELSEWHERE = "(elsewhere)"
"""What stands behind the name of somebody who played on another installation."""
A_TEAM = "team "
"""What stands before a team's name where people's names may stand, too."""
_DIFFERENT_CHARS = 4


@dataclass(frozen=True, slots=True)
class AccountForm:
    """A name, a password and (for the first admin) a code; `errors` says per field what is wrong."""

    name: str
    password: str
    code: str = ""
    errors: dict[str, str] = field(default_factory=dict)


def password_of(raw: str) -> str:
    """Return a typed password in the one form that is hashed (NFC), however the keyboard composed it."""
    return unicodedata.normalize("NFC", raw)


def read_sign_in(form: Mapping[str, str]) -> AccountForm:
    """Read a sign-in; what is too long to be anybody's is cut, so it fails without being hashed at length."""
    name = normal_name(form.get("name", "")[: 4 * NAME_CHARS[1]])
    return AccountForm(name, password_of(form.get("password", "")[: PASSWORD_CHARS[1] + 1]))


def read_sign_up(form: Mapping[str, str]) -> AccountForm:
    """Read a sign-up and check name and password by the rules."""
    name = normal_name(form.get("name", "")[: 4 * NAME_CHARS[1]])
    password = password_of(form.get("password", "")[: PASSWORD_CHARS[1] + 1])
    problems = {"name": name_problem(name), "password": password_problem(password, name)}
    errors = {where: problem for where, problem in problems.items() if problem}
    return AccountForm(name, password, form.get("code", "").strip()[:200], errors)


def name_problem(name: str, *, of_team: bool = False) -> str | None:
    """Return why nobody (or no team) may be called so, None if somebody may; `name` is in normal form."""
    least, most = NAME_CHARS
    if not least <= len(name) <= most or len(name_key(name)) > most:
        return f"A name has {least} to {most} characters."
    if problem := problem_with_name(name):
        return f"A name {problem}."
    looks = look_key(name)
    if looks in map(look_key, RESERVED) or looks.startswith("(") or looks.endswith(look_key(ELSEWHERE)):
        return "This name is reserved, or looks like one that is."
    if looks.startswith(look_key(A_TEAM) + " ") and not of_team:
        return "This name looks like a team's name."
    return None


def password_problem(password: str, name: str) -> str | None:
    """Return why a password is too easily guessed for somebody of that name, None if it will do."""
    least, most = PASSWORD_CHARS
    if len(password) < least:
        return f"A password has at least {least} characters."
    if len(password) > most:
        return f"A password has at most {most} characters."
    if len(set(password)) < _DIFFERENT_CHARS:
        return f"A password has at least {_DIFFERENT_CHARS} different characters."
    if is_easily_guessed(password, name):
        return "This password is too common."
    return None
