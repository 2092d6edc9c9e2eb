"""What a finding of `gangland check` says besides what happened: how to fix it, which line, which name was meant."""

import sys
from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest
from tests.kits.mistakes import DICE

from gangland.chance import SeededChance
from gangland.games import GAME_NAMES, game_named
from gangland.gangster_dice import characters, options
from gangland_ladder.checking.advice import misnamed_methods, places_of, reused_names
from gangland_ladder.checking.examination import Bench, CheckedView, PlannedGame
from gangland_ladder.checking.problems import advice_on, rename_advice, wrong_parts_text
from gangland_ladder.errors import rejection
from gangland_ladder.local.bots import imported_games, named_games
from gangland_sandbox import errors, limits


def bench(source: str) -> Bench:
    rules = game_named("gang-of-dice")
    return Bench(source.encode(), "mine.py", rules, limits.Limits.plain(1), rules.options({}), rules.table_sizes, b"")


@pytest.mark.parametrize(
    ("head", "meant"),
    [
        ("chose_reroll(self, view)", "choose_reroll"), ("chooseReroll(self, view)", "choose_reroll"),
        ("reroll(self, view)", "choose_reroll"), ("on_game_started(self, start)", "on_game_start"),
        ("game_end(self, end)", "on_game_end"), ("reroll(self, view, card)", None), ("choose_reroll(self, view)", None),
        ("act(self, decision): ...\n    def chose_reroll(self, view)", None),
        ("reroll(self, view): return self.reroll(view)\n    def helper(self, view)", None),
    ],
)  # fmt: skip
def test_a_method_that_nothing_calls_is_told_by_the_name_that_was_meant(head: str, meant: str | None) -> None:
    found = misnamed_methods(bench(f"{DICE}\n    def {head}: ...\n"), {"dice": 5})
    requested = f"{head.partition('(')[0]}() is never called: did you mean {meant}()?"
    assert [(each.code, each.line, each.message) for each in found] == ([("W308", 9, requested)] if meant else [])


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("def on_game_start(self, start):\n        self.rng, self.seen = None, []", {"rng": 9}),
        ("history = []\n    kinds: tuple = ()\n    rng: object", {"history": 8, "kinds": 9}),
        ("def encode(self, view): ...\n    def log(self): self._history = 1", {"encode": 8, "log": 9}),
        ("def act(self, decision): ...\n    def on_game_end(self, end): self.data('x')", {}),
        ("act = 1", {"act": 8}),
    ],
)
def test_a_name_of_the_base_class_is_told(body: str, lines: dict[str, int]) -> None:
    other = "\nclass Board:\n    def __init__(self):\n        self.history = []\n"
    found = reused_names(bench(f"{DICE}    {body}\n{other}"), "Mine")
    assert [each.code for each in found] == ["W309"] * len(lines)
    assert {each.message.split("`")[1]: each.line for each in found} == lines


NINE = "token 9"
GANG, DICE_GAME = game_named("gangster-dice"), game_named("gang-of-dice")


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (
            "TypeError: W.choose_dice() takes 1 positional argument but 2 were given",
            "Write `def choose_dice(self, view)`.",
        ),
        ("TypeError: W.on_game_end() takes 1 positional argument but 2 were", "Write `def on_game_end(self, end)`."),
        ("TypeError: W.__init__() missing 1 required positional argument: 'n'", "Write `def __init__(self)`."),
        ("choose_dice() raised AttributeError: 'View' object has no attribute 'pol'", "Did you mean `view.pool`?"),
        ("choose_dice() raised EOFError: EOF when reading a line", "remove `input()`"),
        ("choose_dice() raised TypeError: 'NoneType' object is not subscriptable", "is while nobody leads"),
        ("choose_dice() raised TypeError: unsupported operand type(s)", None),
        ("choose_reroll() raised ValueError: min() arg is an empty sequence", "Some are empty before the first"),
        ("TypeError: module() takes at most 2 arguments (3 given)", "Extend gang_of_dice.Bot, not the module"),
        ("ModuleNotFoundError: No module named 'asyncio.events'", "asyncio is part of Python, but not available"),
        ("ModuleNotFoundError: No module named 'helper'", "in a zip next to bot.py"),
        ("ModuleNotFoundError: No module named 'numpy'", "--profile numeric"),
        ("its process ended with status 3", "Remove `exit()`"),
        ("TabError: inconsistent use of tabs and spaces in indentation", "Indent with spaces only"),
        ("choose_dice() raised NameError: name 'pool' is not defined", "Did you mean `view.pool`?"),
        ("choose_dice() raised NameError: name 'random' is not defined", "Write `import random`"),
        ("NameError: name 'true' is not defined", "Did you mean `True`?"),
        ("NameError: name 'Want' is not defined", "Case matters"),
        ("choose_dice() raised AttributeError: 'MyGang' object has no attribute 'pool'", "Did you mean `view.pool`?"),
        ("choose_dice() raised AttributeError: 'MyGang' object has no attribute 'wins'", None),
        ("choose_dice() raised AttributeError: 'tuple' object has no attribute 'total'", None),
        ("SyntaxError: invalid character '\u201c' (U+201C)", "Use straight quotes"),
        ("ValueError: 3 is too much", None),
    ],
)
def test_an_error_gets_the_advice_that_fits_it(words: str, result: str | None) -> None:
    advice = advice_on(words, DICE_GAME)
    assert result in advice if result else advice == ""


