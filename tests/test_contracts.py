"""What programs rely on keeps its names and its meaning: documents of the command line, exit codes, addresses.

Each document is held against an example, member by member; a new member is a change of the example, made on purpose.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from tests.kits.command_kit import gangland

from gangland_ladder.submitting import client

BOTS: Final = "bots/gangland_bots/gang_of_dice"
GAME: Final = {
    "schema": "gangland/game/1", "game": "gang-of-dice", "seed": 7, "salt": "text", "options": {},
    "seats": [{"bot": "random_gang", "code": "text", "place": 2, "fault": None}], "rounds": 5, "decisions": 25,
    "views": "text", "python": "3.11", "rng_seeds": ["text"],
    "replay": {
        "schema": "gangland/replay/1", "game": "gang-of-dice", "rules": 1, "seats": 2, "options": {},
        "seed": "text", "decisions": [], "faults": [], "rounds": 5, "places": [2, 1], "reason": "completed",
        "digest": "text",
    },
}  # fmt: skip
LADDER: Final = {
    "schema": "gangland/ladder/1", "game": "gang-of-dice", "seats": 2, "options": {}, "profile": "plain", "seed": 7,
    "salt": "text", "blocks": 1, "games": 2, "seconds": 0.1,
    "standings": [
        {
            "rank": 1, "bot": "bold_gang", "games": 2, "wins": 2, "win_share": 1.0, "mean_place": 1.0, "mu": 29.66,
            "sigma": 7.14, "faults": 0, "fault_kinds": {}, "score": {"value": 0.75, "low": 0.35, "high": 0.95},
            "ranks": {"low": 1, "high": 2},
        }
    ],
    "head_to_head": [{"bot": "a", "other": "b", "games": 2, "ahead": 2, "level": 0, "behind": 0, "share": 1.0}],
    "matches": [
        {"number": 1, "bots": ["a"], "blocks": 1, "void": None, "mean_places": [1.0], "wins": [2], "faults": [0]}
    ],
}  # fmt: skip
CHECK: Final = {
    "schema": "gangland/check/1", "file": "bold_gang.py", "game": "gang-of-dice", "options": {}, "salt": "text",
    "bot": "BoldGang", "accepted": True, "stages": ["text"], "decisions": 207, "import_s": 0.1, "slowest_s": 0.1,
    "bank_share": 0.1, "methods": [{"method": "dice", "views": 93, "p50_s": 0.1, "p99_s": 0.1, "max_s": 0.1}],
    "problems": [], "warnings": [],
}  # fmt: skip


def form(value: Any) -> Any:
    """Return names and types of a document; of a list of objects those of its first."""
    if isinstance(value, dict):
        return {name: form(each) for name, each in value.items()}
    if isinstance(value, list):
        return [form(value[0])] if value and not isinstance(value[0], list) else []
    return type(value).__name__


def document(text: str, example: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(text)
    if "replay" in read:
        read["replay"]["decisions"] = []
    assert form(read) == form(example)
    assert read["schema"] == example["schema"]
    return read


def test_a_game_and_its_replay_keep_their_form_and_seed_and_salt_give_the_same_game(root: Path) -> None:
    two = [root / BOTS / name for name in ("random_gang.py", "bold_gang.py")]
    ran = gangland("play", *two, "--seed", 7, "--salt", "0" * 64, "--json")
    assert ran.code == 0
    read = document(ran.out, GAME)
    assert [seat["bot"] for seat in read["seats"]] == ["random_gang", "bold_gang"]
    assert json.loads(gangland("play", *two, "--seed", 7, "--salt", "0" * 64, "--json").out) == json.loads(ran.out)


def test_a_ladder_and_a_check_keep_their_form(root: Path) -> None:
    two = [root / BOTS / name for name in ("random_gang.py", "bold_gang.py")]
    ran = gangland("ladder", *two, "--seats", 2, "--blocks", 1, "--seed", 7, "--json")
    checked = gangland("check", two[1], "--json")
    assert (ran.code, checked.code) == (0, 0)
    assert [row["rank"] for row in document(ran.out.splitlines()[-1], LADDER)["standings"]] == [1, 2]
    assert document(checked.out, CHECK)["accepted"] is True


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("explain", "E203"), 0), (("check", "{bad}"), 1), (("play", "--no-such-option"), 2),
        (("play", "nobody.py", "nobody.py"), 2), (("submit", "{good}", "--site", "http://127.0.0.1:9"), 3),
        (("submit", "{good}", "--site", "http://127.0.0.1:9", "--token-stdin"), 4),
    ],
)  # fmt: skip
def test_exit_codes_keep_their_meaning(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int
) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.001)
    bad = tmp_path / "bad.py"
    bad.write_text("from gangland import gang_of_dice\n\nclass Bad(gang_of_dice.Bot\n", encoding="utf-8")
    named = {"bad": str(bad), "good": str(root / BOTS / "bold_gang.py")}
    ran = gangland(*(each.format(**named) for each in arguments), env={"GANGLAND_TOKEN": f"gangland_1_{'ab' * 32}"})
    assert ran.code == code
