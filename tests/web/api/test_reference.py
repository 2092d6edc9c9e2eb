"""The reference of the calls is generated from them, and each of its lines for a shell works."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import Session
from tests.kits import api_kit, pages_kit, served_kit
from tests.kits.api_fuzz import CALLERS, fuzz

from gangland_web.api.declared import CALLS
from gangland_web.api.openapi import curl_line
from gangland_web.services import teams, tokens


def test_every_line_for_a_shell_works_as_it_stands(tmp_path: Path) -> None:
    world = api_kit.build_world(tmp_path)
    boss = world.people["Boss"]
    token = served_kit.new_token(world.site, boss, *tokens.Scope)
    old = served_kit.new_token(world.site, boss, "read").split("_")[1]
    (tmp_path / "token.header").write_text(f"Authorization: Bearer {token}\n", encoding="utf-8")
    (tmp_path / "my_bot.py").write_bytes(pages_kit.SOURCE)
    calls = sorted(CALLS.values(), key=lambda call: call.name == "revoke_this")  # after which the token is no more
    between: dict[str, Callable[[Session], object]] = {  # what takes a password just typed, and so is no call
        "leave_my_team": lambda db: teams.change_captain(db, boss, world.people["Root"]),
        "join_by_code": lambda db: teams.delete_team(db, boss),
    }
    lines: list[list[str]] = [[]]
    last = ""
    for call in calls:
        if call.name in between:
            lines.append([])
        lines[-1].append(f"echo '## {call.name}'\n{curl_line(call)}")
    with served_kit.served(world.site.app) as address:
        env = {**os.environ, **world.named, "SITE": address, "OLD_TOKEN": old, "no_proxy": "*"}
        for part in lines:
            if (act := between.get(part[0].split("'")[1].removeprefix("## "))) is not None:
                world.site.write(act)
            script = "\n".join(part).replace("curl -sS", "curl -sS --fail-with-body --max-time 20")
            done = subprocess.run(["bash", "-ec", script], cwd=tmp_path, env=env, capture_output=True, check=False)
            last = done.stdout.decode().rpartition("## ")[2]
            assert done.returncode == 0, (last[:2000], done.stderr[-500:])
    assert last.startswith("revoke_this")
    world.platform.database.close()


@pytest.mark.parametrize(
    ("caller", "every"),
    [("organizer", 5), *(pytest.param(name, 1, marks=pytest.mark.long("every call by each")) for name in CALLERS)],
)
def test_no_call_fails_or_is_answered_off_the_document(tmp_path: Path, caller: str, every: int) -> None:
    fuzzer = fuzz(tmp_path, caller, 2, every=every)
    assert fuzzer.broken == {}
    assert fuzzer.told.total() > 100 // every
    assert not [name for name, status in fuzzer.told if status >= 500]
