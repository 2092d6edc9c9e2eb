"""No part of a golden replay can be changed unseen."""

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
from tests.golden.store import replays_file

from gangland.game import EndReason
from gangland.games import GAME_NAMES, game_named
from gangland.gangster_dice.characters import BY_KEY
from gangland.replay import FAULT, Replay, ReplayError, expand, from_dict, load, verify

HEX = "0123456789abcdef"
SEED_CHANGES = 3
DECISIONS_CHANGED = 1
BYTES_CHANGED = 8
MAX_CHANGES = 3  # the most values that are tried for one field of one replay

EACH = [
    pytest.param(line, id=f"{game} {number}")
    for game in GAME_NAMES
    for number, line in enumerate(replays_file(game).read_text(encoding="utf-8").splitlines(), 1)
]
VALUES: dict[str, dict[str, list[Any]]] = {
    "gangster-dice": {
        "investigator_colour": ["any", "held"],
        "spent_favor": ["stack", "out", "discards"],
        "win_check": ["die_first", "win_first"],
        "round_limit": [1, 2, 99, 100, 101, 10_000],
        "characters": ["none", "dealt", "chosen"],
    },
    "gang-of-dice": {"deck": ["w24", "box18"], "first_player": ["next", "winner"]},
}


def survives(changed: dict[str, Any]) -> bool:
    try:
        verify(from_dict(changed))
    except ReplayError:
        return False
    return True


def survivors(whole: dict[str, Any], field: str, values: Iterable[Any], rng: Random) -> list[Any]:
    """Return other values that are accepted in place of the field's value."""
    others = [value for value in values if value != whole[field]]
    some = others if field == "decisions" else rng.sample(others, min(MAX_CHANGES, len(others)))
    return [value for value in some if survives(whole | {field: value})]


def exchanged(values: list[Any], index: int, value: Any) -> list[Any]:
    return [*values[:index], value, *values[index + 1 :]]


def digits(text: str, rng: Random, count: int) -> Iterator[str]:
    for index in rng.sample(range(len(text)), count):
        yield text[:index] + rng.choice(HEX) + text[index + 1 :]


def places(own: list[int]) -> Iterator[list[int]]:
    for index in range(len(own)):
        for place in range(1, len(own) + 1):
            yield exchanged(own, index, place)
    yield own[::-1]
    yield [1] * len(own)


def options(game: str, own: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, values in VALUES[game].items():
        yield {key: value for key, value in own.items() if key != name}
        for value in values:
            yield own | {name: value}
    if "cast" in own:
        yield own | {"cast": own["cast"][::-1]}
        for index in range(len(own["cast"])):
            for key in BY_KEY:
                yield own | {"cast": exchanged(own["cast"], index, key)}


def faults(own: list[list[Any]], seats: int, decisions: list[Any]) -> Iterator[list[list[Any]]]:
    moments = [None, 0, max(0, len(decisions) - 1), len(decisions)]
    pairs = [[seat, moment] for seat in range(seats) for moment in moments]
    yield own[::-1]
    for index in range(len(own)):
        yield own[:index] + own[index + 1 :]
        for pair in pairs:
            yield exchanged(own, index, pair)
    for pair in pairs:
        yield [*own, pair]
        yield [pair, *own]


def decisions(replay: Replay, own: list[Any], rng: Random) -> Iterator[list[Any]]:
    requested = {
        answer.number: (step.before, answer.seat)
        for step in expand(replay)
        for answer in step.answers
        if answer.number is not None
    }
    for number in rng.sample(range(len(own)), min(DECISIONS_CHANGED, len(own))):
        state, seat = requested[number]
        game, there = game_named(replay.game), own[number]
        choices = game.choices(state, seat)
        for value in (rng.choice(choices), choices[0], choices[-1], game.default(state, seat)):
            yield exchanged(own, number, json.loads(json.dumps(value)))
        turned = there[::-1] if isinstance(there, list) else [there, there]
        for other in (FAULT, None, 0, -1, [], [there], turned):
            yield exchanged(own, number, other)
        yield own[:number] + own[number + 1 :]
        yield [*own[:number], there, *own[number:]]
        if number:
            yield [*own[: number - 1], there, own[number - 1], *own[number + 1 :]]


def other_byte(byte: int, rng: Random) -> int:
    """Return another byte, of the same kind if it is a digit or a letter, so that the file stays readable."""
    kinds = (b"0123456789", b"abcdefghijklmnopqrstuvwxyz_", b'[]{},:"', bytes(range(256)))
    kind = next(kind for kind in kinds if byte in kind)
    return rng.choice([other for other in kind if other != byte])


@pytest.mark.parametrize("line", EACH)
def test_a_changed_value_in_any_field_is_found(line: str) -> None:
    whole, rng = json.loads(line), Random(line)
    changes: dict[str, Iterable[Any]] = {
        "seed": digits(whole["seed"], rng, SEED_CHANGES),
        "digest": [*digits(whole["digest"], rng, 1), whole["digest"].upper()], "places": places(whole["places"]),
        "reason": [str(reason) for reason in EndReason], "rounds": [whole["rounds"] + 1, whole["rounds"] - 1],
        "seats": [2, 3, 4], "game": GAME_NAMES, "rules": [0, 2], "options": options(whole["game"], whole["options"]),
        "faults": faults(whole["faults"], whole["seats"], whole["decisions"]),
        "decisions": decisions(load(line), whole["decisions"], rng),
    }  # fmt: skip
    found = {field: survivors(whole, field, values, rng) for field, values in changes.items()}
    assert {field: values for field, values in found.items() if values} == {}


@pytest.mark.parametrize("line", EACH)
def test_a_changed_byte_is_found_unless_it_reads_as_the_very_same_replay(line: str) -> None:
    rng, replay = Random(line), load(line)
    unseen = []
    for index in rng.sample(range(len(line)), BYTES_CHANGED):
        text = line.encode()
        changed = text[:index] + bytes([other_byte(text[index], rng)]) + text[index + 1 :]
        try:
            read = load(changed)
            verify(read)
        except ReplayError:
            continue
        if read != replay:
            unseen.append(changed)
    assert unseen == []


@pytest.mark.parametrize("line", EACH[::9])
def test_white_space_and_the_order_of_names_mean_nothing(line: str) -> None:
    whole = json.loads(line)
    turned = dict(reversed(whole.items())) | {"options": dict(reversed(whole["options"].items()))}
    assert load(json.dumps(turned, indent=3)) == load(line)
    assert load(json.dumps(turned, indent=3)).to_json() == line
