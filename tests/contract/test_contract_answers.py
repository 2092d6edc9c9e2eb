"""Every answer that is offered is taken, every other is refused in words that say what was legal."""

from collections.abc import Iterator
from itertools import product
from math import inf, nan
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.contract.checks import canonical, check_answer, check_choices, check_refused, some_of
from tests.contract.games import adapter_of, any_game, any_table, games
from tests.contract.run import Run, played
from tests.contract.spoil import spoiled, thawed

from gangland.game import Question

ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
DEEP: list[Any] = []
for _ in range(50_000):
    DEEP = [DEEP]


class Lying(int):
    """Claims to be another number, in every way that a number can be asked."""

    def __int__(self) -> int:
        return 1

    __index__ = __trunc__ = __int__

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


class Unseen(BaseException):
    """Most `except` clauses do not catch it."""


class Unshown:
    def __repr__(self) -> str:
        raise Unseen

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return list


class Endless(list[Any]):
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Any]:
        raise AssertionError("its own code was asked")

    def __repr__(self) -> str:
        raise RuntimeError("nothing to see")


class Alike(type):
    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return 1


class Impostor(metaclass=Alike):
    """Is of a class that says that it is any other."""


GARBAGE: list[Any] = [
    Impostor(), [[Impostor(), 0]], [[Impostor()] * 3] * 2, Lying(99), [Lying(99)], [[Lying(0), Lying(0)]],
    [Lying(5)] * 3, Unshown(), [Unshown()], [[Unshown(), 0]], Endless([Unshown()]), [Endless([0, Lying(0)])], True,
    False, 0.0, 1.0, nan, inf, 1 + 0j, -1, 2**63, 10**5000, -(10**5000), "", "0", "None", "\ud800", "x" * 100_000,
    b"1", {}, {0: 1}, {0, 1}, object(), NotImplemented, ..., Random, ENDLESS, DEEP, [DEEP], [0] * 100_000,
    [[0, 0]] * 100_000, [[[[0]]]], "1", *([value] for value in (None, True, "1", 1.0, -1, 99, 10**5000)),
]  # fmt: skip

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 6)
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=12,
)


def questions(run: Run, number: int, count: int) -> Iterator[tuple[Any, Question]]:
    """Yield questions of a game, at least one of every kind, each with its state."""
    requested = [(state, question) for state in run.states for question in run.game.pending(state)]
    Random(number).shuffle(requested)
    kinds = {question.kind: (state, question) for state, question in requested}
    yield from [*kinds.values(), *requested[:count]]


@any_game(25)
def test_g41_a_question_has_two_answers_or_more_each_accepted(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(any_table(name)), number)
    for state, question in questions(run, number, 15):
        assert question.kind in run.game.bot_class.kinds
        check_choices(run.game, state, question.seat, Random(number))


@any_game(25)
def test_g41_multisets_have_no_order_and_lists_are_good_as_tuples(name: str, data: st.DataObject, number: int) -> None:
    unordered = adapter_of(name).unordered
    run = played(data.draw(any_table(name)), number)
    rng = Random(number)
    for state, question in questions(run, number, 10):
        choices = some_of(run.game.choices(state, question.seat), rng)
        for choice in rng.sample(choices, min(6, len(choices))):
            answer = thawed(choice)
            if question.kind in unordered and isinstance(answer, list):
                rng.shuffle(answer)
            assert run.game.check(state, question.seat, answer) == choice


@any_game(12)
def test_a_nearly_right_answer_is_refused_with_what_was_legal(name: str, data: st.DataObject, number: int) -> None:
    unordered = adapter_of(name).unordered
    run = played(data.draw(any_table(name)), number)
    rng = Random(number)
    refused = 0
    for state, question in questions(run, number, 2):
        choices = run.game.choices(state, question.seat)
        for _ in range(25):
            near = spoiled(thawed(choices[rng.randrange(len(choices))]), rng)
            refused += not check_answer(run.game, state, question.seat, near, question.kind in unordered, choices)
    assert refused


@any_game(4)
def test_garbage_is_refused_with_what_was_legal(name: str, data: st.DataObject, number: int) -> None:
    run = played(data.draw(any_table(name)), number)
    for state, question in questions(run, number, 0):
        for answer in GARBAGE:
            if not (type(answer) is int and answer in run.game.choices(state, question.seat)):
                check_refused(run.game, state, question.seat, answer)


@any_game(40, answers=st.lists(values, min_size=1, max_size=8))
def test_any_value_is_a_choice_or_refused(name: str, data: st.DataObject, number: int, answers: list[Any]) -> None:
    unordered = adapter_of(name).unordered
    run = played(data.draw(any_table(name)), number)
    for state, question in questions(run, number, 1):
        choices = run.game.choices(state, question.seat)
        for answer in answers:
            check_answer(run.game, state, question.seat, answer, question.kind in unordered, choices)


@games
def test_every_small_answer_that_is_no_choice_is_refused(name: str) -> None:
    numbers = range(-1, 6)
    pairs = [(one, other) for one in numbers for other in numbers]
    triples = [(one, *pair) for one in range(4) for pair in pairs]
    small: list[Any] = [None, *numbers, (), *[(one,) for one in numbers], *pairs, *triples]
    small += [(pair,) for pair in pairs] + [(one, other) for one in pairs for other in pairs]
    small += product(product(range(4), repeat=3), product(range(3), repeat=3))
    unordered = adapter_of(name).unordered
    met = set()
    for number in range(60):
        run = played(adapter_of(name).table(2, number), number)
        for state, question in questions(run, number, 0):
            if question.kind in met:
                continue
            met.add(question.kind)
            choices = run.game.choices(state, question.seat)
            taken = {
                canonical(answer, question.kind in unordered)
                for answer in small
                if check_answer(run.game, state, question.seat, answer, question.kind in unordered, choices)
            }
            assert taken <= set(choices)
    assert met == set(adapter_of(name).game.bot_class.kinds)


@games
def test_what_fails_when_it_is_shown_is_told_to_the_bots_author_as_what_was_expected(name: str) -> None:
    bot_class = adapter_of(name).game.bot_class
    for kind in bot_class.kinds:
        for odd in (Unshown(), [Unshown()], Endless([Unshown()])):
            with pytest.raises(TypeError, match=r"expected .* that cannot be shown"):
                bot_class.encode(kind, odd)
