"""Every legal decision is put together of its parts and typed in its short way, and nothing else is."""

import re
from contextlib import suppress
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.games import adapter_of, any_number, any_table
from tests.contract.profile import examples
from tests.contract.run import Run, Table, played

from gangland.game import Question
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.playing.questions import (
    MAX_LISTED,
    NoSuchPart,
    Spelling,
    narrow,
    plain_spelling,
    question_of,
    spelling_of,
)
from gangland_ladder.viewer.presentation import presentation_of

games = pytest.mark.parametrize("name", GAME_NAMES)
FEW = 60


def a_table(name: str, seats: int) -> Table:
    return adapter_of(name).table(seats, 0)


def some_questions(run: Run, rng: Random) -> list[tuple[object, Question]]:
    asking = [(state, question) for state in run.states for question in run.game.pending(state)]
    rng.shuffle(asking)
    kinds = {question.kind: (state, question) for state, question in asking}
    return [*kinds.values(), *asking[:4]]


def in_any_order(spelling: Spelling, parts: tuple[str, ...], kind: str, rng: Random) -> list[str]:
    """Return the parts of a decision in any order of clicks; a bid's token and favor stay together."""
    size = 2 if kind == "bids" else 1
    groups = [list(parts[begin : begin + size]) for begin in range(0, len(parts), size)]
    for group in groups:
        rng.shuffle(group)
    rng.shuffle(groups)
    return [part for group in groups for part in group]


