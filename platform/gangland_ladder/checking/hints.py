"""What the words of one finding tell beyond its code: a line of advice that fits this very mistake.

The words may be the bot's own, so they choose among our sentences and decide nothing.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable
from typing import Any

from gangland.game import Game
from gangland.games import package_of
from gangland_ladder.checking.names import nearest
from gangland_ladder.checking.play import CheckedView

NEAR = 0.7
"""How like each other two names are that may be meant for one another, from 0 to 1."""
LISTED = 10
_BUILT_IN = ("True", "False", "None", *(each for each in dir(builtins) if each.islower() and each[0] != "_"))
_METHOD = re.compile(r"^[ \t]+def (\w+)\(", re.MULTILINE)
_LACKS = re.compile(r"\w+ does not define (choose_\w+)\(\)")
Advice = Callable[[re.Match[str], Game[Any]], str]


def hint(words: str, game: Game[Any]) -> str:
    """Return a sentence on the error in the first line of a finding; nothing if it says all that there is to say."""
    for sign, advice in HINTS:
        if found := re.search(sign, words):
            return advice(found, game)
    return ""


def left_out(module: str) -> bool:
    """Return whether a module that a jail lacks is one of Python's own."""
    return module.partition(".")[0] in sys.stdlib_module_names


def _arguments(found: re.Match[str], _game: Game[Any]) -> str:
    name = found[1]
    given = {"__init__": "", "on_game_start": ", start", "on_game_end": ", end"}.get(name, ", view")
    return f"Write `def {name}(self{given})`."


def _field(found: re.Match[str], game: Game[Any]) -> str:
    fields = [*game.view_class.fields(), "clock"]
    near = nearest(found[1], fields)
    return f"Did you mean `view.{near}`?" if near else f"A view has {', '.join(fields)}."


def _name(found: re.Match[str], game: Game[Any]) -> str:
    name = found[1]
    if name in game.view_class.fields():
        return f"Did you mean `view.{name}`?"
    if name in sys.stdlib_module_names:
        return f"Write `import {name}` at the beginning of the file."
    near = nearest(name, _BUILT_IN, NEAR)
    return (
        f"Did you mean `{near}`?"
        if near
        else "Compare how the name is written where it gets its value; capitals count."
    )


def _own_field(found: re.Match[str], game: Game[Any]) -> str:
    return f"Did you mean `view.{found[1]}`?" if found[1] in game.view_class.fields() else ""


def _module(found: re.Match[str], _game: Game[Any]) -> str:
    top = found[1].partition(".")[0]
    if left_out(top):
        return f"{top} is left out of the jail: Python's own, but for what no bot has."
    if top == "numpy":
        return "numpy is available if the organiser chose the numeric profile (`--profile numeric`)."
    return "A file of your own goes into a zip beside bot.py."


def _extended(_found: re.Match[str], game: Game[Any]) -> str:
    package = package_of(game.name)
    return f"Extend {package}.Bot, not the module: `class MyBot({package}.Bot)`."


def _nothing(_found: re.Match[str], game: Game[Any]) -> str:
    example = f", {game.none_example}" if game.none_example else ""
    return f"Something is `None` at that moment{example}."


def _says(text: str) -> Advice:
    return lambda _found, _game: text


HINTS: tuple[tuple[str, Advice], ...] = (
    (r"TypeError: (?:\w+\.)?(choose_\w+|on_game_\w+|__init__)\(\) (?:takes|missing) .*argument", _arguments),
    (r"AttributeError: 'View' object has no attribute '(\w+)'", _field),
    (r"AttributeError: '(?!tuple|list|dict|set|int|str|NoneType)\w+' object has no attribute '(\w+)'", _own_field),
    (r"NameError: name '(\w+)' is not defined", _name),
    (r"SyntaxError: invalid character '[“”„‘’‚]'", _says("Use straight quotes: \" or '.")),
    (r"EOFError|input\(\): lost", _says("A bot cannot read input: remove `input()`.")),
    (r"NoneType", _nothing),
    (
        r"IndexError: .*(index|empty)|ValueError: (min|max)\(\) .*empty",
        _says("A list or a tuple is shorter than that at this moment; some are empty before the first roll."),
    ),
    (r"TypeError: module\(\) takes at most", _extended),
    (r"ModuleNotFoundError: No module named '([\w.]+)'", _module),
    (
        r"ended with status|SystemExit",
        _says("Remove `exit()`, `quit()` and the like: a process that has ended cannot answer."),
    ),
    (r"TabError", _says("Indent with spaces only: this line has a tab where others have spaces.")),
    (
        r"IndentationError: expected",
        _says("Indent what belongs to that line by four more spaces; `pass` is a body that does nothing."),
    ),
    (r"IndentationError: unexpected", _says("Remove spaces: the line begins further right than the one above it.")),
    (r"IndentationError", _says("Indent the line exactly as the other lines of its block.")),
    (
        r"SyntaxError: invalid non-printable character",
        _says("Type the line again: it has a character that cannot be seen, such as one copied from a page."),
    ),
    (
        r"ImportError: attempted relative import",
        _says("Leave out the dot: `from odds import risk` or `import odds`; bot.py is in no package."),
    ),
)
"""What to say where a finding's first line has this sign."""


def renamed(words: str, source: str) -> tuple[str, int] | None:
    """Return what to say of a missing method where the source has one almost of its name, and the line of that."""
    lacks = _LACKS.match(words)
    found = list(_METHOD.finditer(source)) if lacks else []
    near = nearest(lacks[1], (each[1] for each in found), NEAR) if lacks else None
    if near is None:
        return None
    last = [each for each in found if each[1] == near][-1]
    line = source.count("\n", 0, last.start(1)) + 1
    return f"; line {line} has {near}(): rename it", line


def wrong_part(game: Game[Any], checked: CheckedView) -> str:
    """Return which part of an illegal answer is wrong, in a sentence; nothing where it can only be told as a whole."""
    if not isinstance(checked.answer, list):
        return ""
    parts = game.wrong_parts(game.observe(checked.state, checked.seat), checked.kind, checked.answer)
    return "; ".join(parts[:LISTED]).capitalize() + "." if parts else ""
