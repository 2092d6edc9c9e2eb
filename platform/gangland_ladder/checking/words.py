"""How a finding of a check is put: what is wrong in one line, then what the bot saw and what was allowed."""

from __future__ import annotations

import re
from typing import Any

from gangland.faults import BotFault, FaultKind
from gangland.game import Game
from gangland_ladder.checking import hints
from gangland_ladder.checking.play import Asked
from gangland_ladder.errors.catalogue import code_of, problem_of
from gangland_ladder.matches.orders import Problem

SHOWN_CHARS = 120
ILLEGAL = "E203"
_RETURNED = re.compile(r"(choose_\w+\(\) returned .*): (expected .*), got .*", re.DOTALL)
_ABSTRACT = re.compile(r"TypeError: Can't instantiate abstract class (\w+) .*abstract methods? '?(choose_\w+)'?")
_UNDEFINED = re.compile(r"NotImplementedError: (\w+) has to define (choose_\w+)\(self, view\)")
_LEFT_OUT = "is left out of the jail"
_WHERE = re.compile(r"^[\w.-]+:(?:\d+)? ")


def illegal(game: Game[Any], asked: Asked) -> Problem:
    """Return an answer that the rules refuse as a finding."""
    head = f"choose_{asked.kind}() returned {shown(asked.answer)}"
    hint = "\nNone is what a method returns that ends without `return`." if asked.answer is None else ""
    wrong = hints.wrong_part(game, asked)
    head += f"\n{wrong}" if wrong else ""
    return Problem(ILLEGAL, f"{head}\n{allowed(game, asked)}{hint}", asked.line, asked.kind, asked.number)


def allowed(game: Game[Any], asked: Asked) -> str:
    """Return what the bot saw and what was legal, in one line."""
    legal = game.legal(asked.state, asked.seat)
    before = game.sight(game.observe(asked.state, asked.seat), asked.kind)
    return before + (legal if "Allowed:" in legal else f"Allowed: {legal}.")


def failed(fault: BotFault, filename: str, game: Game[Any], asked: Asked | None = None) -> Problem:
    """Return a fault as a finding, with the view at which it came."""
    found = problem_of(fault, filename)
    method = "" if asked is None else asked.kind
    message = _with_hint(worded(fault, method), game)
    if fault.kind is FaultKind.ILLEGAL and asked is not None:
        message += f"\n{allowed(game, asked)}"
    line = found.line if found.line is not None or asked is None else asked.line
    return Problem(code_of(fault), message, line, method, asked.number if asked is not None else None)


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
    told = [f"{hint[1:2].upper()}{hint[2:-1]}." for hint in hints]
    if len(rest) == 1 or not rest[0].startswith(("Traceback", "  File")):
        return "\n".join([_abstract(rest[0]), *told, *rest[1:]])
    at = _raised_at(rest)
    head = f"choose_{method}() raised {rest[at]}" if method else rest[at]
    return "\n".join([head, *told, *rest[:at], *rest[at + 1 :]])


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
