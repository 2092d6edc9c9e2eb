"""What `gangland check` finds, and whether its author can understand it from the message alone."""

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from tests.kits.command_kit import gangland
from tests.kits.mistakes import DICE, MISTAKES, SOUND, TWO_MISTAKES, Mistake, planted

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.checking import advice, check, examination
from gangland_ladder.cli.check import CheckedBot, print_report
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.match_jobs import CheckReport
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

TIGHT = Limits(bank_cpu_s=12.0, bank_wall_s=41.0, decision_cpu_s=0.1, import_cpu_s=0.3)
"""Those of the server, but for what a loop burns until it is stopped."""


def job(
    pool: Pool, source: bytes, game: str, limits: Limits, every_option: bool, sizes: tuple[int, ...]
) -> CheckReport:
    rules = game_named(game)
    all_of_it = examination.Bench(source, "mine.py", rules, limits, rules.options({}), sizes, b"", pool, pool.mode)
    return advice.check_thoroughly(all_of_it, every_option=every_option)


def checked(
    tables: Tables,
    source: bytes | str,
    game: str = "gang-of-dice",
    limits: Limits = TIGHT,
    *,
    every_option: bool = False,
    sizes: tuple[int, ...] = (2, 3, 4),
) -> CheckReport:
    code = source.encode() if isinstance(source, str) else source
    (found,) = tables.run(job, [(code, game, limits, every_option, sizes)])
    assert isinstance(found, CheckReport)
    return found


def printed(report: CheckReport, game: str) -> str:
    call = CheckedBot(LocalBot("mine", "mine.py", b""), "gangland check mine.py", game, {}, [2, 3, 4], b"")
    with redirect_stdout(io.StringIO()) as out:
        print_report(call, report)
    return out.getvalue()


IN_BOTH = {"infinite loop", "two classes", "missing module", "print flood", "slow import"}


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(
            mistake,
            id=f"{mistake.game}-{mistake.what}".replace(" ", "-"),
            marks=pytest.mark.long("as in the other game")
            if mistake.game == "gangster-dice" and mistake.what in IN_BOTH
            else [],
        )
        for mistake in MISTAKES
    ],
)
def test_a_newcomer_reads_what_is_wrong_where_and_what_to_do(tables: Tables, mistake: Mistake) -> None:
    found = checked(tables, planted(mistake), mistake.game, sizes=(2,))
    text = printed(found, mistake.game)
    assert [problem.code for problem in (*found.problems, *found.warnings)] == [mistake.code]
    where = "mine.py" if mistake.line is None else f"mine.py:{mistake.line}"
    assert f"\n{mistake.code}  {where}  " in text
    assert [words for words in mistake.words if words not in text] == []
    assert f"Explain: gangland explain {mistake.code}" in text
    assert "/" not in text.replace("http://", "").partition("Traceback")[0]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_sound_bot_without_the_mistakes_is_accepted_without_a_warning(tables: Tables, game: str) -> None:
    found = checked(tables, SOUND[game], game, every_option=True)
    assert (found.problems, found.warnings) == ([], [])
    assert found.stages == ["imported", "legal", "timed"]
    assert {each.method for each in found.methods} >= {"dice" if game == "gang-of-dice" else "bids"}
    assert sum(each.views for each in found.methods) == found.decisions
    assert all(0 <= each.p50_s <= each.p99_s <= each.max_s <= found.slowest_s for each in found.methods)
    assert printed(found, game).endswith("accepted\n")


HOUSE_BOTS = sorted((Path(__file__).parents[3] / "bots" / "gangland_bots").glob("*/*_gang.py"))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            id=f"{path.parent.name}-{path.stem}",
            marks=[] if path.match("gang_of_dice/boss_gang.py") else pytest.mark.long("every house bot"),
        )
        for path in HOUSE_BOTS
    ],
)
def test_no_house_bot_is_warned_about(tables: Tables, path: Path) -> None:
    assert len(HOUSE_BOTS) == 15
    found = checked(tables, path.read_bytes(), path.parent.name.replace("_", "-"), Limits.plain(12))
    assert (found.problems, found.warnings) == ([], [])


