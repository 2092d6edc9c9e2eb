"""Replays as data, read so strictly that each game has exactly one valid replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, Literal

from gangland.chance import SEED_BYTES
from gangland.game import Decision, EndReason, Event, Game
from gangland.games import game_named
from gangland.view import unchangeable
from gangland.words import join_or

SCHEMA = "gangland/replay/1"
FAULT: Final = "fault"
"""Used in place of a decision if the seat failed and its default was played."""

RecordedDecision = Decision | Literal["fault"]
JsonWriter = Callable[[object], bytes]
_HEADER = ("schema", "game", "rules", "seats", "options", "seed")
_FIELDS = (*_HEADER, "decisions", "faults", "rounds", "places", "reason", "digest")
_HEX_DIGITS: Final = frozenset("0123456789abcdef")
_MAX_DEPTH: Final = 3
_to_json: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_REASONS: Final = tuple([reason.value for reason in EndReason])
_SHOWN_CHARACTERS: Final = 80


class ReplayError(ValueError):
    """A replay cannot be read, or does not play out to the recorded result."""


@unchangeable
@dataclass(frozen=True, slots=True)
class Replay:
    """A recorded game.

    Attributes:
        options: those that differ from the game's defaults.
        seed: 64 hexadecimal digits.
        decisions: the answers, in the order in which they were asked for; "fault" where a seat failed.
        faults: one (seat, index into `decisions`) for each failure.  The index is None for a failure before the seat's
            first decision; these come first, sorted by seat, and the others by index.
        digest: SHA-256 of all other fields and all events, which detects every change, even one without effect.
    """

    game: str
    rules: int
    seats: int
    options: dict[str, object]
    seed: str
    decisions: tuple[RecordedDecision, ...]
    faults: tuple[tuple[int, int | None], ...]
    rounds: int
    places: tuple[int, ...]
    reason: str
    digest: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the replay as plain JSON values, in a fixed order."""
        return {name: _to_lists(value) for name, value in self._fields().items()}

    def to_json(self) -> str:
        """Return the replay as one line of JSON."""
        return _to_json(self._fields())

    def _fields(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "game": self.game,
            "rules": self.rules,
            "seats": self.seats,
            "options": self.options,
            "seed": self.seed,
            "decisions": self.decisions,
            "faults": self.faults,
            "rounds": self.rounds,
            "places": self.places,
            "reason": self.reason,
            "digest": self.digest,
        }


def with_digest(replay: Replay, events: Iterable[Event], json_writer: JsonWriter | None = None) -> Replay:
    """Return the replay with its digest: the SHA-256, in hexadecimal, of one JSON list without whitespace.

    The list has the replay's other fields, in their order, and all events of the game; `json_writer`: see `digest_of`.
    """
    return replace(replay, digest=digest_of(replay, events, json_writer))


def digest_of(replay: Replay, events: Iterable[Event], json_writer: JsonWriter | None = None) -> str:
    """Return the digest that `with_digest` adds to a replay; the replay's own digest is ignored.

    Args:
        json_writer: writes JSON without whitespace, faster than the standard library.
    """
    fields = replay._fields()
    del fields["digest"]
    content = [fields, list(events)]
    return sha256(_to_json(content).encode() if json_writer is None else json_writer(content)).hexdigest()


def load(text: str | bytes) -> Replay:
    """Read a replay from JSON and check only its form.  Raises ReplayError: not a replay, or unknown rules."""
    return from_dict(parse_json(text))


def parse_json(text: str | bytes) -> Any:
    """Return the values of a JSON text.  Raises ReplayError: the text is not JSON, or an object repeats a name."""
    try:
        unmarked = text.removeprefix("\ufeff") if isinstance(text, str) else text  # json removes it from bytes
        return json.loads(unmarked, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"not a replay: {error}") from error


