"""What must hold of any game, at any moment: the contract's single statements."""

import marshal
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from gangland.faults import IllegalDecision
from gangland.game import Decision, Game, Outcome
from gangland.view import View

FEW = 300  # up to this number all choices are checked, of more a random sample

MUCH_BESIDE = 300  # the most letters of a refusal beside the legal answers; an answer may be endless


def some_of(choices: Sequence[Decision], rng: Random) -> list[Decision]:
    """Return all choices, or a sample if there are too many."""
    if len(choices) <= FEW:
        return list(choices)
    return [choices[0], choices[-1], *(choices[rng.randrange(len(choices))] for _ in range(FEW))]


def check_choices(game: Game[Any], state: Any, seat: int, rng: Random) -> None:
    """At least two choices (G41), different, hashable, plain and accepted, the default among them."""
    choices = game.choices(state, seat)
    assert len(choices) >= 2, f"a question with {len(choices)} answers"
    shown = some_of(choices, rng)
    if len(choices) == len(shown):
        assert len(set(shown)) == len(shown), "a choice is listed twice"
    for choice in shown:
        assert is_decision(choice), choice
        accepted = game.check(state, seat, choice)
        assert (accepted, repr(accepted)) == (choice, repr(choice))
    default = game.default(state, seat)
    assert default in choices
    assert game.check(state, seat, default) == default


def is_decision(value: object, depth: int = 3) -> bool:
    """Return whether a value is a decision: None, a number, or tuples of those at most three deep."""
    if type(value) is tuple:
        return depth > 0 and all(type(item) in (int, tuple) and is_decision(item, depth - 1) for item in value)
    return value is None or type(value) is int


def canonical(answer: object, unordered: bool) -> Any:
    """Return the decision that an answer means, `NotImplemented` for none: no bool, float or text is a number."""
    plain = _frozen(answer, 3)
    if not unordered or type(plain) is not tuple:
        return plain
    try:
        return tuple(sorted(plain))
    except TypeError:  # numbers beside tuples, which no multiset has
        return NotImplemented


def _frozen(value: object, depth: int) -> Any:
    if not isinstance(value, (list, tuple)):
        return value if value is None or type(value) is int else NotImplemented
    parts = [_frozen(item, depth - 1) for item in value[:1000]] if depth else [NotImplemented]
    return NotImplemented if NotImplemented in parts else tuple(parts)


def check_answer(
    game: Game[Any], state: Any, seat: int, answer: object, unordered: bool, choices: Sequence[Decision]
) -> bool:
    """An answer that means a choice is accepted as that choice, any other refused; return which."""
    meant = canonical(answer, unordered)
    if meant is NotImplemented or meant not in choices:
        check_refused(game, state, seat, answer)
        return False
    accepted = game.check(state, seat, answer)
    assert (accepted, repr(accepted)) == (meant, repr(meant))
    return True


def check_refused(game: Game[Any], state: Any, seat: int, answer: object) -> None:
    with pytest.raises(IllegalDecision) as refused:
        game.check(state, seat, answer)
    legal, output = game.legal(state, seat), str(refused.value)
    assert legal
    assert legal in output
    assert len(output) - len(legal) <= MUCH_BESIDE


def check_view(view: View) -> None:
    assert is_plain(view.wire), view.wire
    again = type(view)(marshal.loads(marshal.dumps(view.wire)))
    assert again == view
    assert hash(again) == hash(view)
    shown = repr(view)
    assert repr(again) == shown
    assert all(f"{name}=" in shown for name in view.fields())
    assert view.fields()


def is_plain(value: object) -> bool:
    if type(value) is tuple:
        return all(map(is_plain, value))
    return value is None or type(value) in (int, bool, str)


def check_outcome(outcome: Outcome, seats: int, defaulting: frozenset[int]) -> None:
    """Places are 1 + the number of better seats; faultless firsts win; seats at fault are last (G37, G38)."""
    places = outcome.places
    assert len(places) == seats
    assert all(place == 1 + sum(other < place for other in places) for place in places), places
    assert outcome.winners == tuple(
        [seat for seat, place in enumerate(places) if place == 1 and seat not in defaulting]
    )
    faultless = seats - len(defaulting)
    assert all(places[seat] == (1 + faultless if faultless else 1) for seat in defaulting), (places, defaulting)
    assert bool(outcome.winners) == bool(faultless)
    assert sum(outcome.mean_places()) == seats * (seats + 1) / 2


def everything_shown(game: Game[Any], state: Any, seats: Sequence[int]) -> Any:
    """Return everything observable of a state; equal values before and after show that it is unchanged."""
    questions = game.pending(state)
    return (
        [game.observe(state, seat).wire for seat in seats], questions,
        [(game.legal(state, q.seat), game.default(state, q.seat), len(game.choices(state, q.seat))) for q in questions],
        game.round(state), game.half_answered(state), game.outcome(state),
    )  # fmt: skip
