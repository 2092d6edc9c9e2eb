"""A game can be played again from its replay, whoever failed in it."""

import json

import pytest
from hypothesis import strategies as st
from tests.contract.games import any_game, any_table
from tests.contract.players import play_watched

from gangland import faults, story
from gangland.replay import FAULT, ReplayError, expand, load, verify, with_digest

fails = st.lists(st.sampled_from([0.0, 0.0, 0.01, 0.2, 2.0]), min_size=4, max_size=4)


@any_game(60, fails=fails)
def test_a_replay_with_faults_is_played_again(name: str, data: st.DataObject, number: int, fails: list[float]) -> None:
    table = data.draw(any_table(name))
    played, watched, players = play_watched(table, number, fails[: table.seats])
    replay = played.replay
    again = load(replay.to_json())
    assert again == replay
    assert again.to_json() == replay.to_json()
    assert verify(again) == played.outcome
    steps = list(expand(again))
    result = [event for step in steps for event in step.events]
    assert result == watched.events[: len(result)]
    assert with_digest(replay, result) == replay
    left_out = watched.events[len(result) :]
    assert not left_out or left_out[0][0] == "round", "only a round that a fault cut off is left out"
    answers = [answer for step in steps for answer in step.answers if answer.number is not None]
    assert [FAULT if answer.by_default else answer.decision for answer in answers] == list(replay.decisions)
    failed = {seat: player.failed for seat, player in enumerate(players) if player.failed}
    assert {fault.seat: fault.kind for fault in played.faults if fault.decision is not None} == failed
    for fault in played.faults:
        if fault.kind is faults.FaultKind.ILLEGAL:
            assert "'anything'" in fault.message


@any_game(6)
def test_the_story_of_any_game_is_told_to_its_end(name: str, data: st.DataObject, number: int) -> None:
    table = data.draw(any_table(name))
    played, _, _ = play_watched(table, number, [0.02] * table.seats)
    lines = list(story.tell(played.replay))
    assert all(line.text.endswith(".") for line in lines)
    assert [line.round for line in lines] == sorted(line.round for line in lines)
    assert "win" in lines[-1].text


@any_game(15)
def test_a_replay_with_another_decision_seed_or_option_is_found(name: str, data: st.DataObject, number: int) -> None:
    table = data.draw(any_table(name))
    played, watched, _ = play_watched(table, number, [0.0] * table.seats)
    whole = played.replay.to_dict()
    steps = list(expand(played.replay))
    step = data.draw(st.sampled_from([step for step in steps if step.answers]))
    answer = data.draw(st.sampled_from(step.answers))
    choices = watched.game.choices(step.before, answer.seat)
    other = data.draw(st.integers(0, len(choices) - 1).map(lambda index: choices[index]))
    changed = json.loads(json.dumps(whole))
    if other != answer.decision:
        changed["decisions"][answer.number] = other
    else:
        changed["seed"] = data.draw(st.sampled_from("0123456789abcdef")) * 64
    with pytest.raises(ReplayError):
        verify(load(json.dumps(changed)))
