"""`gangland analyze`: games of bots of our own, and one with a weakness that was planted."""

import json
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from tests.kits.command_kit import Ran, gangland, parsed

from gangland.replay import load
from gangland_ladder.analysis import analyzer as reference
from gangland_ladder.cli.analyze_report import AnalysisReport
from gangland_ladder.local import analyzed as kept_games
from gangland_ladder.viewer.timeline import timeline_of

CLOSING = "closing_gang"
GAME = "gang-of-dice"
PLANTED = """
    def choose_dice(self, view):
        stake = self.stake(view)
        return min(view.pool, 2 * stake) if view.card.colour == "yellow" else stake

    def stake(self, view):
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one game and an archive of four, their analyses, and what the command printed."""
    made = tmp_path_factory.mktemp("games")
    play = gangland("play", "bold_gang", CLOSING, "--game", GAME, "--seed", 3, "--salt", "07", "--trusted", "--out",
                    "game.json", folder=made)  # fmt: skip
    assert play.code == 0
    bots = ("bold_gang", CLOSING, "--game", GAME, "--blocks", 2, "--seed", 3, "--salt", "07")
    ladder = gangland(
        "ladder", *bots, "--trusted", "--quiet", "--archive", "cup.tar", folder=made, env={"GANGLAND_RUNS": str(made)}
    )
    assert ladder.code == 0
    for name, more in (("game.json", ("--json",)), ("cup.tar", ("--cores", 1))):
        stem = name.partition(".")[0]
        kept = analyze(made, name, *more, "--out", f"{stem}.analyzed")
        assert kept.code == 0
        (made / f"{stem}.txt").write_text(kept.out)
    return made


@pytest.fixture(scope="module")
def account(folder: Path) -> dict[str, Any]:
    return parsed((folder / "game.txt").read_text())


def analyze(folder: Path, *arguments: object) -> Ran:
    return gangland("analyze", *arguments, folder=folder)


def test_a_game_is_summed_up_by_seat_and_each_account_adds_up(account: dict[str, Any]) -> None:
    assert [(each["bot"], each["seat"]) for each in account["players"]] == [("bold_gang", 0), (CLOSING, 1)]
    for each in account["players"]:
        *parts, result = each["account"].values()
        assert sum(parts) == pytest.approx(result, abs=1e-9)
        assert each["cost"] == pytest.approx(sum(theme["cost"] for theme in each["themes"]))
    assert sum(each["account"]["result"] for each in account["players"]) == 1


def test_an_archive_is_summed_up_by_bot_the_same_on_any_number_of_cores(folder: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.analyzed"
    half.write_text("".join((folder / "cup.analyzed").read_text().splitlines(keepends=True)[:2]))
    one = analyze(folder, "cup.tar", "--out", "cup.analyzed", "--json")  # analyzed on one core
    two = analyze(folder, "cup.tar", "--cores", 2, "--out", half, "--json")
    assert (one.code, one.err, one.out) == (0, "", two.out)
    assert one.document["games"] == 4
    assert {(each["bot"], each["seat"], each["games"]) for each in one.document["players"]} == {
        ("bold_gang", None, 4),
        (CLOSING, None, 4),
    }
    chosen = analyze(folder, "cup.tar", "--match", 1, "--game", 2, "--out", "cup.analyzed", "--json")
    assert chosen.document["games"] == 1


def test_the_costliest_decision_leads_to_every_legal_one_and_its_cost(folder: Path, account: dict[str, Any]) -> None:
    (worst, *_) = account["players"][0]["worst"]
    at = worst["decision"]["at"]
    ranked = analyze(folder, "game.json", "--decision", at, "--json").document
    text = analyze(folder, "game.json", "--decision", at)
    (played,) = [each for each in ranked["options"] if each["played"]]
    assert (played["decision"], played["mark"]) == (worst["decision"]["chosen"], worst["decision"]["mark"])
    assert played["cost"] == pytest.approx(worst["decision"]["cost"])
    assert ranked["options"][0]["decision"] == worst["decision"]["best"]
    assert len(ranked["options"]) == worst["decision"]["legal"]
    values = [each["value"] for each in ranked["options"]]
    assert values == sorted(values, reverse=True)
    assert {"bust", "lead", "win the round"} <= set(played["odds"])
    assert (text.code, text.err) == (0, "")
    assert sum(line.startswith(">") for line in text.out.splitlines()) == 1
    assert f"gangland replay game.json --game 1 --at {at}" in text.out


def test_a_game_is_played_on_from_a_decision_as_a_replay_and_as_a_page(folder: Path, tmp_path: Path) -> None:
    at, out, html = "r11.s2.d1", tmp_path / "on.json", tmp_path / "on.html"
    text = analyze(folder, "game.json", "--decision", at, "--from-here", "--out", out, "--html", html)
    document = analyze(folder, "game.json", "--decision", at, "--from-here", "--json").document
    assert (text.code, text.out.splitlines()[2].split()[:4]) == (0, ["result", "recorded", "from", "here"])
    assert document["replay"]["digest"] == json.loads(out.read_text())["digest"]
    assert gangland("verify", out).code == 0
    assert f"What if:</strong> At {at}, {CLOSING} " in html.read_text()


def test_a_page_leads_to_what_ifs_beside_it_and_each_back_to_it(folder: Path, tmp_path: Path) -> None:
    html = tmp_path / "game.html"
    assert analyze(folder, "game.json", "--html", html, "--from-here").code == 0
    pages = [each for each in tmp_path.iterdir() if each != html]
    assert 1 <= len(pages) <= 6
    for page in pages:
        at = page.stem.removeprefix("game-")
        assert f'<p class="what-if"><a href="{page.name}">' in html.read_text()
        assert f'<a href="game.html#{at}">Back to the recorded game</a>' in page.read_text()
    assert "What if:" not in html.read_text()


def test_only_the_best_are_listed_and_what_was_played_but_all_with_all(folder: Path) -> None:
    short, long = (analyze(folder, "game.json", "--decision", "r10.s2.d1", *more).out for more in ((), ("--all",)))
    assert long.count(" rolls ") == 29 > short.count(" rolls ") >= 20
    assert "more; --all lists them" in short
    assert "more;" not in long


def test_a_second_run_analyses_nothing_again_and_says_the_same(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "cup.analyzed"
    lines = (folder / "cup.analyzed").read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:3]) + lines[3][:100])  # as a kill leaves it
    second = analyze(folder, "cup.tar", "--out", out)
    assert (second.code, second.out) == (0, (folder / "cup.txt").read_text())
    assert out.read_bytes().splitlines(keepends=True) == lines
    assert [parsed(line)["figures"]["complete"] for line in lines] == [True] * 4
    marked = [json.loads(line) for line in lines]
    marked[0]["figures"]["accounts"][0]["luck"] = 100.0
    out.write_text("".join(json.dumps(line) + "\n" for line in marked))
    luck = analyze(folder, "cup.tar", "--out", out, "--json").document["players"]
    assert max(each["account"]["luck"] for each in luck) > 20  # what the file says is taken, not worked out anew


