"""Bots in a zip in the real jail: imported, checked, matched, and told what is wrong by file and line."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.kits.command_kit import gangland, parsed
from tests.kits.local_match import match_job_of
from tests.sandbox.zip_kit import Item, handmade, zipped

from gangland_ladder.checking.check import check_bot
from gangland_ladder.errors import INTAKE_CODES, last_line
from gangland_ladder.local.bots import find_bots
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches import match_jobs, referee
from gangland_sandbox import asking, errors, intake, jail, limits, zips
from gangland_sandbox.pool import Pool

GAME = "gang-of-dice"
LIMITS = limits.Limits.plain(2)
BOT = """
import json
from importlib.resources import files
from gangland import gang_of_dice
import brain
from helpers import least

class Reader(gang_of_dice.Bot):
    def __init__(self):
        self.stakes = json.loads(self.data("tables/stakes.json"))
        assert files("brain").joinpath("words.txt").read_text() == "hello"

    def choose_dice(self, view):
        self.log(brain.deep.WORD, self.stakes)
        return least(self.stakes[0], view.pool)
"""
READER = {
    "bot.py": BOT.encode(), "helpers.py": b"def least(a, b):\n    return min(a, b)\n",
    "brain/__init__.py": b"from . import deep\n", "brain/deep.py": b"from brain import __name__ as WORD\n",
    "brain/words.txt": b"hello", "tables/stakes.json": b"[2, 3]",
}  # fmt: skip
PLAIN = b"""
from gangland import gang_of_dice

