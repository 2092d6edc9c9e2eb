"""Read the data that the editor needs: bots to start from, the reference next to the code, and completions."""

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
from gangland_ladder.local.bots import house_bots, starter_games, starter_source

# Bots to start from: the first bot of `gangland new`, and house bots from random to sensible.

FIRST_NAME: Final = "my_gang"  # the name of a new bot until the author renames it
_HOUSE: Final = ("random_gang", "cautious_gang", "bold_gang", "sensible_gang")  # house bots, the weakest first


@dataclass(frozen=True, slots=True)
class Starter:
    """A bot to start from."""

    name: str  # in URLs
    title: str  # the text of its link
    source: str


@cache
def starters(game: str) -> tuple[Starter, ...]:
    """Return the bots to start from in a game, simplest first."""
    first = [Starter("first_bot", "First bot", starter_source(FIRST_NAME, game))] if game in starter_games() else []
    house = house_bots()[game]
    return (*first, *(Starter(name, name, house[name].read_text(encoding="utf-8")) for name in _HOUSE if name in house))


# Completions, and the reference next to the code, which is the text of the bot API page.

_BOT, _BASE, _VIEW = "Bot", "BaseBot", "View"
_CLASS: Final = re.compile(r"(\w+)(?: \| None)?")
_SEQUENCE: Final = re.compile(r"tuple\[(\w+)(?: \| None)?, \.\.\.\]")
# Numbers of rulings, removed because the editor does not show the rulings.
_RULING: Final = re.compile(r" \((?:[GD]\d+(?:, | and )?)+\)|[:,;] (?:[GD]\d+(?:, | and )?)+(?=\))")
# The methods of a bot's `random.Random` for which there are completions.
_RNG: Final = ("choice", "choices", "randint", "randrange", "random", "sample", "shuffle", "uniform")


@dataclass(frozen=True, slots=True)
class Completion:
    """A name that the editor can complete, with its description."""

    label: str
    type: str
    detail: str
    info: str
    class_name: str  # the class of the value; empty if the reference does not describe it
    item_class: str = ""  # the class of the value's items


@dataclass(frozen=True, slots=True)
class Completions:
    """The completions of a game's editor."""

    names: dict[str, str]  # the class of each name in a bot's methods
    classes: dict[str, list[Completion]]  # the members of each class
    methods: list[Completion]  # the methods that a bot may define


@cache
def html_of(text: str) -> Markup:
    """Return text from the reference as HTML."""
    return Markup(MarkdownIt("commonmark", {"html": False}).render(_RULING.sub("", text)))  # noqa: S704  # docstrings


@cache
def completions(game: str) -> Completions:
    """Return the completions of a game's editor."""
    own, common = ({described.name: described for described in api_of(name)} for name in (game, None))
    described = {**common, **own}
    members = {name: [*_completions_of(api_class, described)] for name, api_class in described.items()}
    members[Random.__name__] = [_random_completion(name) for name in _RNG]
    if _VIEW in own:
        labels = {member.label for member in members[_VIEW]}
        members[_VIEW] += [item for item in _completions_of(common[_VIEW], described) if item.label not in labels]
    package = package_of(game)
    members[package] = [Completion(item.name, "class", "", _plain(item.markdown), item.name) for item in own.values()]
    names = {"view": _VIEW, "self": _BASE, package: package} | {name: name for name in own if name != package}
    hooks = [member for member in common[_BASE].members if member.name.startswith("on_")]
    methods = [_method_completion(method) for method in (*(own[_BOT].members if _BOT in own else ()), *hooks)]
    return Completions(names=names, classes=members, methods=methods)


def _completions_of(described_class: ApiClass, described: dict[str, Any]) -> Iterator[Completion]:
    for label, value in described_class.values:
        yield Completion(label, "enum", str(value), "", "")
    for member in (*described_class.attributes, *described_class.members):
        class_name, item = (_described_class(pattern, member.returns, described) for pattern in (_CLASS, _SEQUENCE))
        kind = "method" if member.signature else "property"
        detail = _without_self(member.signature) or class_name
        yield Completion(member.name, kind, detail, _plain(member.markdown), class_name, item)


def _described_class(pattern: re.Pattern[str], annotation: str, described: Mapping[str, Any]) -> str:
    """Return the class that an annotation names; empty if there are no completions for it."""
    match = pattern.fullmatch(annotation)
    if match is None or match[1] == _BOT:
        return ""
    return match[1] if match[1] in described or match[1] == Random.__name__ else ""


def _random_completion(name: str) -> Completion:
    function = getattr(Random, name)
    first, _, _ = (inspect.getdoc(function) or "").partition("\n\n")
    return Completion(name, "method", _without_self(str(inspect.signature(function))), " ".join(first.split()), "")


def _method_completion(method: Member) -> Completion:
    arguments = re.sub(r":\s*[^,)]+", "", method.signature.partition(" -> ")[0])
    return Completion(f"{method.name}{arguments}:", "method", "", _plain(method.markdown), "")


def _without_self(signature: str) -> str:
    return re.sub(r"^\(self(, )?", "(", signature)


def _plain(text: str) -> str:
    return re.sub(r"[`*]", "", _RULING.sub("", text))
