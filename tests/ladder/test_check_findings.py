"""What `gangland check` finds, and whether its author can understand it from the message alone."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from tests.ladder.command_kit import Ran, gangland
from tests.ladder.mistakes import DICE, MISTAKES, RETURN_STAKE, SOUND, Mistake, planted

from gangland.chance import SeededChance
from gangland.games import GAME_NAMES, game_named
from gangland.gangster_dice.characters import BY_KEY
from gangland.gangster_dice.options import Options
from gangland_ladder.catalogue import rejection
from gangland_ladder.checking.advice import check_thoroughly, never_asked
from gangland_ladder.checking.check import Bench, check_bot
from gangland_ladder.checking.debug import debug
from gangland_ladder.checking.hints import hint, renamed, wrong_part
from gangland_ladder.checking.memory import places_of
from gangland_ladder.checking.play import Asked, Planned
from gangland_ladder.checking.variants import VARIANTS
from gangland_ladder.cli.check_report import Call, print_report
from gangland_ladder.local.bots import LocalBot, imported_games
from gangland_ladder.orders import CheckReport
from gangland_ladder.tables import Tables
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

TIGHT = Limits(bank_cpu_s=12.0, bank_wall_s=41.0, decision_cpu_s=0.1, import_cpu_s=0.3)
"""Those of the server, but for what a loop burns until it is stopped."""


@pytest.fixture(scope="module")
def tables() -> Iterator[Tables]:
    with Tables(workers=1) as running:
        yield running


def bench(source: str) -> Bench:
    """Return what a check of a bot for Gang of Dice depends on, without a jail."""
    rules = game_named("gang-of-dice")
    return Bench(source.encode(), "mine.py", rules, TIGHT, rules.options({}), rules.table_sizes)


def job(pool: Pool, source: bytes, game: str, limits: Limits, every_option: bool) -> CheckReport:
    """Run in the table's process: a thorough check."""
    rules = game_named(game)
    all_of_it = Bench(source, "mine.py", rules, limits, rules.options({}), rules.table_sizes, pool, pool.mode)
    return check_thoroughly(all_of_it, every_option=every_option)


def checked(
    tables: Tables,
    source: bytes | str,
    game: str = "gang-of-dice",
    limits: Limits = TIGHT,
    *,
    every_option: bool = False,
) -> CheckReport:
    code = source.encode() if isinstance(source, str) else source
    (found,) = tables.run(job, [(code, game, limits, every_option)])
    assert isinstance(found, CheckReport)
    return found


def printed(report: CheckReport, game: str) -> str:
    """Return what the command line says of a report."""
    call = Call(LocalBot("mine", "mine.py", b""), "gangland check mine.py", game, {}, [2, 3, 4])
    with redirect_stdout(io.StringIO()) as out:
        print_report(call, report)
    return out.getvalue()


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: f"{mistake.game}-{mistake.what}".replace(" ", "-"))
def test_a_newcomer_reads_what_is_wrong_where_and_what_to_do(tables: Tables, mistake: Mistake) -> None:
    found = checked(tables, planted(mistake), mistake.game)
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


def house_bots(root: Path) -> list[Path]:
    return sorted((root / "bots" / "gangland_bots").glob("*/*_gang.py"))


def test_no_house_bot_is_warned_about(root: Path, tables: Tables) -> None:
    warned = {}
    for path in house_bots(root):
        game = path.parent.name.replace("_", "-")
        found = checked(tables, path.read_bytes(), game, Limits.plain(12))
        warned[f"{game}/{path.stem}"] = [*found.problems, *found.warnings]

    assert len(warned) == 12
    assert {name: found for name, found in warned.items() if found} == {}


TWO_MISTAKES = (
    DICE.replace("return stake", "return 99 if view.round > 3 else stake")
    + """
    def choose_reroll(self, view):
        return [9]
"""
)


def test_the_check_goes_on_after_an_illegal_decision_and_counts(tables: Tables) -> None:
    found = checked(tables, TWO_MISTAKES)

    assert [(problem.code, problem.method) for problem in found.problems] == [("E203", "reroll"), ("E203", "dice")]
    reroll = next(each for each in found.methods if each.method == "reroll")
    assert found.problems[0].times == reroll.views
    assert f"choose_reroll: illegal decision in {reroll.views} of {reroll.views} views" in printed(
        found, "gang-of-dice"
    )


