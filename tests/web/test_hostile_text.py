"""Text of people and bots is only text: every column of the database gets hostile text, and every address is read."""

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from sqlalchemy import String, Table, TypeDecorator, text, update
from tests.kits import api_kit, models, pages_kit, routes_kit, served_kit
from werkzeug.routing import Rule
from werkzeug.test import TestResponse
from zstandard import ZstdCompressor

from gangland_sandbox.wire import clean
from gangland_web.base.text import is_invisible, shown

MARK = "Dotterel"
HOSTILE = (
    f"=1+1{MARK}\x1b[2J\x1b]0;x\x07\x9b31m\u202egnp\u2066\u200b\ufeff\u2028\U000e0041\ue000\u3164\r"
    "<img src=x onerror=alert(1)></title></script>\"'&amp;\n\t" + "W" * 60
)
OURS = frozenset(
    "codes.sha256 setup_codes.code_hash users.name_key users.password_hash users.role email_addresses.address_key "
    "email_codes.kind email_codes.address_key email_codes.code_hash stored_answers.key stored_answers.fingerprint "
    "stored_answers.answer mails.kind password_codes.code_hash sign_ins.key_hash teams.name_key tokens.secret_hash "
    "tournaments.kind tournaments.game tournaments.commitment tournaments.state tournaments.entry_rule "
    "tournaments.join_code_hash tournaments.roster_digest ladder_days.commitment imports.sha256 invitations.code_hash "
    "owner_names.name_key bot_drafts.game bots.owner_group bots.game bots.name_key versions.code_sha256 versions.state "
    "entries.owner_group matches.purpose matches.key matches.seed_digest matches.state matches.digest jobs.kind "
    "jobs.state jobs.token jobs.queue version_steps.state organizer_actions.kind organizer_actions.state "
    "games.replay games.views users.look_key teams.look_key bots.look_key records.kind audit_log.act audit_log.subject "
    "audit_log.address".split()
)
"""Columns in which nobody's words stand, but keys, digests and states; the log is written below, not changed."""
AS_IT_IS = re.compile(r"\.tar$|/source|everything\.zip$")  # files served as they were sent
FIELDS = re.compile(r' value="[^"]*"|(?<=>)[^<]*(?=</textarea>)')  # a form returns every character
NOT_ASKED = frozenset({"static", "documentation.page", "viewer.file", "health.healthz", "health.readyz"})


def worded() -> Iterator[tuple[Table, str]]:
    """Yield every column with text; a new one is included until it is listed above."""
    for table in models.Database.metadata.sorted_tables:
        for column in table.columns:
            kind = column.type.impl if isinstance(column.type, TypeDecorator) else column.type
            if isinstance(kind, String) and f"{table.name}.{column.name}" not in OURS:
                yield table, column.name


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[api_kit.World]:
    for built in api_kit.a_world(tmp_path_factory):
        built.set_passwords()
        yield built


@pytest.fixture(scope="module")
def people(world: api_kit.World) -> dict[str, pages_kit.Person]:
    found = {}
    for name in ("Ann", "Boss", "Root"):
        found[name] = world.site.stranger()
        assert found[name].sign_in(name).status_code == 303
        served_kit.new_token(world.site, world.people[name], name="laptop")
    spoil(world)
    return found


def spoil(world: api_kit.World) -> None:
    with world.platform.database.write() as db:
        db.connection().exec_driver_sql("PRAGMA ignore_check_constraints = ON")  # some say how long a name may be
        for table, name in worded():
            db.execute(
                update(table).values({name: HOSTILE + "x"}) if not _unique(table, name) else _numbered(table, name)
            )
        logs = ZstdCompressor().compress(json.dumps([[(None, HOSTILE), (0, HOSTILE), (1, HOSTILE)]] * 4).encode())
        fault = {"seat": 0, "kind": "crashed", "message": HOSTILE, "round": 1, "decision": None}
        for game in db.exec(models.select(models.PlayedGame)).all():
            game.logs, game.faults = logs, [fault]
        db.get_one(models.Tournament, int(world.named["PREMIERE"])).premiered = 4  # its bots, two games and a place
        for number in (None, int(world.named["HIDDEN"])):
            actor = models.Actor(world.people["Boss"], HOSTILE)
            models.log_action(db, actor, "moved a deadline", tournament_id=number, subject=HOSTILE, reason=HOSTILE)


