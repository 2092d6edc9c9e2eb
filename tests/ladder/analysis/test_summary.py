"""Analyzed games added up: by bot, kind, third of the game, table and theme."""

from itertools import chain
from math import sqrt

import pytest
from msgspec.structs import replace

from gangland_ladder.analysis.account import (
    Account,
    Analysis,
    Cause,
    Change,
    GameFigures,
    Judged,
    Mark,
    Moment,
    Option,
    figures_of,
)
from gangland_ladder.analysis.summary import GamePlace, Summary, phase_of

MANY, FEW = "staking too many dice on yellow cards", "stopping too early on black cards"


def decided(round: int, number: int, cost: float, theme: str = MANY, *, seat: int = 0, kind: str = "dice") -> Judged:
    best = Option((1,), 0.5)
    return Judged(round, seat, number, kind, Option((2, 2), 0.5 - cost), best, (best,), 3, theme)


def game(*decisions: Judged, seats: int = 2, luck: float = 0.0, complete: bool = True) -> GameFigures:
    """Return a game of twelve rounds: luck, the decisions of the first two seats, and the error as the rest."""
    start = tuple(0.5 for _ in range(seats))
    changes, values = (
        [Change(Cause.LUCK, None, (luck, -luck, *[0.0] * (seats - 2)))],
        [0.5 + luck, 0.5 - luck, *start[2:]],
    )
    for each in decisions:
        amounts = [0.0] * seats
        amounts[each.seat], amounts[1 - each.seat] = -each.cost, each.cost
        changes.append(Change(Cause.DECISION, each.seat, tuple(amounts)))
        values = [value + amount for value, amount in zip(values, amounts, strict=True)]
    scores = (1.0, 0.0, *start[2:])
    if complete:
        last = tuple(score - value for score, value in zip(scores, values, strict=True))
        changes.append(Change(Cause.ERROR, None, last))
        values = list(scores)
    moments = (Moment(tuple(values), tuple(changes), decisions),)
    addresses = tuple(f"r{each.round}.s{each.seat + 1}.d1" for each in decisions)
    return figures_of(Analysis("gang-of-dice", seats, start, moments, scores, complete, "1", 12, addresses))


def summed(account: Account) -> float:
    return account.start + account.luck + account.own + account.others + account.hidden + account.error + account.rest


@pytest.fixture
def summary() -> Summary:
    found = Summary()
    games = [
        game(decided(1, 0, 0.10), decided(12, 1, 0.05), decided(12, 2, 0.03, seat=1), luck=0.2),
        game(decided(11, 0, 0.25), decided(5, 1, 0.02, FEW, kind="reroll"), decided(5, 2, 0.0)),
        game(decided(2, 0, 0.001), seats=3),
    ]
    for number, figures in enumerate(games, 1):
        found.add(figures, GamePlace("games.ndjson", number), ["a", "b", "c"][: figures.seats])
    return found


def test_costs_of_a_bot_are_means_of_its_games_with_their_standard_error(summary: Summary) -> None:
    a = next(each for each in summary.players() if each.bot == "a")
    costs = [0.15, 0.27, 0.001]
    mean = sum(costs) / 3
    assert (a.games, a.decisions, a.seat) == (3, 6, None)
    assert a.cost == pytest.approx(mean)
    assert a.error == pytest.approx(sqrt(sum((cost - mean) ** 2 for cost in costs) / 2 / 3))
    assert a.marks == {Mark.BEST: 1, Mark.GOOD: 1, Mark.INACCURACY: 1, Mark.MISTAKE: 1, Mark.BLUNDER: 2}
    assert a.accuracy == pytest.approx(2 / 6)


def test_the_same_cost_is_split_by_kind_third_table_and_theme_each_adding_up(summary: Summary) -> None:
    a = next(each for each in summary.players() if each.bot == "a")
    for parts in (a.kinds, a.phases, a.themes, list(chain.from_iterable(each.phases for each in a.themes))):
        assert sum(part.cost for part in parts) == pytest.approx(a.cost)
    assert [(p.phase, p.rounds) for p in a.phases] == [("first", (1, 2)), ("middle", (5, 5)), ("last", (11, 12))]
    assert [(each.seats, each.games) for each in a.tables] == [(2, 2), (3, 1)]
    assert [each.cost for each in a.tables] == pytest.approx([0.21, 0.001])


