"""What a ladder says beside its table: who beats whom, what is settled, lines of JSON, and a page of its own."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from tests.kits import command_kit, html_kit
from tests.kits.bots_kit import CHANCY, GOOD, GREEDY, bots_in, document

from gangland_ladder.cli.ladder import open_order_sentences, print_results
from gangland_ladder.common.documents import json_text
from gangland_ladder.documents.ladders import Ladder
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.ladder import LadderResults, Meeting, ladder_page
from gangland_ladder.local.matches import EntrySummary, LocalRun, MatchSummary
from gangland_ladder.rating.final_standings import standings
from gangland_sandbox.limits import Profile

GAMES = 40


def results(*shares: float, names: tuple[str, ...] = ("best", "middle", "last")) -> LadderResults:
    bots = [LocalBot(name, f"{name}.py", name.encode()) for name in names]
    found = LadderResults("gang-of-dice", names, 2)
    for number, (pair, share) in enumerate(zip(combinations(range(len(names)), 2), shares, strict=True), 1):
        won = round(share * GAMES)
        entries = [EntrySummary(GAMES, n, (n, 1), places, {}, {100: GAMES}) for n, places in _split(won)]
        job = LocalRun("gang-of-dice", bots, len(bots), 1, b"").job(pair, number=number, blocks=GAMES // 2)
        found.add(job, MatchSummary(entries, [(won, 0, GAMES - won)]))
    return found


def printed(ladder: LadderResults) -> Ladder:
    return Ladder(
        game="gang-of-dice",
        seats=2,
        options={},
        profile=Profile.PLAIN,
        seed=1,
        salt="",
        blocks=20,
        games=ladder.games,
        seconds=1.0,
        standings=ladder.rows(),
        head_to_head=ladder.head_to_head(),
    )


def _split(won: int) -> list[tuple[int, list[int]]]:
    both, one = divmod(won, 2)
    blocks = [2] * both + [1] * one + [0] * (GAMES // 2 - both - one)
    return [(won, [8 - 2 * n for n in blocks]), (GAMES - won, [4 + 2 * n for n in blocks])]


def test_head_to_head_is_told_from_both_sides_and_ranges_are_those_of_the_final_standings() -> None:
    ladder = results(0.75, 1.0, 0.5)
    assert [ladder.meeting(*two) for two in ((0, 1), (1, 0), (0, 0))] == [Meeting(30, 0, 10), Meeting(10, 0, 30), None]
    assert [(line.bot, line.other, line.share) for line in ladder.head_to_head()] == [
        ("best", "middle", 0.75), ("best", "last", 1.0), ("middle", "last", 0.5),
    ]  # fmt: skip
    ladder = results(0.9, 1.0, 0.5)
    assert ladder.ranges().to_json() == standings(ladder.blocks).to_json()
    assert [row.range for row in ladder.ranges().rows] == ["1", "2-3", "2-3"]
    assert [row.bot for row in ladder.named_ranges().rows] == ["best", "middle", "last"]


def test_who_is_not_separated_from_the_next_is_said_by_name_and_nothing_of_others() -> None:
    names = ("best", "middle", "last")
    assert open_order_sentences(results(0.9, 1.0, 0.5).ranges(), names) == ["Too close to call: middle and last."]
    assert open_order_sentences(results(0.9, 1.0, 0.95).ranges(), names) == []
    close = open_order_sentences(results(0.55, 0.55, 0.55).ranges(), names)
    assert close[0] == "Too close to call: best and middle, middle and last."
    assert "more games" in close[1]


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    return bots_in(tmp_path, steady=GOOD, chancy=CHANCY, greedy=GREEDY)


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long("larger tables"))])
def test_the_stream_has_every_match_in_order_and_ends_with_the_table(bots: Path, seats: int) -> None:
    arguments = ("ladder", bots, "--seats", seats, "--blocks", 3, "--seed", 7)
    run = command_kit.gangland(*arguments, "--ndjson", "--quiet")
    assert (run.code, run.err) == (0, "")
    lines = [command_kit.parsed(line) for line in run.out.splitlines()]
    assert {line["schema"] for line in lines} == {"gangland/ladder-stream/1"}
    assert {tuple(line)[:2] for line in lines} == {("schema", "type")}
    matches = 3 if seats == 2 else 1
    types = ["run", *["match"] * matches, "head_to_head", "ranges", "times", "end"]
    assert [line["type"] for line in lines] == types
    assert [line["number"] for line in lines[1 : 1 + matches]] == list(range(1, matches + 1))
    whole = document(command_kit.gangland(*arguments, "--json", "--trusted"))
    assert [match["number"] for match in whole.pop("matches")] == [line["number"] for line in lines[1 : 1 + matches]]
    whole.pop("seconds")
    lines[-1]["ladder"].pop("seconds")
    assert (lines[-1]["ladder"], lines[-1]["interrupted"]) == (whole, False)
    assert lines[0]["games"] == whole["games"]
    by_pair = lines[-4]["pairs"]
    assert sum(line["games"] for line in by_pair) == whole["games"] * seats * (seats - 1) // 2
    assert lines[-2]["p99_ms"]["greedy"] is not None


ASKING = {"src", "href", "srcset", "action", "data", "onload"}  # attributes by which a page requests something


def test_a_bot_that_has_not_played_yet_comes_last_and_without_figures(capsys: pytest.CaptureFixture[str]) -> None:
    bots = [LocalBot(name, f"{name}.py", name.encode()) for name in ("idle", "best", "other")]
    ladder = LadderResults("gang-of-dice", [bot.name for bot in bots], 2)
    job = LocalRun("gang-of-dice", bots, len(bots), 1, b"").job((1, 2))
    entries = [EntrySummary(2, 2, (2, 1), [4], {}, {100: 2}), EntrySummary(2, 0, (0, 1), [8], {}, {100: 2})]
    ladder.add(job, MatchSummary(entries, [(2, 0, 0)]))
    print_results(ladder)
    assert [line.split() for line in capsys.readouterr().out.splitlines()][3] == ["-", "idle", *["-"] * 7]
    document = printed(ladder)
    rows = command_kit.parsed(json_text(document))["standings"]
    assert [(row["bot"], row["rank"]) for row in rows] == [("best", 1), ("other", 2), ("idle", None)]
    assert [rows[2][name] for name in ("win_share", "mean_place", "score", "ranks")] == [None] * 4
    page = ladder_page(ladder, document, "gangland ladder", partial=True)
    row = '<tr><td>-</td><th scope="row" class="name">idle</th>' + "<td>-</td>" * 6 + "<td>0</td>" + "<td>-</td>" * 3
    assert f"{row}</tr>" in page
    assert len(re.findall("0\\.00", page)) == 0


def test_a_bots_name_does_nothing_to_the_page() -> None:
    names = ("<script>alert(1)</script>", 'a" onload="x', "b&lt;\u202e")
    ladder = results(0.9, 1.0, 0.5, names=names)
    page = html_kit.Page(ladder_page(ladder, printed(ladder), "gangland ladder <x>", partial=True))
    assert [tag for tag, attributes in page.tags if tag == "script" or ASKING & set(attributes)] == []
    assert "<script>alert(1)</script>" in page.text
    assert "\u202e" not in page.text
    assert "partial" in page.text


def test_the_text_has_ranges_and_the_matrix_and_the_page_charts_and_no_link(bots: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    run = command_kit.gangland("ladder", bots, "--blocks", 3, "--seed", 7, "--html", out)

    head, *lines = run.out.split("\n\n")[0].splitlines()
    assert head.split() == "# bot wins score 95% range mean place faults p99 ms ranks".split()
    assert all(re.search(r"\d+\.\d-\d+\.\d%", line) for line in lines)
    assert run.out.count("\n\nAhead of, in % of games\n") == 1
    assert f"\ngreedy was at fault: illegal in 12 games. Details: gangland check {bots}/greedy.py\n" in f"\n{run.err}"
    assert "Too close to call: " in run.err
    again = r"^continue: gangland ladder .* --seed 7 --blocks 100 --resume$"
    assert re.search(again, run.err.strip(), re.MULTILINE)
    page = html_kit.Page(out.read_text())
    tags = [tag for tag, _ in page.tags]
    assert [tag for tag, attributes in page.tags if ASKING & set(attributes)] == []
    assert not {"script", "link", "img", "iframe", "object"} & set(tags)
    assert (tags.count("svg"), tags.count("table")) == (3, 2)
    assert all(name in page.text for name in ("steady", "chancy", "greedy"))
    assert "url(" not in out.read_text()
    assert "@import" not in out.read_text()
    assert "light-dark(" in out.read_text()


@pytest.mark.parametrize("more", [("--json", "--ndjson"), ("--html", "/no/such/folder/x.html")])
def test_what_cannot_be_written_is_said_before_anything_is_played(bots: Path, more: tuple[str, ...]) -> None:
    run = command_kit.gangland("ladder", bots, *more)
    assert (run.code, run.out) == (2, "")
    assert "Traceback" not in run.err