def test_after_a_crash_the_other_methods_are_looked_at_in_a_new_process(tables: Tables) -> None:
    crashing = (
        DICE.replace("return stake", "return stake // (view.round != 2)")
        + "\n    def choose_reroll(self, view):\n        return 5\n"
    )

    assert [(problem.code, problem.method) for problem in checked(tables, crashing).problems] == [("E224", "reroll")]
    crashing = crashing.replace("return 5", "return []")
    (problem,) = checked(tables, crashing).problems
    assert (problem.code, problem.method, problem.times) == ("E204", "dice", 3)
    assert problem.message.startswith("choose_dice() raised ZeroDivisionError")


def test_the_server_finds_the_same_and_gives_no_advice(tables: Tables) -> None:
    source = TWO_MISTAKES.encode()
    (here,) = tables.run(_server, [(source,)])

    assert here.problems == checked(tables, source).problems
    assert here.warnings == []


def _server(pool: Pool, source: bytes) -> CheckReport:
    return check_bot(source, "mine.py", "gang-of-dice", limits=TIGHT, pool=pool)


def test_numbers_of_views_stay_the_same_for_the_same_bot(tables: Tables) -> None:
    one, other = checked(tables, TWO_MISTAKES), checked(tables, TWO_MISTAKES)

    assert [(each.view, each.message) for each in one.problems] == [
        (each.view, each.message) for each in other.problems
    ]


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
        (WRITES, "W303", "of the 64 KiB that one process may print"),
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


def test_a_bot_that_uses_most_of_its_bank_is_warned(tables: Tables) -> None:
    source = DICE.replace("\n\nclass", BUSY, 1).replace(
        "        stake", "        busy(0.004 if view.round % 2 else 0)\n        stake"
    )
    found = checked(tables, source, limits=Limits(bank_cpu_s=0.36, bank_wall_s=41.0))

    assert [each.code for each in (*found.problems, *found.warnings)] == ["W306"]


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
    found = checked(tables, source)

    assert (found.problems, found.warnings) == ([], [])


def remembering(setup: str, change: str, *, argument: str = "") -> str:
    """Return a bot whose stakes grow with what it keeps outside of itself."""
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
        (remembering("kept = []", "seen = kept; seen += [1]"), "What it keeps is not on `self`"),
    ],
    ids=["a default", "another name"],
)
def test_memory_outside_of_self_is_found_wherever_it_lies(tables: Tables, source: str, words: str) -> None:
    found = checked(tables, source)
    text = printed(found, "gang-of-dice")

    assert [each.code for each in (*found.problems, *found.warnings)] == ["W302"]
    assert words in text
    assert "See it again: gangland check mine.py, which" in text
    assert "--view" not in text


def test_a_sleeper_is_told_of_its_sleep_alone(tables: Tables) -> None:
    sleeping = DICE.replace("        return stake", "        import time\n        time.sleep(9)\n        return stake")
    found = checked(tables, sleeping, limits=Limits(bank_cpu_s=12.0, bank_wall_s=0.3))

    assert [(each.code, each.method, each.line, each.times) for each in found.problems] == [("E207", "dice", 5, 1)]


@pytest.mark.parametrize(("name", "told"), [("choose_rerolls", True), ("choose_best", False)])
def test_a_misspelt_method_is_told_and_a_helper_is_not(tables: Tables, name: str, told: bool) -> None:
    found = checked(tables, DICE + f"\n    def {name}(self, view):\n        return []\n")

    assert [(each.code, each.line) for each in found.warnings] == ([("W308", 9)] if told else [])
    assert not told or "did you mean choose_reroll()?" in printed(found, "gang-of-dice")


