"""Luck has the mean 0 whatever anybody decides: by every outcome of single rolls, and over many games."""

import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, product
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest
from tests.contract.players import Watched
from tests.contract.run import Passing, Table, a_choice, seed_of

from gangland import faults, games, gangster_dice, match
from gangland.chance import Chance, Faces, SeededChance
from gangland.game import Decision, Event
from gangland.luck import luck_from, luck_of
from gangland.replay import expand
from gangland.view import View

FEW = {"gangster-dice": 2, "gang-of-dice": 3}  # the most dice of a roll whose outcomes are all tried
ROLLS = 40  # the number of such rolls at a table

TABLES = [
    *[Table(game, seats, {}) for game in games.GAME_NAMES for seats in (2, 3, 4)],
    Table("gangster-dice", 2, {"characters": "dealt"}),
    Table("gangster-dice", 3, {"characters": "chosen", "cast": ["franky", "timmy", "nancy"]}),
    Table("gangster-dice", 4, {"characters": "chosen", "cast": ["liza", "franky", "roberts", "don"]}),
    Table("gangster-dice", 3, {"spent_favor": "out", "win_check": "win_first"}),
    Table("gang-of-dice", 2, {"deck": "box18", "first_player": "winner"}),
    Table("gang-of-dice", 4, {"deck": "box18"}),
]
NAMES = [f"{table.game} {table.seats} {' '.join(map(str, table.options.values()))}" for table in TABLES]


@dataclass
class Thrown(Passing):
    chance: Chance
    chosen: tuple[int, int, int] | None = None
    dice: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.rolls: list[tuple[int, int, int, int]] = []

    def faces(self, round: int, seat: int, roll: int, count: int) -> Faces:
        self.rolls.append((round, seat, roll, count))
        return self.dice if (round, seat, roll) == self.chosen else self.chance.faces(round, seat, roll, count)


def rolls_with_all_outcomes(table: Table, number: int) -> Iterator[list[float]]:
    """Yield, for each roll of few dice in a random game, the seat's luck for every outcome."""
    chance, rng, rules = SeededChance(seed_of(number)), Random(number), table.rules
    state, events = rules.start(table.seats, rules.options(table.options), chance)
    document = list(events)
    while rules.outcome(state) is None:
        decisions = {
            requested.seat: a_choice(rules.choices(state, requested.seat), rng, timid=True)
            for requested in rules.pending(state)
        }
        observed = Thrown(chance)
        following, events = rules.resolve(state, decisions, observed)
        for roll in observed.rolls:
            if roll[3] <= FEW[table.game]:
                yield from outcomes_of(table, state, decisions, chance, document, roll)
        state = following
        document += events


def outcomes_of(
    table: Table,
    state: Any,
    decisions: dict[int, Decision],
    chance: Chance,
    document: list[Event],
    roll: tuple[int, int, int, int],
) -> Iterator[list[float]]:
    round_number, seat, number, dice_rolled = roll
    before = luck_from(table.game, table.seats, document)
    found = []
    for dice in product(range(6), repeat=dice_rolled):
        thrown = Thrown(chance, (round_number, seat, number), dice)
        _, events = table.rules.resolve(state, decisions, thrown)
        if [each[1] for each in thrown.rolls].count(seat) > 1:
            return
        found.append(luck_from(table.game, table.seats, document + list(events))[seat] - before[seat])
    yield found


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_over_all_outcomes_of_a_roll_luck_adds_up_to_nothing(table: Table) -> None:
    rolls = (found for number in count() for found in rolls_with_all_outcomes(table, number))
    tried = list(islice(rolls, ROLLS))
    for found in tried:
        assert abs(fmean(found)) < 1e-12 * max(map(abs, [1.0, *found]))
    assert sum(max(found) > min(found) for found in tried) > ROLLS / 5


class AtRandom:
    """Gives any legal answer; a quitter fails as soon as its dice have been bad."""

    def __init__(self, game: Watched, seats: int, rng: Random, quits_below: float | None = None) -> None:
        self.game, self.seats, self.rng, self.quits_below = game, seats, rng, quits_below

    def decide(self, kind: str, view: View, number: int) -> object:
        state, seat = self.game.asked
        if self.quits_below is not None:
            so_far = luck_from(self.game.name, self.seats, self.game.events)
            if so_far[seat] < self.quits_below:
                raise faults.BotFault(faults.FaultKind.CRASHED, "bad dice")
        return a_choice(self.game.choices(state, seat), self.rng, timid=True)


