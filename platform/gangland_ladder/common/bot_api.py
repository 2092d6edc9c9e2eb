"""Read the bot API from the engine's docstrings, by class and member."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final

from gangland import bot, view
from gangland.games import game_named

# The classes, with the names of the members to document; * means all members.
SHARED_CLASSES: Final[tuple[tuple[Any, str], ...]] = (
    (bot.BaseBot, "history log data on_game_start on_game_end act"),
    (view.View, "clock question legal sample"),
    *((kind, "") for kind in (bot.GameStart, bot.GameEnd, bot.DecisionRequest, view.Clock)),
)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a class; a method's signature includes its parentheses; a value's signature is empty."""

    name: str
    signature: str
    returns: str
    paragraphs: tuple[str, ...]

    @property
    def title(self) -> str:
        """The member's heading in the reference."""
        return f"{self.name}{self.signature}"

    @property
    def markdown(self) -> str:
        """The member's text in the reference, as Markdown."""
        return "\n\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True)
class ApiClass:
    """A documented class."""

    name: str
    path: str
    paragraphs: tuple[str, ...]
    signature: str  # empty if the class is not constructed by bots
    values: tuple[tuple[str, Any], ...]  # the members of an enum, with their numbers
    attributes: tuple[Member, ...]  # the attributes listed in the docstring
    members: tuple[Member, ...]  # methods and properties

    @property
    def markdown(self) -> str:
        """The class's text in the reference, as Markdown, without its members."""
        heading = [f"`{self.name}{self.signature}`"] if self.signature else []
        values = "\n".join(f"- `{self.name}.{name}` ({value})" for name, value in self.values)
        return "\n\n".join([*self.paragraphs, *heading, *filter(None, [values])])


@cache
def api_of(game: str | None) -> tuple[ApiClass, ...]:
    """Return the classes of one game, or for None, those that all games share."""
    classes = SHARED_CLASSES if game is None else game_named(game).api
    return tuple(_class(kind, members) for kind, members in classes)


def _class(kind: Any, members: str) -> ApiClass:
    doc = kind.__doc__ or ""
    shows_constructor = hasattr(kind, "__dataclass_fields__") and "Attributes:" not in doc and members != "*"
    own = [name for name, value in vars(kind).items() if not name.startswith("_") and _is_documented(value)]
    return ApiClass(
        name=kind.__name__,
        path=f"{'.'.join(kind.__module__.split('.')[:2])}.{kind.__name__}",
        paragraphs=tuple(_paragraphs(kind)),
        signature=_signature(kind).removesuffix(" -> None") if shows_constructor else "",
        values=tuple((each.name, each.value) for each in kind) if issubclass(kind, Enum) else (),
        attributes=tuple(_attributes(kind)),
        members=tuple(_member(kind, name) for name in (own if members == "*" else members.split())),
    )


def _is_documented(value: Any) -> bool:
    plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    return isinstance(plain, property) or inspect.isfunction(plain)


def _member(kind: Any, name: str) -> Member:
    value = inspect.getattr_static(kind, name)
    is_value = isinstance(value, property)
    function = value.fget if is_value else getattr(kind, name)
    returns = str(function.__annotations__.get("return", ""))
    return Member(name, "" if is_value else _signature(function), returns, tuple(_paragraphs(function)))


def _attributes(kind: Any) -> Iterator[Member]:
    for head, items in _sections(kind):
        for name, text in re.findall(r"^(\w+): (.+)$", "\n".join(items), re.MULTILINE) if head == "Attributes" else ():
            yield Member(name, "", str(getattr(kind, "__annotations__", {}).get(name, "")), (text,))


def _signature(function: Any) -> str:
    text = str(inspect.signature(function))
    return re.sub(r"(?:\b[a-z_]+\.)+(?=[A-Z])", "", text).replace("'", "")


def _paragraphs(thing: Any) -> Iterator[str]:
    """Yield the paragraphs of a docstring; sections (Args, Attributes, Raises ...) become lists."""
    for head, items in _sections(thing):
        if head:
            entries = (re.sub(r"^(\w+): ", r"`\1`: ", item) for item in items)
            yield f"*{head}:*\n\n" + "\n".join(f"- {entry}" for entry in entries)
        else:
            yield from items


def _sections(thing: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the parts of a docstring as (section, items); a paragraph outside a section as ("", paragraph)."""
    for paragraph in (inspect.getdoc(thing) or "").split("\n\n"):
        head, _, rest = paragraph.partition("\n")
        if re.fullmatch(r"(Args|Attributes|Returns|Raises|Yields):", head):
            items = re.split(r"\n(?=\S)", inspect.cleandoc("\n" + rest))
            yield head.removesuffix(":"), tuple(" ".join(item.split()) for item in items)
        else:
            yield "", (paragraph,)
