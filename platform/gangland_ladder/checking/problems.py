"""Describe the problems that a check finds: first the error, then the view and the legal answers."""

import builtins
import re
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

from gangland.faults import BotFault, FaultKind
from gangland.game import Game
from gangland.games import package_of
from gangland_ladder.checking.examination import CheckedView
from gangland_ladder.errors import code_of, problem_of
from gangland_ladder.matches.match_jobs import Problem

# Problems with answers, and faults.

SHOWN_CHARS = 120
ILLEGAL = "E203"
NONE_HINT = "\nA method that ends without `return` returns None."
_RETURNED = re.compile(r"(choose_\w+\(\) returned .*): (expected .*), got .*", re.DOTALL)
_ABSTRACT = re.compile(r"TypeError: Can't instantiate abstract class (\w+) .*abstract methods? '?(choose_\w+)'?")
_UNDEFINED = re.compile(r"NotImplementedError: (\w+) has to define (choose_\w+)\(self, view\)")
_LEFT_OUT_TEXT = "not available in the jail"
_PLACE = re.compile(r"^[\w.-]+:(?:\d+)? ")


def allowed_answers(game: Game[Any], checked: CheckedView) -> str:
    """Return the view and the legal answers as one line of text."""
    legal = game.legal(checked.state, checked.seat)
    before = game.situation(game.observe(checked.state, checked.seat), checked.kind)
    return before + (legal if "Allowed:" in legal else f"Allowed: {legal}.")


def problem_in(checked: CheckedView, filename: str, game: Game[Any]) -> Problem | None:
    """Return the problem with an answer, or None if the answer is legal."""
    if checked.fault is not None:
        return problem_of_fault(checked.fault, filename, game, checked)
    return None if checked.illegal_decision is None else _illegal(game, checked)


def problem_of_fault(fault: BotFault, filename: str, game: Game[Any], checked: CheckedView | None = None) -> Problem:
    """Return a fault as a problem, with the view where it occurred."""
    problem = problem_of(fault, filename)
    method = "" if checked is None else checked.kind
    message = _add_advice(fault_message(fault, method), game)
    if fault.kind is FaultKind.ILLEGAL and checked is not None:
        message += f"\n{allowed_answers(game, checked)}"
    line = problem.line if problem.line is not None or checked is None else checked.line
    return Problem(code_of(fault), message, line, method, checked.number if checked is not None else None)


def _illegal(game: Game[Any], checked: CheckedView) -> Problem:
    head = f"choose_{checked.kind}() returned {answer_text(checked.answer)}"
    hint = NONE_HINT if checked.answer is None else ""
    part = wrong_parts_text(game, checked)
    head += f"\n{part}" if part else ""
    return Problem(
        ILLEGAL, f"{head}\n{allowed_answers(game, checked)}{hint}", checked.line, checked.kind, checked.number
    )


def _add_advice(message: str, game: Game[Any]) -> str:
    head, _, rest = message.partition("\n")
    hint = advice_on(head, game)
    if not hint:
        return message
    if _LEFT_OUT_TEXT in hint:  # the jail's own message claims that the whole standard library is available
        rest = rest.partition("\n")[2]
    return "\n".join(filter(None, (head, hint, rest)))


def fault_message(fault: BotFault, method: str = "") -> str:
    """Return a fault's message with the error on its first line and the traceback below it."""
    text = _PLACE.sub("", fault.message, count=1)
    if returned := _RETURNED.fullmatch(text.partition("\n")[0]):
        hint = NONE_HINT if returned[1].endswith(" None") else ""
        return f"{returned[1]}\n{returned[2][0].upper()}{returned[2][1:]}.{hint}"
    lines = text.split("\n")
    hints = [line for line in lines[1:] if line.startswith("(") and line.endswith(")")]
    hint_lines = set(hints)
    rest = [line for line in lines if line not in hint_lines]
    explained = [f"{hint[1:2].upper()}{hint[2:-1]}." for hint in hints]
    if len(rest) == 1 or not rest[0].startswith(("Traceback", "  File")):
        return "\n".join([_shorten_abstract(rest[0]), *explained, *rest[1:]])
    frame = max((at for at, line in enumerate(rest) if line.startswith("  File ")), default=0)
    after = range(frame + 1, len(rest))  # the line of the exception is the first one after the last frame
    at = next((at for at in after if not rest[at].startswith(" ")), len(rest) - 1)
    head = f"choose_{method}() raised {rest[at]}" if method else rest[at]
    return "\n".join([head, *explained, *rest[:at], *rest[at + 1 :]])


