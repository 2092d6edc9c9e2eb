"""Duels: the test keeps its error rates, the design is fair, and what is said of it is so."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kits.command_kit import gangland, undated
from tests.kits.duel_kit import HYPOTHESES, SHAPES, Shape, drawn_by_scores, drawn_by_strengths, fixed_size, run

from gangland.blocks import seating
from gangland_ladder.cli.duel import CommandDuel
from gangland_ladder.rating import duel_scores
from gangland_ladder.rating.bradley_terry import BlockResult
from gangland_ladder.rating.duels import DuelTest, DuelVerdict, Hypotheses, elo_of, log_ratio, score_of
from gangland_ladder.rating.final_standings import standings

RUNS = 120
SHAPES_TO_RUN = [
    pytest.param(
        shape, id=shape.name, marks=[] if shape in (SHAPES[0], SHAPES[-1]) else pytest.mark.long("more shapes")
    )
    for shape in SHAPES
]
BOT = """
from gangland import gang_of_dice

class Some(gang_of_dice.Bot):
    def choose_dice(self, view):
        return {dice}
"""
STEADY, CHANCY, GREEDY = "min(2, view.pool)", "self.rng.randint(1, min(6, view.pool))", "view.pool + 1"
QUARTERS = st.integers(0, 4).map(lambda quarter: Fraction(quarter, 4))


def two_seats(score: Fraction) -> duel_scores.DuelBlock:
    return duel_scores.DuelBlock(2, 2 - score, 1 + score)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.name))
@pytest.mark.parametrize("score", [0.5, 0.55])
def test_planted_blocks_have_the_mean_that_they_are_to_have(shape: Shape, score: float) -> None:
    chances = shape.chances(score)
    assert chances.min() >= 0
    assert chances.sum() == pytest.approx(1)
    assert chances @ np.arange(5) / 4 == pytest.approx(score)


@pytest.mark.parametrize("shape", SHAPES_TO_RUN)
def test_equal_bots_are_hardly_ever_accepted(shape: Shape) -> None:
    rng = np.random.default_rng(3)
    ended = [run(drawn_by_scores(shape.chances(0.5)), rng) for _ in range(RUNS)]
    assert sum(each.verdict is DuelVerdict.ACCEPTED for each in ended) <= 0.05 * RUNS


@pytest.mark.parametrize("shape", SHAPES_TO_RUN)
def test_a_bot_that_scores_55_percent_is_accepted_in_fewer_games_than_a_fixed_test_takes(shape: Shape) -> None:
    rng = np.random.default_rng(4)
    draw = drawn_by_scores(shape.chances(0.55))
    ended = [run(draw, rng) for _ in range(RUNS // 2)]
    assert sum(each.verdict is DuelVerdict.ACCEPTED for each in ended) >= 0.95 * len(ended)
    assert sum(each.blocks for each in ended) / len(ended) < fixed_size(draw, 0.55, rng)


@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.long("the largest table"))])
def test_at_larger_tables_the_rates_hold_too(seats: int) -> None:
    rng = np.random.default_rng(5)
    even = [run(drawn_by_strengths(seats, 0.0, 2.0), rng) for _ in range(RUNS // 3)]
    better = [run(drawn_by_strengths(seats, 0.5, 2.0), rng) for _ in range(RUNS // 12)]
    assert sum(each.verdict is DuelVerdict.ACCEPTED for each in even) <= 0.05 * len(even)
    assert all(each.verdict is DuelVerdict.ACCEPTED for each in better)


def test_a_test_with_no_room_for_errors_of_its_own_would_be_found_out() -> None:
    """With a sixth of the bound, equal bots would be accepted too often: the runs above can fail."""
    rng, accepted = np.random.default_rng(6), 0
    draw = drawn_by_scores(SHAPES[0].chances(0.5))
    for _ in range(RUNS):
        test = DuelTest(HYPOTHESES)
        while HYPOTHESES.lower / 6 < test.ratio < HYPOTHESES.upper / 6:
            test.add(block.score for block in draw(rng, duel_scores.DUEL_MATCH_BLOCKS))
        accepted += test.ratio > 0
    assert accepted > 0.1 * RUNS


def test_the_ratio_is_the_one_of_coin_flips_where_blocks_are_all_or_nothing() -> None:
    for won, lost in ((10, 5), (300, 280), (1, 40)):
        wanted = won * log(0.6 / 0.5) + lost * log(0.4 / 0.5)
        assert log_ratio(Counter({Fraction(1): won, Fraction(0): lost}), 0.5, 0.6) == pytest.approx(wanted, abs=1e-3)


@given(st.lists(QUARTERS, max_size=60))
def test_the_ratio_hangs_on_the_counts_alone_and_turns_with_the_sides(scores: list[Fraction]) -> None:
    observed = Counter(scores)
    turned = Counter(1 - score for score in scores)
    ratio = log_ratio(observed, score_of(0), score_of(20))
    assert ratio == pytest.approx(-log_ratio(turned, score_of(-20), score_of(0)), abs=1e-6)
    assert log_ratio(observed, 0.5, 0.5) == 0.0


@pytest.mark.parametrize("wrong", [(5, 5, 0.1, 0.1), (0, 2000, 0.1, 0.1), (0, 20, 0, 0.1), (0, 20, 0.1, 0.6)])
def test_hypotheses_that_cannot_be_tested_are_refused(wrong: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match=r"elo0|alpha"):
        Hypotheses(*wrong)


def test_a_score_outside_of_0_to_1_is_no_score() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        DuelTest(HYPOTHESES).add([Fraction(5, 4)])
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        elo_of(1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_side_sits_alone_in_every_seat_once_a_block_and_in_the_crowd_as_often(seats: int) -> None:
    for number in range(6):
        sat: dict[int, Counter[int]] = {duel_scores.NEW: Counter(), duel_scores.OLD: Counter()}
        for sides in duel_scores.sittings(seats):
            for rotation in range(seats):
                for seat, index in enumerate(seating(number, rotation, seats)):
                    sat[sides[index]][seat] += 1
        each = 1 if seats == 2 else seats
        assert sat == {side: Counter(dict.fromkeys(range(seats), each)) for side in (duel_scores.NEW, duel_scores.OLD)}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_bots_score_half_by_any_places(seats: int) -> None:
    """Swapping the sides turns every score, so a bot against itself scores half on average."""
    for order in permutations(range(1, seats + 1)):
        new = Fraction(order[0])
        old = seats + 1 - new if seats == 2 else Fraction(order[-1])
        block, swapped = duel_scores.DuelBlock(seats, new, old), duel_scores.DuelBlock(seats, old, new)
        assert block.score + swapped.score == 1
        assert 0 <= block.score <= 1


def test_a_duel_says_what_the_standings_would_say() -> None:
    blocks = [two_seats(Fraction(quarter, 4)) for quarter in [4] * 30 + [2] * 50 + [0] * 20 + [3] * 5]
    found = duel_scores.duel_score(blocks)
    fitted = standings(BlockResult((7, 9), (block.new_alone, block.old_alone)) for block in blocks).expected(7, 9)
    assert found is not None
    assert fitted is not None
    assert found.score == fitted
    assert found.elo == pytest.approx(tuple(map(elo_of, (fitted.value, fitted.low, fitted.high))))
    assert 0.9 < found.better < 1
    assert duel_scores.duel_score([]) is None


def test_who_wins_everything_is_better_but_not_without_end() -> None:
    for seats in (2, 3, 4):
        old = 2 if seats == 2 else seats
        found = duel_scores.duel_score([duel_scores.DuelBlock(seats, Fraction(1), Fraction(old))] * 20)
        assert found is not None
        assert 0.9 < found.score.value < 1
        assert found.elo[1] > 0
        assert found.elo[2] < 2000
        assert found.better > 0.99


@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.long("the largest table"))])
def test_bootstrap_ranges_hold_the_truth_about_as_often_as_they_say(seats: int) -> None:
    rng, draw = np.random.default_rng(8), drawn_by_strengths(seats, 0.4, 1.0)
    sample = draw(rng, 10_000)
    truth = float(np.mean([float(block.new_alone) for block in sample]))
    held, tries = 0, RUNS // 3
    for _ in range(tries):
        found = duel_scores.duel_score(draw(rng, 80))
        assert found is not None
        assert found.new_alone is not None
        held += found.new_alone[1] <= truth <= found.new_alone[2]
    assert held >= 0.87 * tries


def test_blocks_are_cut_into_matches_up_to_the_most() -> None:
    assert list(duel_scores.match_lengths(50)) == [20, 20, 10]
    assert duel_scores.duel_blocks(2, [[(Fraction(1), Fraction(2))]]) == [two_seats(Fraction(1))]
    with pytest.raises(ValueError, match="2 to 4"):
        duel_scores.sittings(5)


def duel(folder: Path, *arguments: object, code: int = 0) -> tuple[str, str]:
    done = gangland("duel", *arguments, folder=folder, env={"GANGLAND_RUNS": str(folder / "runs")})
    assert done.code == code, done.err
    return done.out, done.err


def written(folder: Path, **dice: str) -> None:
    for name, expression in dice.items():
        (folder / f"{name}.py").write_text(BOT.format(dice=expression))


def test_a_better_bot_is_accepted_and_said_to_be_better(tmp_path: Path) -> None:
    written(tmp_path, new=STEADY, old=GREEDY)
    out, output = duel(tmp_path, "new.py", "old.py", "--seed", 7)
    assert out.startswith("new against old, from new's side; mirrored seeds\nscore ")
    assert "new is better: 100.0%" in out
    assert "-> accepted, new is better" in out
    assert "old was at fault: illegal" in out
    assert re.search(
        r"^old was at fault: illegal in \d+ games\. Details: gangland check old\.py$", output, re.MULTILINE
    )
    assert "seed 7" in output
    assert duel(tmp_path, "new.py", "old.py", "--seed", 7, "--quiet")[1] == ""


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long("larger tables"))])
def test_a_bot_without_chance_ties_with_itself_in_every_block_and_is_rejected(tmp_path: Path, seats: int) -> None:
    written(tmp_path, bot=STEADY)
    found = undated(duel(tmp_path, "bot.py", "bot.py", "--seed", 7, "--seats", seats, "--elo1", 200, "--json")[0])
    assert (found["schema"], found["verdict"], found["score"]["value"]) == ("gangland/duel/1", "rejected", 0.5)
    assert found["block_scores"] == [[0.5, found["blocks"]]]
    assert found["games"] == found["blocks"] * (2 if seats == 2 else 2 * seats)
    assert found["test"]["ratio"] <= found["test"]["lower"]


def test_at_larger_tables_even_a_bot_with_chance_ties_with_itself(tmp_path: Path) -> None:
    written(tmp_path, bot=CHANCY)
    found = undated(duel(tmp_path, "bot.py", "bot.py", "--seats", 3, "--seed", 1, "--max-blocks", 2, "--json")[0])
    assert found["block_scores"] == [[0.5, 2]]
    assert (found["verdict"], found["new_alone"]["value"]) == ("undecided", found["old_alone"]["value"])


def test_a_duel_goes_on_where_it_was_and_comes_to_the_same(tmp_path: Path) -> None:
    written(tmp_path, new=CHANCY, old=STEADY)
    arguments = ("new.py", "old.py", "--elo1", "5", "--json")
    duel(tmp_path, *arguments, "--seed", 5, "--max-blocks", 20)
    resumed = undated(duel(tmp_path, *arguments, "--max-blocks", 40, "--resume")[0])
    alone = tmp_path / "alone"
    alone.mkdir()
    written(alone, new=CHANCY, old=STEADY)
    assert resumed == undated(duel(alone, *arguments, "--seed", 5, "--max-blocks", 40)[0])


def test_an_interrupted_duel_prints_what_it_has_and_how_to_go_on(tmp_path: Path) -> None:
    written(tmp_path, new=CHANCY, old=CHANCY)
    command = [sys.executable, "-m", "gangland_ladder.cli", "duel", "new.py", "old.py", "--elo1", "1", "--seed", "5"]
    env = {**os.environ, "GANGLAND_RUNS": str(tmp_path / "runs")}
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=-1, stderr=-1, text=True) as started:
        while not any(file.read_bytes().count(b"\n") > 1 for file in (tmp_path / "runs").glob("*.ndjson")):
            assert started.poll() is None
            time.sleep(0.05)
        started.send_signal(signal.SIGINT)
        out, output = started.communicate(timeout=100)
    assert started.returncode == 130
    assert "-> not decided yet" in out
    words = r"--game gang-of-dice --seats 2 --seed 5 --elo0 0 --elo1 1 .*--resume"
    assert re.search(rf"^continue: gangland duel new\.py old\.py {words}$", output, re.MULTILINE)


def test_ctrl_c_after_the_verdict_names_nothing_to_go_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, new=STEADY, old=GREEDY)
    play = CommandDuel.play_with_progress

    def then_pressed(self: CommandDuel, *, quiet: bool) -> None:
        play(self, quiet=quiet)
        raise KeyboardInterrupt

    monkeypatch.setattr(CommandDuel, "play_with_progress", then_pressed)
    runs = {"GANGLAND_RUNS": str(tmp_path / "runs")}
    ran = gangland("duel", "new.py", "old.py", "--seed", 7, "--trusted", folder=tmp_path, env=runs)
    assert ran.code == 130
    assert "-> accepted" in ran.out
    assert "the duel was already decided" in ran.err
    assert "continue:" not in ran.err + ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("new.py",), "OLD"), (("new.py", "none.py"), "no bot at none.py"), (("new.py", ""), "no bot at ."),
        (("new.py", "new.py", "--elo1", "-5"), "expected elo0 below elo1"),
        (("new.py", "new.py", "--alpha", "0.7"), "expected alpha"), (("new.py", "new.py", "--seats", "5"), "--seats"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_call_is_exit_2(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    written(tmp_path, new=STEADY)
    assert words in duel(tmp_path, *arguments, code=2)[1]
