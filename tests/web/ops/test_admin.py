"""An organizer runs a tournament from a shell on the server."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
import typer
from tests.kits import admin_kit, broker_kit, command_kit
from tests.kits.core_kit import ON_POSTGRESQL, Platform
from tests.kits.models import COMMAND_LINE, Role, User, read_log

from gangland_ladder.cli import schemas
from gangland_web.api.routes import _call_at, _request_body, _split_field
from gangland_web.ops.admin import app

DOCS = Path(__file__).parents[3] / "docs"


EXAMPLES = [
    line
    for page in ("tournaments", "exports", "proof")
    for line in re.findall(r"gangland admin calls?\b[^`\n]*", (DOCS / f"{page}.md").read_text().replace("\\\n", ""))
]


@pytest.fixture
def boss(platform: Platform) -> str:
    with platform.database.write() as session:
        user = User(name="Boss", name_key="boss", password_hash="-", role=Role.ADMIN.value, created_at=0.0)
        session.add(user)
    return user.name


def call(platform: Platform, *words: object) -> Any:
    ran = admin_kit.admin(platform, *words, group="call")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def order(platform: Platform, number: int, *fields: str) -> str:
    given = call(platform, "POST", f"/organize/tournaments/{number}/orders", *fields)
    platform.recorder.schedule()
    answer: str = call(platform, "GET", given["url"].removeprefix("/api/v1"))["state"]
    return answer


@pytest.mark.usefixtures("boss")
@ON_POSTGRESQL
def test_a_tournament_goes_from_draft_to_archive_by_the_docs(platform: Platform, tmp_path: Path) -> None:
    bot = platform.version(platform.upload("ann")).bot_id
    platform.play_all()
    with time_machine.travel(datetime(2027, 2, 1, tzinfo=UTC), tick=False):
        made = call(platform, *shlex.split(EXAMPLES[1].replace("=400", "=4"))[3:], "blocks=1", "house_ranked=true")
        number, answer = made["draft"]["id"], made
        for line in EXAMPLES[2:7]:
            words = line.replace("tournaments/7", f"tournaments/{number}").replace("bot=12", f"bot={bot}")
            answer = call(platform, *shlex.split(words)[3:])
            platform.recorder.schedule()
    assert (answer["state"], answer["tables"], answer["freezes_at"]) == ("open", 4, "2027-03-01T18:00:00Z")
    assert [order(platform, number, "kind=move", f"state={state}") for state in ("frozen", "playing")] == ["done"] * 2
    platform.play_all()
    platform.recorder.schedule()
    assert {row["bot"] for row in call(platform, "GET", f"/tournaments/{number}/standings")["rows"]} >= {"newcomer"}
    assert order(platform, number, "kind=move", "state=revealed") == "done"
    file = tmp_path / "cup.tar"
    ran = admin_kit.admin(platform, "export", number, file, "--json")
    assert (ran.code, command_kit.parsed(ran.out)["matches"]) == (0, 4)
    assert command_kit.gangland("verify", file).code == 0
    assert "already exists" in admin_kit.admin(platform, "export", number, file).err
    log = [(line.actor, line.entry.act, line.entry.address) for line in platform.read(read_log, 50)]
    assert ("Boss", "created a draft", COMMAND_LINE) in log
    assert ("ann", "called from a shell", COMMAND_LINE) in log


def test_every_example_of_a_call_in_the_docs_is_one_that_the_api_takes() -> None:
    assert len(EXAMPLES) > 8
    for line in EXAMPLES:
        words = [word for word in shlex.split(line)[3:] if word != "--as"]
        if words and words[0] in ("GET", "POST"):
            fields = [word for word in words[2:] if "=" in word]
            _request_body(_call_at(*words[:2]), [_split_field(field) for field in fields], None)


def test_a_name_that_is_repeated_fills_a_list_and_one_value_of_a_list_is_a_list_of_one() -> None:
    rules = [("name", "Cup"), ("game", "gangster-dice"), ("seats", "2")]
    for path, fields, sent in (
        ("/events/1/entries", [("bots", "12"), ("bots", "13")], {"bots": [12, 13]}),
        ("/challenges", [("bot", "3"), ("opponents", "boss")], {"opponents": ["boss"]}),
        ("/organize/tournaments", [*rules, ("options.a", "x"), ("options.a", "y")], {"options": {"a": ["x", "y"]}}),
        ("/organize/tournaments", [*rules, ("options.a", "x")], {"options": {"a": "x"}}),
    ):
        body = _request_body(_call_at("POST", path), fields, None)["json"]
        assert {name: body[name] for name in sent} == sent


@pytest.mark.usefixtures("boss")
def test_what_cannot_be_done_says_what_was_expected(platform: Platform) -> None:
    refused: dict[str, tuple[object, ...]] = {
        "no call GET /nowhere": ("GET", "/nowhere"),
        "expected a field NAME=VALUE, not 'name'": ("POST", "/organize/tournaments", "name"),
        "Expected 'int' <= 4": (
            "POST", "/organize/tournaments", "name=x", "game=gang-of-dice", "seats=2", "final_seats=5",
        ),
        "x= and x.y= cannot be combined": ("POST", "/organize/tournaments", "x=1", "x.y=2"),
        "x= and x.z= cannot be combined": ("POST", "/organize/tournaments", "x.z=2", "x=1"),
        "'limit' appears more than once": ("GET", "/organize/tournaments", "limit=1", "limit=2"),
        "'name' appears more than once": ("POST", "/organize/tournaments", "name=x", "name=y"),
        "put 'name' into it": ("POST", "/organize/tournaments", "name=x", "--body", "{}"),
        "GET /organize/tournaments takes no --body": ("GET", "/organize/tournaments", "--body", "{}"),
        "There is nothing at this address": ("GET", "/tournaments/99"),
        "no active account 'nobody'": ("GET", "/me", "--as", "nobody"),
        "The body is not valid JSON": ("POST", "/organize/tournaments", "--body", "{"),
        "opens_at: This time is in the past": (
            *(
                "POST", "/organize/tournaments", "name=x", "game=gang-of-dice", "seats=2",
                "opens_at=2020-01-01T00:00:00Z",
            ),
        ),
    }  # fmt: skip
    for expected, words in refused.items():
        ran = admin_kit.admin(platform, *words, group="call")
        assert (ran.code, expected in ran.err, "Traceback" in ran.err) == (2, True, False), (expected, ran.err)
    assert call(platform, "GET", "/organize/tournaments")["tournaments"] == []


@pytest.mark.usefixtures("boss")
def test_a_call_asks_the_broker_of_the_site(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def has_broker() -> bool:
        answer: bool = call(platform, "GET", "/status")["broker"]
        return answer

    with broker_kit.running_broker(tmp_path) as plan:
        assert not has_broker()
        monkeypatch.setenv("REDIS_URL", plan.redis_url)
        assert has_broker()
        monkeypatch.delenv("REDIS_URL")
        monkeypatch.setenv("GANGLAND_DATA", str(tmp_path))
        assert has_broker()
    assert not has_broker()


@pytest.mark.usefixtures("boss")
def test_gangland_admin_is_a_command_of_gangland_and_prints_a_file_as_it_is(platform: Platform) -> None:
    command = [sys.executable, "-m", "gangland_ladder.cli", "admin", "call", "GET", "/openapi.json"]
    environment = {**os.environ, "DATABASE_URL": platform.database.url}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith('{"openapi": "3.1.0",')


def test_a_file_goes_in_a_form_and_nobody_acts_unnamed_but_an_admin(platform: Platform, tmp_path: Path) -> None:
    platform.upload("ann")
    source = tmp_path / "dicer.py"
    source.write_bytes(b"print('hello')\n")
    words = ("POST", "/bots", "game=gang-of-dice", "name=dicer", f"file=@{source}", "--as", "ann")
    assert call(platform, *words)["bot"] == "dicer"
    assert "no administrator yet" in admin_kit.admin(platform, *words[:-2], group="call").err


def test_the_help_of_a_group_has_whole_sentences() -> None:
    groups = [typer.main.get_command(app)]
    groups += [each for each in groups[0].commands.values() if hasattr(each, "commands")]  # type: ignore[attr-defined]
    for group in groups:
        text = " ".join(group.get_help(typer.Context(group)).split())
        for command in group.commands.values():  # type: ignore[attr-defined]
            assert " ".join(command.get_short_help_str(10_000).split()) in text
        assert "..." not in text.partition("Commands:")[2]


def test_every_command_for_organizers_has_help_and_a_schema_for_what_it_prints() -> None:
    def leaves(command: Any, path: str) -> Iterator[tuple[str, Any]]:
        if not hasattr(command, "commands"):
            yield path, command
        for name, each in getattr(command, "commands", {}).items():
            yield from leaves(each, f"{path} {name}")

    found = dict(leaves(typer.main.get_command(app), "gangland admin"))
    titles = [title for name in schemas.names() for title in schemas.schema(name)["title"].split("; ")]
    printed = {title.removesuffix(" --json") for title in titles if title.startswith("gangland admin ")}
    with_json = {path for path, command in found.items() if any("--json" in each.opts for each in command.params)}

    assert all(command.help for command in found.values())
    for command in found.values():
        own, _, advanced = command.get_help(typer.Context(command)).partition("\nAdvanced:\n")
        assert "--help" in advanced
        assert not re.search(r"^  --(data|json)|{", own, re.MULTILINE)
    assert with_json == printed == set(found) - {"gangland admin call", "gangland admin calls"}