def _unique(table: Table, name: str) -> bool:
    return any(name in {column.name for column in index.columns} for index in table.indexes if index.unique)


def _numbered(table: Table, name: str) -> Any:
    return text(f"UPDATE {table.name} SET {name} = :hostile || rowid").bindparams(hostile=HOSTILE)


def test_no_answer_shows_what_hides_or_calculates(world: api_kit.World, people: dict[str, pages_kit.Person]) -> None:
    token = {"Authorization": f"Bearer {served_kit.new_token(world.site, world.people['Ann'])}"}
    found, result = [], 0
    for rule in routes_kit.RULES:
        if "GET" not in (rule.methods or set()) or rule.endpoint in NOT_ASKED or AS_IT_IS.search(rule.rule):
            continue
        for path in paths(world, rule):
            if path.startswith("/api/"):
                answers = [world.site.app.test_client(use_cookies=False).get(path, headers=token, buffered=True)]
            else:
                answers = [people[who].get(path) for who in looking(rule)]
            for answer in answers:
                assert answer.status_code < 500, path
                found += [f"{path}: {wrong}" for wrong in wrongs(answer)]
                result += MARK.encode() in answer.data
    assert found == []
    assert result > 60


def looking(rule: Rule) -> tuple[str, ...]:
    return ("Root",) if rule.endpoint.startswith("organizing") else ("Ann",)


def paths(world: api_kit.World, rule: Rule) -> Iterator[str]:
    named = world.named
    values: dict[str, list[Any]] = {
        "tournament_id": [named["TOURNAMENT"], named["HIDDEN"], named["PREMIERE"]], "bot_id": [named["MY_BOT"]],
        "match_id": [named["CUP_MATCH"]], "version_id": [named["VERSION"]], "day": [named["DAY"]],
        "form": ["csv", "json"],
    }  # fmt: skip
    return routes_kit.addresses(world.site.app, rule, values)


def wrongs(answer: TestResponse) -> Iterator[str]:
    """Yield everything in an answer that is more than text to its reader."""
    for name, value in answer.headers:
        if not value.isprintable() or not value.isascii():
            yield f"the header {name}: {value!a}"
    kind = answer.mimetype or ""
    if kind == "image/png":
        return
    body = answer.get_data(as_text=True)
    yield from hiding(FIELDS.sub("", body) if "html" in kind else body)
    if "html" in kind or "xml" in kind or "svg" in kind:
        yield from (found for found in ("<img src=x", "</title></script>", "<b>boom") if found in body)
    elif "json" in kind:
        for line in body.splitlines() if "ndjson" in kind else [body]:
            yield from (wrong for each in strings(json.loads(line)) for wrong in hiding(each))
    elif "csv" in kind:
        cells = [cell for row in csv.reader(StringIO(body)) for cell in row]
        yield from (cell for cell in cells if cell.lstrip().startswith(("=", "+", "@", "-")) and not number(cell))


def hiding(body: str) -> Iterator[str]:
    at = next(
        (
            at
            for at, char in enumerate(body)
            if char not in "\n\t" and is_invisible(char) and body[at : at + 2] != "\r\n"
        ),
        None,
    )
    if at is not None:
        yield ascii(body[max(0, at - 60) : at + 10])


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (found for pair in value.items() for each in pair for found in strings(each))
    elif isinstance(value, list):
        yield from (found for each in value for found in strings(each))


def number(cell: str) -> bool:
    return re.fullmatch(r"-?[0-9.]+(e[+-]?[0-9]+)?", cell) is not None


EVERY = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)])) + "\ud800\udfff"
"""Every character that there is, and two that are none."""


def test_both_ways_of_showing_text_let_no_character_through_that_acts_or_hides() -> None:
    page, terminal = shown(EVERY), clean(EVERY)
    assert not {char for char in page if is_invisible(char)} - {"\n", "\t"}
    assert not {char for char in terminal if is_invisible(char)} - {"\n"}
    assert {char for char in EVERY if char.isprintable() and char.isalnum() and not is_invisible(char)} <= set(
        terminal
    ) & set(page)
    assert "\ud800" not in page + terminal