def test_a_file_of_another_seed_version_or_kind_is_refused_and_left_as_it_is(folder: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "game.analyzed", tmp_path / "notes.txt"
    copy(folder / "game.analyzed", out)
    other.write_text("my notes")
    seed = analyze(folder, "game.json", "--out", out, "--seed", 1)
    out.write_text(out.read_text().replace('"version": "', '"version": "before-'))
    version = analyze(folder, "game.json", "--out", out)
    kind = analyze(folder, "game.json", "--out", other)
    assert [ran.code for ran in (seed, version, kind)] == [2, 2, 2]
    assert "was made with --seed 0, not 1" in seed.err
    assert "was made with version before-" in version.err
    assert "is not a file written by `gangland analyze --out`" in kind.err
    assert other.read_text() == "my notes"


def test_a_bot_that_stakes_too_much_on_yellow_cards_reads_so_first(root: Path, tmp_path: Path) -> None:
    boss = (root / "bots" / "gangland_bots" / "gang_of_dice" / "boss_gang.py").read_text()
    (tmp_path / "yellow.py").write_text(boss.replace("    def choose_dice(self, view):\n", PLANTED))
    bots = ("yellow.py", "boss_gang", "--game", GAME, "--blocks", 1, "--seed", 5, "--salt", "07")
    how, runs = ("--trusted", "--quiet", "--archive", "cup.tar"), {"GANGLAND_RUNS": str(tmp_path)}
    run = gangland("ladder", *bots, *how, folder=tmp_path, env=runs)
    assert run.code == 0, run.err
    ran = analyze(tmp_path, "cup.tar", "--out", "kept")
    (first,) = [line for line in ran.out.splitlines() if line.startswith("yellow loses")]
    document = analyze(tmp_path, "cup.tar", "--out", "kept", "--json").document
    players = {each["bot"]: each for each in document["players"]}
    theme = players["yellow"]["themes"][0]
    assert theme["chosen"] > theme["best"] + 1  # it stakes double
    means = f"({theme['chosen']:.1f} on average, {theme['best']:.1f} was best), mostly in rounds "
    assert f" of a win per game by staking too many dice on yellow cards {means}" in first
    assert players["yellow"]["cost"] > players["boss_gang"]["cost"]


def test_two_bots_are_compared_by_cost_with_their_mirrored_games_as_blocks(folder: Path) -> None:
    cup = ("cup.tar", "--out", "cup.analyzed")
    document = analyze(folder, *cup, "--compare", CLOSING, "bold_gang", "--json").document
    text = analyze(folder, *cup, "--compare", CLOSING, "bold_gang")
    found, costs = document["comparison"], {each["bot"]: each["cost"] for each in document["players"]}
    assert (found["new"], found["old"], found["blocks"], found["paired"]) == (CLOSING, "bold_gang", 2, 2)
    assert found["whole"]["difference"] == pytest.approx(costs[CLOSING] - costs["bold_gang"])
    assert found["whole"]["verdict"] == "too few games"
    assert text.out.startswith(f"too few games: {CLOSING} loses ")
    assert "4 games against 4, both on the same dice in 2 of 2 blocks" in text.out
    assert analyze(folder, *cup, "--json").document["comparison"] is None


def test_versions_of_one_name_are_told_apart_by_their_code(folder: Path, tmp_path: Path) -> None:
    game = json.loads((folder / "game.json").read_text())
    for seat in game["seats"]:
        seat["bot"] = "mine"
    codes = [seat["code"][:8] for seat in game["seats"]]
    (tmp_path / "mine.json").write_text(json.dumps(game))
    mine = ("mine.json", "--out", copy(folder / "game.analyzed", tmp_path), "--compare")
    apart = analyze(tmp_path, *mine, f"mine {codes[0]}", f"mine {codes[1]}", "--json").document
    several = analyze(tmp_path, *mine, "mine", "yours")
    assert [apart["comparison"][each] for each in ("old_games", "new_games")] == [1, 1]
    assert apart["comparison"]["whole"]["verdict"] == "too few games"
    assert several.code == 2
    assert "several bots are called 'mine'; give 'mine " in several.err


def test_no_game_and_no_analysis_are_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads((folder / "game.json").read_text())["replay"]
    wrong = {**document, "decisions": [99, *document["decisions"][1:]]}
    both = tmp_path / "both.ndjson"
    both.write_text(f"{json.dumps(wrong)}\n{json.dumps(document)}\n")
    found = analyze(tmp_path, both, "--out", copy(folder / "game.analyzed", tmp_path), "--json")
    monkeypatch.setattr(kept_games, "analyze", _none)
    none = analyze(folder, "game.json")
    assert (found.code, found.document["games"]) == (1, 1)
    assert [(each["game"], "decision 0" in each["message"]) for each in found.document["unusable"]] == [(1, True)]
    assert (none.code, none.out) == (2, "")
    assert none.err == "gangland: there is no analysis of this\n"


def _none(*_: object, **__: object) -> None:
    raise reference.AnalysisUnavailable("there is no analysis of this")


def test_a_game_that_takes_too_long_is_shown_as_far_as_it_came(folder: Path) -> None:
    ran = analyze(folder, "game.json", "--seconds", 0)
    document = analyze(folder, "game.json", "--seconds", 0, "--json").document
    assert (ran.code, ran.err) == (0, "1 game not fully analyzed because of --seconds\n")
    assert "left out" in ran.out
    assert (document["unfinished"], document["players"][0]["accuracy"]) == (1, None)
    assert document["players"][0]["account"]["rest"] == document["players"][0]["account"]["result"] - 0.5
    replay = load(json.dumps(json.loads((folder / "game.json").read_text())["replay"]))
    addresses = reference.analyze(replay, has_time=lambda: False).addresses
    assert addresses == tuple(frame.at for frame in timeline_of(replay).frames)


def test_ctrl_c_prints_what_is_known_so_far(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add, out = AnalysisReport.add, tmp_path / "cup.analyzed"
    out.write_text((folder / "cup.analyzed").read_text().splitlines(keepends=True)[0])

    def pressed(self: AnalysisReport, *game: object) -> None:
        add(self, *game)  # type: ignore[arg-type]
        if self.games == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(AnalysisReport, "add", pressed)
    ran = analyze(folder, "cup.tar", "--out", out, "--json")

    assert (ran.code, ran.document["games"], ran.document["partial"]) == (130, 2, True)
    assert f"interrupted after 2 games; results are partial. {out} has them" in ran.err
    assert f"again: gangland analyze cup.tar --out {out} --json" in ran.err
    assert len(out.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cup.tar", "--decision", "r1.s1.d1"), "choose one with --game 1 to --game 4"),
        (("game.json", "--decision", "r77.s1.d1"), "there is no decision r77.s1.d1"),
        (("game.json", "--decision", "end"), "not the end of the game"),
        (("game.json", "--all"), "--all needs --decision"),
        (("game.json", "--match", "1"), "--match needs an archive"),
        (("cup.tar", "--match", "9"), "no match 9 in cup.tar"),
        (("game.json", "cup.tar", "--game", "1"), "--game needs one FILE"),
        (("game.json", "--decision", "r1", "--out", "x"), "--decision needs one FILE"),
        (("game.json", "--from-here"), "--from-here needs --decision or --html"),
        (("game.json", "--out", "game.analyzed", "--compare", CLOSING, "nobody"), "no game of 'nobody'"),
        (("game.json", "--compare", CLOSING, CLOSING), "--compare needs two different bots"),
        (("game.json", "--compare", CLOSING, "bold_gang", "--html", "x"), "--compare cannot be combined with"),
    ],
)
def test_a_call_that_means_nothing_is_exit_2(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    ran = analyze(folder, *arguments)
    assert ran.code == 2
    assert message in ran.err
