"""A table is brought back wherever it was left, and a bot that fails ends it only if it cannot be restored."""

from collections.abc import Callable
from random import Random

import pytest
from tests.kits.playing_kit import AtRandom, any_legal, crash, host, play_on, setup_of

from gangland.faults import BotFault, FaultKind
from gangland.games import GAME_NAMES
from gangland.replay import FAULT
from gangland_ladder.playing import hosting, table_state

games = pytest.mark.parametrize("name", GAME_NAMES)


def once(number: int) -> Callable[[AtRandom, int], object]:
    def fails(bot: AtRandom, question: int) -> object:
        return crash(bot, question) if question == number and len(bot.asked) == 1 else None

    return fails


@games
@pytest.mark.parametrize("persons", [(0,), (0, 2)])
def test_a_table_that_is_killed_anywhere_and_set_up_again_is_the_same_game(name: str, persons: tuple[int, ...]) -> None:
    setup = setup_of(name, 3, persons)
    whole = host(setup)
    rows = play_on(whole, Random(4))
    rng = Random(5)
    for kept in [0, 1, len(rows) - 1, len(rows), *rng.sample(range(len(rows)), 5)]:
        bot = AtRandom()
        again = host(setup, rows[:kept], seat1=bot)
        assert again.differing == []
        live_table = again.live_table
        new = again.advance()
        while asked := next(iter(live_table.open_questions()), None):
            answer = next(row for row, at in zip(rows, whole.live_table.addresses, strict=True) if at == asked.at)
            new += again.answer(asked.seat, asked.number, answer.decision)
        assert live_table.played().replay == whole.live_table.played().replay
        assert [*rows[:kept], *new] == live_table.rows
        assert len(bot.asked) == 1
        assert bot.asked[0] == sorted(set(bot.asked[0]))
        assert len(bot.ends) == 1


def test_a_bot_that_answers_otherwise_when_asked_again_keeps_what_is_recorded_and_it_is_noted() -> None:
    setup = setup_of("gang-of-dice", 2)
    table = host(setup)
    rows = play_on(table, Random(6), 12)
    fickle = AtRandom(lambda _, number: 1 if number == 1 else None)
    changed = next(row for row in rows if row.seat == 1).decision
    again = host(setup, rows, seat1=fickle)
    first = next(at for row, at in zip(rows, table.live_table.addresses, strict=True) if row.seat == 1)
    assert again.differing == ([first] if changed != 1 else [])
    assert again.live_table.rows == rows
    silly = host(setup, rows, seat1=AtRandom(lambda *_: "nonsense"))
    assert len(silly.differing) == sum(row.seat == 1 for row in rows)


@games
def test_a_bot_at_fault_plays_on_by_default_and_a_person_never_is(name: str) -> None:
    setup = setup_of(name, 4)
    bot = AtRandom(lambda bot, number: crash(bot, number) if number == 3 else None)
    table = host(setup, seat1=bot)
    rows = play_on(table, Random(7))
    faults = [row for row in rows if row.fault]
    assert [(row.seat, row.decision, row.fault and row.fault.kind) for row in faults] == [(1, FAULT, "crashed")]
    assert len(bot.asked[0]) == 3
    assert bot.forfeits[0].kind is FaultKind.CRASHED
    assert bot.ends == []
    replay = table.live_table.played().replay
    assert [seat for seat, _ in replay.faults] == [1]
    assert host(setup, rows, seat1=AtRandom()).live_table.played().replay == replay


@games
def test_an_illegal_answer_of_a_bot_is_its_fault_and_two_seats_then_end_the_game(name: str) -> None:
    table = host(setup_of(name, 2), seat1=AtRandom(lambda *_: [9, 9]))
    play_on(table, Random(8))
    outcome = table.live_table.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("last_faultless", (0,))
    assert table.live_table.rows[-1].fault or table.live_table.rows[-2].fault
    assert "[9, 9]" in next(row.fault.message for row in table.live_table.rows if row.fault)


def test_a_bot_that_cannot_begin_is_at_fault_from_the_start() -> None:
    class Broken(AtRandom):
        def begin_game(self, *_: object) -> BotFault:
            return BotFault(FaultKind.IMPORT_ERROR, "no module named x")

    setup = setup_of("gang-of-dice", 3)
    table = host(setup, seat2=Broken())
    rows = play_on(table, Random(9))
    assert rows[0].opening
    assert table.live_table.addresses[0] == ""
    assert table.live_table.played().replay.faults == ((2, None),)
    assert table.live_table.setup.seats[2].name == "seat2"
    assert host(setup, rows).live_table.played().replay == table.live_table.played().replay


def test_a_bot_that_fails_once_on_its_way_back_is_started_again_and_one_that_fails_twice_ends_the_table() -> None:
    setup = setup_of("gangster-dice", 3)
    rows = play_on(host(setup), Random(10), 6)
    count = sum(row.seat == 1 for row in rows)
    assert count > 3
    bot = AtRandom(once(3))
    table = host(setup, rows, seat1=bot)
    assert [len(each) for each in bot.asked] == [3, count]
    assert table.differing == []
    assert play_on(table, Random(11))
    failing = AtRandom(lambda bot, number: crash(bot, number) if number == 3 else None)
    with pytest.raises(hosting.TableEnded, match="seat1 cannot be restored"):
        host(setup, rows, seat1=failing)
    assert failing.closed
    assert len(failing.asked) == 2


def test_a_hint_that_was_taken_stands_in_the_row() -> None:
    table = host(setup_of("gang-of-dice", 2))
    table.advance()
    asked = table.live_table.open_questions()[0]
    answer = any_legal(table.live_table.view(0), Random(0))
    assert table.answer(0, asked.number, answer, hint=True)[0] == table_state.Row(0, answer, hint=True)