@games
@examples(12)
@given(data=st.data(), number=any_number)
def test_every_legal_decision_is_reached_by_parts_and_typed_text(name: str, data: st.DataObject, number: int) -> None:
    run, rng = played(data.draw(any_table(name)), number), Random(number)
    for state, question in some_questions(run, rng):
        view, kind = run.game.observe(state, question.seat), question.kind
        legal = run.game.choices_of(view)
        spelling = spelling_of(run.game, view, kind, state)
        for decision in legal if len(legal) <= FEW else [rng.choice(legal) for _ in range(FEW // 5)]:
            parts = in_any_order(spelling, spelling.part_ids(decision), kind, rng)
            for count in range(len(parts)):
                assert parts[count] in spelling.next_ids(parts[:count])
                assert spelling.decision_count(parts[: count + 1]) <= spelling.decision_count(parts[:count])
            made = spelling.find_decision(parts)
            assert made is not None
            assert made.decision == decision
            typed = spelling.text_of(decision)
            assert spelling.read(f" {typed.upper()} ") == decision
            assert spelling.read(typed.replace(" for ", ">").replace(" ", ", ")) == decision


@games
@examples(12)
@given(data=st.data(), number=any_number)
def test_a_question_is_a_sentence_and_a_button_says_in_few_words_which_of_few_decisions_it_makes(
    name: str, data: st.DataObject, number: int
) -> None:
    run, rng = played(data.draw(any_table(name)), number), Random(number)
    shown = presentation_of(name)
    for state, question in some_questions(run, rng):
        view, kind = run.game.observe(state, question.seat), question.kind
        assert all(len(each.split()) <= 14 for each in re.split(r"[.?] ", shown.question(view, kind, state)))
        legal, spelling = run.game.choices_of(view), spelling_of(run.game, view, kind, state)
        sample = legal if len(legal) <= FEW else rng.sample(legal, FEW)
        words = [shown.button(kind, each) for each in sample]
        assert max(len(each.split()) for each in words) <= 4
        if all(len(spelling.part_ids(each)) <= 1 for each in sample):
            assert len(set(words)) == len(words), "each is told from the others"


@games
@examples(12)
@given(data=st.data(), number=any_number)
def test_going_on_by_parts_comes_to_legal_decisions_alone(name: str, data: st.DataObject, number: int) -> None:
    run, rng = played(data.draw(any_table(name)), number), Random(number)
    for state, question in some_questions(run, rng):
        view = run.game.observe(state, question.seat)
        spelling = spelling_of(run.game, view, question.kind, state)
        chosen: list[str] = []
        while True:
            here = narrow(run.game, question.kind, spelling, chosen)
            assert here.complete is not None or here.next_parts
            if here.complete is not None:
                run.game.check(state, question.seat, here.complete.decision)
                assert here.complete.decision in run.game.choices(state, question.seat)
            if here.count == 1 and here.complete is not None:
                assert not here.next_parts
            if not here.next_parts or (here.complete is not None and rng.random() < 0.2):
                break
            chosen.append(rng.choice(here.next_parts).id)
        everything = list(spelling.parts)
        for wrong in ([*chosen, "token:9"], [*chosen, *everything * 49]):
            with pytest.raises(NoSuchPart):
                narrow(run.game, question.kind, spelling, wrong)


@games
@examples(12)
@given(data=st.data(), number=any_number, text=st.text(alphabet="l sptiwrbfo0123456789x,>-+g#an", max_size=14))
def test_what_is_typed_is_legal_or_refused_in_words(name: str, data: st.DataObject, number: int, text: str) -> None:
    run, rng = played(data.draw(any_table(name)), number), Random(number)
    for state, question in some_questions(run, rng):
        view = run.game.observe(state, question.seat)
        with suppress(NoSuchPart):
            decision = spelling_of(run.game, view, question.kind, state).read(text)
            assert run.game.check(state, question.seat, decision) == decision


def test_no_other_multiset_of_faces_counts_than_those_that_show() -> None:
    game = game_named("gang-of-dice")
    views: list[Any] = [
        game.observe(state, question.seat)
        for number in range(4)
        for state in played(a_table("gang-of-dice", 2), number).states
        for question in game.pending(state)
        if question.kind == "reroll"
    ]
    view = next(each for each in views if 4 <= len(each.dice) <= 6 and len(set(each.dice)) < len(each.dice))
    spelling, found = spelling_of(game, view, "reroll", None), set()
    for size in range(len(view.dice) + 2):
        for parts in combinations_with_replacement(spelling.parts, size):
            with suppress(NoSuchPart):
                made = spelling.find_decision(parts)
                assert made is not None
                found.add(made.decision)
    assert found == set(game.choices_of(view))
    assert spelling.decision_count([]) == len(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("s", "is ambiguous: the Speakeasy (sp) or the Streets (st)"), ("x", "'x' does not fit here: "),
        ("l", "is incomplete"), ("", "is incomplete"), ("none", "is incomplete"),
        ("l sp", "does not fit here: the favor"), ("999x1", "does not fit here"),
    ],
)  # fmt: skip
def test_what_is_typed_wrong_is_answered_with_what_fits(text: str, said: str) -> None:
    run = played(a_table("gangster-dice", 3), 0)
    state = next(each for each in run.states if all(each.opening.symbols[0][:3]) and len(set(each.hands[0])) > 1)
    view = run.game.observe(state, 0)
    with pytest.raises(NoSuchPart) as refused:
        spelling_of(run.game, view, "bids", state).read(text)
    assert said in str(refused.value)


@games
def test_a_game_that_says_nothing_of_its_decisions_has_them_picked_from_the_list(name: str) -> None:
    run = played(a_table(name, 2), 0)
    question = run.game.pending(run.states[0])[0]
    legal = run.game.choices_of(run.game.observe(run.states[0], question.seat))
    spelling = plain_spelling(run.game, question.kind, legal)
    assert [spelling.read(f"#{number}") for number in range(1, len(legal) + 1)] == list(legal)
    with pytest.raises(NoSuchPart):
        spelling.read(f"#{len(legal) + 1}")


@games
def test_a_question_lists_its_decisions_unless_there_are_too_many(name: str) -> None:
    run = played(a_table(name, 2), 0)
    listed = set()
    for state in run.states:
        for asked in run.game.pending(state):
            view = run.game.observe(state, asked.seat)
            question = question_of(run.game, view, asked.kind, state, seat=asked.seat, number=1, at="r1.s1.d1", round=1)
            assert question.count == len(run.game.choices(state, asked.seat))
            assert len(question.choices) == (question.count if question.count <= MAX_LISTED else 0)
            assert all(run.game.check(state, asked.seat, each.decision) == each.decision for each in question.choices)
            listed.add(bool(question.choices))
    assert True in listed
