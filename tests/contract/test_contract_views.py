"""What a seat sees: all that it may, nothing that it may not, and nothing that it could change."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.contract import checks, variants
from tests.contract.games import adapter_of, any_game, any_table, games
from tests.contract.run import played

from gangland.games import game_named

NAMES = ("Ada", "Uwe", "Xia", "Zoe")


@any_game(100)
def test_g5_d1_states_that_differ_in_hidden_things_look_the_same(name: str, data: st.DataObject, number: int) -> None:
    """The second game has other unplayed hands, deck and half-given answers (G16), all made by playing."""
    adapter = adapter_of(name)
    run = played(data.draw(any_table(name)), number)
    rng = Random(number)
    half = [ply for ply, state in enumerate(run.states) if run.game.half_answered(state)]
    asking = range(len(run.decisions))
    for ply in {*rng.sample(asking, min(3, len(asking))), *half[:2]}:
        seat = rng.choice(sorted(run.decisions[ply]))
        shown = run.game.observe(run.states[ply], seat)
        assert variants.shown_to_its_twin(adapter, run, ply, seat, rng).wire == shown.wire


@games
def test_what_is_hidden_differs_where_views_are_compared(name: str) -> None:
    """The comparison above can fail: with other hidden cards, most games continue differently."""
    adapter = adapter_of(name)
    others = 0
    for number in range(20):
        run = played(adapter.table(3, number), number)
        chance = adapter.otherwise_hidden(run, 0, 0, Random(number))
        others += any(
            chance.shuffle(what, count, cards) != cards for (what, count), cards in run.chance.shuffles.items()
        )
    assert others >= 18


@any_game(12)
def test_a_view_is_read_whole_and_crosses_a_pipe_as_plain_values(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(any_table(name)), number)
    rng = Random(number)
    sets = [frozenset(some) for count in range(len(run.seats) + 1) for some in combinations(run.seats, count)]
    for state in [run.states[0], *rng.sample(run.states, min(6, len(run.states))), run.state]:
        for seat in run.seats:
            view = run.game.observe(state, seat, rng.choice(sets))
            assert type(view) is run.game.view_class
            checks.check_view(view)


@games
def test_a_view_cannot_be_changed(name: str) -> None:
    for number, seats in enumerate(game_named(name).table_sizes):
        run = played(adapter_of(name).table(seats, number), number)
        view: Any = run.game.observe(run.states[0], 0)
        before = repr(view)
        for field in [*view.fields(), "wire", "clock", "note"]:
            with pytest.raises(AttributeError):
                setattr(view, field, None)
            with pytest.raises(AttributeError):
                delattr(view, field)
        assert repr(view) == before


@any_game(20)
def test_every_event_has_a_class_and_a_sentence_about_nobody_else(name: str, data: st.DataObject, number: int) -> None:
    adapter = adapter_of(name)
    table = data.draw(any_table(name))
    run = played(table, number)
    for event in run.told:
        assert checks.is_plain(event), event
        typed = adapter.events.typed(event)
        assert type(typed).__doc__
        assert tuple(typed)[-len(event) + 1 :] == event[1:]
        text = run.game.sentence(event, NAMES[: table.seats])
        if text is not None:
            assert text[0].isupper() or text[0].isdigit()
            assert text.endswith(".")
            assert not any(word in text for word in ("None", "{", "}", "<", "  ", "[]", "()"))
            assert {seat for seat, called in enumerate(NAMES) if called in text} <= named(event, table.seats)


def named(value: Any, seats: int) -> set[int]:
    """Return every number in an event that may be a seat; all seats if it has one value for each."""
    if isinstance(value, tuple):
        every = set(range(seats)) if len(value) == seats else set()
        return every.union(*(named(item, seats) for item in value))
    return {value} if type(value) is int else set()


@games
def test_what_is_no_event_has_no_class(name: str) -> None:
    for event in ((), ("no such thing",), (1, 2)):
        with pytest.raises(ValueError):
            adapter_of(name).events.typed(event)
