"""What all commands have in common."""

import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.kits.command_kit import gangland

from gangland_ladder.cli import schemas
from gangland_ladder.cli.app import COMMANDS
from gangland_ladder.documents.games import GAME_MEMBERS

HEAVY = {"numpy", "rich", "pyarrow", "pettingzoo", "gangland_web"}


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a command loads although it should not."""
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    code += f"sys.argv = ['gangland', *{arguments!r}]\nfrom gangland_ladder.cli import main\nmain()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in ran.stderr.splitlines()[-1].split()} & {*HEAVY, "pydantic", "msgspec"}


LIGHT = ("new", "check", "explain", "play", "replay", "verify", "submit", "import_")


def test_commands_load_nothing_heavy_that_others_need_and_those_that_rate_nobody_no_numpy() -> None:
    """Numpy takes a third of such a command's start."""
    assert loaded("--help") == set()
    assert loaded("config") & HEAVY == set()
    code = "".join(f"import gangland_ladder.cli.{name}\n" for name in LIGHT)
    code += "import sys; print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example_and_the_line_that_the_list_shows(name: str) -> None:
    text = COMMANDS[name].build(name).help
    assert " ".join(text.partition("\n\n")[0].split()).startswith(COMMANDS[name].help)
    assert f"Example: gangland {name}" in text


def test_the_list_of_commands_has_four_groups_and_a_line_for_each() -> None:
    lines = [" ".join(line.split()) for line in gangland("--help").out.splitlines()]
    first = lines.index("Start:")
    listed = [f"{name} {command.help}" for name, command in COMMANDS.items()]
    assert [line for line in lines[first:] if line and not line.endswith(":")] == listed
    assert [line for line in lines[first:] if line.endswith(":")] == ["Start:", "Improve:", "Replays:", "Server:"]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_is_short_with_shared_options_last_and_the_exit_codes(name: str) -> None:
    command = COMMANDS[name].build(name)
    assert [each.name for each in command.params if len((each.help or "").split()) > 14] == []
    text = command.get_help(command.make_context(name, [], resilient_parsing=True))
    own = text.partition("\nAdvanced:\n")[0]
    assert [option for option in ("--json", "--quiet", "--trusted", "--salt") if f" {option} " in own] == []
    assert COMMANDS[name].exit_text in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_the_version_is_told_and_for_a_command_that_is_not_there_the_nearest() -> None:
    assert gangland("--version").out.startswith("gangland 0.")
    ran = gangland("laddr", "bots")
    assert (ran.code, ran.out) == (2, "")
    assert "no command 'laddr': did you mean ladder" in ran.err


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


LEFT_OUT = {
    "gangland/game/1": {
        *("log", "logged", "seed", "salt", "rng_seeds", "views", "code", "fault"),
        *("person", "hints", "differing", "python"),
    },
    "gangland/ladder/1": {"matches"},
    "gangland/ladder-stream/1": {"bot", "matches", "final_table", "outside", "rank_before"},
    "gangland/rate/1": {"bot"}, "gangland/replays/1": {"match", "bots", "block", "rotation", "message", *GAME_MEMBERS},
    "gangland/standings/1": {"bot", "final_table", "outside", "rank_before"},
    "gangland/worker/1": {"worker_redis_url"},
}  # fmt: skip
"""By schema, the keys that a document may lack: its schema says when they are there.

Most of a game's are those of a local one, and not of one from a site; those of replays are of an archive.
"""


@pytest.mark.parametrize("name", schemas.names())
def test_a_schema_is_sound_and_allows_no_key_that_it_does_not_name(name: str) -> None:
    found = schemas.schema(name)
    Draft202012Validator.check_schema(found)
    assert found["$id"] == "urn:" + name.replace("/", ":")
    assert list(objects(found))
    left_out = set()
    for part in objects(found):
        assert part["additionalProperties"] is False
        assert set(part["required"]) <= set(part["properties"])
        left_out |= set(part["properties"]) - set(part["required"])
    assert left_out == LEFT_OUT.get(name, set())


def test_every_command_that_prints_json_has_a_schema_and_no_schema_is_left_over() -> None:
    with_json = {name for name in COMMANDS if any("--json" in each.opts for each in COMMANDS[name].build(name).params)}
    printed = {
        each.split()[1]
        for name in schemas.names()
        for each in schemas.schema(name)["title"].split("; ")
        if each.startswith("gangland ")
    }
    assert printed - {"admin"} == with_json


def test_a_schema_is_printed_whole_and_an_unknown_one_names_those_that_there_are() -> None:
    for name in ("gangland/ladder-stream/1", "gangland/config/1"):
        ran = gangland("config", "--schema", name)
        assert (ran.code, json.loads(ran.out)) == (0, schemas.schema(name))
    assert {"Ladder", "StandingsDocument"} <= set(schemas.schema("gangland/ladder-stream/1")["$defs"])
    ran = gangland("config", "--schema", "gangland/ladr/1")
    assert (ran.code, ran.out) == (2, "")
    assert "gangland/ladder/1" in ran.err


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"admin"}))
def test_every_command_prints_json_and_answers_a_wrong_call_with_exit_2_and_words(name: str) -> None:
    assert any("--json" in each.opts for each in COMMANDS[name].build(name).params)
    ran = gangland(name, "--no-such-option")
    assert (ran.code, ran.out) == (2, "")
    assert "no-such-option" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        (("config",), b"", 0), (("explain", "E203"), b"", 0), (("verify", "-"), b"{}", 1),
        (("replay", "-"), b"{}", 1), (("check", "-"), b"", 2), (("rate", "-"), b"no match", 2),
        (("verify", "no_such_file"), b"", 2), (("ladder", "no_such_folder"), b"", 2),
        (("play", "no_such_bot.py", "another.py"), b"", 2), (("check", "no_such_bot.py"), b"", 2),
        (("replay", "no_such_file.json"), b"", 2), (("ladder",), b"", 2), (("ladder", "x", "--seats", "5"), b"", 2),
        (("reproduce", "1", "bot.py", "--archive", "no_such_file"), b"", 2),
    ],
)  # fmt: skip
def test_a_command_exits_with_the_code_that_the_table_says(arguments: tuple[str, ...], stdin: bytes, code: int) -> None:
    ran = gangland(*arguments, stdin=BytesIO(stdin))
    assert ran.code == code
    assert bool(ran.err) == (code != 0)
    assert "Traceback" not in ran.err
