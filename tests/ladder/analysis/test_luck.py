"""Places adjusted by luck: exact, fair to every seat, and less scattered."""

import re
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest
from benchmarks.evidence.players import Player, play
from benchmarks.harness import seed_of
from benchmarks.measured import Saving, saving

from gangland.blocks import seating
from gangland.chance import SeededChance
from gangland.games import GAME_NAMES, game_named
from gangland.luck import luck_from
from gangland_ladder.analysis.games import measurements_of
from gangland_ladder.analysis.luck import SeatLuck, match_luck, mean_luck, seat_luck

TABLES = [(game, seats) for game in GAME_NAMES for seats in game_named(game).table_sizes]


def rate_of(game: str, seats: int) -> Fraction:
    table = measurements_of(game, seats)
    assert table is not None
    return table.places_per_unit


def one_block(game: str, bots: list[str], number: int) -> list[list[SeatLuck]]:
    rules, seed, seats = game_named(game), seed_of("luck test", game, number), len(bots)
    games: list[list[SeatLuck]] = [[] for _ in bots]
    for rotation in range(seats):
        at = seating(number, rotation, seats)
        played = play(rules, [Player(bots[bot]).sit(rules, seed) for bot in at], {}, SeededChance(seed))
        luck = luck_from(game, seats, played.events)
        for bot, seat in zip(at, seat_luck(game, luck, played.outcome.mean_places()), strict=True):
            games[bot].append(seat)
    return games


def of(place: int | Fraction, adjusted: int | Fraction) -> SeatLuck:
    return SeatLuck(Fraction(0), Fraction(0), Fraction(place), Fraction(adjusted))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_luck_takes_from_one_seat_it_gives_to_the_others(game: str, seats: int) -> None:
    luck = [0.1, -2.7, 1 / 3, 5.0][:seats]
    places = [Fraction(place) for place in range(1, seats + 1)]
    adjusted = seat_luck(game, luck, places)
    assert sum(each.net for each in adjusted) == 0
    assert sum(each.adjusted for each in adjusted) == sum(places)
    assert [each.place for each in adjusted] == places
    for one in adjusted:
        assert one.adjusted == one.place + rate_of(game, seats) * one.net


def test_a_lucky_winner_is_worth_less_than_an_unlucky_one() -> None:
    lucky, unlucky = (seat_luck("gang-of-dice", [luck, 0.0], [Fraction(1), Fraction(2)]) for luck in (10.0, -10.0))
    assert lucky[0].adjusted == 1 + rate_of("gang-of-dice", 2) * 5
    assert unlucky[0].adjusted == 1 - rate_of("gang-of-dice", 2) * 5


def test_luck_that_does_not_fit_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="expected the luck of 2 seats, not of 3"):
        seat_luck("gang-of-dice", [0.0] * 3, [Fraction(1), Fraction(2)])
    with pytest.raises(ValueError, match="the ratio between luck and places is unknown for 'chess' with 2 seats"):
        seat_luck("chess", [0.0] * 2, [Fraction(1), Fraction(2)])
    with pytest.raises(ValueError, match="at least one game"):
        mean_luck([])


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_copies_of_one_bot_tie_in_adjusted_places_too_over_every_block(game: str, seats: int) -> None:
    for number in range(2):
        means = [mean_luck(games) for games in one_block(game, ["sensible"] * seats, number)]
        assert any(each.luck for each in means)
        middle = Fraction(seats + 1, 2)
        assert {(each.net, each.place, each.adjusted) for each in means} == {(Fraction(0), middle, middle)}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_house_bots_have_even_luck_whatever_their_style(game: str, seats: int) -> None:
    bots = ["sensible", "bold", "cautious", "hoarding" if game == "gangster-dice" else "closing"][:seats]
    blocks = [one_block(game, bots, number) for number in range(48 // seats)]
    for bot in range(seats):
        luck = [float(mean_luck(block[bot]).luck) for block in blocks]
        assert abs(fmean(luck)) < 4 * stdev(luck) / sqrt(len(luck))


@pytest.mark.parametrize(("game", "bots"), [("gangster-dice", "cautious bold"), ("gang-of-dice", "closing bold")])
def test_adjusted_places_scatter_less_in_games_and_in_blocks(game: str, bots: str) -> None:
    blocks = [one_block(game, bots.split(), number) for number in range(60)]
    games = saving([game for block in blocks for game in block[bot]] for bot in range(2))
    of_blocks = saving([mean_luck(block[bot]) for block in blocks] for bot in range(2))
    assert games.share is not None
    assert of_blocks.share is not None
    assert 0.15 < games.share < 0.65
    assert 0.05 < of_blocks.share < 0.65


def test_what_adjusting_saves_is_counted_within_groups() -> None:
    found = saving([[of(1, Fraction(3, 2)), of(2, Fraction(3, 2))], [of(4, 3), of(2, 3), of(3, 3)], [of(9, 0)]])
    assert found == Saving(plain=2.5 / 3, adjusted=0.0)
    assert found.share == 1


def test_nothing_is_said_to_be_saved_where_nothing_scatters() -> None:
    assert saving([]).share is None
    assert saving([[of(1, 1)]]).plain is None
    assert saving([[of(1, 1), of(1, 2)]]).share is None
    assert saving([[of(1, 1), of(2, 4)]]).share == -8


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_means_of_a_match_are_exactly_those_of_its_games(game: str, seats: int) -> None:
    rows = [[0.1 * (bot + 1) ** number - 1 / (number + 3) for number in range(6)] for bot in range(seats)]
    places = [[Fraction(1 + (bot + number) % seats) for number in range(6)] for bot in range(seats)]
    games = [
        seat_luck(game, luck, place)
        for luck, place in zip(zip(*rows, strict=True), zip(*places, strict=True), strict=True)
    ]
    found = match_luck(game, rows, [sum(place) / Fraction(6) for place in places])
    assert list(found) == [mean_luck(one[bot] for one in games) for bot in range(seats)]
    with pytest.raises(ValueError, match="same number of games"):
        match_luck(game, [*rows[:-1], [0.0]], [Fraction(1)] * seats)


def test_there_is_a_rate_for_every_table_and_the_page_on_luck_says_it(root: Path) -> None:
    page = (root / "docs" / "ratings.md").read_text(encoding="utf-8")
    shown = re.findall(r"^- ([\w-]+), (\d) seats, (\w+): ([\d.]+)$", page, re.MULTILINE)
    assert {(game, int(seats)): (unit, Fraction(rate)) for game, seats, unit, rate in shown} == {
        (game, seats): (game_named(game).luck_unit, rate_of(game, seats)) for game, seats in TABLES
    }