def test_the_check_goes_on_after_an_illegal_decision_counts_and_finds_the_same_on_the_server(tables: Tables) -> None:
    found = checked(tables, TWO_MISTAKES)
    assert [(problem.code, problem.method) for problem in found.problems] == [("E203", "reroll"), ("E203", "dice")]
    reroll = next(each for each in found.methods if each.method == "reroll")
    assert found.problems[0].times == reroll.views
    assert f"choose_reroll: illegal decision in {reroll.views} of {reroll.views} views" in printed(
        found, "gang-of-dice"
    )
    (here,) = tables.run(_server, [(TWO_MISTAKES.encode(),)])
    assert here.problems == found.problems
    assert here.warnings == [], "the server gives no advice"


def test_after_a_crash_the_other_methods_are_looked_at_in_a_new_process(tables: Tables) -> None:
    crashing = (
        DICE.replace("return stake", "return stake // (view.round != 2)")
        + "\n    def choose_reroll(self, view):\n        return 5\n"
    )
    found = checked(tables, crashing).problems
    assert {(each.code, each.method) for each in found} == {("E224", "reroll"), ("E204", "dice")}
    crashing = crashing.replace("return 5", "return []")
    (problem,) = checked(tables, crashing).problems
    assert (problem.code, problem.method, problem.times) == ("E204", "dice", 3)
    assert problem.message.startswith("choose_dice() raised ZeroDivisionError")


def _server(pool: Pool, source: bytes) -> CheckReport:
    return check.check_bot(source, "mine.py", "gang-of-dice", limits=TIGHT, salt=b"", pool=pool)


WRITES = DICE.replace("        return stake", "        print('x' * 400)\n        return stake")
BUSY = """
import time


def busy(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class"""


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        (WRITES, "W303", "of 64 KiB of output"),
        (
            DICE.replace("\n\nclass", BUSY.replace("\n\n\nclass", "\n\n\nbusy(0.2)\n\n\nclass"), 1),
            "W304",
            "of the 0.3 s of CPU",
        ),
        (
            DICE.replace("\n\nclass", BUSY, 1).replace(
                "        stake", "        busy(0.07 if view.round == 12 else 0)\n        stake"
            ),
            "W305",
            "choose_dice() took",
        ),
    ],
)
def test_a_bot_near_its_limits_is_accepted_with_a_warning(tables: Tables, source: str, code: str, words: str) -> None:
    found = checked(tables, source)
    assert found.problems == []
    assert [(each.code, words in each.message) for each in found.warnings] == [(code, True)]
    assert printed(found, "gang-of-dice").endswith("accepted, 1 warning\n")


def thinker(seconds: float) -> str:
    """Return a bot that computes this long in every other round."""
    busy = f"        busy({seconds} if view.round % 2 else 0)\n        stake"
    return DICE.replace("\n\nclass", BUSY, 1).replace("        stake", busy)


def test_a_bot_that_uses_most_of_its_bank_is_warned(tables: Tables) -> None:
    found = checked(tables, thinker(0.005), limits=Limits(bank_cpu_s=0.77, bank_wall_s=41.0))
    assert [each.code for each in (*found.problems, *found.warnings)] == ["W306"]


def test_a_bot_whose_bank_would_be_empty_in_a_match_is_told_what_runs_out(tables: Tables) -> None:
    found = checked(tables, thinker(0.004), limits=Limits(bank_cpu_s=0.45, bank_wall_s=41.0))
    (problem,) = found.problems
    assert problem.code in ("E206", "E231")
    assert "0.45 s of CPU" in problem.message
    assert problem.view is None
    assert found.stages == ["imported", "legal"]


CACHED = DICE.replace("\n\nclass", "\nODDS = {}\n\n\nclass", 1).replace(
    "        stake", "        ODDS[view.card.id] = ODDS.get(view.card.id, 0) + 1\n        stake"
)
LEARNING = DICE.replace(
    "        stake = min(3, view.pool)",
    "        self.games = getattr(self, 'games', 0) + 1\n        stake = min(self.games, view.pool)",
)
SEEDED = DICE.replace("\n\nclass", "\nimport random\n\n\nclass", 1).replace(
    "min(3, view.pool)", "random.randint(1, view.pool)"
)


