"""The evidence of fairness: its statistics are right, its short form runs, and the same games give the same figures."""

import json
import math
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from benchmarks.evidence import __main__, ends, players, stats, ties
from benchmarks.evidence.census import Cell, Draws, Recorder, count_games
from benchmarks.evidence.faces import correlated, correlation, even_places, even_rows
from benchmarks.harness import keys_of, run_all

from gangland.chance import SeededChance
from gangland.games import game_named


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05), (6.634897, 1, 0.01), (18.307038, 10, 0.05), (3.940299, 10, 0.95),
        (124.342113, 100, 0.05), (9.210340, 2, 0.01), (1040.679, 999, 0.1751),
    ],
)  # fmt: skip
def test_chi_square_chances_agree_with_printed_tables(statistic: float, freedom: int, p: float) -> None:
    assert stats.chi_square_survival(statistic, freedom) == pytest.approx(p, abs=2e-4)


def test_chi_square_adds_up_what_lies_off() -> None:
    assert stats.chi_square_even([10, 20, 30]).statistic == pytest.approx(10.0)
    assert stats.chi_square([30, 30, 20, 40], [0.25, 0.25, 0.25, 0.25]).statistic == pytest.approx(20 / 3)
    assert stats.chi_square([20, 10, 10, 20], [2 / 6, 1 / 6, 1 / 6, 2 / 6]).statistic == pytest.approx(0.0)


def test_intervals_agree_with_printed_examples() -> None:
    none_of_ten, half = stats.wilson(0, 10), stats.wilson(50, 100)
    assert (none_of_ten.low, none_of_ten.high) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert (half.low, half.high) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert stats.mean_interval({1: 50, 2: 50}).reach == pytest.approx(1.96 * math.sqrt(0.25 / 99), rel=1e-4)


def test_quantiles_are_values_that_came() -> None:
    counts = {10: 90, 20: 9, 70: 1}
    assert [stats.quantile(counts, share) for share in (0.5, 0.9, 0.95, 0.999)] == [10, 10, 20, 70]


def test_friedman_counts_places_and_allows_for_ties() -> None:
    assert ends.friedman({(2, 4, 6): 4}).statistic == pytest.approx(8.0)  # games x (seats - 1): always the same order
    assert ends.friedman({(2, 4): 30, (4, 2): 30}).statistic == 0
    assert ends.friedman({(2, 4): 60, (4, 2): 40, (3, 3): 1_000}).statistic == pytest.approx(4.0)


def test_even_places_expects_as_much_as_it_has_degrees_of_freedom() -> None:
    same_order = [[7 if place == card else 0 for card in range(5)] for place in range(5)]
    assert even_places([[3] * 5 for _ in range(5)]).statistic == 0
    assert even_places(same_order).statistic == pytest.approx(7 * 16)
    assert even_places(same_order).freedom == 16


def draws_of(faces: list[bytes]) -> Draws:
    draws = Draws()
    for roll in faces:
        draws.add({(1, 0, 1): roll}, [])
    return draws


def test_a_loaded_die_and_dice_that_follow_each_other_are_found() -> None:
    random = Random(3)
    fair = [bytes(random.choices(range(6), k=6)) for _ in range(2_000)]
    loaded = [bytes(random.choices(range(6), weights=(1, 1, 1, 1, 1, 1.2), k=6)) for _ in range(2_000)]
    paired = [bytes([roll[0], roll[0], *roll[2:]]) for roll in fair]
    assert even_rows(draws_of(fair).counts()["place"]).p > 0.001
    assert even_rows(draws_of(loaded).counts()["seat"]).p < 1e-6
    assert correlation(draws_of(fair).counts()["next place"]).holds(0)
    assert not correlation(draws_of(paired).counts()["next place"]).holds(0)
    assert correlated(draws_of(fair).counts()["next place"]).p > 0.001
    assert correlated(draws_of(paired).counts()["next place"]).p < 1e-6


