"""Whatever comes from a bot, an upload or a request is worked on in steps that grow no faster than it does."""

import sys
from collections.abc import Callable
from io import BytesIO
from types import FrameType
from typing import Any, Final

import pytest
from tests.fuzz.running import _time_capped
from tests.sandbox.zip_kit import zipped
from werkzeug.datastructures import FileStorage

from gangland.faults import BotFault, FaultKind
from gangland.games import game_named
from gangland_ladder.checking import advice, examination
from gangland_ladder.checking.problems import advice_on, problem_of_fault, rename_advice
from gangland_ladder.errors import problem_of, rejection
from gangland_ladder.local.bots import imported_games
from gangland_ladder.matches.match_jobs import GameRecord, Result, encode, log_parts, shrink
from gangland_sandbox import errors, limits, wire
from gangland_sandbox.intake import unpack
from gangland_web.base.text import address_problem, name_key, normal_name, problem_with_name, shown
from gangland_web.queries.sources import diff_of, source_text
from gangland_web.services import accounts, uploads

GAME: Final = game_named("gang-of-dice")
LARGEST_BYTES: Final = 256 * 1024
SMALL_BYTES: Final = 2 * 1024  # steps are counted at this size and at four times as much
SLACK: Final = 3_000
MARKS: Final = "a" + "\u0301\u0323" * LARGEST_BYTES  # accents that need sorting, in quadratic time