@pytest.mark.parametrize(
    ("head", "meant"),
    [
        ("chose_reroll(self, view)", "choose_reroll"),
        ("chooseReroll(self, view)", "choose_reroll"),
        ("reroll(self, view)", "choose_reroll"),
        ("on_game_started(self, start)", "on_game_start"),
        ("game_end(self, end)", "on_game_end"),
        ("reroll(self, view, card)", None),
        ("choose_reroll(self, view)", None),
        ("act(self, decision): ...\n    def chose_reroll(self, view)", None),
        ("reroll(self, view): return self.reroll(view)\n    def helper(self, view)", None),
    ],
)
def test_a_method_that_nothing_calls_is_told_by_the_name_that_was_meant(head: str, meant: str | None) -> None:
    found = never_asked(bench(f"{DICE}\n    def {head}: ...\n"), {"dice": 5})

    asked = f"nobody asks {head.partition('(')[0]}(): did you mean {meant}()?"
    assert [(each.code, each.line, each.message) for each in found] == ([("W308", 9, asked)] if meant else [])


NINE = "token 9"
GANG, DICE_GAME = game_named("gangster-dice"), game_named("gang-of-dice")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "TypeError: W.choose_dice() takes 1 positional argument but 2 were given",
            "Write `def choose_dice(self, view)`.",
        ),
        ("TypeError: W.on_game_end() takes 1 positional argument but 2 were", "Write `def on_game_end(self, end)`."),
        ("TypeError: W.__init__() missing 1 required positional argument: 'n'", "Write `def __init__(self)`."),
        ("choose_dice() raised AttributeError: 'View' object has no attribute 'pol'", "Did you mean `view.pool`?"),
        ("choose_dice() raised EOFError: EOF when reading a line", "take `input()` out"),
        (
            "choose_dice() raised TypeError: 'NoneType' object is not subscriptable",
            "is while nobody leads",
        ),
        ("choose_dice() raised TypeError: unsupported operand type(s)", None),
        (
            "choose_reroll() raised ValueError: min() arg is an empty sequence",
            "some are empty before anybody",
        ),
        ("TypeError: module() takes at most 2 arguments (3 given)", "Extend gang_of_dice.Bot, not the module"),
        ("ModuleNotFoundError: No module named 'asyncio.events'", "asyncio is left out of the jail"),
        ("ModuleNotFoundError: No module named 'helper'", "goes into a zip beside bot.py"),
        ("ModuleNotFoundError: No module named 'numpy'", "--profile numeric"),
        ("its process ended with status 3", "Take `exit()`"),
        ("TabError: inconsistent use of tabs and spaces in indentation", "Indent with spaces only"),
        ("ValueError: 3 is too much", None),
    ],
)
def test_an_error_gets_the_advice_that_fits_it(words: str, told: str | None) -> None:
    advice = hint(words, DICE_GAME)

    assert told in advice if told else advice == ""


def test_a_field_that_a_view_does_not_have_nor_nearly_is_answered_with_those_that_it_has() -> None:
    advice = hint("AttributeError: 'View' object has no attribute 'xyzzy'", GANG)

    assert [name for name in GANG.view_class.fields() if name not in advice] == []


def test_a_missing_method_is_found_under_a_name_almost_the_same() -> None:
    source = DICE.replace("choose_dice", "choose_dices")

    assert renamed("Mine does not define choose_dice()", source) == ("; line 5 has choose_dices(): rename it", 5)
    assert renamed("Mine does not define choose_dice()", "class Mine: ...") is None
    assert renamed("SyntaxError: no", source) is None


