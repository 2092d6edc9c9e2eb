"""Runbooks: one for each alert, whose commands exist; and alerts that ask for metrics which exist."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from ruamel.yaml import YAML
from tests.kits.alerts_kit import rules

from gangland_ladder.cli.app import app as gangland_app
from gangland_web.app import create_app
from gangland_web.metrics import CATALOG
from gangland_web.models.database import Database
from gangland_web.ops.admin import app as admin_app
from gangland_web.settings import Settings

UsageError: Any = typer.BadParameter.__base__
ROOT = Path(__file__).parents[1]
RUNBOOKS = (ROOT / "docs" / "runbooks.md").read_text(encoding="utf-8")
SECTIONS = dict(zip(*[iter(re.split(r"^## (\w+)\n", RUNBOOKS, flags=re.MULTILINE)[1:])] * 2, strict=True))
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = sorted({line for block in BLOCK.findall(RUNBOOKS) for line in block.splitlines()})
COMPOSE = YAML(typ="safe").load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
DOCKER = {
    "compose exec": {"-T"}, "compose images": set(), "compose logs": {"--since"}, "compose ps": {"--all"},
    "compose restart": set(), "compose run": {"--rm"}, "compose stop": set(),
    "compose up": {"--detach", "--scale", "--force-recreate"}, "image prune": {"--force"}, "stats": {"--no-stream"},
    "system df": set(), "volume ls": set(),
}  # fmt: skip
"""Of the docker command what is used, with the options that are; each with docker's own manual beside it."""
TAKES_VALUE = {"--since", "--scale", "--user"}
ELSEWHERE = {
    "df": {"--human-readable"}, "dmesg": {"--ctime"},
    "redis-cli": {"--user", "--askpass", "info", "memory", "llen", "records", "matches", "gangland", "flushall"},
}  # fmt: skip
"""Programs of the system and of other images, with all that is said to them."""


@pytest.mark.parametrize("alert", rules())
def test_every_alert_has_a_runbook_and_asks_for_metrics_and_labels_that_there_are(alert: str) -> None:
    annotations = rules()[alert]["annotations"]
    assert annotations["runbook"] == f"docs/runbooks.md#{alert.lower()}"
    assert re.fullmatch(r"[A-Z].*\.", annotations["summary"])
    section = SECTIONS[alert]
    assert BLOCK.search(section), "it says no command"
    assert re.search(r"^Over |\. Over |\bOver ", section), "it does not say when it is over"
    assert rules()[alert]["labels"]["severity"] in ("page", "ticket", "info")
    asks_for_what_there_is(rules()[alert]["expr"])


def test_the_dashboard_asks_for_metrics_and_labels_that_there_are() -> None:
    assert set(SECTIONS) == set(rules()), "there is no runbook without an alert"
    board = json.loads((ROOT / "deploy" / "prometheus" / "grafana.json").read_text(encoding="utf-8"))
    targets = [target for panel in board["panels"] for target in panel["targets"]]
    assert len(targets) > len(board["panels"]) > 10
    for target in targets:
        asks_for_what_there_is(target["expr"])
        labels = {label for metric in CATALOG.values() for label in metric.labels}
        assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= labels
    with pytest.raises(KeyError):
        asks_for_what_there_is("max(gangland_of_nothing)")


def asks_for_what_there_is(expression: str) -> None:
    """Check that an expression of Prometheus names metrics of the catalog and possible label values."""
    asked = re.findall(r"\b(gangland_\w+|up)\b(?:\{([^}]*)\})?", expression)
    assert asked
    for name, selected in asked:
        if name == "up":
            continue
        metric = CATALOG[re.sub(r"_(bucket|sum|count)$", "", name) if name not in CATALOG else name]
        for label, words in re.findall(r'(\w+)[=!~]+"([^"]*)"', selected):
            known = metric.labels[label]
            assert known is None or set(words.split("|")) <= set(known), f"{name}: {label} never is {words}"
    labels = {label for metric in CATALOG.values() for label in metric.labels} | {"le", "instance"}
    grouped = {label for by in re.findall(r"\bby \(([\w, ]+)\)", expression) for label in by.split(", ")}
    assert grouped <= labels


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_a_runbook_exists(command: str) -> None:
    exists(shlex.split(re.split(" [<>] ", command.removeprefix("(umask 077; "))[0]))


WRONG = """
gangland admin vacuum
gangland doctor --fast
gangland admin backup
docker compose restart postman
docker compose logs --tall web
docker compose exec matches halt
docker compose destroy web
curl --silent http://127.0.0.1:8000/nowhere
rm docker/secrets/nothing
docker/repair
"""


@pytest.mark.parametrize("command", WRONG.strip().splitlines())
def test_a_command_that_does_not_exist_is_found_out(command: str) -> None:
    with pytest.raises((AssertionError, StopIteration, UsageError)):
        exists(shlex.split(command))


def exists(words: list[str]) -> None:
    program, *given = words
    if program == "gangland":
        parsed(given)
    elif program == "docker":
        docker(given)
    elif program == "curl":
        assert {word for word in given if word.startswith("-")} <= {"--silent", "--show-error"}
        asked(given[-1])
    elif program == "rm":
        output = (ROOT / "docker" / "prepare").read_text(encoding="utf-8")
        assert all(Path(path).parent == Path("docker/secrets") and Path(path).name in output for path in given)
    elif program in ELSEWHERE:
        assert set(given) <= ELSEWHERE[program]
    else:
        assert (ROOT / program).is_file(), f"no program {program!r} of ours"
        assert "/" in program
        assert given == []


def docker(given: list[str]) -> None:
    known = next(name for name in DOCKER if given[: len(name.split())] == name.split())
    rest = given[len(known.split()) :]
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        assert option in DOCKER[known], f"docker {known} {option}"
        if option in TAKES_VALUE:
            assert rest.pop(0).split("=")[0] in {*COMPOSE["services"], *(f"{minutes}m" for minutes in (15, 30, 60, 90))}
    if known == "compose exec":
        assert rest.pop(0) in COMPOSE["services"]
        exists(rest)
    elif known.startswith("compose"):
        assert set(rest) <= set(COMPOSE["services"]), rest
    else:
        assert rest == []


def parsed(given: list[str]) -> None:
    command: Any = typer.main.get_command(gangland_app)
    if given[0] == "admin":
        command, given = typer.main.get_command(admin_app), given[1:]
    while hasattr(command, "get_command"):
        context = command.make_context("gangland", given[:1], resilient_parsing=True)
        found = command.get_command(context, given[0])
        assert found is not None, f"no such command: {given[0]}"
        command, given = found, given[1:]
    command.make_context("gangland", given).close()


def asked(address: str) -> None:
    path = address.removeprefix("http://127.0.0.1:8000")
    settings = Settings(Path("/nowhere"), None, None, None, "for tests only")
    app = create_app(settings, database=Database("sqlite:////nowhere/at/all.sqlite3"))
    assert path in {rule.rule for rule in app.url_map.iter_rules()}
