"""`gangland verify` and `gangland replay` on files of one replay and of many."""

import json
import sys
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from tests.kits.command_kit import gangland, parsed

from gangland import faults, games, match
from gangland.replay import load
from gangland_ladder.cli import replay as commands
from gangland_ladder.cli import replay_files
from gangland_ladder.cli import verify as verifying
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.viewer.drawing import canvas


class OneDie:
    def decide(self, kind: str, view: Any, number: int) -> object:
        return 1 if kind == "dice" else []


def a_game(number: int, seats: int = 2) -> dict[str, Any]:
    failed = {0: faults.BotFault(faults.FaultKind.IMPORT_ERROR, "broken")}
    seed = number.to_bytes(32, "big")
    game = match.play(games.game_named("gang-of-dice"), [OneDie()] * seats, seed, early_faults=failed)
    return game.replay.to_dict()


def whole(replay: dict[str, Any], *names: str) -> dict[str, Any]:
    return {"schema": "gangland/game/1", "seats": [{"bot": name} for name in names], "replay": replay}


def wrong(replay: dict[str, Any]) -> dict[str, Any]:
    return replay | {"places": replay["places"][::-1]}


def lines(*documents: object) -> str:
    return "".join(f"{json.dumps(document)}\n" for document in documents)


def run(*arguments: object, stdin: bytes = b"") -> tuple[int, str, str]:
    ran = gangland(*arguments, stdin=BytesIO(stdin))
    return ran.code, ran.out, ran.err


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "games.ndjson"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


Write = Callable[[str | bytes], Path]
HOSTILE = [
    b"[" * 100_000, b"9" * 10_000, b"\xff\xfe", b"\0", b'{"schema":"\\ud800"}', b'"' + b"x" * 5_000, b"[]" * 9,
]  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "many lines"])
@pytest.mark.parametrize("document", [a_game(1), whole(a_game(1), "ada", "bea")], ids=["replay", "game"])
def test_a_file_of_one_game_verifies_in_any_layout(file: Write, document: dict[str, Any], indent: int | None) -> None:
    path = file(json.dumps(document, indent=indent))
    code, out, err = run("verify", path)
    assert (code, err) == (0, "")
    assert out == f"{path}: verified, 0 decisions, places [2, 1]\n"


def test_all_replays_of_a_file_are_verified_those_of_the_golden_files_too(file: Write, root: Path) -> None:
    for end in ("\n", "\r\n", "\n\n \n"):
        for last in (True, False):
            path = file(end.join(json.dumps(a_game(number)) for number in range(5)) + end * last)
            assert run("verify", path)[:2] == (0, f"{path}: 5 replays verified\n"), (end, last)
    for game in ("gang-of-dice", "gangster-dice"):
        golden = (root / "tests" / "golden" / f"{game}.ndjson").read_text().splitlines(keepends=True)[::12]
        code, out, err = run("verify", file("".join(golden)))
        assert (code, err) == (0, "")
        assert f"{len(golden)} replays verified" in out


def test_each_replay_that_fails_is_named_with_its_line_and_the_others_are_still_checked(file: Write) -> None:
    path = file(lines(a_game(1), wrong(a_game(2))) + "\n" + lines(a_game(3)) + '{"schema": "gang\n' + lines(a_game(4)))
    code, out, err = run("verify", path)
    assert code == 1
    assert out == f"{path}: 2 of 5 replays failed\n"
    first, second = err.splitlines()
    assert first.startswith(f"gangland: {path}, line 2: the replay records places [1, 2], but playing it gives [2, 1]")
    assert second.startswith(f"gangland: {path}, line 5: not a replay: ")


def test_views_that_were_not_sent_are_found_where_the_file_has_their_digest(file: Write) -> None:
    golden = (Path(__file__).resolve().parents[2] / "golden" / "gang-of-dice.ndjson").read_text().splitlines()
    replay = next(json.loads(line) for line in golden if json.loads(line)["seats"] == 2)
    sent = views_digest(load(json.dumps(replay)))
    assert run("verify", file(lines(whole(replay, "ada", "bea") | {"views": sent})))[0] == 0
    code, _, err = run("verify", file(lines(whole(replay, "ada", "bea") | {"views": "0" * 64})))
    assert code == 1
    assert f"line 1: the views sent have the digest {'0' * 64}, but in the replay they have {sent}" in err