@pytest.mark.parametrize(
    ("game", "kind", "answer", "told"),
    [
        (
            "gangster-dice",
            "bids",
            [[9, 9], [9, 9]],
            f"None of your dice shows {NINE}; {NINE} is there twice; you hold no favor 9.",
        ),
        ("gangster-dice", "bids", [], "The list has 0 bids, not 2."),
        ("gangster-dice", "bids", [1, [2]], ""),
        ("gangster-dice", "bids", 7, ""),
        ("gang-of-dice", "reroll", [9, 9], "No die shows 9."),
        ("gang-of-dice", "dice", 99, ""),
    ],
)
def test_the_part_of_an_answer_that_is_wrong_is_named(game: str, kind: str, answer: Any, told: str) -> None:
    rules = game_named(game)
    state, _ = rules.start(2, rules.options({}), SeededChance(bytes(32)))

    assert wrong_part(rules, Asked(1, Planned(2, 0), 0, 0, kind, state, answer)) == told


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("my-bot.py", "mv my-bot.py my_bot.py"),
        ("2nd bot.py", "mv '2nd bot.py' my_2nd_bot.py"),
        ("random.py", "mv random.py my_random.py"),
        ("mine.zip", None),
    ],
)
def test_a_name_that_cannot_be_used_comes_with_the_command_that_changes_it(name: str, command: str | None) -> None:
    for code in ("bad_name", "taken_name"):
        message = rejection(UploadRejected(code, "no"), name).message
        assert message == ("no" if command is None else f"no\n{command}")


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


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_variants_try_every_word_of_every_option_and_every_character(game: str) -> None:
    variants = VARIANTS[game]
    for variant in variants:
        game_named(game).options(variant.options)
    words = {(name, value) for variant in variants for name, value in variant.options.items() if isinstance(value, str)}
    if game == "gang-of-dice":
        assert words == {("deck", "box18"), ("first_player", "winner")}
        return
    known: dict[str, Any] = get_type_hints(Options)
    defaults = {field.name: field.default for field in fields(Options)}
    allowed = {(name, word) for name, hint in known.items() for word in get_args(hint) if isinstance(word, str)}
    assert words == {(name, word) for name, word in allowed if defaults[name] != word}
    casts = [variant for variant in variants if "cast" in variant.options]
    assert sorted(key for variant in casts for key in variant.options["cast"]) == sorted(BY_KEY)  # type: ignore[attr-defined]
    assert all(variant.games == variant.seats for variant in casts)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("x = 0\ndef f():\n    global x\n    x += 1", [(4, "the global 'x'")]),
        ("x = []\ndef f():\n    x.append(1)\n    x[0] = 2", [(3, "the global 'x'"), (4, "the global 'x'")]),
        ("x = []\ndef f(x):\n    x.append(1)", []),
        ("x = []\ndef f():\n    x = [1]\n    x.append(1)", []),
        ("x = []\nx.append(1)", []),
        ("class A:\n    n = 0\n    def f(self):\n        A.n += 1", [(4, "the class attribute 'n'")]),
        ("class A:\n    def f(self):\n        type(self).n = 1", [(3, "the class attribute 'n'")]),
        ("class A:\n    def f(self):\n        self.__class__.n = 1", [(3, "the class attribute 'n'")]),
        ("class A:\n    s = []\n    def f(self):\n        self.s.append(1)", [(4, "the class attribute 's'")]),
        (
            "class A:\n    s = []\n    def f(self):\n        self.s = []\n        self.s.append(1)",
            [],
        ),
        ("class A:\n    def f(self):\n        self.n = 1\n        self.t = []\n        self.t.append(1)", []),
        ("def f(s, x=[]):\n    x.append(1)", [(2, "the default of the argument 'x'")]),
        ("def f(s, *, x={}):\n    x[1] = 2", [(2, "the default of the argument 'x'")]),
        ("def f(s, x=[]):\n    x = list(x)\n    x.append(1)", []),
        ("def f(s, x=3):\n    x.append(1)", []),
        (
            "def f():\n    n = 0\n    def g(s):\n        nonlocal n\n        n += 1\n    return g\ng = f()",
            [(5, "the variable 'n' of f()")],
        ),
        (
            "def f(h):\n    x = []\n    def g(s):\n        x.append(1)\n    return g\n@f\ndef h(s): ...",
            [(4, "the variable 'x' of f()")],
        ),
        ("def f():\n    x = []\n    def g():\n        x.append(1)\n    g()", []),
        ("r = Random(7)\ndef f(s):\n    return r.randint(1, 2)", [(3, "the global 'r'")]),
        ("c = count()\ndef f(s):\n    return next(c)", [(3, "the global 'c'")]),
        ("def f(s):\n    f.n = 1", [(2, "the attribute 'n' of a function")]),
        (
            "class M: ...\nm = M()\ndef f(s):\n    m.n = 1\n    m.note(2)",
            [(4, "the global 'm'"), (5, "the global 'm'")],
        ),
    ],
)
def test_what_outlives_a_game_is_found_by_its_line(code: str, told: list[tuple[int, str]]) -> None:
    assert [(place.line, place.what) for place in places_of({"a.py": code.encode()})] == told


