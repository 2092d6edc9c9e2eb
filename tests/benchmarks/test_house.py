"""How strong the house bots are: the count is right, the page is whole, the weights can be learned."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from benchmarks.harness import keys_of
from benchmarks.house import __main__, learning, strength

from gangland.games import GAME_NAMES, game_named

ROOT = Path(__file__).resolve().parents[2]


def test_every_house_bot_is_ranked_and_described_on_the_page() -> None:
    described = (ROOT / "docs" / "strategy.md").read_text(encoding="utf-8")
    page = ROOT / "benchmarks" / "results" / "house-bots.md"
    ranked = page.read_text(encoding="utf-8")
    for game in GAME_NAMES:
        for stem in strength.stems(game):
            assert f"gangland_bots/{game.replace('-', '_')}/{stem}_gang.py" in described
    assert len(keys_of(page)) == 2 * 3 + 1
    assert ranked.count("| --- |\n| boss_gang |") == 2 * 3, "the boss stands first in every table"


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_same_blocks_give_the_same_games_and_shares_add_up(game: str) -> None:
    met = strength.Met(game, ("bold", "cautious", "random"))
    played = strength.play_blocks(met, range(2))
    assert strength.play_blocks(met, range(2)) == played
    for block in played:
        assert sum(block.wins) == pytest.approx(1.0)
        assert sum(block.places) == pytest.approx(6.0)


def test_a_bot_that_wins_every_table_stands_first() -> None:
    game = "gang-of-dice"
    played = {met: [strength.Block((1.0, 0.0), (1.0, 2.0))] * 3 for met in strength.tables(game, 2)}
    ranked = strength.standings(game, 2, played)
    first = min(strength.stems(game))  # of each pair the first wins
    assert ranked[0].bot == first
    assert ranked[0].wins.value == 1.0
    assert set(ranked[0].against) == set(strength.stems(game)) - {first}


def test_each_table_weighs_the_same_and_its_spread_is_its_own() -> None:
    found = strength.mean_over([[0.0, 1.0, 0.0, 1.0], [1.0, 1.0]])
    assert found.value == 0.75
    assert found.reach == pytest.approx(1.959964 * math.sqrt(1 / 3 / 4) / 2, rel=1e-4)


def test_what_is_learned_tells_winners_better_than_even_chances(capsys: pytest.CaptureFixture[str]) -> None:
    positions = learning.positions_of(3, 12, ("bold", "sensible"))
    weights = learning.learn(positions)
    assert weights.loss(positions) < math.log(3) - 0.02
    assert len(" ".join(learning.lines(weights)).split()) == sum(map(math.prod, learning.SOLVING.TRAITS)) + 5
    assert {len(text.split()) for text in learning.SOLVING.LEARNED.values()} == {len(weights.traits)}


def test_the_learned_chances_are_those_that_the_boss_computes() -> None:
    positions = learning.positions_of(2, 3, ("sensible",))
    by_trait, favor = learning.SOLVING.WEIGHTS[2]
    flat = np.array([weight for by in by_trait for weight in by.values()])
    states, _ = learning.states_of(2, 0, ("sensible",))
    chances = learning.Weights(flat, favor).chances(positions)
    assert chances[0] == pytest.approx(learning.SOLVING.chances(learning.position_of(states[0])))


@pytest.mark.long("a benchmark runs")
def test_the_short_form_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    __main__.main(["--blocks", "2", "--workers", "1", "--json", "--only", "gang-of-dice-two"])
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert table["key"] == "gang-of-dice-two"
    assert [row["bot"] for row in table["rows"]][-1] == "random_gang"
    assert len(table["rows"]) == len(strength.stems("gang-of-dice"))


@pytest.mark.long("a benchmark runs")
def test_the_boss_is_measured_in_the_jail() -> None:
    (row,) = __main__.jailed_table(1, [("gangster-dice", 2)]).rows
    assert row[:3] == (game_named("gangster-dice").title, 2, 24)
    assert row[-1] == 0