def luck_of_random_game(table: Table, number: int, quits_below: float | None = None) -> tuple[float, ...]:
    watched = Watched(table.rules)
    players = [
        AtRandom(watched, table.seats, Random(f"{number} {seat}"), None if seat else quits_below)
        for seat in range(table.seats)
    ]
    played = match.play(watched, players, seed_of(number), options=table.options)  # type: ignore[arg-type]
    return luck_of(played.replay)


def standard_errors_off(values: Sequence[float]) -> float:
    return fmean(values) / (stdev(values) / sqrt(len(values)))


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_over_many_games_luck_is_even_in_every_seat(table: Table) -> None:
    luck = [luck_of_random_game(table, number) for number in range(30)]
    for seat in range(table.seats):
        assert abs(standard_errors_off([each[seat] for each in luck])) < 4


@pytest.mark.parametrize(("game", "quits_below"), [("gangster-dice", -0.15), ("gang-of-dice", -3.0)])
def test_a_bot_that_breaks_down_when_its_dice_are_bad_is_no_luckier(game: str, quits_below: float) -> None:
    luck = [luck_of_random_game(Table(game, 2, {}), number, quits_below) for number in range(70)]
    assert Counter(each[0] < quits_below for each in luck)[True] > 8
    for seat in range(2):
        assert abs(standard_errors_off([each[seat] for each in luck])) < 4


def test_luck_comes_out_alike_from_the_replay_and_from_its_events() -> None:
    for table in TABLES:
        run = Watched(table.rules)
        players = [AtRandom(run, table.seats, Random(seat)) for seat in range(table.seats)]
        replay = match.play(run, players, seed_of(3), options=table.options).replay  # type: ignore[arg-type]
        events = [event for step in expand(replay) for event in step.events]
        assert luck_of(replay) == luck_from(table.game, table.seats, events) == luck_of(replay)


def test_a_game_that_there_is_not_has_no_luck() -> None:
    with pytest.raises(ValueError, match="unknown game 'chess'; the games are gangster-dice, gang-of-dice"):
        luck_from("chess", 2, [])


# Gang of Dice by hand: the last seat has to beat a 2 of one die, so a 3, 4 or 5 takes both dice on the table


def turn_of_one_die(*faces: int, card: str = "B5") -> list[Event]:
    events: list[Event] = [("round", 1, card, (0, 1), 0, 0), ("rolled", 0, 1, (), (2,), (2,)), ("stood", 0, 2)]
    again: tuple[int, ...] = ()
    for number, face in enumerate(faces, 1):
        events.append(("rolled", 1, number, again, (face,), (face,)))
        again = (face,)
    return events


@pytest.mark.parametrize(
    ("faces", "dice"),
    [
        ((5,), 2 * (1 - 7 / 8)),  # three rolls lead with 7/8; one that does not leaves two, with 3/4
        ((1,), 2 * (3 / 4 - 7 / 8)),
        ((1, 4), 2 * (3 / 4 - 7 / 8) + 2 * (1 - 3 / 4)),
        ((1, 2, 5), 2 * (3 / 4 - 7 / 8) + 2 * (1 / 2 - 3 / 4) + 2 * (1 - 1 / 2)),
        ((1, 2, 0), 2 * (3 / 4 - 7 / 8) + 2 * (1 / 2 - 3 / 4) + 2 * (0 - 1 / 2)),
    ],
)
def test_the_last_turns_luck_is_its_share_of_the_table_beyond_the_odds(faces: tuple[int, ...], dice: float) -> None:
    assert luck_from("gang-of-dice", 2, turn_of_one_die(*faces))[1] == pytest.approx(dice, abs=1e-12)


def test_a_triggered_yellow_warning_is_bad_luck_for_good_and_a_black_one_can_be_fixed() -> None:
    # under "any 4 or 5" only a 3 leads: 1/6, and 3/6 go on
    rolled = 1 / 6 + 3 / 6 * (1 / 6 + 3 / 6 * 1 / 6)
    assert luck_from("gang-of-dice", 2, turn_of_one_die(5, card="Y8"))[1] == pytest.approx(-2 * rolled)
    black = 1 / 6 * (1 + 5 / 6 + 25 / 36)  # under "any odd number" only a 4 leads, and every roll may be fixed
    left = 1 / 6 * (1 + 5 / 6)
    assert luck_from("gang-of-dice", 2, turn_of_one_die(5, card="B9"))[1] == pytest.approx(2 * (left - black))