@pytest.mark.parametrize(
    ("before", "line", "after", "message"),
    [
        *[([a_game(1)], hostile, [a_game(2)], "") for hostile in HOSTILE],
        ([a_game(1)], b'{"schema":', [], "line 2: not a replay: Expecting value (char 11)\n"),
        ([], b"{", [a_game(1), a_game(2)], "line 1: not a replay"),
        ([], json.dumps(a_game(1) | {"rules": 99}).encode(), [], "99"),
    ],
)
def test_a_line_that_fails_is_one_short_message_with_its_number_and_hides_no_other(
    file: Write, before: list[object], line: bytes, after: list[object], message: str
) -> None:
    path = file(lines(*before).encode() + line + b"\n" + lines(*after).encode())
    count = len(before) + 1 + len(after)
    code, out, err = run("verify", path)
    assert (code, out) == (1, f"{path}: 1 of {count} replay{'s' * (count > 1)} failed\n")
    assert err.startswith(f"gangland: {path}, line {len(before) + 1}: ")
    assert message in err
    assert err.count("\n") == 1
    assert len(err) < 500 + len(str(path))


def test_a_replay_from_the_standard_input_is_verified_and_told() -> None:
    one, many = lines(a_game(1)).encode(), lines(a_game(1), a_game(2)).encode()
    assert run("verify", "-", stdin=one)[:2] == (0, "stdin: verified, 0 decisions, places [2, 1]\n")
    assert run("verify", "-", stdin=many)[:2] == (0, "stdin: 2 replays verified\n")
    assert "Seat 2 wins" in run("replay", "-", "--game", "2", stdin=many)[1]


def test_verify_answers_with_one_document_on_demand(file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    good = run("verify", file(lines(a_game(1))), "--json")
    assert good[::2] == (0, "")
    assert json.loads(good[1]) == {
        "schema": "gangland/verify/1", "verified": True, "replays": 1, "failed": 0, "failures": [],
    }  # fmt: skip

    code, out, err = run("verify", file("\n" + lines(a_game(1), wrong(a_game(2)))), "--json")
    found = parsed(out)
    assert (code, err) == (1, "")
    assert (found["verified"], found["replays"], found["failed"]) == (False, 2, 1)
    (failure,) = found["failures"]
    assert (failure["number"], failure["line"]) == (2, 3)
    assert "places" in failure["message"]

    monkeypatch.setattr(verifying, "MAX_LISTED", 2)
    found = json.loads(run("verify", file("{}\n" * 5), "--json")[1])

    assert (found["failed"], len(found["failures"])) == (5, 2), "the first are named, all are counted"


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_without_a_replay_or_unreadable_is_exit_2(file: Write, tmp_path: Path, command: str) -> None:
    bot = "from gangland import gang_of_dice\n\nTABLE = {\n    1: 2,\n}\n"
    for content in ("", "\n \n\r\n", bot, "x\n" * 2_000):
        code, out, err = run(command, file(content))
        assert (code, out) == (2, "")
        assert "no replay in" in err
        assert "expected replays, a file written by `gangland play --out`" in err
        assert len(err.splitlines()) == 1
    for path in (tmp_path / "nothing.json", tmp_path):
        code, out, err = run(command, path)
        assert (code, out) == (2, "")
        assert f"cannot read {path}: " in err


@pytest.mark.parametrize("seats", [1, "ab", None, [1], [{}], {"bot": 1}])
def test_a_game_that_does_not_name_its_bots_is_a_failure(file: Write, seats: object) -> None:
    code, _, err = run("verify", file(lines(whole(a_game(1)) | {"seats": seats})))
    assert code == 1
    assert "expected a bot's name for each seat" in err


class Bounded(BytesIO):
    """A stream that refuses to read more at once than a line may have."""

    most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.note(size)
        return super().read(size)

    def readline(self, size: int | None = -1, /) -> bytes:
        self.note(size)
        return super().readline(size)

    def note(self, size: int | None) -> None:
        assert size is not None
        assert size >= 0
        self.most = max(self.most, size)


@pytest.mark.parametrize("first", [b"", b"{", b"x" * 50_000], ids=["good", "broken", "too long"])
def test_a_file_is_read_in_pieces_of_bounded_size_and_a_line_that_is_too_long_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bytes
) -> None:
    monkeypatch.setattr(replay_files, "LINE_BYTES", 2_000)
    monkeypatch.setattr(replay_files, "_SKIPPED_BYTES", 500)
    path = tmp_path / "long.ndjson"
    path.write_text(lines(a_game(1)) + "x" * 200_000 + "\n" + lines(a_game(2)))
    code, out, err = run("verify", path)
    assert (code, out) == (1, f"{path}: 1 of 3 replays failed\n")
    assert "line 2: not a replay: the line is longer than 2000 bytes" in err

    stream = Bounded(first + b"\n" + lines(*[a_game(1)] * 30).encode())
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(stream))

    found = list(replay_files.entries(replay_files.STDIN))

    assert len([entry for entry in found if entry.line > 1]) == 30
    assert [entry.line for entry in found][-1] == 31
    assert 0 < stream.most <= 2_001