def test_the_theme_that_costs_most_comes_first_with_the_third_in_which_it_does(summary: Summary) -> None:
    a = next(each for each in summary.players() if each.bot == "a")
    assert [each.theme for each in a.themes] == [MANY, FEW]
    worst = a.themes[0].phases[0]
    assert (worst.phase, worst.rounds) == ("last", (11, 12))
    assert worst.cost == pytest.approx(0.3 / 3)


def test_of_mistakes_that_are_numbers_the_means_of_both_are_told() -> None:
    found = Summary()
    numbers = [
        Judged(1, 0, number, "dice", Option(chosen, 0.4), Option(best, 0.5), (Option(best, 0.5),), 9, MANY)
        for number, (chosen, best) in enumerate([(7, 4), (8, 3)])
    ]
    found.add(game(*numbers, decided(2, 2, 0.1, FEW)), GamePlace("game.json", 1), ["a", "b"])
    a = next(each for each in found.players() if each.bot == "a")
    assert {each.theme: (each.chosen, each.best) for each in a.themes} == {MANY: (7.5, 3.5), FEW: (None, None)}
    other = Summary()
    other.add(replace(game(*numbers), game="gangster-dice"), GamePlace("game.json", 1), ["a", "b"])
    (theme,) = next(each for each in other.players() if each.bot == "a").themes
    assert (theme.chosen, theme.best) == (None, None), "there, a number names a thing"


def test_the_costliest_decisions_are_named_with_their_game_and_address(summary: Summary) -> None:
    a = next(each for each in summary.players() if each.bot == "a")
    assert [(each.place.game, each.decision.at) for each in a.worst] == [
        (2, "r11.s1.d1"), (1, "r1.s1.d1"), (1, "r12.s1.d1"),
    ]  # fmt: skip
    assert a.worst[0].decision.chosen == [2, 2]


def test_every_account_adds_up_to_the_result_and_bots_come_in_the_order_of_their_costs(summary: Summary) -> None:
    players = summary.players()
    assert [each.bot for each in players] == ["c", "b", "a"]
    for each in players:
        assert summed(each.account) == pytest.approx(each.account.result, abs=1e-12)
    a = players[-1].account
    assert [a.luck, a.own, a.others] == pytest.approx([0.2 / 3, -0.421 / 3, 0.01])


def test_what_there_was_no_time_for_is_a_part_of_the_account() -> None:
    (account, _) = game(decided(1, 0, 0.1), complete=False).accounts
    assert [account.error, account.rest, account.result] == pytest.approx([0, 0.6, 1.0])
    assert summed(account) == pytest.approx(1.0)


def test_seats_of_one_game_are_kept_apart_though_one_bot_has_both() -> None:
    figures = game(decided(1, 0, 0.1))
    found, together = Summary(by_seat=True), Summary()
    for each in (found, together):
        each.add(figures, GamePlace("game.json", 1), ["a", "a"], ["aa", "aa"])
    assert [(p.bot, p.seat, p.games, p.error) for p in found.players()] == [("a", 0, 1, None), ("a", 1, 1, None)]
    assert [(each.bot, each.seat, each.games) for each in together.players()] == [("a", None, 2)]


def test_bots_of_one_name_and_other_code_are_two() -> None:
    found = Summary()
    found.add(game(decided(1, 0, 0.1)), GamePlace("game.json", 1), ["a", "a"], ["1" * 64, "2" * 64])
    assert sorted(each.bot or "" for each in found.players()) == ["a 11111111", "a 22222222"]


@pytest.mark.parametrize(
    ("rounds", "thirds"), [(12, "ffffmmmmllll"), (7, "fffmmll"), (3, "fml"), (2, "fm"), (1, "f"), (100, None)]
)
def test_thirds_of_a_game_are_its_own(rounds: int, thirds: str | None) -> None:
    found = "".join(phase_of(number, rounds)[0] for number in range(1, rounds + 1))
    assert found == (thirds or "f" * 34 + "m" * 33 + "l" * 33)
