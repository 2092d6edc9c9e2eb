"""What a person is shown comes from rows alone, is what a bot there would see, and gives nothing hidden away."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract import profile, variants
from tests.contract.games import adapter_of, any_number, any_table
from tests.contract.run import Run, Table, played
from tests.kits.playing_kit import AsIn, AtRandom, any_legal, crash, host, play_on, setup_of, shown

from gangland.faults import IllegalDecision
from gangland.games import GAME_NAMES, game_named
from gangland.replay import FAULT, load, verify
from gangland_ladder.playing.table_state import Failure, LiveTable, NotOpen, Row, RowError, Setup
from gangland_ladder.viewer.presentation import in_second_person, names_for
from gangland_ladder.viewer.timeline import timeline_of

games = pytest.mark.parametrize("name", GAME_NAMES)


def persons_at(table: Table) -> Setup:
    return setup_of(table.game, table.seats, range(table.seats), options=table.options)


def stands(run: Run, plies: int, rng: Random) -> LiveTable:
    live_table = LiveTable(persons_at(run.table), chance=AsIn(run))
    for decisions in run.decisions[:plies]:
        for seat in rng.sample(sorted(decisions), len(decisions)):
            live_table.apply(Row(seat, decisions[seat]))
    return live_table


@games
@profile.examples(25)
@given(data=st.data(), number=any_number)
def test_g5_d1_what_a_person_is_shown_hangs_on_nothing_hidden(name: str, data: st.DataObject, number: int) -> None:
    """The second game has other hidden cards; scene, story and question are equal."""
    adapter = adapter_of(name)
    run, rng = played(data.draw(any_table(name)), number), Random(number)
    half = [ply for ply, state in enumerate(run.states) if run.game.half_answered(state)]
    for ply in {*rng.sample(range(len(run.decisions)), min(4, len(run.decisions))), *half[:2]}:
        seat = rng.choice(sorted(run.decisions[ply]))
        one = stands(run, ply, rng)
        twin_run = variants.hidden_otherwise(adapter, run, ply, seat, rng)
        twin = stands(twin_run, len(twin_run.decisions), rng)
        assert one.view(seat).wire == run.game.observe(run.states[ply], seat).wire
        assert msgspec.json.encode(shown(twin, seat)) == msgspec.json.encode(shown(one, seat))
        for each in twin.open_questions():  # what others answer meanwhile is not seen either
            if each.seat != seat:
                twin.apply(Row(each.seat, any_legal(twin.view(each.seat), rng)))
        assert msgspec.json.encode(shown(twin, seat)) == msgspec.json.encode(shown(one, seat))


@games
def test_the_scene_is_that_of_a_replay_and_the_story_leaves_nothing_public_out(name: str) -> None:
    for seats in (2, 4):
        setup = setup_of(name, seats, range(seats))
        table, rng = host(setup), Random(seats)
        scenes, stories = [], dict.fromkeys(range(seats), "")
        table.advance()
        while asked := next(iter(table.live_table.open_questions()), None):
            scenes.append((asked.decision, table.live_table.scene(asked.seat)))
            stories[asked.seat] += "".join(line.text for line in table.live_table.story(asked.seat))
            steps = table.live_table.steps(asked.seat)
            assert [line for step in steps for line in step.lines] == table.live_table.story(asked.seat)
            assert not steps or steps[-1].scene == table.live_table.scene(asked.seat)
            table.answer(asked.seat, asked.number, any_legal(table.live_table.view(asked.seat), rng))
        timeline = timeline_of(table.live_table.played().replay)
        assert dict(scenes) == {frame.number: frame.observation for frame in timeline.frames}
        assert len(scenes) == len(timeline.frames)
        for seat in range(seats):
            stories[seat] += "".join(line.text for line in table.live_table.story(seat))
            for event in table.live_table.table.events:
                text = table.live_table.game.sentence(event, tuple(names_for(setup.names, seat)))
                told = text is not None and in_second_person(text) in stories[seat]
                assert told or text is None or table.live_table.game.known(event, seat) != event


@games
def test_a_question_has_a_number_and_an_answer_to_another_one_changes_nothing(name: str) -> None:
    table = host(setup_of(name, 3, (0, 2)))
    rows = table.advance()
    asked = table.live_table.open_questions()[0]
    answer = any_legal(table.live_table.view(asked.seat), Random(1))
    before = msgspec.json.encode(shown(table.live_table, asked.seat))
    for seat, number in [(asked.seat, 0), (asked.seat, 2), (1, 1), (1, 2), (7, 1), (asked.seat, -1)]:
        with pytest.raises(NotOpen):
            table.answer(seat, number, answer)
    for wrong in ("four", -3, [[9, 9]], None, True, 10**9):
        with pytest.raises(IllegalDecision, match=r"not (legal|allowed)"):
            table.answer(asked.seat, asked.number, wrong)
    assert msgspec.json.encode(shown(table.live_table, asked.seat)) == before
    assert table.live_table.rows == rows
    table.answer(asked.seat, asked.number, answer)
    with pytest.raises(NotOpen):
        table.answer(asked.seat, asked.number, answer)
    assert table.live_table.rows[len(rows)] == Row(asked.seat, answer)


@games
def test_rows_give_the_same_table_anywhere_also_when_they_came_as_json(name: str) -> None:
    setup = setup_of(name, 4, (1, 3))
    table = host(setup)
    rows = play_on(table, Random(2), 9)
    stored = msgspec.json.decode(msgspec.json.encode((setup, rows)), type=tuple[Setup, list[Row]])
    again = LiveTable(*stored)
    for seat in (1, 3):
        assert msgspec.json.encode(shown(again, seat)) == msgspec.json.encode(shown(table.live_table, seat))
    assert again.addresses == table.live_table.addresses
    assert [each.at for each in again.open_questions()] == [each.at for each in table.live_table.open_questions()]


@games
def test_a_game_ends_with_a_replay_like_any_other(name: str) -> None:
    table = host(setup_of(name, 3))
    play_on(table, Random(3))
    replay = table.live_table.played().replay
    assert verify(load(replay.to_json())).places == replay.places
    assert table.live_table.question(0) is None
    assert table.live_table.story(0)


@games
def test_rows_that_do_not_fit_are_named(name: str) -> None:
    setup = setup_of(name, 2, (0, 1))
    first = LiveTable(setup).open_questions()[0].seat
    broken = Failure("crashed", "it broke")
    for rows, said in (
        ([Row(first, "no such thing")], "row 0, choose_"), ([Row(5, 1)], "seat 6, which has no open question"),
        ([Row(first, FAULT)], "incomplete fault"), ([Row(first, 1, broken)], "incomplete fault"),
        ([Row(first, FAULT, broken), Row(first, FAULT, broken, opening=True)], "no open question"),
    ):  # fmt: skip
        with pytest.raises(RowError, match=said):
            LiveTable(setup, rows)


@pytest.mark.parametrize("seats", [3, 4])
def test_g16_a_fault_is_told_when_views_show_it_and_its_message_not_at_all(seats: int) -> None:
    """A fault's message may quote the hand of its seat."""
    table = host(setup_of("gangster-dice", seats), seat1=AtRandom(crash))
    before = "".join(line.text for line in table.live_table.story(0))
    rows = table.advance()
    assert any(row.fault for row in rows)
    assert "at fault" not in before + "".join(line.text for line in table.live_table.story(0))
    asked = table.live_table.open_questions()[0]
    table.answer(0, asked.number, any_legal(table.live_table.view(0), Random(0)))
    story = [line.text for line in table.live_table.story(0)]
    assert story[0] == "seat1 is at fault and plays default decisions from now on."
    assert "it broke" not in msgspec.json.encode(shown(table.live_table, 0)).decode()
    assert game_named("gangster-dice").rules_version == 1
