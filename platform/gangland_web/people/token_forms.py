"""What people type to make a token, read and checked before anything is done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gangland_web.base.text import normal_name, problem_with_name, whole_number
from gangland_web.people.tokens import ORGANISE_DAYS, USUAL, Scope

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