def test_a_field_that_a_view_does_not_have_nor_nearly_is_answered_with_those_that_it_has() -> None:
    advice = advice_on("AttributeError: 'View' object has no attribute 'xyzzy'", GANG)
    assert [name for name in GANG.view_class.fields() if name not in advice] == []


def test_a_missing_method_is_found_under_a_name_almost_the_same() -> None:
    source = DICE.replace("choose_dice", "choose_dices")
    assert rename_advice("Mine does not define choose_dice()", source) == ("; line 5 has choose_dices(): rename it", 5)
    assert rename_advice("Mine does not define choose_dice()", "class Mine: ...") is None
    assert rename_advice("SyntaxError: no", source) is None


def test_names_of_a_hostile_bot_are_compared_with_bounded_work() -> None:
    def work(count: int) -> int:
        names = "".join(f"    def choose_dic{'e_dice' * 8}{number}(self, view): ...\n" for number in range(count))
        long = f"    def choose_dice_{'dice_' * 40_000}(self, view): ...\n"
        source = f"class Mine:\n{long}{names}"
        calls = 0

        def observed(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(observed)
        try:
            rename_advice("Mine does not define choose_dice()", source)
            advice_on(f"AttributeError: 'View' object has no attribute '{'pool' * 700}'", game_named("gang-of-dice"))
        finally:
            sys.setprofile(None)
        return calls

    assert work(4000) < 1.1 * work(1000) + 4 * 3000  # one step of the pattern a name, and no comparison more


@pytest.mark.parametrize(
    ("game", "kind", "answer", "result"),
    [
        (
            "gangster-dice",
            "bids",
            [[9, 9], [9, 9]],
            f"None of your dice shows {NINE}; {NINE} is bid on twice; you hold no favor 9.",
        ),
        ("gangster-dice", "bids", [], "The list has 0 bids, not 2."), ("gangster-dice", "bids", [1, [2]], ""),
        ("gangster-dice", "bids", 7, ""), ("gang-of-dice", "reroll", [9, 9], "No die shows 9."),
        ("gang-of-dice", "dice", 99, ""),
    ],
)  # fmt: skip
def test_the_part_of_an_answer_that_is_wrong_is_named(game: str, kind: str, answer: Any, result: str) -> None:
    rules = game_named(game)
    state, _ = rules.start(2, rules.options({}), SeededChance(bytes(32)))
    assert wrong_parts_text(rules, CheckedView(1, PlannedGame(2, 0), 0, 0, kind, state, answer)) == result


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("my-bot.py", "mv my-bot.py my_bot.py"), ("2nd bot.py", "mv '2nd bot.py' my_2nd_bot.py"),
        ("random.py", "mv random.py my_random.py"), ("mine.zip", None),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_used_comes_with_the_command_that_changes_it(name: str, command: str | None) -> None:
    for code in ("bad_name", "taken_name"):
        message = rejection(errors.UploadRejected(code, "no"), name).message
        assert message == ("no" if command is None else f"no\n{command}")


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_variants_try_every_word_of_every_option_and_every_character(game: str) -> None:
    variants = game_named(game).variants
    for variant in variants:
        game_named(game).options(variant.options)
    words = {(name, value) for variant in variants for name, value in variant.options.items() if isinstance(value, str)}
    if game == "gang-of-dice":
        assert words == {("deck", "box18"), ("first_player", "winner")}
        return
    known: dict[str, Any] = get_type_hints(options.Options)
    defaults = {field.name: field.default for field in fields(options.Options)}
    allowed = {(name, word) for name, hint in known.items() for word in get_args(hint) if isinstance(word, str)}
    assert words == {(name, word) for name, word in allowed if defaults[name] != word}
    casts = [variant for variant in variants if "cast" in variant.options]
    assert sorted(key for variant in casts for key in variant.options["cast"]) == sorted(characters.BY_KEY)  # type: ignore[attr-defined]
    assert all(variant.games == variant.seats for variant in casts)


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("x = 0\ndef f():\n    global x\n    x += 1", [(4, "the global 'x'")]),
        ("x = []\ndef f():\n    x.append(1)\n    x[0] = 2", [(3, "the global 'x'"), (4, "the global 'x'")]),
        ("x = []\ndef f(x):\n    x.append(1)", []), ("x = []\ndef f():\n    x = [1]\n    x.append(1)", []),
        ("x = []\nx.append(1)", []),
        ("class A:\n    n = 0\n    def f(self):\n        A.n += 1", [(4, "the class attribute 'n'")]),
        ("class A:\n    def f(self):\n        type(self).n = 1", [(3, "the class attribute 'n'")]),
        ("class A:\n    def f(self):\n        self.__class__.n = 1", [(3, "the class attribute 'n'")]),
        ("class A:\n    s = []\n    def f(self):\n        self.s.append(1)", [(4, "the class attribute 's'")]),
        ("class A:\n    s = []\n    def f(self):\n        self.s = []\n        self.s.append(1)", []),
        ("class A:\n    def f(self):\n        self.n = 1\n        self.t = []\n        self.t.append(1)", []),
        ("def f(s, x=[]):\n    x.append(1)", [(2, "the default of the argument 'x'")]),
        ("def f(s, *, x={}):\n    x[1] = 2", [(2, "the default of the argument 'x'")]),
        ("def f(s, x=[]):\n    x = list(x)\n    x.append(1)", []), ("def f(s, x=3):\n    x.append(1)", []),
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
)  # fmt: skip
def test_what_outlives_a_game_is_found_by_its_line(code: str, result: list[tuple[int, str]]) -> None:
    assert [(place.line, place.target) for place in places_of({"a.py": code.encode()})] == result


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


