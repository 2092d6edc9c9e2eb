"""The door of replay files: `gangland verify` and `replay`, and the page where anybody may open one."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.fuzz.case import Case, Wrong, need_empty, need_plain, refused
from tests.fuzz.mutations import Token, bytes_mutated, encoded, json_mutated
from tests.golden.store import replays_file
from tests.kits.command_kit import gangland

from gangland.games import GAME_NAMES
from gangland.replay import Replay, ReplayError, digest_of, expand, load, verify
from gangland_ladder.cli.replay_files import entries, entries_of, is_archive
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.viewer.page import outcome_markup, story_markup, viewer_markup
from gangland_web.queries.opened_replays import MAX_BYTES, InvalidReplay, open_replay

EVERY: Final = 25  # one file in this number goes through the commands too
MOST: Final = 200
EXITS: Final = frozenset({0, 1, 2})
_COMMANDS: Final = (
    ("verify",), ("verify", "--json"), ("replay", "--story"), ("replay", "--json"), ("replay", "--at", "r1"),
)  # fmt: skip
_SHORT_LINES: Final = 2000


class Replays:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, rng: Random) -> Case:
        way, data = rng.choice(_WAYS)(rng)
        return Case(data, "game.json", way)

    def run(self, case: Case, number: int) -> str:
        """Read a case as the commands and the page do; a verified replay must be its own re-play to the last bit."""
        came = [_read(entry) for entry in entries_of(case.data, MOST)]
        file = self.folder / case.filename
        file.write_bytes(case.data)
        try:
            self._read_again(file, len(came))
            if number % EVERY == 0:
                _commanded(file, number // EVERY, came)
        finally:
            file.unlink()
        need_empty(self.folder)
        shown = _opened(case.data, came)
        return shown if shown == "taken" or not came else max(came)

    def _read_again(self, file: Path, count: int) -> None:
        if is_archive(file):
            return
        try:
            found = sum(1 for _ in entries(file))
        except InvalidArgument as error:
            need_plain(str(error), "why there is no replay")
            found = 0
        if min(found, MOST) != count:
            raise Wrong(f"{found} replays on the disk, {count} in memory")


def _read(entry: Any) -> str:
    try:
        given = entry.replay
        outcome = verify(given)
        entry.notes  # noqa: B018 (as the page does)
    except ReplayError as error:
        return refused(error)
    if list(outcome.places) != list(given.places) or load(given.to_json()) != given:
        raise Wrong("a replay verifies, and does not stand for itself")
    if any(not isinstance(name, str) for name in entry.names or ()):
        raise Wrong(f"names that are no texts: {entry.names!r}")
    return "verified"


def _opened(data: bytes, came: Sequence[str]) -> str:
    number = next((at for at, each in enumerate(came, 1) if each == "verified"), 1)
    try:
        found = open_replay(data, number)
        page = (
            viewer_markup(found.timeline, sprite="x.svg")
            + outcome_markup(found.timeline)
            + story_markup(found.timeline)
        )
    except InvalidReplay as error:
        need_plain(str(error).replace("\t", " "), "why it is not opened")
        return refused(error)
    str(page).encode()
    if came[number - 1 :][:1] != ["verified"] or len(data) > MAX_BYTES:
        raise Wrong("the page opened what does not verify")
    return "taken"


def _commanded(file: Path, turn: int, came: Sequence[str]) -> None:
    command, *options = _COMMANDS[turn % len(_COMMANDS)]
    out = file.with_name("out.html")
    ran = gangland(command, file, *options, *(["--html", out] if turn % 10 == 7 and command == "replay" else []))
    out.unlink(missing_ok=True)
    need_plain(ran.out, f"stdout of {command}")
    need_plain(ran.err, f"stderr of {command}")
    ran.out.encode()
    if ran.code not in EXITS or (ran.code and not ran.err and not ran.out):
        raise Wrong(f"{command} ended with {ran.code}, saying {ran.err[:200]!r}")
    good = bool(came) and set(came) == {"verified"}
    if command == "verify" and (ran.code == 0) > good and not file.read_bytes()[257:262] == b"ustar":
        raise Wrong(f"verify ended with {ran.code} where reading gives {came[:5]!r}")


@cache
def _golden() -> tuple[str, ...]:
    lines = [line for game in GAME_NAMES for line in replays_file(game).read_text().splitlines()]
    return tuple(line for line in lines if len(line) < _SHORT_LINES)


@cache
def _document(line: str) -> dict[str, Any]:
    found = load(line)
    seats = [
        {
            "bot": f"bot {seat}",
            "code": f"{seat:064x}",
            "place": place,
            "fault": {"kind": "crashed", "code": "E201", "message": "it broke", "round": 1, "decision": None},
            "log": "here",
            "logged": [{"decision": 0, "text": "here"}, {"decision": 1, "text": "and here"}],
        }
        for seat, place in enumerate(found.places)
    ]
    return {
        "schema": "gangland/game/1", "game": found.game, "seed": 7, "options": found.options, "seats": seats,
        "rounds": found.rounds, "decisions": len(found.decisions), "views": views_digest(found),
        "rng_seeds": ["0" * 64 for _ in found.places], "replay": found.to_dict(),
    }  # fmt: skip


def _bytes(rng: Random) -> tuple[str, bytes]:
    data = _file(rng, [rng.choice(_golden()) for _ in range(rng.choice([1, 1, 2]))]).encode()
    for _ in range(rng.choice([1, 1, 2, 4])):
        data = bytes_mutated(rng, data)
    return "bytes", data


def _file(rng: Random, lines: list[str]) -> str:
    if rng.random() < 0.4:
        lines = [json.dumps(_document(line)) for line in lines]
    if len(lines) == 1 and rng.random() < 0.3:
        return json.dumps(json.loads(lines[0]), indent=1)
    return "\n".join(lines) + rng.choice(["", "\n", "\r\n", "\n\n"])


def _fields(rng: Random) -> tuple[str, bytes]:
    return "fields", encoded(_spoiled(rng, json.loads(rng.choice(_golden()))))


def _game_fields(rng: Random) -> tuple[str, bytes]:
    return "a game's fields", encoded(_spoiled(rng, _document(rng.choice(_golden()))))


def _spoiled(rng: Random, value: Any) -> Any:
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        try:
            value = json_mutated(rng, value)
        except (TypeError, KeyError):  # what was put in before can be looked into no further
            break
    return value


def _many(rng: Random) -> tuple[str, bytes]:
    lines = [
        encoded(_spoiled(rng, json.loads(rng.choice(_golden())))).replace(b"\n", b" ")
        for _ in range(rng.randrange(1, 5))
    ]
    lines += [rng.choice([b"", b"[]", b"\xff", b"{", b'{"schema":1}', rng.choice(_golden()).encode()])]
    if rng.random() < 0.02:
        lines.append(b'{"schema":"' + b"x" * (5 << 20))
    rng.shuffle(lines)
    return "many", b"\n".join(lines)


def _large(rng: Random) -> tuple[str, bytes]:
    value = _document(rng.choice(_golden())) if rng.random() < 0.5 else json.loads(rng.choice(_golden()))
    inside = value.get("replay", value)
    size = rng.choice([100_000, 800_000, 1_300_000])
    way = rng.choice(["decisions", "options", "faults", "places", "names", "deep", "logged"])
    if way == "names":
        value.update({f"{number:06}": 0 for number in range(size // 4)})
    elif way == "deep":
        inside["decisions"] = Token("[" * size + "]" * size)
    elif way == "logged" and "seats" in value and inside is not value:
        value["seats"][0] = {**value["seats"][0], "logged": [{"decision": n, "text": ""} for n in range(size // 20)]}
    elif way == "decisions":
        inside["decisions"] = inside["decisions"] * (size // 100)
    else:
        inside[way if way in inside else "digest"] = [[]] * size
    return f"large: {way}", encoded(value)


def _seldom_large(rng: Random) -> tuple[str, bytes]:
    return _large(rng) if rng.random() < _RARE else _game_fields(rng)


def _lies(rng: Random) -> tuple[str, bytes]:
    """Change the game and seal it again, so that only the play can be wrong."""
    found = load(rng.choice(_golden()))
    changed: dict[str, Callable[[], Any]] = {
        "seed": lambda: f"{rng.getrandbits(256):064x}", "decisions": lambda: _decisions(rng, found.decisions),
        "places": lambda: tuple(rng.sample(found.places, len(found.places))),
        "rounds": lambda: found.rounds + rng.choice([-1, 1, 2**63]),
        "faults": lambda: (*found.faults, (rng.randrange(found.seats), rng.choice([None, 0, 3, 10**6]))),
        "reason": lambda: rng.choice(["completed", "forfeit", "last_standing", "tie"]),
        "seats": lambda: rng.choice([2, 3, 4]), "options": dict,
    }  # fmt: skip
    name = rng.choice(sorted(changed))
    return f"a lie about {name}", _sealed(replace(found, **{name: changed[name]()}), rng).to_json().encode()


def _decisions(rng: Random, decisions: tuple[Any, ...]) -> tuple[Any, ...]:
    at = rng.randrange(len(decisions) + 1)
    other = rng.choice([*decisions[:at][-1:], "fault", None, (), 1, 2**70, (1,), ((1,),), (1, 1, 1, 1, 1, 1)])
    return rng.choice([(*decisions[:at], other, *decisions[at + 1 :]), decisions[:at], (*decisions, other)])


def _sealed(lie: Replay, rng: Random) -> Replay:
    """Give a replay the result and digest of its play, as far as it can be played."""
    try:
        steps = list(expand(lie))
    except (ReplayError, TypeError, ValueError, IndexError):  # a lie about seats leaves faults of seats without a chair
        return lie
    events = [event for step in steps for event in step.events]
    if rng.random() < 0.5:
        lie = replace(lie, rounds=steps[-1].round)
    return replace(lie, digest=digest_of(lie, events))


_RARE: Final = 0.02
_WAYS: Final[tuple[Callable[[Random], tuple[str, bytes]], ...]] = (
    _bytes, _bytes, _fields, _fields, _fields, _game_fields, _seldom_large, _many, _lies, _lies,
)  # fmt: skip
