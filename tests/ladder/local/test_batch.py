"""Games, matches and round robins from Python: the same games as the commands play, and all that came of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.kits.bots_kit import CHANCY, GOOD, GREEDY, bots_in
from tests.kits.command_kit import gangland

import gangland_ladder
from gangland import faults, replay
from gangland_ladder import LocalBot, play_blocks, play_duel, play_game, read_bot, round_robin
from gangland_ladder.local.batch import RoundRobin
from gangland_ladder.local.processes import Tables
from gangland_ladder.proof import archive_files, proving
from gangland_sandbox.jail import Mode

SEED = 7


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bots_in(tmp_path_factory.mktemp("batch"), steady=GOOD, chancy=CHANCY, greedy=GREEDY)


@pytest.fixture(scope="module")
def told() -> list[tuple[int, int]]:
    return []


@pytest.fixture(scope="module")
def played(bots: Path, told: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory) -> RoundRobin:
    archive = tmp_path_factory.mktemp("archive") / "ladder.tar"
    found = round_robin(
        [bots / "steady.py", read_bot(bots / "chancy.py"), str(bots / "greedy.py")],
        blocks=3,
        seed=SEED,
        workers=2,
        trusted=True,
        progress=lambda done, planned: told.append((done, planned)),
        archive=archive,
    )
    assert proving.prove(archive_files.read_archive(archive)).is_proven
    return found


def test_a_round_robin_has_the_commands_table(played: RoundRobin, told: list[tuple[int, int]], bots: Path) -> None:
    assert told == [(6, 18), (12, 18), (18, 18)]
    assert [match.number for match in played.matches] == [1, 2, 3]
    assert played.voids == ()
    document = gangland("ladder", bots, "--blocks", 3, "--seed", SEED, "--trusted", "--json").document

    assert played.games == document["games"] == 18
    assert [
        {
            "rank": row.rank,
            "bot": row.bot,
            "games": row.games,
            "wins": row.wins,
            "win_share": round(row.win_share or 0, 6),
            "mean_place": round(row.mean_place or 0, 6),
            "mu": round(row.mu, 6),
            "sigma": round(row.sigma, 6),
            "faults": sum(row.faults.values()),
            "fault_kinds": row.faults,
        }
        for row in played.standings
    ] == [{name: row[name] for name in row if name not in ("score", "ranks")} for row in document["standings"]]
    assert [row["score"]["value"] for row in document["standings"]] == [
        round(row.score or 0, 6) for row in played.standings
    ]


def test_scores_faults_luck_and_times_are_those_of_the_games(played: RoundRobin) -> None:
    for match in played.matches:
        for score in match.scores:
            games = [(game, game.bots.index(score.bot)) for game in match.games]
            assert score.games == len(games) == 6
            places = [game.places[seat] + (game.places.count(game.places[seat]) - 1) / 2 for game, seat in games]
            assert score.mean_place == pytest.approx(sum(places) / 6)
            assert score.luck == pytest.approx(sum(game.luck[seat] for game, seat in games) / 6)
            assert sum(score.block_places) / 3 == pytest.approx(score.mean_place)
            failed = [fault for game, seat in games for fault in game.faults if fault.seat == seat]
            assert sum(score.faults.values()) == len(failed)
            assert {fault.kind for fault in failed} <= {faults.FaultKind.ILLEGAL}
            assert score.p99_ms is None or score.p99_ms >= (score.median_ms or 0) > 0
        for game in match.games:
            assert replay.verify(game.replay).places == game.places
    met = played.head_to_head
    assert sum(meeting.games for meeting in met.values()) == played.games
    greedy = next(row for row in played.standings if row.bot == "greedy")
    assert greedy.rank == 3
    assert greedy.faults == {"illegal": 12}
    assert greedy.rank_low <= 3 <= greedy.rank_high


def test_a_game_from_python_is_the_game_that_play_tells(bots: Path) -> None:
    paths = [bots / "chancy.py", bots / "steady.py", bots / "chancy.py"]
    game = play_game(paths, seed=SEED, trusted=True)
    document = gangland("play", *paths, "--seed", SEED, "--trusted", "--json").document
    assert game.replay.to_dict() == document["replay"]
    assert list(game.places) == [seat["place"] for seat in document["seats"]]
    assert game.bots == ("chancy", "steady", "chancy")


def test_blocks_without_their_games_come_to_the_same(bots: Path) -> None:
    at_the_table = [bots / "chancy.py", bots / "steady.py"]
    whole = play_blocks(at_the_table, blocks=2, seed=SEED, trusted=True)
    short = play_blocks(at_the_table, blocks=2, seed=SEED, trusted=True, keep_games=False)
    assert len(whole.games) == 4
    assert short.games == ()
    for one, other in zip(whole.scores, short.scores, strict=True):
        assert other.luck is None
        assert (one.mean_place, one.block_places, one.wins) == (other.mean_place, other.block_places, other.wins)


def test_a_duel_from_python_comes_to_what_the_command_says(bots: Path) -> None:
    told: list[tuple[int, float]] = []
    new, old = bots / "chancy.py", bots / "greedy.py"
    found = play_duel(
        new, old, seed=SEED, max_blocks=4, trusted=True, progress=lambda *so_far: told.append(so_far), workers=1
    )
    document = gangland("duel", new, old, "--seed", SEED, "--max-blocks", 4, "--trusted", "--json").document
    assert (found.verdict, found.blocks, found.games) == (document["verdict"], 4, document["games"])
    assert told == [(found.blocks, found.ratio)]
    assert found.lower < found.ratio < found.upper
    assert round(found.ratio, 6) == document["test"]["ratio"]
    assert found.measured is not None
    assert round(found.measured.better, 6) == document["better"] > 0.5
    assert found.old_faults == document["old"]["fault_kinds"] == {"illegal": 8}


@pytest.mark.parametrize(
    ("call", "output"),
    [
        (lambda bots: play_game([bots / "steady.py"]), "2 to 4 seats, not 1"),
        (lambda bots: play_game([bots / "nobody.py"] * 2), "no bot at"),
        (lambda bots: play_game([bots / "steady.py"] * 2, options={"deck": "tarot"}), "deck must be one of"),
        (lambda bots: play_game([bots / "steady.py"] * 2, seed=-1), "0 or higher, not -1"),
        (lambda _: play_game([LocalBot("x", "x.py", b"")] * 2), "the game is unclear"),
        (lambda bots: play_blocks([bots / "steady.py"] * 2, blocks=0), "1 to 1000 blocks, not 0"),
        (lambda bots: round_robin([bots / "steady.py", bots]), "two bots are called 'steady'"),
        (lambda bots: round_robin([bots / "steady.py"]), "needs at least 2 bots, but there are 1"),
        (lambda bots: play_duel(bots / "steady.py", bots / "chancy.py", max_blocks=0), "at least one block, not 0"),
        (lambda bots: round_robin([bots], seats=5), "2 to 4 seats, not 5"),
        (lambda bots: round_robin([bots], blocks=0), "at least one block per table, not 0"),
        (lambda bots: round_robin([bots], blocks=150, archive=bots / "x.tar"), "multiple of it, not 150"),
    ],
)
def test_a_senseless_call_says_what_was_expected(bots: Path, call: Callable[[Path], object], output: str) -> None:
    with pytest.raises(ValueError, match=output):
        call(bots)


def test_the_package_offers_what_it_lists_and_imports_nothing_heavy_before_it_is_asked() -> None:
    for name in gangland_ladder.__all__:
        assert getattr(gangland_ladder, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'play_nothing'"):
        gangland_ladder.play_nothing  # noqa: B018
    told = "import sys, gangland_ladder; print(sorted({'numpy', 'msgspec', 'typer'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# On which cores the tables of a command are played.


def test_a_few_tables_take_any_cores_and_no_two_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 5, 7})
    assert {Tables(workers=1).cores[0] for _ in range(64)} == {2, 5, 7}
    assert all(len(set(Tables(workers=2).cores)) == 2 for _ in range(64))
    assert sorted(Tables().cores) == [2, 5, 7]
    assert sorted(Tables(workers=6).cores) == [2, 2, 5, 5, 7, 7]


def cores_of_this_process(_: Any) -> set[int]:
    return os.sched_getaffinity(0)


def test_a_table_stays_on_its_core() -> None:
    with Tables(mode=Mode.TRUSTED, workers=1) as tables:
        assert list(tables.run(cores_of_this_process, [()])) == [set(tables.cores)]
