"""What the editor offers: bots to begin with, the reference beside the code, and what it completes."""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from markdown_it import MarkdownIt
from markupsafe import Markup

from gangland.games import package_of
from gangland_ladder.common.bot_api import ApiClass, Member, api_of
from gangland_ladder.local.bots import first_bot, games_to_start_with, house_bots

# Bots to begin with: the first bot of `gangland new`, and house bots from random to sensible.


FIRST_NAME: Final = "my_gang"
"""What a new bot is called until its author names it."""
_HOUSE: Final = ("random_gang", "cautious_gang", "bold_gang", "sensible_gang")
"""The house bots to begin with, the weakest first."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A bot to begin with: its name in addresses, the text of its link, and its source."""

    name: str
    title: str
    text: str


@cache
def starters(game: str) -> tuple[Starter, ...]:
    """Return the bots to begin with in a game, the simplest first; none for a game that has no such bot."""
    first = [Starter("first_bot", "First bot", first_bot(FIRST_NAME, game))] if game in games_to_start_with() else []
    house = house_bots()[game]
    return (*first, *(Starter(name, name, house[name].read_text(encoding="utf-8")) for name in _HOUSE if name in house))


# What is completed in a bot, and the reference beside it: the text of the page of the bot API.


_BOT, _BASE, _VIEW = "Bot", "BaseBot", "View"
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


@cache
def html_of(words: str) -> Markup:
    """Return a text of the reference as HTML; it is the same text as on the page of the bot API."""
    return Markup(MarkdownIt("commonmark", {"html": False}).render(_RULING.sub("", words)))  # noqa: S704  # docstrings


@cache
def completions(game: str) -> Completions:
    """Return what the editor of a game completes."""
    own, common = ({each.name: each for each in api_of(one)} for one in (game, None))
    described = {**common, **own}
    members = {name: [*_value_completions(each), *_completions_of(each, described)] for name, each in described.items()}
    members[Random.__name__] = [_random_completion(name) for name in _RNG]
    if _VIEW in own:
        known = {each.label for each in members[_VIEW]}
        members[_VIEW] += [one for one in _completions_of(common[_VIEW], described) if one.label not in known]
    package = package_of(game)
    members[package] = [Completion(each.name, "class", "", _plain(each.words), each.name) for each in own.values()]
    names = {"view": _VIEW, "self": _BASE, package: package} | {name: name for name in own if name != package}
    hooks = [one for one in common[_BASE].members if one.name.startswith("on_")]
    methods = [_method_completion(one) for one in (*(own[_BOT].members if _BOT in own else ()), *hooks)]
    return Completions(names=names, classes=members, methods=methods)


def _value_completions(each: ApiClass) -> Iterator[Completion]:
    for name, value in each.values:
        yield Completion(name, "enum", str(value), "", "")


def _completions_of(each: ApiClass, described: dict[str, Any]) -> Iterator[Completion]:
    for one in (*each.attributes, *each.members):
        of, item = (_described(pattern, one.returns, described) for pattern in (_ONE, _SEQUENCE))
        what = "method" if one.signature else "property"
        detail = _without_self(one.signature) or of
        yield Completion(one.name, what, detail, _plain(one.words), of, item)


def _described(pattern: re.Pattern[str], annotation: str, described: Mapping[str, Any]) -> str:
    """Return the class that an annotation names by a pattern, empty where it is none that is completed."""
    found = pattern.fullmatch(annotation)
    known = found is not None and found[1] != _BOT and (found[1] in described or found[1] == Random.__name__)
    return found[1] if found is not None and known else ""


def _random_completion(name: str) -> Completion:
    function = getattr(Random, name)
    first, _, _ = (inspect.getdoc(function) or "").partition("\n\n")
    return Completion(name, "method", _without_self(str(inspect.signature(function))), " ".join(first.split()), "")


def _method_completion(one: Member) -> Completion:
    """Return the line with which a bot begins to define a method."""
    arguments = re.sub(r":\s*[^,)]+", "", one.signature.partition(" -> ")[0])
    return Completion(f"{one.name}{arguments}:", "method", "", _plain(one.words), "")


def _without_self(signature: str) -> str:
    return re.sub(r"^\(self(, )?", "(", signature)


def _plain(words: str) -> str:
    """Return a text of the reference without the marks of Markdown."""
    return re.sub(r"[`*]", "", _RULING.sub("", words))
