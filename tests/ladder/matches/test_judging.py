"""A result counts only if every game comes out again as it says; how long bots think is counted by classes."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import repeat
from random import Random
from typing import Any

import msgspec
import pytest
from tests.kits.judging_kit import JOB, Defaults, played, records, result

from gangland_ladder.matches import judging, match_jobs


def with_first(**changes: Any) -> match_jobs.Result:
    games = result().games
    return msgspec.structs.replace(result(), games=[msgspec.structs.replace(games[0], **changes), *games[1:]])


def test_two_bots_that_play_alike_tie_exactly_over_their_blocks() -> None:
    judged = judging.judge(JOB, result())
    assert [score.entry for score in judged.scores] == [2, 4]
    assert [score.mean_place for score in judged.scores] == [Fraction(3, 2)] * 2
    assert [score.games for score in judged.scores] == [4, 4]
    assert sum(score.win_share for score in judged.scores) == 1


def test_a_fault_is_counted_against_the_bot_that_sat_there_and_no_other() -> None:
    judged = judging.judge(JOB, result(first=played(JOB, 0, Defaults(), Defaults(fails_at=2))))
    assert [score.faults for score in judged.scores] == [{}, {"crashed": 1}]
    assert judged.games[0].outcome.winners == (0,)


def flipped() -> match_jobs.Result:
    replay = played(JOB, 0).replay
    return with_first(replay=replace(replay, decisions=(2, *replay.decisions[1:])).to_json())


def with_places_turned() -> match_jobs.Result:
    replay = played(JOB, 0).replay
    return with_first(replay=replace(replay, places=replay.places[::-1]).to_json())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (flipped(), "block 1, rotation 1"),
        (with_places_turned(), "places"),
        (with_first(replay=played(JOB, 1).replay.to_json()), "does not belong to this game of the job"),
        (with_first(seating=[1, 0]), "seating"),
        *(
            (msgspec.structs.replace(result(), games=games), "exactly one per block and rotation")
            for games in (result().games[1:], [*result().games, result().games[0]], result().games[::-1])
        ),
        (with_first(faults=[match_jobs.FaultRecord(0, "crashed", "", 1, 3)]), "fault"),
        (with_first(faults=[match_jobs.FaultRecord(0, "infrastructure", "", 1, None)]), "fault"),
    ],
)
def test_a_result_that_does_not_come_out_again_as_its_job_says_is_refused(wrong: match_jobs.Result, words: str) -> None:
    with pytest.raises(judging.ResultRefused, match=words):
        judging.judge(JOB, wrong)


def test_a_job_and_a_result_survive_the_way_through_the_broker() -> None:
    assert match_jobs.decode_match_job(match_jobs.encode(JOB)) == JOB
    assert match_jobs.decode_result(match_jobs.encode(result())) == result()


@pytest.mark.parametrize("wrong", [b"", b"[]", b'{"id": 1}', b'{"id": "x", "token": "", "games": []}', b"\xff"])
def test_what_is_no_result_is_refused_before_anything_reads_it(wrong: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        match_jobs.decode_result(wrong)


@pytest.mark.parametrize(
    "marks",
    [
        [[(0, 0, 7)]], [[(0, 2, 2)]], [[(0, 3, 1)]], [[(0, 0, 3), (0, 3, 6)]], [[(1, 0, 3), (0, 3, 6)]],
        [[(0, 0, 4), (1, 3, 6)]], [[(100_000, 0, 3)]], [[], [], []],
    ],
)  # fmt: skip
def test_marks_that_do_not_go_forward_in_log_and_game_are_refused(marks: list[list[tuple[int, int, int]]]) -> None:
    first, *others = records(JOB)
    fine = msgspec.structs.replace(first, logs=["a\nb\nc ", ""], log_marks=[[(0, 0, 3), (1, 3, 6)]])
    assert judging.judge(JOB, match_jobs.Result([fine, *others])).games[0].record.log_marks == [[(0, 0, 3), (1, 3, 6)]]
    bad = msgspec.structs.replace(fine, log_marks=marks)
    with pytest.raises(judging.ResultRefused, match="mark"):
        judging.judge(JOB, match_jobs.Result([bad, *others]))


def test_a_match_of_more_decisions_than_are_counted_still_gives_a_result_that_counts() -> None:
    document = match_jobs.Result(games=[], think=[match_jobs.octaves(repeat(0.0, match_jobs.MAX_DECISIONS + 1))])
    assert match_jobs.decode_result(match_jobs.encode(document)).think == [{0: match_jobs.MAX_DECISIONS}]


def test_decisions_in_any_order_are_counted_in_the_class_of_each() -> None:
    rng = Random(1)
    decisions = [0.0, 1e-6, 2e-6, 4e-6, 1e9, *(rng.lognormvariate(-9, 3) for _ in range(500))]
    rng.shuffle(decisions)
    assert match_jobs.octaves(decisions) == Counter(map(match_jobs.octave, decisions))
    assert list(match_jobs.octaves(decisions)) == sorted(set(map(match_jobs.octave, decisions)))
    assert match_jobs.octaves([]) == {}