@pytest.mark.parametrize("source", [CACHED, LEARNING, SEEDED], ids=["a cache", "memory on self", "random's functions"])
def test_what_changes_no_decision_or_is_allowed_raises_no_alarm(tables: Tables, source: str) -> None:
    found = checked(tables, source, sizes=(2,))
    assert (found.problems, found.warnings) == ([], [])


def remembering(setup: str, change: str, *, argument: str = "") -> str:
    source = DICE.replace("\n\nclass", f"\n{setup}\n\n\nclass", 1).replace("self, view", f"self, view{argument}")
    stake = f"{change}\n        stake = min(1 + len(seen) % 7, view.pool)"
    return source.replace("stake = min(3, view.pool)", stake)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            remembering("", "seen.append(1)", argument=", seen=[]"),
            "mine.py:8 changes the default of the argument 'seen'",
        ),
        (remembering("kept = []", "seen = kept; seen += [1]"), "The value is not on `self`"),
    ],
    ids=["a default", "another name"],
)
def test_memory_outside_of_self_is_found_wherever_it_lies(tables: Tables, source: str, words: str) -> None:
    found = checked(tables, source, sizes=(2,))
    text = printed(found, "gang-of-dice")
    assert [each.code for each in (*found.problems, *found.warnings)] == ["W302"]
    assert words in text
    assert "Reproduce: gangland check mine.py" in text
    assert "--view" not in text


def test_a_bot_that_waits_is_told_of_that_alone(tables: Tables) -> None:
    sleeping = DICE.replace("        return stake", "        import os\n        os.read(3, 1)\n        return stake")
    found = checked(tables, sleeping, limits=Limits(bank_cpu_s=12.0, bank_wall_s=0.3))
    assert [(each.code, each.method, each.line, each.times) for each in found.problems] == [("E207", "dice", 5, 1)]


def test_a_misspelt_method_is_told(tables: Tables) -> None:
    found = checked(tables, DICE + "\n    def choose_rerolls(self, view):\n        return []\n")
    assert [(each.code, each.line) for each in found.warnings] == [("W308", 9)]
    assert "did you mean choose_reroll()?" in printed(found, "gang-of-dice")


def test_a_bot_that_fails_under_other_rules_is_accepted_and_told(tables: Tables) -> None:
    found = checked(
        tables,
        SOUND["gangster-dice"] + "\n    def choose_keep(self, view):\n        return 9\n",
        "gangster-dice",
        every_option=True,
    )
    (warning,) = found.warnings
    assert (found.problems, warning.code, warning.line) == ([], "W307", 9)
    assert "--option characters=chosen --option cast=nancy,franky,roberts,timmy" in warning.message
    assert "choose_keep() returned 9" in warning.message


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("mine.py", b" \n", "E102"), ("mine.py", DICE.encode("utf-16"), "E104"),
        ("mine.py", b"x = '\xe9'\n", "E103"), ("my-bot.py", b"x = 1\n", "E106"), ("mine.py", b"x = 1\n", "E108"),
    ],
)  # fmt: skip
def test_what_intake_refuses_has_its_code_and_is_not_run(tmp_path: Path, name: str, content: bytes, code: str) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "sound.py").write_text(DICE)
    ran = gangland("check", tmp_path / name, "--json")
    assert (ran.code, [each["code"] for each in ran.document["problems"]]) == (1, [code])
    if code == "E108":
        return  # the other bot tells the game, and the jail what is wrong
    played = gangland("play", tmp_path / "sound.py", tmp_path / name)
    assert (played.code, played.out) == (2, "")
    assert f"{name}: {code}: " in played.err


def test_what_a_bot_says_cannot_deceive_its_reader(tables: Tables) -> None:
    found = checked(tables, DICE.replace("return stake", "raise ValueError('\\x1b[2J\\u202eok\\naccepted')"))
    text = printed(found, "gang-of-dice")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert [line for line in text.splitlines() if line.lstrip().startswith("accepted")] == []