def test_a_chosen_replay_of_many_is_told_with_its_bots_names(file: Write) -> None:
    path = file(lines(whole(a_game(1), "ada", "bea"), whole(a_game(2), "cay", "cay"), a_game(3)))
    assert "bea wins (last faultless)" in run("replay", path, "--game", "1")[1]
    assert "cay (2) wins (last faultless)" in run("replay", path, "--game", "2")[1]
    assert "Seat 2 wins (last faultless)" in run("replay", path, "--game", "3")[1]
    assert json.loads(run("replay", path, "--game", "3", "--json")[1])["schema"] == "gangland/story/1"


class Slow:
    def decide(self, kind: str, view: Any, number: int) -> object:
        raise faults.BotFault(faults.FaultKind.DECISION_TIME, "slow")


def test_how_a_seat_failed_is_told_on_the_page_in_the_words_of_faults(file: Write, tmp_path: Path) -> None:
    replay = match.play(games.game_named("gang-of-dice"), [OneDie(), Slow()], bytes(32)).replay.to_dict()
    game, page = whole(replay, "ada", "bea"), tmp_path / "game.html"
    for kind, result in (
        ("decision_time", "bea failed in round 1 (out of time). From"),
        ("<b>", "bea failed in round 1. From"),
    ):
        game["seats"][1]["fault"] = {"kind": kind}
        assert run("replay", file(lines(game)), "--html", page)[0] == 0
        assert result in page.read_text()


