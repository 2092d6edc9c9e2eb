"""What the editor shows beside a bot and completes in it, made of the same docstrings as the page of the bot API."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from markdown_it import MarkdownIt
from markupsafe import Markup

from gangland.games import package_of
from gangland_ladder.common.bot_api import ApiClass, Member, api_of

_BOT, _BASE, _VIEW, _CLOCK = "Bot", "BaseBot", "View", "Clock"
_ONE: Final = re.compile(r"(\w+)(?: \| None)?")
_SEQUENCE: Final = re.compile(r"tuple\[(\w+)(?: \| None)?, \.\.\.\]")
_RULING: Final = re.compile(r" \((?:[GD]\d+(?:, | and )?)+\)|[:,;] (?:[GD]\d+(?:, | and )?)+(?=\))")
"""The numbers of rulings in brackets, which say nothing where no ruling is at hand."""
_RNG: Final = ("choice", "choices", "randint", "randrange", "random", "sample", "shuffle", "uniform")
"""The methods of a bot's `random.Random` that are completed."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What may be typed at a place: its name, what it is, and what its docstring says.

    `class_name` is the class of the value, `item_class` of what an index of it gives; empty where it is none of those
    described.
    """

    label: str
    type: str
    detail: str
    info: str
    class_name: str
    item_class: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """What the editor of a game completes.

    `names` says of which class a name of the bot's methods is; `classes` has the members of each; `methods` are those
    that a bot may define.
    """

    names: dict[str, str]
    classes: dict[str, list[Completion]]
    methods: list[Completion]


@dataclass(frozen=True, slots=True)
class Entry:
    """A member as the page shows it: name and signature, and its words as HTML."""

    title: str
    words: Markup


@dataclass(frozen=True, slots=True)
class Part:
    """A class as the page shows it."""

    title: str
    words: Markup
    entries: tuple[Entry, ...]


@cache
def reference(game: str) -> tuple[Part, ...]:
    """Return all classes of a game, those that it alone has first."""
    return tuple(_part(each) for each in (*api_of(game), *api_of(None)))


def _part(each: ApiClass) -> Part:
    values = "\n".join(f"- `{each.name}.{name}` ({value})" for name, value in each.values)
    made = f"`{each.name}{each.signature}`" if each.signature else ""
    entries = tuple(Entry(f"{one.name}{one.signature}", _html(*one.paragraphs)) for one in each.members)
    return Part(each.path.removeprefix("gangland."), _html(*each.paragraphs, made, values), entries)


def _html(*paragraphs: str) -> Markup:
    text = _RULING.sub("", "\n\n".join(paragraphs))
    return Markup(MarkdownIt("commonmark", {"html": False}).render(text))  # noqa: S704  # docstrings


@cache
def completions(game: str) -> Completions:
    """Return what the editor of a game completes."""
    own, common = ({each.name: each for each in api_of(one)} for one in (game, None))
    described = {**common, **own}
    members = {name: [*_values(each), *_of(each, described)] for name, each in described.items()}
    members[Random.__name__] = [_of_random(name) for name in _RNG]
    if _VIEW in own:
        clock = Completion("clock", "property", _CLOCK, common[_CLOCK].paragraphs[0], _CLOCK)
        inherited = [*_of(common[_VIEW], described), clock]
        members[_VIEW] += [each for each in inherited if each.label not in {one.label for one in members[_VIEW]}]
    package = package_of(game)
    members[package] = [Completion(each.name, "class", "", _plain(each.paragraphs), each.name) for each in own.values()]
    names = {"view": _VIEW, "self": _BASE, package: package} | {name: name for name in own if name != package}
    hooks = [one for one in common[_BASE].members if one.name.startswith("on_")]
    methods = [_method(one) for one in (*(own[_BOT].members if _BOT in own else ()), *hooks)]
    return Completions(names=names, classes=members, methods=methods)


def _values(each: ApiClass) -> Iterator[Completion]:
    for name, value in each.values:
        yield Completion(name, "enum", str(value), "", "")


def _of(each: ApiClass, described: dict[str, Any]) -> Iterator[Completion]:
    for one in (*each.attributes, *each.members):
        of, item = (_described(pattern, one.returns, described) for pattern in (_ONE, _SEQUENCE))
        what = "method" if one.signature else "property"
        detail = _without_self(one.signature) or of
        yield Completion(one.name, what, detail, _plain(one.paragraphs), of, item)


def _described(pattern: re.Pattern[str], annotation: str, described: Mapping[str, Any]) -> str:
    """Return the class that an annotation names by a pattern, empty where it is none that is completed."""
    found = pattern.fullmatch(annotation)
    known = found is not None and found[1] != _BOT and (found[1] in described or found[1] == Random.__name__)
    return found[1] if found is not None and known else ""


def _of_random(name: str) -> Completion:
    function = getattr(Random, name)
    first, _, _ = (inspect.getdoc(function) or "").partition("\n\n")
    return Completion(name, "method", _without_self(str(inspect.signature(function))), " ".join(first.split()), "")


def _method(one: Member) -> Completion:
    """Return the line with which a bot begins to define a method."""
    arguments = re.sub(r":\s*[^,)]+", "", one.signature.partition(" -> ")[0])
    return Completion(f"{one.name}{arguments}:", "method", "", _plain(one.paragraphs), "")


def _without_self(signature: str) -> str:
    return re.sub(r"^\(self(, )?", "(", signature)


def _plain(paragraphs: Sequence[str]) -> str:
    """Return a docstring's words without the marks of Markdown."""
    return re.sub(r"[`*]", "", _RULING.sub("", "\n\n".join(paragraphs)))