def from_dict(data: object) -> Replay:
    """Return a replay from plain JSON values; see `load`."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        schema = data.get("schema") if isinstance(data, dict) else type(data).__name__
        raise ReplayError(f"this version reads replays of the schema {SCHEMA!r}, not {_short_repr(schema)}")
    missing = [name for name in _FIELDS if name not in data]
    unknown = sorted(set(data) - set(_FIELDS))
    if missing or unknown:
        raise ReplayError(
            f"a replay has exactly the fields {list(_FIELDS)}; missing {missing}, unknown {str(unknown)[:200]}"
        )
    game = _game_of(data)
    decisions = _check_form(data)
    return Replay(
        game=game.name,
        rules=data["rules"],
        seats=data["seats"],
        options=_options_of(game, data["options"]),
        seed=data["seed"],
        decisions=decisions,
        faults=tuple((seat, decision) for seat, decision in data["faults"]),
        rounds=data["rounds"],
        places=tuple(data["places"]),
        reason=data["reason"],
        digest=data["digest"],
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name occurs twice in one object")
    return values


def _game_of(data: dict[str, Any]) -> Game[Any]:
    if not isinstance(data["game"], str):
        raise _malformed(data, "game")
    try:
        game = game_named(data["game"])
    except ValueError as error:
        raise ReplayError(str(error)) from error
    if not _is_int(data["rules"]) or data["rules"] != game.rules_version:
        raise ReplayError(
            f"{game.title} replay of rules version {_short_repr(data['rules'])}; "
            f"this version supports only {game.rules_version}"
        )
    if not _is_int(data["seats"]) or data["seats"] not in game.table_sizes:
        sizes = join_or(tuple(map(str, game.table_sizes)))
        raise ReplayError(f"{game.title} is played with {sizes} seats, not {_short_repr(data['seats'])}")
    return game


def _options_of(game: Game[Any], values: dict[str, object]) -> dict[str, object]:
    """Return the options as the game records them.  Raises ReplayError: one is unknown, or has its default value."""
    try:
        options = game.options_dict(game.options(values))
    except ValueError as error:
        raise ReplayError(str(error)) from error
    canonical = _to_lists(options)
    if not canonical and values == {}:
        return options
    if json.dumps(canonical, sort_keys=True) != json.dumps(values, sort_keys=True):
        raise ReplayError(f"a replay records these options as {_short_repr(canonical)}, not as {_short_repr(values)}")
    return options


def _check_form(data: dict[str, Any]) -> tuple[RecordedDecision, ...]:
    """Check the types of all fields (a bool is not a number), and return the decisions as tuples."""
    seats, decisions = data["seats"], _read_decisions(data["decisions"])
    validity = {
        "options": isinstance(data["options"], dict),
        "seed": _is_hex(data["seed"], SEED_BYTES),
        "decisions": decisions is not None,
        "faults": _are_faults(data["faults"], seats),
        "rounds": _is_int(data["rounds"]) and data["rounds"] > 0,
        "places": _are_places(data["places"], seats),
        "reason": data["reason"] in _REASONS,
        "digest": _is_hex(data["digest"], 32),
    }
    for name, is_valid in validity.items():
        if not is_valid:
            raise _malformed(data, name)
    return decisions or ()


def _malformed(data: dict[str, Any], name: str) -> ReplayError:
    return ReplayError(f"the field {name!r} of the replay is malformed: {_short_repr(data[name])}")


def _is_int(value: object) -> bool:
    return type(value) is int


def _is_hex(value: object, size: int) -> bool:
    return isinstance(value, str) and len(value) == 2 * size and _HEX_DIGITS.issuperset(value)


def _read_decisions(values: object) -> tuple[RecordedDecision, ...] | None:
    if not isinstance(values, list):
        return None
    try:
        return tuple([FAULT if value == FAULT else _to_tuples(value, _MAX_DEPTH) for value in values])
    except TypeError:
        return None


def _to_tuples(value: Any, depth: int) -> Decision:
    if type(value) is list and depth:
        return tuple([item if type(item) is int else _to_tuples(item, depth - 1) for item in value])
    if value is None or type(value) is int:
        return value
    raise TypeError(f"{type(value).__name__} in a decision")


def _are_places(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(_is_int(p) and 1 <= p <= seats for p in value)


def _are_faults(value: object, seats: int) -> bool:
    """Return whether these are faults of different seats, in the order that `Replay` describes."""
    if not isinstance(value, list) or not all(_is_fault(item, seats) for item in value):
        return False
    order = [(decision is not None, seat if decision is None else decision) for seat, decision in value]
    return order == sorted(set(order)) and len({seat for seat, _ in value}) == len(value)


def _is_fault(value: object, seats: int) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    seat, decision = value
    return _is_int(seat) and 0 <= seat < seats and (decision is None or (_is_int(decision) and decision >= 0))


def _short_repr(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:
        text = f"this {type(value).__name__}"
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 3]}..."


def _to_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _to_lists(item) for name, item in value.items()}
    return [_to_lists(item) for item in value] if isinstance(value, (tuple, list)) else value
