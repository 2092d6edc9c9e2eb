"""A short run of the campaign of random games: `python -m tests.contract.campaign` is the long one."""

from dataclasses import fields
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from tests.contract import campaign, profile, variants
from tests.contract.adapter import Adapter
from tests.contract.games import ADAPTERS, adapter_of, any_game, any_table, games
from tests.contract.machine import GameMachine
from tests.contract.run import Run, played

from gangland.game import Game
from gangland.games import GAME_NAMES, game_named

SHORT = 240


def test_random_games_at_all_tables_lose_nothing_and_meet_every_question_event_and_pair_of_characters() -> None:
    tallies = campaign.gathered(map(campaign.play_batch, campaign.batches(SHORT, 0)), SHORT)
    assert [found for tally in tallies.values() for found in tally.found] == []
    assert set(tallies) == {(name, seats) for name in GAME_NAMES for seats in game_named(name).table_sizes}
    assert sum(tally.games for tally in tallies.values()) == SHORT
    assert campaign.missing(tallies) == []
    assert len(list(campaign.lines(tallies))) == 1 + 2 * len(tallies)


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
    _, tally = campaign.play_batch(((name, 2), range(7, 9)))
    assert tally.games == 2
    assert len(tally.found) == 2
    assert tally.found[0].startswith(f"Table(game='{name}', seats=2, options=")
    assert ", game 7:" in tally.found[0]
    assert "5 dice of 6" in tally.found[0]
    with pytest.raises(AssertionError, match="5 dice of 6"):
        campaign.play_one(ADAPTERS[name].table(2, 7), 7, campaign.Tally())


def test_the_campaign_says_what_no_game_has_met() -> None:
    gaps = campaign.missing({(name, 2): campaign.Tally() for name in GAME_NAMES})
    for name in GAME_NAMES:
        for kind in game_named(name).bot_class.kinds:
            assert f"{name}: no game had the question {kind}" in gaps


@games
def test_answers_refusals_and_faults_in_any_order_lead_to_an_end_that_the_match_loop_proves(name: str) -> None:
    machine = type("Machine", (GameMachine,), {"name": name})
    run_state_machine_as_test(machine, settings=profile.examples(25, steps=25))


def test_every_registered_game_has_an_adapter_and_no_other_has() -> None:
    assert set(ADAPTERS) == set(GAME_NAMES)
    with pytest.raises(AssertionError, match="chess has no adapter: write one"):
        adapter_of("chess")


@games
def test_a_registered_game_is_a_game_by_its_own_name_with_a_method_for_every_question(name: str) -> None:
    game = game_named(name)
    assert isinstance(game, Game)
    assert isinstance(adapter_of(name), Adapter)
    assert game.name == adapter_of(name).name == name
    assert len(set(game.table_sizes)) == len(game.table_sizes) > 0
    assert game.rules_version >= 1
    for kind in game.bot_class.kinds:
        assert callable(getattr(game.bot_class, f"choose_{kind}"))


@games
def test_every_option_of_a_game_is_played_by_the_contract(name: str) -> None:
    game, adapter = game_named(name), adapter_of(name)
    played = {*adapter.option_values, *(option for cast in adapter.casts(game.table_sizes[0]) for option in cast)}
    assert played == {field.name for field in fields(game.options({}))}


@games
def test_every_registered_game_has_golden_replays(root: Path, name: str) -> None:
    golden = sorted((root / "tests" / "golden").rglob("*json"))
    assert [path for path in golden if name in path.relative_to(root).as_posix()], f"{name} has no golden replays"


@any_game(40)
def test_rotating_seats_with_their_chance_rotates_the_game(name: str, data: st.DataObject, number: int) -> None:
    """Seats draw in an order that does not rotate (G40), so the deck is arranged to give each seat the same favors."""
    adapter = adapter_of(name)
    run = played(data.draw(any_table(name)), number)
    seats, rng = len(run.seats), Random(number)
    for by in range(1, seats):
        again = variants.turned(adapter, run, by)
        for ply, (state, moved) in enumerate(zip(run.states, again.states, strict=True)):
            requested = sorted(((question.seat + by) % seats, question.kind) for question in run.game.pending(state))
            assert [(question.seat, question.kind) for question in run.game.pending(moved)] == requested
            assert run.game.round(moved) == run.game.round(state)
            assert run.game.half_answered(moved) == run.game.half_answered(state)
            for seat in run.decisions[ply] if ply < len(run.decisions) and rng.random() < 0.3 else ():
                there, failed = (seat + by) % seats, rng.randrange(seats)
                shown = adapter.relative(run.game.observe(state, seat, frozenset({failed})))
                moved_view = run.game.observe(moved, there, frozenset({(failed + by) % seats}))
                assert adapter.relative(moved_view) == shown
                assert run.game.default(moved, there) == run.game.default(state, seat)
                assert run.game.legal(moved, there) == run.game.legal(state, seat)
                assert len(run.game.choices(moved, there)) == len(run.game.choices(state, seat))
        for defaulting in (frozenset[int](), frozenset([rng.randrange(seats)])):
            turned_too = frozenset((seat + by) % seats for seat in defaulting)
            outcome, other = run.outcome(defaulting), again.outcome(turned_too)
            assert outcome is not None
            assert other is not None
            assert other.places == outcome.places[-by:] + outcome.places[:-by]
            assert other.reason == outcome.reason
            assert set(other.winners) == {(seat + by) % seats for seat in outcome.winners}