IMPORTS = [
    ("from gangland import (\n    gang_of_dice,\n)", "gang-of-dice"),
    ("from gangland import (  # the game :)\n    gangster_dice as game,  # gang_of_dice\n    Bot\n)", "gangster-dice"),
    ("from gangland.gang_of_dice import (\n    Bot,\n)", "gang-of-dice"),
    ("import os, gangland.gang_of_dice as g", "gang-of-dice"),
    ("import os; from gangland import gangster_dice", "gangster-dice"),
    ("try: from gangland import \\\n    gangster_dice\nfinally: pass", "gangster-dice"),
    ("from\tgangland import\tgang_of_dice\tas g\r\n", "gang-of-dice"),
    (
        "'''It's \"like\":\n\nfrom gangland import gang_of_dice\n'''\nfrom gangland import gangster_dice",
        "gangster-dice",
    ),
    ('"""\nfrom gangland import gang_of_dice\n"""\n', None),
    ("x = 'import gangland.gang_of_dice'  # from gangland import gang_of_dice", None),
    ("from gangland import gang_of_dice_tools", None), ("from .gangland import gang_of_dice", None),
]  # fmt: skip


@pytest.mark.parametrize("more", ["", "\ntype X = (1"], ids=["read", "newer"])
@pytest.mark.parametrize(("source", "game"), IMPORTS)
def test_imports_tell_the_game_and_no_text_does(source: str, game: str | None, more: str) -> None:
    code = (source + more).encode()
    assert imported_games(code) == named_games(code) == ({game} if game else set())


def test_a_byte_order_mark_hides_nothing() -> None:
    marked = f"\ufeff{DICE}"
    assert imported_games(marked.encode()) == {"gang-of-dice"}
    assert bench(marked).main_source() == DICE


DEEP = ["z = 1" + "+1" * 2500, "y = lambda: a" + ".a" * 2500]


@pytest.mark.parametrize("deep", DEEP, ids=["a sum", "a path"])
def test_a_file_that_is_nested_deeper_than_the_stack_is_read_all_the_same(deep: str) -> None:
    code = f"x = []\ndef f():\n    x.append(1)\n{deep}\n"
    assert [(place.line, place.target) for place in places_of({"a.py": code.encode()})] == [(3, "the global 'x'")]


def test_a_base_that_is_nested_too_deep_tells_no_game() -> None:
    both = "from gangland import gang_of_dice, gangster_dice\n"
    assert imported_games(f"{both}class C(a{'.a' * 2000}): pass\n".encode()) == set(GAME_NAMES)