class Plain(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""


def bot(body: str, **helpers: str) -> bytes:
    head = "from gangland import gang_of_dice\n\nclass Mine(gang_of_dice.Bot):\n"
    return zipped({"bot.py": (head + body).encode(), **{f"{name}.py": text.encode() for name, text in helpers.items()}})


def match(tables: Tables, *codes: bytes) -> match_jobs.Result:
    job = match_job_of(GAME, len(codes), 2, LIMITS, seed=5)
    by_hash = {seat.code: code for seat, code in zip(job.seats, codes, strict=True)}
    found: list[match_jobs.Result] = list(tables.run(_play, [(job, by_hash)]))
    return found[0]


def _play(pool: Pool, job: match_jobs.MatchJob, codes: dict[str, bytes]) -> match_jobs.Result:
    return referee.play_match(job, codes, pool=pool)


def faults(result: match_jobs.Result) -> list[tuple[str, str]]:
    return [(fault.kind, fault.message) for game in result.games for fault in game.faults]


def checked(tables: Tables, code: bytes, filename: str = "mine.zip") -> match_jobs.CheckReport:
    found: list[match_jobs.CheckReport] = list(tables.run(_check, [(code, filename)]))
    return found[0]


def _check(pool: Pool, code: bytes, filename: str) -> match_jobs.CheckReport:
    return check_bot(code, filename, GAME, limits=LIMITS, salt=b"", table_sizes=[2], pool=pool)


def test_a_zip_with_helpers_a_package_and_data_plays_a_match_without_fault(tables: Tables) -> None:
    result = match(tables, zipped(READER), PLAIN)
    assert (result.void, faults(result)) == (None, [])
    logs = [game.logs[game.seating.index(0)] for game in result.games]
    assert all("brain [2, 3]" in log for log in logs)


def test_the_check_of_an_upload_takes_a_zip(tables: Tables) -> None:
    report = checked(tables, zipped({f"reader/{path}": content for path, content in READER.items()}))
    assert (report.problems, report.bot, report.stages) == ([], "Reader", ["imported", "legal", "timed"])


def test_a_hostile_zip_is_refused_before_any_process_is_taken() -> None:
    class NoPool(Pool):
        def take(self, *_: Any, **__: Any) -> Any:
            raise AssertionError("a process was taken")

    upward = handmade(Item(content=PLAIN), Item(b"../../a.txt", b"x"))
    with pytest.raises(errors.UploadRejected) as caught:
        asking.BotProcess.open(
            upward, filename="mine.zip", game=GAME, limits=LIMITS, pool=NoPool(jail.Mode.JAIL, limit=0)
        )
    assert caught.value.code == "zip_name"


def test_a_zip_that_intake_refuses_forfeits_and_the_other_seat_plays_on(tables: Tables) -> None:
    result = match(
        tables, handmade(Item(content=PLAIN), Item(b"key", b"/etc/passwd", attributes=0o120777 << 16)), PLAIN
    )
    assert result.void is None
    assert {kind for kind, _ in faults(result)} == {"import_error"}
    assert all(message.startswith("bot_0.zip: 'key' is a link") for _, message in faults(result)[:2])


def test_a_failure_in_a_helper_and_one_that_cannot_be_imported_are_told_with_files_and_lines(tables: Tables) -> None:
    body = "    def choose_dice(self, view):\n        import odds\n        return odds.worst()"
    (problem,) = checked(tables, bot(body, odds="def worst():\n    1 / 0")).problems
    assert (problem.code, problem.line) == ("E204", 6)
    assert 'File "bot.py", line 6, in choose_dice' in problem.message
    assert 'File "odds.py", line 2, in worst\n    1 / 0' in problem.message
    (problem,) = checked(tables, bot("    import odds", odds="x = 1\nif x\n")).problems
    assert (problem.code, problem.line) == ("E220", 4)
    assert 'File "odds.py", line 2\n    if x' in problem.message


def test_nothing_that_a_bot_does_to_its_files_outlives_its_process(tables: Tables) -> None:
    body = """
    def on_game_start(self, start):
        import sys
        finder = sys.meta_path[0]
        self.log("seen", self.data("a.txt"), getattr(sys, "games", 0))
        sys.games = getattr(sys, "games", 0) + 1
        module = sys.modules[type(self)._gangland_data.__module__]
        vars(module)["_files"]["a.txt"] = b"changed"

    def choose_dice(self, view):
        return 1
"""
    head = "from gangland import gang_of_dice\n\nclass Mine(gang_of_dice.Bot):"
    result = match(tables, zipped({"bot.py": (head + body).encode(), "a.txt": b"as sent"}), PLAIN)
    assert faults(result) == []
    first, second = (
        [game.logs[game.seating.index(0)] for game in result.games if game.rotation == rotation] for rotation in (0, 1)
    )
    for logs in (first, second):
        assert [re.search(r"seen b'(.*)' (\d)", log).groups() for log in logs] == [("as sent", "0"), ("changed", "1")]  # type: ignore[union-attr]


def test_a_zips_bot_opens_no_file(tables: Tables) -> None:
    body = """
    def choose_dice(self, view):
        for name in ("a.txt", "/a.txt", "bot.py", "helpers.py"):
            try:
                open(name)
            except OSError as failure:
                self.log(type(failure).__name__)
        return 1
"""
    result = match(tables, bot(body, helpers=""), PLAIN)
    assert result.games[0].logs[0].splitlines()[:4] == ["PermissionError"] * 4


def test_every_refusal_of_intake_has_a_code_of_its_own() -> None:
    document = Path(intake.__file__).read_text() + Path(zips.__file__).read_text()
    raised = set(re.findall(r'UploadRejected\(\s*"(\w+)"', document)) | {
        code for code, _ in zips._REFUSED_EXTRAS.values()
    }
    assert len(raised) > 20
    assert raised - INTAKE_CODES.keys() == set()
    assert len(set(INTAKE_CODES.values())) == len(INTAKE_CODES)


def test_check_play_and_ladder_take_a_zip(tmp_path: Path) -> None:
    (tmp_path / "my-reader.zip").write_bytes(zipped(READER))
    (tmp_path / "plain.py").write_bytes(PLAIN)
    output = gangland("check", "my-reader.zip", folder=tmp_path)
    assert (output.code, output.out.splitlines()[-1]) == (0, "accepted")
    game = parsed(gangland("play", "my-reader.zip", "plain.py", "--json", folder=tmp_path).out)
    assert [(seat["bot"], seat["fault"]) for seat in game["seats"]] == [("my-reader", None), ("plain", None)]
    ladder = parsed(gangland("ladder", tmp_path, "--blocks", 1, "--seed", 1, "--json", folder=tmp_path).out)
    assert sorted(row["bot"] for row in ladder["standings"]) == ["my-reader", "plain"]
    assert not any(row["faults"] for row in ladder["standings"])


def test_check_says_why_a_zip_is_refused_with_its_code(tmp_path: Path) -> None:
    (tmp_path / "lost.zip").write_bytes(zipped({"main.py": PLAIN}))
    output = gangland("check", "lost.zip", "--json", folder=tmp_path)
    (problem,) = parsed(output.out)["problems"]
    assert (output.code, problem["code"]) == (1, "E137")
    assert "found 'main.py': bot.py must be at the top level of the zip" in problem["message"]
    (tmp_path / "bad.zip").write_bytes(bot("    def choose_dice(self, view):\n        return 99"))
    shown = gangland("check", "bad.zip", folder=tmp_path)
    assert (shown.code, "E203  bad.zip/bot.py:4" in shown.out) == (1, True)


def test_a_folder_with_a_bot_in_it_is_one_bot_wherever_bots_are_named(tmp_path: Path) -> None:
    for path, content in (*READER.items(), ("test_bot.py", b"import pytest"), ("brain/.x/y", b"")):
        (tmp_path / "mine" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / path).write_bytes(content)
    (tmp_path / "plain.py").write_bytes(PLAIN)
    inside, outside = find_bots([tmp_path / "mine"]), find_bots([tmp_path])
    assert [(bot.name, bot.filename) for bot in outside] == [("mine", "mine.zip"), ("plain", "plain.py")]
    assert [bot.sha256 for bot in inside] == [outside[0].sha256]
    assert intake.unpack(inside[0].source, "mine.zip").files == READER
    played = parsed(gangland("play", "mine", "plain.py", "--seed", 1, "--json", folder=tmp_path).out)
    assert [(seat["bot"], seat["fault"]) for seat in played["seats"]] == [("mine", None), ("plain", None)]


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ("from . import odds", "E201", "Leave out the dot: `from odds import risk`"),
        ("from .odds import Mine", "E201", "Leave out the dot: `from odds import risk`"),
        ("from odds import Mine", "E222", "no bot class, only imported ones: Mine; choose one with BOT = Mine"),
        ("from odds import *\n\nif 1:\nx = 1", "E220", "Indent the body of the line above by four spaces"),
        ("from odds import Mine\n  x = 1", "E220", "Remove spaces: the line is indented more"),
        ("if 1:\n    x = 1\n  y = 2", "E220", "Indent the line like the other lines of its block."),
        ("from odds import Mine as M\nBOT = (M", "E220", "Bots run on Python {}.{} here."),
        ("from json import no_such_thing", "E201", "Bots run on Python {}.{} here."),
    ],
)
def test_what_is_usual_between_modules_comes_with_a_fix(tables: Tables, source: str, code: str, words: str) -> None:
    zipped_up = zipped({"bot.py": source.encode(), "odds.py": PLAIN.replace(b"Plain", b"Mine")})
    (problem,) = checked(tables, zipped_up).problems
    assert problem.code == code
    assert words.format(*sys.version_info) in problem.message


def test_the_zip_of_the_documentation_is_accepted(tables: Tables, root: Path) -> None:
    page = (root / "docs" / "write-a-bot.md").read_text(encoding="utf-8")
    files = dict(re.findall(r"^```\w+ bookie/(\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    assert list(files) == ["bot.py", "odds.py", "tables/stakes.json"]
    report = checked(tables, zipped({path: text.encode() for path, text in files.items()}), "bookie.zip")
    assert (report.problems, report.bot) == ([], "Bookie")


def test_the_line_of_a_problem_is_one_of_the_bots_file_and_not_of_ours_of_the_same_name() -> None:
    document = 'File "bot.py", line 7, in choose_dice\n  File "/gangland/gangland/bot.py", line 70, in data'
    assert last_line(document, "bot.py") == 7
    assert last_line("my_bot.py:3 choose_dice()", "bot.py") is None
    assert last_line("zipped.zip: bot.py:12 choose_dice()", "bot.py") == 12
