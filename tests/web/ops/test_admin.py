"""An organiser runs a tournament from a shell on the server."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import time_machine
import typer
from tests.kits.admin_kit import admin
from tests.kits.command_kit import gangland, parsed
from tests.kits.core_kit import ON_POSTGRESQL, Platform

from gangland_ladder.cli import schemas
from gangland_web.base.formats import now_s
from gangland_web.models.organising import read_log
from gangland_web.ops.admin import app


def told(platform: Platform, *words: object) -> dict[str, Any]:
    ran = admin(platform, *words, "--json")
    assert ran.code == 0, ran.err
    return parsed(ran.out)


@ON_POSTGRESQL
def test_a_tournament_from_draft_to_an_archive_that_verifies(platform: Platform, tmp_path: Path) -> None:
    made = told(platform, "create", "Spring Cup", "--game", "gang-of-dice", "--blocks", 2, "--join-code", "velvet")
    number = made["id"]
    assert (made["state"], made["commitment"], made["entry_rule"]) == ("draft", None, "code")
    assert len(told(platform, "move", number, "announced")["commitment"]) == 64
    platform.upload("ann")
    platform.play_all()
    told(platform, "move", number, "open")
    refused = admin(platform, "enter", number, "newcomer")
    assert refused.code == 2
    assert "enter the join code of Spring Cup" in refused.err
    assert told(platform, "enter", number, "newcomer", "--join-code", "velvet")["entrants"] == 1
    expected = told(platform, "show", number)["cost"]
    assert (expected["matches"], expected["games"]) == (10, 40)
    assert told(platform, "move", number, "frozen")["matches"] == {"scheduled": 10}
    assert told(platform, "show", number)["cost"] == expected
    assert "40 games: about 1 second of CPU" in admin(platform, "show", number).out
    told(platform, "move", number, "playing")
    platform.play_all()
    platform.recorder.schedule()
    table = told(platform, "standings", number)
    assert min(row["rank"] for row in table["rows"]) == 1
    assert "newcomer" in table["names"].values()
    assert told(platform, "move", number, "revealed")["state"] == "revealed"
    file = tmp_path / "cup.tar"
    assert told(platform, "export", number, file)["matches"] == 10
    verified = gangland("verify", file)
    assert verified.code == 0, verified.out + verified.err
    again = admin(platform, "export", number, file)
    assert again.code == 2
    assert "nothing is overwritten" in again.err


@ON_POSTGRESQL
def test_a_public_value_is_announced_and_entered_from_the_shell_once_it_is_published(platform: Platform) -> None:
    at = int(now_s()) + 300
    when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    words = ("create", "Cup", "--game", "gang-of-dice", "--blocks", 2, "--value-source", "tonight's draw")
    half = admin(platform, *words)
    assert (half.code, "go together" in half.err) == (2, True)
    requested = (*words, "--value-address", "https://example.org", "--value-at", when, "--value-form")
    odd = admin(platform, *requested, "words 6")
    assert (odd.code, "the form of a value is" in odd.err) == (2, True)
    number = told(platform, *requested, "numbers 5")["id"]
    for state in ("announced", "open", "frozen"):
        assert told(platform, "move", number, state)["matches"] == {}
    early = admin(platform, "public-value", number, "5 4 3 2 1")
    assert (early.code, "cannot be entered before that" in early.err) == (2, True)
    with time_machine.travel(at, tick=False):
        entered = told(platform, "public-value", number, "5 4 3 2 1")["randomness"]
    assert (entered["value"], entered["entered_at"]) == ("1 2 3 4 5", when)
    with platform.database.read() as session:
        line = next(each.entry for each in read_log(session, 5, tournament_id=number))
    assert (line.act, line.details["value"]) == ("entered the public value", "1 2 3 4 5")
    assert told(platform, "move", number, "playing")["matches"] == {"scheduled": 6}
    assert "public value: 1 2 3 4 5 (tonight's draw, numbers 5" in admin(platform, "show", number).out


@ON_POSTGRESQL
def test_first_places_are_settled_from_a_shell_by_terms_from_before_the_freeze(platform: Platform) -> None:
    number = told(platform, "create", "Spring Cup", "--game", "gang-of-dice", "--blocks", 2, "--rank-house-bots")["id"]
    terms = {"first": 2, "percent": 10, "blocks": 4, "rounds": None}
    assert told(platform, "settle", number, "--first", 2, "--error", 10, "--blocks", 4)["settle"] == terms
    for state in ("announced", "open", "frozen", "playing"):
        told(platform, "move", number, state)
    early = admin(platform, "settle", number)
    assert (early.code, "when all is played" in early.err) == (2, True)
    platform.play_all()
    platform.recorder.schedule()
    assert told(platform, "settle", number)["state"] == "playing"
    for _ in range(4):
        platform.recorder.schedule()
        platform.play_all()
    shown = told(platform, "show", number)
    assert (shown["state"], shown["settle"]["rounds"] in (1, 2)) == ("finished", True)
    made = told(platform, "create", "Autumn Cup", "--game", "gang-of-dice", "--settle-first", 3, "--browser-only")
    assert (made["settle"]["blocks"], made["browser_only"]) == (120, True)


def test_a_final_table_is_announced_from_a_shell_and_its_effect_is_told(platform: Platform) -> None:
    made = ("create", "Spring Cup", "--game", "gang-of-dice", "--final-seats", 3, "--final-blocks", 4, "--premiere")
    final = told(platform, *made)["final_table"]
    assert (final["seats"], final["blocks"], final["has_premiere"], final["premiered"]) == (3, 4, True, 0)
    assert final["effect"].startswith("The final table decides which of its bots has which of the places")
    assert "final table: the first 3, 4 blocks; premiere: 0 steps shown" in admin(platform, *made).out
    two = admin(platform, *made, "--reveals-at", "2099-03-01")
    assert (two.code, "neither has a time of its own" in two.err) == (2, True)


def test_gangland_admin_is_a_command_of_gangland(platform: Platform) -> None:
    command = [sys.executable, "-m", "gangland_ladder.cli", "admin", "tournament", "show", "99"]
    environment = {**os.environ, "DATABASE_URL": platform.database.url}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "there is no tournament 99" in ran.stderr


@ON_POSTGRESQL
def test_what_cannot_be_done_says_what_was_expected(platform: Platform) -> None:
    number = told(platform, "create", "Cup", "--game", "gang-of-dice")["id"]
    made = ("create", "x", "--game", "gang-of-dice")
    refused: dict[str, tuple[object, ...]] = {
        "there is no tournament 99": ("show", 99),
        "gang-of-dice": ("create", "x", "--game", "chess"),
        "--opens-at is a time such as": (*made, "--opens-at", "noon"),
        "deck": (*made, "--option", "deck=no"),
        "comes before": (*made, "--opens-at", "2027-01-02", "--freezes-at", "2027-01-01"),
        "from here it can become announced or cancelled": ("move", number, "playing"),
    }
    for expected, words in refused.items():
        ran = admin(platform, *words)
        assert (ran.code, expected in ran.err, "Traceback" in ran.err) == (2, True, False), ran.err
    assert [one["state"] for one in told(platform, "list")["tournaments"]] == ["draft"]


def test_the_help_of_a_group_has_whole_sentences() -> None:
    groups = [typer.main.get_command(app)]
    groups += [each for each in groups[0].commands.values() if hasattr(each, "commands")]  # type: ignore[attr-defined]
    for group in groups:
        text = " ".join(group.get_help(typer.Context(group)).split())
        for command in group.commands.values():  # type: ignore[attr-defined]
            assert " ".join(command.get_short_help_str(10_000).split()) in text
        assert "..." not in text.partition("Commands:")[2]


def test_every_command_for_organisers_has_help_and_a_schema_for_what_it_prints() -> None:
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
    assert with_json == printed == set(found)