@pytest.fixture(scope="module")
def illegal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "mine.py"
    file.write_text(TWO_MISTAKES)
    return file


@pytest.fixture(scope="module")
def report(illegal: Path) -> Ran:
    return gangland("check", illegal, "--json")


def test_a_finding_is_shown_again_in_the_jail_by_its_number(illegal: Path, report: Ran) -> None:
    (first, second) = report.document["problems"]
    shown = gangland("check", illegal, "--view", first["view"], "--json")
    text = gangland("check", illegal, "--view", second["view"])

    assert (report.code, shown.code, text.code) == (1, 1, 1)
    assert shown.document["problem"] == {**first, "times": 1}
    assert (shown.document["shown"]["returned"], shown.document["shown"]["method"]) == ("[9]", "choose_reroll")
    assert set(shown.document["shown"]["fields"]) == set(game_named("gang-of-dice").view_class.fields())
    assert "returned  99" in text.out
    assert "\n  pool  " in text.out
    assert f"Step through it: gangland check {illegal} --view {second['view']} --pdb" in text.out


def test_a_legal_view_is_shown_too_and_one_that_is_not_there_is_a_wrong_call(illegal: Path) -> None:
    legal = gangland("check", illegal, "--view", 1)
    beyond = gangland("check", illegal, "--view", 999999)

    assert (legal.code, legal.out.splitlines()[-1]) == (0, "legal")
    assert (beyond.code, beyond.out) == (2, "")
    assert re.search(r"this check has \d+ views, so there is no view 999999", beyond.err)


def test_the_debugger_stops_in_the_very_view_and_says_that_there_is_no_jail(
    illegal: Path, report: Ran, tmp_path: Path
) -> None:
    number = report.document["problems"][1]["view"]
    for name in ("random.py", "gangland.py"):
        (tmp_path / name).write_text("raise SystemExit('a file of this folder was imported')\n")
    command = [str(Path(sys.executable).with_name("gangland")), "check", str(illegal), "--view", str(number), "--pdb"]
    typed = "p view.round, view.pool\nc\n"
    ran = subprocess.run(command, cwd=tmp_path, input=typed, capture_output=True, text=True, check=False)
    shown = gangland("check", illegal, "--view", number, "--json").document["shown"]["fields"]

    assert f"({shown['round']}, {shown['pool']})" in ran.stdout
    assert "choose_dice() returned 99: illegal. " in ran.stdout
    assert "without the jail" in ran.stderr


LOOPS = DICE.replace(
    RETURN_STAKE,
    "        number = 41\n        print('looping', flush=True)\n        while number:\n            pass\n"
    "        return 'two'",
)


def test_ctrl_c_stops_a_loop_under_the_debugger_and_the_type_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LOOPS)
    program, words = Path(sys.executable).with_name("gangland"), ["check", str(tmp_path / "mine.py"), "--view", "1"]
    child, terminal = pty.fork()
    if not child:
        try:
            os.execv(program, ["gangland", *words, "--pdb"])
        finally:
            os._exit(99)
    shown, before = b"", b""
    typed = [(b"(Pdb) ", b"c\n"), (b"looping\r\n", b"\x03"), (b"(Pdb) ", b"p number + 1\n")]
    typed += [(b"42\r\n(Pdb) ", b"number = 0\n"), (b"(Pdb) ", b"c\n"), (b" dice from 1 to 48.\r\n", b"")]
    for awaited, keys in typed:
        while awaited not in shown:
            ready, _, _ = select.select([terminal], [], [], 60)
            assert ready, shown
            shown += os.read(terminal, 4096)
        before, _, shown = shown.partition(awaited)
        os.write(terminal, keys)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert b"choose_dice() returned 'two': a fault. Expected a whole number of dice" in before
    os.close(terminal)


LOOPS_FIRST = DICE.replace(
    RETURN_STAKE, f"        while view.seats == 2 and view.round == 1:\n            pass\n{RETURN_STAKE}"
)