def test_every_die_of_a_roll_is_counted_at_its_place_and_with_its_neighbor() -> None:
    counts = draws_of([bytes([0, 1, 2]), bytes([5, 1])]).counts()
    assert counts["place"] == Counter({(0, 0): 1, (0, 5): 1, (1, 1): 2, (2, 2): 1})
    assert counts["next place"] == Counter({(0, 1): 1, (1, 2): 1, (5, 1): 1})
    assert counts["seat"] == Counter({(0, 0): 1, (0, 1): 2, (0, 2): 1, (0, 5): 1})


def test_the_dice_counted_are_those_of_the_seed() -> None:
    recorder, chance = Recorder(bytes(32)), SeededChance(bytes(32))
    assert recorder.faces(3, 1, 2, 7) == chance.faces(3, 1, 2, 7)
    assert recorder.shuffle("favors", 0, range(36)) == chance.shuffle("favors", 0, range(36))
    assert recorder.below("first player", 4) == chance.below("first player", 4)
    assert recorder.drawn == {(3, 1, 2): bytes(chance.faces(3, 1, 2, 7))}


@pytest.mark.parametrize("game", ["gangster-dice", "gang-of-dice"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_game_counts_once_with_all_its_places(game: str, seats: int) -> None:
    cell = Cell(game, seats, players.ANY, dice=True)
    census = count_games(cell, range(6))
    found = ends.look(cell, census, "turn")
    assert census["rounds"].total() == census["result"].total() == found.games == 6
    assert sum(place.value for place in found.places) == pytest.approx(seats * (seats + 1) / 2)
    assert census["die"].total() == census["seat"].total()


def test_a_seat_is_followed_in_the_order_of_play() -> None:
    census = count_games(Cell("gang-of-dice", 3, "bold"), range(12))
    first_won = sum(n for result, n in census["result"].items() if result.winners == (result.first,))
    assert ends.look(Cell("gang-of-dice", 3, "bold"), census, "turn").wins[0].value == pytest.approx(first_won / 12)


def test_characters_are_counted_with_what_they_won() -> None:
    census = count_games(Cell("gangster-dice", 4, "bold", (("characters", "dealt"),)), range(10))
    assert census["dealt"].total() == 40
    assert census["won"].total() == 10 * 12


@pytest.mark.parametrize(("game", "stem"), [("gangster-dice", "hoarding"), ("gang-of-dice", "closing")])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_bots_without_chance_tie_exactly_over_a_block(game: str, stem: str, seats: int) -> None:
    assert ties.count_ties(ties.BotCopies(game, seats, stem), range(2)) == (2, 2)


def test_slips_make_a_bot_another_one() -> None:
    game, places = game_named("gang-of-dice"), []
    for number in range(20):
        bots = [players.Player("closing"), players.Player("closing", 0.9)]
        order = bots if number % 2 else bots[::-1]
        seated = [player.sit(game, bytes([number, seat])) for seat, player in enumerate(order)]
        outcome = players.play(game, seated, {}, SeededChance(bytes([number // 2] * 32))).outcome
        places.append(outcome.mean_places()[order.index(bots[0])])
    assert sum(places) < 1.5 * len(places)  # the first, which does not slip, has the better places


@pytest.mark.long("a benchmark runs")
def test_the_same_games_give_the_same_figures_on_any_number_of_cores() -> None:
    work = __main__.jobs(2)[::9]
    assert run_all(work, 1) == run_all(work, 2)


@pytest.mark.long("a benchmark runs")
def test_the_short_form_runs_and_makes_every_table_of_the_page(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    __main__.main(["--games", "2", "--workers", "1", "--json"])
    tables = json.loads(capsys.readouterr().out)["tables"]
    page = root / "benchmarks" / "results" / "fairness.md"
    assert sorted(table["key"] for table in tables) == sorted(keys_of(page))
    assert all(table["rows"] and table["finding"] for table in tables)