def filled(piece: str, size: int, before: str = "", after: str = "") -> str:
    return before + piece * max(1, (size - len(before) - len(after)) // len(piece)) + after


def numbered(form: str, size: int, before: str = "") -> str:
    lines = [form.format(number) for number in range(size // len(form.format(99)))]
    return before + "\n".join(lines)


def failed(kind: FaultKind, text: str) -> Callable[[int], object]:
    return lambda size: problem_of_fault(BotFault(kind, filled(text, size, "choose_dice() returned ")), "bot.py", GAME)


def refused(act: Callable[[], object]) -> object:
    try:
        return act()
    except (errors.UploadRejected, wire.FrameError) as refusal:
        return rejection(refusal) if isinstance(refusal, errors.UploadRejected) else refusal


def in_pieces(size: int) -> None:
    reader = wire.FrameReader(4096)
    for _ in range(size // 16):
        reader.feed(b"\x07\0\0\0\x05\x01\0\0\0" + b"a" * 7)
        reader.next()


def benched(source: str) -> examination.Bench:
    return examination.Bench(source.encode(), "bot.py", GAME, limits.Limits.plain(1), GAME.options({}), [2], b"")


def of_result(size: int) -> object:
    log = filled('"', 16_384)
    games = [GameRecord(0, 0, [0, 1], "{}", "ab" * 32, [], [log, log]) for _ in range(size // 512)]
    return encode(shrink(Result(games)))


CLASS: Final = "from gangland import gang_of_dice\nclass B(gang_of_dice.Bot):\n"
LACKS: Final = "B does not define choose_dice()"
WAYS: Final[dict[str, Callable[[int], Any]]] = {
    "names near a method's": lambda size: rename_advice(
        LACKS, numbered("    def choose_dicee{}(self, view): ...", size)
    ),
    "long names near a method's": lambda size: rename_advice(
        LACKS, numbered(f"    def choose_dic{'e' * 180}{{}}(self, view): ...", size)
    ),
    "one long name": lambda size: rename_advice(LACKS, f"    def choose_dice{'e' * size}(self, view): ..."),
    "blanks before a method": lambda size: rename_advice(LACKS, filled(" \n ", size)),
    "a long field": lambda size: advice_on(f"AttributeError: 'View' object has no attribute '{'pool' * size}'", GAME),
    "methods that nobody asks": lambda size: advice.misnamed_methods(
        benched(numbered("    def f{}(self, view): ...", size * 4 // 5, CLASS)), {}
    ),
    "globals that are changed": lambda size: advice.places_of(
        {"bot.py": numbered("x{0} = []\ndef f{0}():\n    x{0}.append(1)", size).encode()}
    ),
    "imports": lambda size: imported_games(
        numbered("from gangland import gang_of_dice as a{}, gangster_dice", size).encode()
    ),
    "an error of brackets": failed(FaultKind.CRASHED, "(a)\n"),
    "an error of lines": failed(FaultKind.CRASHED, '  File "bot.py", line 9\n'),
    "an answer's words": failed(FaultKind.ILLEGAL, ": expected "),
    "a list of classes": failed(FaultKind.IMPORT_ERROR, "ImportError: 9 bot classes: A (line 9)\n"),
    "dots and colons": failed(FaultKind.OUTPUT, "a.-: "),
    "a finding": lambda size: problem_of(BotFault(FaultKind.CRASHED, filled("bot.py:9 ", size)), "bot.py"),
    "unprintable text": lambda size: wire.clean(filled("\x01\U000e0100", size)),
    "unseen text": lambda size: shown(filled("\x01\u202e", size)),
    "a verdict": lambda size: wire.decode_error(filled("\ue000", size, "crashed\n").encode()),
    "a list of methods": lambda size: wire.decode_ready(filled("a=9\n", size, "Bot\n").encode()),
    "a deep answer": lambda size: refused(lambda: wire.decode_answer(b"[" * size)),
    "a long number": lambda size: refused(lambda: wire.decode_answer(b"9" * size)), "frames": in_pieces,
    "a log": lambda size: log_parts("ab" * size, [(at, 2 * at, 2 * at + 1) for at in range(size)]),
    "a result": of_result,
    "a source of blank lines": lambda size: refused(lambda: unpack(filled("\n", size, after="x").encode(), "bot.py")),
    "a declared encoding": lambda size: refused(lambda: unpack(filled("coding=", size, "#").encode(), "bot.py")),
    "a zip": lambda size: refused(
        lambda: unpack(zipped({"bot.py": b"x", "a": filled("PK\5\6", size).encode()}), "b.zip")
    ),
    "a source shown": lambda size: (found := source_text(b"\n" * size, "bot.py")) and (found.lines, found.left_out),
    "a diff of nothing alike": lambda size: diff_of(numbered("a{}", size), numbered("b{}", size)),
    "a diff of every other line": lambda size: diff_of(filled("x\ny\n", size), filled("x\nz\n", size // 20)),
    "a diff of blank lines": lambda size: diff_of("\n" * size, "\n" * size + "x"),
    "a name": lambda size: (normal_name(MARKS[:size]), name_key(MARKS[:size]), problem_with_name(MARKS[:size])),
    "an address": lambda size: address_problem(f"a@{MARKS[:size]}"),
    "a form": lambda size: accounts.read_sign_up({"name": MARKS[:size], "password": MARKS[:size]}),
    "a file's name": lambda size: uploads.read_upload({}, FileStorage(BytesIO(b"x"), filename=MARKS[:size])),
}  # fmt: skip
"""What is done outside of the jail with what a stranger chose, by what that is; each takes a size in bytes."""


def steps_of(act: Callable[[], object]) -> int:
    count = 0

    def observed(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return observed

    before = sys.gettrace()
    sys.settrace(observed)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("way", list(WAYS))
def test_work_on_a_strangers_words_grows_no_faster_than_they_do(way: str) -> None:
    act = WAYS[way]
    act(SMALL_BYTES)  # whatever is done once only
    small, large = (steps_of(lambda size=size: act(size)) for size in (SMALL_BYTES, 4 * SMALL_BYTES))  # type: ignore[misc]
    assert large <= 4.5 * small + SLACK, f"{small} steps, and {large} for four times as much"
    with _time_capped():
        act(LARGEST_BYTES)


def test_steps_that_grow_with_the_square_are_seen() -> None:
    def squared(size: int) -> int:
        found = 0
        for _ in range(size // 64):
            for _ in range(size // 64):
                found += 1
        return found

    small, large = steps_of(lambda: squared(SMALL_BYTES)), steps_of(lambda: squared(4 * SMALL_BYTES))
    assert large > 4.5 * small + SLACK