def test_the_debugger_passes_a_loop_before_its_view_as_the_check_does(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LOOPS_FIRST)
    call = [
        sys.executable,
        "-m",
        "gangland_ladder.checking.debug",
        "mine.py",
        "gang-of-dice",
        "{}",
        "[2, 3, 4]",
        "2",
        "plain",
    ]
    ran = subprocess.run(call, cwd=tmp_path, input="p view.seats\nc\n", capture_output=True, text=True, check=False)
    shown = gangland("check", tmp_path / "mine.py", "--view", 2, "--json").document["shown"]

    assert shown["seats"] == 3
    assert "(Pdb) 3" in ran.stdout
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_bot_that_cannot_be_loaded_gets_a_message_and_no_traceback_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wrong_mine.py").write_text("class\n")
    monkeypatch.setitem(sys.modules, "wrong_mine", sys)  # so that what the bot leaves behind is taken away again

    assert debug(tmp_path / "wrong_mine.py", "gang-of-dice", {}, [2], 1, "plain") == 1
    told = capsys.readouterr().err
    assert "SyntaxError: invalid syntax" in told
    assert "Traceback" not in told


def test_a_view_of_a_bot_that_cannot_be_loaded_is_its_finding(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from gangland import gang_of_dice\n")
    ran = gangland("check", tmp_path / "mine.py", "--view", 1, "--json")

    assert (ran.code, ran.document["shown"], ran.document["problem"]["code"]) == (1, None, "E222")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("mine.py", b" \n", "E102"),
        ("mine.py", DICE.encode("utf-16"), "E104"),
        ("mine.py", b"x = '\xe9'\n", "E103"),
        ("my-bot.py", b"x = 1\n", "E106"),
        ("mine.py", b"x = 1\n", "E108"),
    ],
)
def test_what_intake_refuses_has_its_code_and_is_not_played(
    tmp_path: Path, name: str, content: bytes, code: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "sound.py").write_text(DICE)
    ran = gangland("check", tmp_path / name, "--json")

    assert (ran.code, [each["code"] for each in ran.document["problems"]]) == (1, [code])
    if code == "E108":
        return  # the other bot tells the game, and the jail what is wrong
    played = gangland("play", tmp_path / "sound.py", tmp_path / name)
    assert (played.code, played.out) == (2, "")
    assert f"{name}: {code}: " in played.err


@pytest.mark.parametrize(
    ("source", "games"),
    [
        ("from gangland import gang_of_dice, gangster_dice\nclass A(gang_of_dice.Bot): ...", {"gang-of-dice"}),
        (
            "from gangland import gang_of_dice\nfrom gangland.gangster_dice import Bot as B\nclass A(B): ...",
            {"gangster-dice"},
        ),
        ("import gangland.gang_of_dice\nimport gangland.gangster_dice as g\nclass A(g.Bot): ...", {"gangster-dice"}),
        (
            "import gangland.gang_of_dice, gangland.gangster_dice\nclass A(gangland.gang_of_dice.Bot): ...",
            {"gang-of-dice"},
        ),
        ("from gangland import gang_of_dice, gangster_dice\nclass A: ...", set(GAME_NAMES)),
        ("from gangland import gang_of_dice, gangster_dice\nclass A(gang_of_dice.Bot) ...", set(GAME_NAMES)),
    ],
)
def test_an_import_that_is_left_over_does_not_hide_the_game(source: str, games: set[str]) -> None:
    assert imported_games(source.encode()) == games


def test_the_debugger_asks_for_a_view(illegal: Path) -> None:
    ran = gangland("check", illegal, "--pdb")

    assert (ran.code, ran.out) == (2, "")
    assert "--view N" in ran.err


def test_a_command_that_reproduces_a_finding_is_one_that_a_shell_understands(tmp_path: Path) -> None:
    folder = tmp_path / "my bots"
    folder.mkdir()
    (folder / "mine.py").write_text(TWO_MISTAKES)
    ran = gangland("check", folder / "mine.py", "--option", "deck=box18")

    assert f"Reproduce: gangland check '{folder}/mine.py' --option deck=box18 --view " in ran.out


def test_what_a_bot_says_cannot_deceive_its_reader(tables: Tables) -> None:
    found = checked(tables, DICE.replace("return stake", "raise ValueError('\\x1b[2J\\u202eok\\naccepted')"))
    text = printed(found, "gang-of-dice")

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert [line for line in text.splitlines() if line.lstrip().startswith("accepted")] == []