def _shorten_abstract(text: str) -> str:
    match = _ABSTRACT.fullmatch(text) or _UNDEFINED.fullmatch(text)
    return f"{match[1]} does not define {match[2]}()" if match else text


def answer_text(answer: object) -> str:
    """Return a shortened answer as text."""
    text = repr(answer)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}..."


# Advice on a specific error, selected by the text in the first line of a problem.
#
# A bot may have written this text, so it only selects one of our sentences and decides nothing else.

MIN_SIMILARITY = 0.7  # Minimum similarity, from 0 to 1, at which one name may be a misspelling of the other.
MAX_PARTS = 10
_BUILT_IN = ("True", "False", "None", *(each for each in dir(builtins) if each.islower() and each[0] != "_"))
_METHOD = re.compile(r"^[ \t]+def (\w+)\(", re.MULTILINE)
_NOT_DEFINED = re.compile(r"\w+ does not define (choose_\w+)\(\)")
Advice = Callable[[re.Match[str], Game[Any]], str]


def advice_on(text: str, game: Game[Any]) -> str:
    """Return advice about the error in the first line of a problem, or ""."""
    for pattern, advice in ADVICE:
        if match := re.search(pattern, text):
            return advice(match, game)
    return ""


def is_left_out(module: str) -> bool:
    """Return whether a module that is missing in a jail belongs to Python's standard library."""
    return module.partition(".")[0] in sys.stdlib_module_names


def _argument_advice(match: re.Match[str], _game: Game[Any]) -> str:
    name = match[1]
    arguments = {"__init__": "", "on_game_start": ", start", "on_game_end": ", end"}.get(name, ", view")
    return f"Write `def {name}(self{arguments})`."


def _field_advice(match: re.Match[str], game: Game[Any]) -> str:
    fields = [*game.view_class.fields(), "clock"]
    similar = nearest(match[1], fields)
    return f"Did you mean `view.{similar}`?" if similar else f"A view has {', '.join(fields)}."


def _name_advice(match: re.Match[str], game: Game[Any]) -> str:
    name = match[1]
    if name in game.view_class.fields():
        return f"Did you mean `view.{name}`?"
    if name in sys.stdlib_module_names:
        return f"Write `import {name}` at the beginning of the file."
    similar = nearest(name, _BUILT_IN, MIN_SIMILARITY)
    return f"Did you mean `{similar}`?" if similar else "Check the spelling of the name. Case matters."


def _view_advice(match: re.Match[str], game: Game[Any]) -> str:
    return f"Did you mean `view.{match[1]}`?" if match[1] in game.view_class.fields() else ""


def _module_advice(match: re.Match[str], _game: Game[Any]) -> str:
    top = match[1].partition(".")[0]
    if is_left_out(top):
        return f"{top} is part of Python, but not available in the jail."
    if top == "numpy":
        return "numpy needs the numeric profile, which the organizer chooses (`--profile numeric`)."
    return "Put your own modules in a zip next to bot.py."


def _base_class_advice(_match: re.Match[str], game: Game[Any]) -> str:
    package = package_of(game.name)
    return f"Extend {package}.Bot, not the module: `class MyBot({package}.Bot)`."


def _none_advice(_match: re.Match[str], game: Game[Any]) -> str:
    example = f", {game.none_example}" if game.none_example else ""
    return f"A value is `None` at this point{example}."