def test_while_a_seat_is_left_to_beat_it_a_higher_total_is_worth_more() -> None:
    def luck(order: tuple[int, ...], face: int) -> float:
        events: list[Event] = [("round", 1, "B5", order, 0, 0), ("rolled", 0, 1, (), (face, 5), (face, 5))]
        return luck_from("gang-of-dice", 2, events)[0]

    assert luck((0,), 4) == pytest.approx(luck((0,), 5))
    assert luck((0, 1), 4) < luck((0, 1), 5)


def test_a_turn_with_more_dice_than_anyone_stakes_in_earnest_is_left_out() -> None:
    for stake, counted in ((16, True), (17, False), (96, False)):
        dice = (0,) * stake
        events: list[Event] = [("round", 1, "B6", (0, 1), 0, 0), ("rolled", 0, 1, (), dice, dice)]
        assert bool(luck_from("gang-of-dice", 2, events)[0]) is counted


def test_dice_beyond_sixteen_on_the_table_add_no_luck() -> None:
    def luck(carried: int) -> float:
        begun, *rest = turn_of_one_die(5)
        return luck_from("gang-of-dice", 2, [(*begun[:4], carried, 0), *rest])[1]

    assert luck(14) == pytest.approx(8 * luck(0))
    assert luck(90) == luck(14)


def wild_rounds(count: int) -> Iterator[Event]:
    rng = Random("wild rounds")
    for number in range(1, count + 1):
        yield ("round", number, "B11", (0, 1), 0, 0)
        for seat in (0, 1):
            dice = tuple(rng.choices(range(6), k=rng.randint(1, 16)))
            yield ("rolled", seat, 1, (), dice, dice)
            kept = rng.randrange(len(dice))
            drawn = tuple(rng.choices(range(6), k=len(dice) - kept))
            yield ("rolled", seat, 2, dice[kept:], drawn, dice[:kept] + drawn)
            yield ("stood", seat, sum(dice[:kept] + drawn))


def test_what_wild_play_makes_it_keep_is_bounded() -> None:
    tracemalloc.start()
    try:
        luck_from("gang-of-dice", 2, wild_rounds(1500))
        kept, _ = tracemalloc.get_traced_memory()
        luck_from("gang-of-dice", 2, wild_rounds(2500))
        later, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert later < 2.5 * 2**20  # "three equal numbers" has the most to keep of all 24
    assert later - kept < 0.2 * 2**20


# Gangster Dice by hand


def first_roll(first: str, holder: int | None = None) -> list[Event]:
    faces = {"finger": 3, "gun": 2, "gavel": 0}
    moved: list[Event] = [] if holder is None else [("moved", None, holder)]
    mine = tuple(faces[each] for each in first.split())
    return [*moved, ("round", 2), ("rolled", 0, (mine, (), ())), ("rolled", 1, ((3,), (2,), ()))]


def test_fingers_are_luck_most_of_all_where_they_would_end_the_game() -> None:
    as_a_rule = luck_from("gangster-dice", 2, first_roll("finger finger"))[0]
    assert 0 < as_a_rule < luck_from("gangster-dice", 2, first_roll("finger finger", holder=1))[0] / 3
    assert luck_from("gangster-dice", 2, first_roll("gavel gavel", holder=1))[0] < 0


def test_symbols_of_the_lawyer_alone_are_bad_luck_and_guns_little_good() -> None:
    gavels, guns = (luck_from("gangster-dice", 2, first_roll(f"{each} {each}"))[0] for each in ("gavel", "gun"))
    assert gavels < 0
    assert gavels < guns


def test_a_die_rolled_again_is_luck_against_that_die_alone() -> None:
    def again(new: int) -> float:
        begun = first_roll("gavel finger", holder=1)
        return (
            luck_from("gangster-dice", 2, [*begun, ("rerolled", 0, 0, 0, new)])[0]
            - luck_from("gangster-dice", 2, begun)[0]
        )

    lawyer, speakeasy, streets, finger = map(again, range(4))

    assert finger > streets > lawyer == speakeasy  # of a white die: two gavels, one cocktail, one gun, two fingers
    assert 2 * lawyer + speakeasy + streets + 2 * finger == pytest.approx(0, abs=1e-12)


def test_every_character_can_be_played_when_luck_is_measured() -> None:
    for number, character in enumerate(gangster_dice.HOUSE_SET):
        other = gangster_dice.HOUSE_SET[number - 1]
        table = Table("gangster-dice", 2, {"characters": "chosen", "cast": [character.key, other.key]})
        assert len(luck_of_random_game(table, number)) == 2
