"""How a finding of a check is put: what is wrong in one line, then what the bot saw and what was allowed."""

from __future__ import annotations

import re
from typing import Any

from gangland.faults import BotFault, FaultKind
from gangland.game import Game
from gangland_ladder.checking import hints
from gangland_ladder.checking.play import CheckedView
from gangland_ladder.errors import code_of, problem_of
from gangland_ladder.matches.match_orders import Problem

SHOWN_CHARS = 120
ILLEGAL = "E203"
_RETURNED = re.compile(r"(choose_\w+\(\) returned .*): (expected .*), got .*", re.DOTALL)
_ABSTRACT = re.compile(r"TypeError: Can't instantiate abstract class (\w+) .*abstract methods? '?(choose_\w+)'?")
_UNDEFINED = re.compile(r"NotImplementedError: (\w+) has to define (choose_\w+)\(self, view\)")
_LEFT_OUT = "is left out of the jail"
_WHERE = re.compile(r"^[\w.-]+:(?:\d+)? ")


def illegal(game: Game[Any], checked: CheckedView) -> Problem:
    """Return an answer that the rules refuse as a finding."""
    head = f"choose_{checked.kind}() returned {shown(checked.answer)}"
    hint = "\nNone is what a method returns that ends without `return`." if checked.answer is None else ""
    part = hints.wrong_part(game, checked)
    head += f"\n{part}" if part else ""
    return Problem(ILLEGAL, f"{head}\n{allowed(game, checked)}{hint}", checked.line, checked.kind, checked.number)


def allowed(game: Game[Any], checked: CheckedView) -> str:
    """Return what the bot saw and what was legal, in one line."""
    legal = game.legal(checked.state, checked.seat)
    before = game.sight(game.observe(checked.state, checked.seat), checked.kind)
    return before + (legal if "Allowed:" in legal else f"Allowed: {legal}.")


def wrong(checked: CheckedView, filename: str, game: Game[Any]) -> Problem | None:
    """Return what is wrong with an answer as a finding, None if nothing is."""
    if checked.fault is not None:
        return failed(checked.fault, filename, game, checked)
    return None if checked.refused is None else illegal(game, checked)


def failed(fault: BotFault, filename: str, game: Game[Any], checked: CheckedView | None = None) -> Problem:
    """Return a fault as a finding, with the view at which it came."""
    found = problem_of(fault, filename)
    method = "" if checked is None else checked.kind
    message = _with_hint(worded(fault, method), game)
    if fault.kind is FaultKind.ILLEGAL and checked is not None:
        message += f"\n{allowed(game, checked)}"
    line = found.line if found.line is not None or checked is None else checked.line
    return Problem(code_of(fault), message, line, method, checked.number if checked is not None else None)


def _with_hint(message: str, game: Game[Any]) -> str:
    """Return a message with what its first line calls for below that."""
    head, _, rest = message.partition("\n")
    hint = hints.hint(head, game)
    if not hint:
        return message
    if _LEFT_OUT in hint:  # the jail's own words tell that it has Python's standard library
        rest = rest.partition("\n")[2]
    return "\n".join(filter(None, (head, hint, rest)))


def worded(fault: BotFault, method: str = "") -> str:
    """Return a fault's message with what is wrong in its first line, and its traceback below."""
    text = _WHERE.sub("", fault.message, count=1)
    if found := _RETURNED.fullmatch(text.partition("\n")[0]):
        hint = "\nNone is what a method returns that ends without `return`." if found[1].endswith(" None") else ""
        return f"{found[1]}\n{found[2][0].upper()}{found[2][1:]}.{hint}"
    lines = text.split("\n")
    hints = [line for line in lines[1:] if line.startswith("(") and line.endswith(")")]
    among = set(hints)
    rest = [line for line in lines if line not in among]
    explained = [f"{hint[1:2].upper()}{hint[2:-1]}." for hint in hints]
    if len(rest) == 1 or not rest[0].startswith(("Traceback", "  File")):
        return "\n".join([_abstract(rest[0]), *explained, *rest[1:]])
    at = _raised_at(rest)
    head = f"choose_{method}() raised {rest[at]}" if method else rest[at]
    return "\n".join([head, *explained, *rest[:at], *rest[at + 1 :]])


def _raised_at(lines: list[str]) -> int:
    """Return which line of a traceback names the exception: the first one after its last frame."""
    frame = max((at for at, line in enumerate(lines) if line.startswith("  File ")), default=0)
    after = range(frame + 1, len(lines))
    return next((at for at in after if not lines[at].startswith(" ")), len(lines) - 1)


def _abstract(text: str) -> str:
    """Return Python's words on a class that lacks a method in ours."""
    found = _ABSTRACT.fullmatch(text) or _UNDEFINED.fullmatch(text)
    return f"{found[1]} does not define {found[2]}()" if found else text


def shown(answer: object) -> str:
    """Return an answer as it came, cut short."""
    text = repr(answer)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}..."