def test_a_clip_is_of_the_kind_of_its_name(file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(lines(whole(a_game(1), "ada", "bea")))
    for part, name, begins in (
        ("r1", "round.webp", b"RIFF"), ("game", "game.GIF", b"GIF89a"), ("r1", "decision.png", b"\x89PNG"),
        ("end", "end.png", b"\x89PNG"),
    ):  # fmt: skip
        code, out, err = run("replay", path, "--clip", part, "--out", tmp_path / name, "--scheme", "dark")
        assert (code, out) == (0, ""), err
        assert f"written: {tmp_path / name}" in err
        assert (tmp_path / name).read_bytes().startswith(begins)
    monkeypatch.setattr(canvas, "_PACKAGES", {"no_such_module": "resvg-py"})
    code, _, err = run("replay", path, "--clip", "game", "--out", tmp_path / "x.webp")
    assert code == 2
    assert "pip install 'gangland[pictures]' (not installed: resvg-py)" in err


@pytest.mark.parametrize(
    ("part", "name", "message"),
    [
        ("r9", "x.webp", "--clip r9: the game has rounds 1 to 1, not 9"),
        ("r1.s1.d1", "x.gif", "--clip r1.s1.d1: expected a round or game, such as r7 or game"),
        ("game", "x.png", "--clip game: a .png file shows one decision, such as r7.s2.d1, r7 or end"),
        ("game", "x.mp4", "expected .webp or .gif for a clip, .png for a decision"),
        ("game", "none/x.gif", "cannot write"),
        ("game", None, "--clip needs --out FILE"),
        (None, "x.webp", "--out needs --clip"),
    ],
)
def test_what_is_no_clip_is_told(file: Write, tmp_path: Path, part: str | None, name: str | None, message: str) -> None:
    given = [*(["--clip", part] if part else []), *(["--out", tmp_path / name] if name else [])]
    code, _, err = run("replay", file(lines(a_game(1))), *given)
    assert code == 2
    assert message in err
    assert list(tmp_path.glob("x.*")) == []


def test_without_a_choice_the_replays_are_listed_and_it_says_how_to_choose(file: Write) -> None:
    path = file(lines(a_game(1), a_game(2, seats=3)) + "{\n")
    code, out, err = run("replay", path)
    assert code == 2
    first, second, third = out.splitlines()
    assert first == "   1  gang-of-dice, 2 seats, 1 round, places 2, 1"
    assert second.startswith("   2  gang-of-dice, 3 seats, ")
    assert third.startswith("   3  not a replay: ")
    assert err == f"gangland: {path} has 3 replays: choose one with --game 1 to --game 3\n"
    code, out, err = run("replay", path, "--game", "4")
    assert (code, out) == (2, "")
    assert "no replay 4 in" in err
    assert "it has 3" in err


def test_the_list_is_a_document_on_demand_and_has_a_limit(file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(lines(a_game(1)) + "{\n" + lines(a_game(3), a_game(4)))
    rows = json.loads(run("replay", path, "--json")[1])["replays"]
    assert [row["number"] for row in rows] == [1, 2, 3, 4]
    assert (rows[0]["game"], rows[0]["seats"], rows[0]["places"]) == ("gang-of-dice", 2, [2, 1])
    assert "not a replay" in rows[1]["message"]
    monkeypatch.setattr(commands, "MAX_LISTED", 3)
    assert len(json.loads(run("replay", path, "--json")[1])["replays"]) == 3
    assert run("replay", path)[1].splitlines()[-1] == "and 1 more"


def test_only_a_replay_that_verifies_is_told_whatever_stands_beside_it(file: Write) -> None:
    path = file("\n" + lines(a_game(1), wrong(a_game(2))) + "{\n")
    assert run("replay", path, "--game", "1")[0] == 0
    for number, line, output in ((2, 3, "the replay records places"), (3, 4, "not a replay")):
        code, out, err = run("replay", path, "--game", number)
        assert (code, out) == (1, "")
        assert f"line {line}: {output}" in err
        code, out, err = run("replay", path, "--game", number, "--json")
        found = parsed(out)
        assert (code, err) == (1, "")
        assert (found.pop("schema"), found.pop("verified"), found.pop("failed")) == ("gangland/verify/1", False, 1)
        (failure,) = found["failures"]
        assert (failure["number"], failure["line"]) == (number, line)
        assert output in failure["message"]
    alone = file(lines(wrong(a_game(1))))
    assert json.loads(run("replay", alone, "--json")[1]) == json.loads(run("verify", alone, "--json")[1])


def test_a_story_stops_reading_at_the_chosen_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever() -> Iterator[bytes]:
        while True:
            yield lines(a_game(1)).encode()

    class Endless(BytesIO):
        endless = forever()

        def readline(self, size: int | None = -1, /) -> bytes:
            return next(self.endless)

    monkeypatch.setattr(sys, "stdin", TextIOWrapper(Endless()))
    found = replay_files.entries(replay_files.STDIN)

    assert [next(found).number for _ in range(3)] == [1, 2, 3]
