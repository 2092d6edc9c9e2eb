"""Two versions compared by what their decisions cost them: differences, their errors, and what may be claimed."""

from random import Random
from statistics import stdev

import pytest

from gangland_ladder.analysis.account import Account, DecisionFigures, GameFigures, mark_of
from gangland_ladder.analysis.comparison import ComparisonBuilder, NotComparable, Side, Verdict, verdict_of

MANY, FEW = "staking too many dice on yellow cards", "stopping too early on black cards"


def decision(round: int, cost: float, theme: str = MANY, seat: int = 0) -> DecisionFigures:
    kind = "stake" if theme == MANY else "reroll"
    return DecisionFigures(None, round, seat, kind, theme, mark_of(cost, 0.0), cost, 0.0, 2, 1, 3)


def game(*decisions: DecisionFigures, seats: int = 2, version: str = "1", name: str = "gang-of-dice") -> GameFigures:
    account = Account(0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5)
    return GameFigures(name, seats, version, 12, complete=True, accounts=[account] * seats, decisions=[*decisions])


def test_the_error_of_mirrored_games_is_that_of_their_differences_and_smaller_than_unpaired() -> None:
    rng, found, differences = Random(1), ComparisonBuilder(), []
    for number in range(40):
        dice = rng.random() / 5  # what the dice make every version lose
        old, new = dice + rng.random() / 50 + 0.02, dice + rng.random() / 50
        found.add(Side.OLD, game(decision(1, old)), 0, f"{number}")
        found.add(Side.NEW, game(decision(1, new, seat=1)), 1, f"{number}")
        differences.append(new - old)
    compared = found.comparison("before", "after")
    assert (compared.old, compared.new) == ("before", "after")
    assert (compared.old_games, compared.new_games, compared.blocks, compared.paired) == (40, 40, 40, 40)
    assert compared.whole.difference == pytest.approx(sum(differences) / 40)
    assert compared.whole.error == pytest.approx(stdev(differences) / 40**0.5)
    assert compared.whole.verdict is Verdict.LESS
    assert compared.unpaired_error is not None
    assert compared.unpaired_error > 5 * stdev(differences) / 40**0.5


def test_both_seats_of_a_block_count_as_one_difference() -> None:
    found, pairs = ComparisonBuilder(), [(0.1, 0.3), (0.0, 0.5), (0.2, 0.2)]
    for number, costs in enumerate(pairs):
        for seat, cost in enumerate(costs):
            found.add(Side.OLD, game(decision(1, 0.0, seat=seat)), seat, f"{number}")
            found.add(Side.NEW, game(decision(1, cost, seat=seat)), seat, f"{number}")
    compared = found.comparison()
    assert (compared.new_games, compared.blocks) == (6, 3)
    assert compared.whole.error == pytest.approx(stdev(sum(costs) / 2 for costs in pairs) / 3**0.5)


def test_games_on_dice_of_their_own_are_compared_unpaired() -> None:
    found = ComparisonBuilder()
    for side, costs in ((Side.OLD, (0.1, 0.3, 0.2)), (Side.NEW, (0.0, 0.2, 0.4))):
        for cost in costs:
            found.add(side, game(decision(1, cost)), 0)
    compared = found.comparison()
    assert (compared.blocks, compared.paired) == (6, 0)
    assert compared.whole.error == compared.unpaired_error
    assert compared.whole.verdict is Verdict.FEW


def test_differences_are_split_by_kind_third_table_and_theme_the_largest_first() -> None:
    found = ComparisonBuilder()
    for number in range(3):
        found.add(Side.OLD, game(decision(1, 0.01), decision(12, 0.05, FEW)), 0, f"{number}")
        found.add(Side.NEW, game(decision(2, 0.02), decision(11, 0.01, FEW)), 0, f"{number}")
    found.add(Side.NEW, game(decision(5, 0.4), seats=3), 0, "more")
    compared = found.comparison()
    assert [each.theme for each in compared.themes] == [MANY, FEW]
    assert [each.old for each in compared.themes] == pytest.approx([0.01, 0.05])
    assert [each.new for each in compared.themes] == pytest.approx([0.46 / 4, 0.03 / 4])
    assert [each.kind for each in compared.kinds] == ["stake", "reroll"]
    assert [(p.phase, p.rounds) for p in compared.phases] == [("middle", (5, 5)), ("last", (11, 12)), ("first", (1, 2))]
    for parts in (compared.kinds, compared.phases, compared.themes):
        assert sum(each.difference for each in parts) == pytest.approx(compared.whole.difference)
    (table,) = compared.tables
    assert (table.seats, table.old_games, table.new_games) == (2, 3, 3)
    assert table.difference == pytest.approx(0.03 - 0.06)


def test_nothing_is_claimed_below_two_standard_errors_or_of_too_few_games() -> None:
    assert verdict_of(0.0199, 0.01, 6) is Verdict.UNCLEAR
    assert verdict_of(0.02, 0.01, 6) is Verdict.MORE
    assert verdict_of(-0.02, 0.01, 6) is Verdict.LESS
    assert verdict_of(1e-12, 0.0, 6) is Verdict.UNCLEAR
    assert verdict_of(0.5, 0.01, 5) is verdict_of(0.0, None, 2) is Verdict.FEW
    found = ComparisonBuilder()
    found.add(Side.OLD, game(decision(1, 0.4)), 0, "a")
    found.add(Side.NEW, game(), 0, "a")
    whole = found.comparison().whole
    assert whole.difference == pytest.approx(-0.4)
    assert (whole.error, whole.verdict) == (None, Verdict.FEW)


def test_other_games_and_references_are_not_compared() -> None:
    found = ComparisonBuilder()
    found.add(Side.OLD, game(), 0)
    with pytest.raises(NotComparable, match="need at least one game"):
        found.comparison()
    with pytest.raises(NotComparable, match="versions 1 and 2"):
        found.add(Side.NEW, game(version="2"), 0)
    with pytest.raises(NotComparable, match="gangster-dice"):
        found.add(Side.NEW, game(name="gangster-dice"), 0)