def _fixed_advice(text: str) -> Advice:
    return lambda _match, _game: text


# Advice by regular expression for the first line of a problem.
ADVICE: tuple[tuple[str, Advice], ...] = (
    (r"TypeError: (?:\w+\.)?(choose_\w+|on_game_\w+|__init__)\(\) (?:takes|missing) .*argument", _argument_advice),
    (r"AttributeError: 'View' object has no attribute '(\w+)'", _field_advice),
    (r"AttributeError: '(?!tuple|list|dict|set|int|str|NoneType)\w+' object has no attribute '(\w+)'", _view_advice),
    (r"NameError: name '(\w+)' is not defined", _name_advice),
    (r"SyntaxError: invalid character '[“”„‘’‚]'", _fixed_advice("Use straight quotes: \" or '.")),
    (r"EOFError|input\(\): lost", _fixed_advice("A bot cannot read input: remove `input()`.")),
    (r"NoneType", _none_advice),
    (
        r"IndexError: .*(index|empty)|ValueError: (min|max)\(\) .*empty",
        _fixed_advice("A list or tuple is too short at this point. Some are empty before the first roll."),
    ),
    (r"TypeError: module\(\) takes at most", _base_class_advice),
    (r"ModuleNotFoundError: No module named '([\w.]+)'", _module_advice),
    (
        r"ended with status|SystemExit",
        _fixed_advice("Remove `exit()` and `quit()`: a process that has ended cannot answer."),
    ),
    (r"TabError", _fixed_advice("Indent with spaces only: this line has a tab.")),
    (
        r"IndentationError: expected",
        _fixed_advice("Indent the body of the line above by four spaces. `pass` is an empty body."),
    ),
    (r"IndentationError: unexpected", _fixed_advice("Remove spaces: the line is indented more than the one above it.")),
    (r"IndentationError", _fixed_advice("Indent the line like the other lines of its block.")),
    (
        r"SyntaxError: invalid non-printable character",
        _fixed_advice("Type the line again: it has an invisible character."),
    ),
    (
        r"ImportError: attempted relative import",
        _fixed_advice("Leave out the dot: `from odds import risk` or `import odds`."),
    ),
)


def rename_advice(text: str, source: str) -> tuple[str, int] | None:
    """Return advice about a missing method, and the line of a method with a similar name; None if there is none."""
    not_defined = _NOT_DEFINED.match(text)
    methods = list(_METHOD.finditer(source)) if not_defined else []
    similar = nearest(not_defined[1], (method[1] for method in methods), MIN_SIMILARITY) if not_defined else None
    if similar is None:
        return None
    last = [method for method in methods if method[1] == similar][-1]
    line = source.count("\n", 0, last.start(1)) + 1
    return f"; line {line} has {similar}(): rename it", line


def wrong_parts_text(game: Game[Any], checked: CheckedView) -> str:
    """Return a sentence about the wrong parts of an illegal answer; "" if no single part is wrong."""
    if not isinstance(checked.answer, list):
        return ""
    parts = game.wrong_parts(game.observe(checked.state, checked.seat), checked.kind, checked.answer)
    return "; ".join(parts[:MAX_PARTS]).capitalize() + "." if parts else ""


# Finding the name that an author probably meant, among names that may come from a bot.

NAME_CHARS: Final = 40  # Longer names are not compared: the time grows with the product of the two lengths.
MAX_NAMES: Final = 100


def nearest(name: str, known: Iterable[str], min_similarity: float = 0.6) -> str | None:
    """Return the most similar known name; None if its similarity, from 0 to 1, is below `min_similarity`."""
    if len(name) > NAME_CHARS:
        return None
    similar = get_close_matches(
        name, list(islice((each for each in known if len(each) <= NAME_CHARS), MAX_NAMES)), 1, min_similarity
    )
    return similar[0] if similar else None
