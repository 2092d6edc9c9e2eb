"""A short run of the campaign of random games: `python -m tests.contract.campaign` is the long one."""

import pytest
from tests.contract.adapter import Adapter
from tests.contract.campaign import Tally, batches, gathered, lines, missing, play_batch, play_one
from tests.contract.games import ADAPTERS, adapter_of, games
from tests.contract.run import Run

from gangland.games import GAME_NAMES, game_named

SHORT = 240


def test_random_games_at_all_tables_lose_nothing_and_meet_every_question_event_and_pair_of_characters() -> None:
    tallies = gathered(map(play_batch, batches(SHORT, 0)), SHORT)
    assert [found for tally in tallies.values() for found in tally.found] == []
    assert set(tallies) == {(name, seats) for name in GAME_NAMES for seats in game_named(name).table_sizes}
    assert sum(tally.games for tally in tallies.values()) == SHORT
    assert missing(tallies) == []
    assert len(list(lines(tallies))) == 1 + 2 * len(tallies)


@games
def test_tables_take_every_value_of_every_option_and_every_cast_in_turn(name: str) -> None:
    adapter = adapter_of(name)
    for seats in adapter.game.table_sizes:
        casts = adapter.casts(seats)
        tables = [adapter.table(seats, number) for number in range(max(64, 2 * len(casts)))]
        for option, values in adapter.option_values.items():
            assert {table.options[option] for table in tables} == set(values)
        for cast in casts:
            assert any(cast.items() <= table.options.items() for table in tables)


@games
def test_a_game_that_loses_a_die_is_named_by_its_table_and_number(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(adapter: Adapter, run: Run) -> None:
        raise AssertionError("5 dice of 6")

    monkeypatch.setattr(type(adapter_of(name)), "check_conserved", lose)
    _, tally = play_batch(((name, 2), range(7, 9)))
    assert tally.games == 2
    assert len(tally.found) == 2
    assert tally.found[0].startswith(f"Table(game='{name}', seats=2, options=")
    assert ", game 7:" in tally.found[0]
    assert "5 dice of 6" in tally.found[0]
    with pytest.raises(AssertionError, match="5 dice of 6"):
        play_one(ADAPTERS[name].table(2, 7), 7, Tally())


def test_the_campaign_says_what_no_game_has_met() -> None:
    nothing = {(name, 2): Tally() for name in GAME_NAMES}
    gaps = missing(nothing)
    for name in GAME_NAMES:
        for kind in game_named(name).bot_class.kinds:
            assert f"{name}: no game had the question {kind}" in gaps
