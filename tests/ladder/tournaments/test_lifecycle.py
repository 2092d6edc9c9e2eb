"""The states of a tournament, what moves it, and what each state allows."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland_ladder.tournaments import lifecycle
from gangland_ladder.tournaments.lifecycle import MOVES, Deadlines, State, check_change, due_moves, may_reveal, move

ALL_SET = Deadlines(opens_at=100, freezes_at=200, starts_at=300, embargo_until=400, reveals_at=500)
TIMES = st.one_of(st.none(), st.integers(0, 1000).map(float))


ALLOWED = {
    "may_edit_rules": "draft",
    "may_delete": "draft",
    "is_listed": "announced, open, frozen, playing, paused, finished, revealed, cancelled",
    "may_enter": "open",
    "versions_are_pinned": "frozen, playing, paused, finished, revealed",
    "may_play": "playing",
    "may_record": "playing, paused",
    "may_rerun": "playing, paused",
    "may_settle": "finished",
    "may_void": "playing, paused, finished",
    "may_disqualify": "frozen, playing, paused, finished",
    "secret_is_public": "revealed, cancelled",
    "is_over": "revealed, cancelled",
}
CORRECTIONS = {"play a match again": "may_rerun", "void a match": "may_void", "disqualify a bot": "may_disqualify"}


def rows(root: Path, name: str) -> list[list[str]]:
    text = (root / "docs" / "tournaments.md").read_text()
    part = text.split(f"<!-- {name} -->")[1].split(f"<!-- end of {name} -->")[0]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in part.strip().splitlines()[2:]]


@st.composite
def deadlines(draw: st.DrawFn) -> Deadlines:
    times = sorted(draw(st.lists(st.integers(0, 1000), min_size=4, max_size=4, unique=True)))
    kept = [float(at) if draw(st.booleans()) else None for at in times]
    return Deadlines(opens_at=kept[0], freezes_at=kept[1], starts_at=kept[2], reveals_at=kept[3])


def test_the_page_names_every_state_with_its_moves(root: Path) -> None:
    message = {
        row[0]: [to for to in (row[2] if len(row) > 2 else "").split(", ") if to] for row in rows(root, "states")
    }
    assert message == {state.value: [to.value for to in after] for state, after in MOVES.items()}


def test_each_state_allows_what_is_listed_and_the_page_lists_corrections(root: Path) -> None:
    others = ("may_move", "may_reveal")  # ask for more than the state
    result = [name for name in vars(lifecycle) if name.startswith(("may_", "is_")) and name not in others]
    result += ["versions_are_pinned", "secret_is_public"]
    assert sorted(ALLOWED) == sorted(result)
    for name, states in ALLOWED.items():
        allowed = getattr(lifecycle, name)
        assert states == ", ".join(state.value for state in State if allowed(state)), name
    page = (root / "docs" / "tournaments.md").read_text()
    for words, name in CORRECTIONS.items():
        assert f"- **{words}** ({ALLOWED[name]}): " in page


@pytest.mark.parametrize("before", State)
@pytest.mark.parametrize("after", State)
def test_a_move_is_made_or_refused_with_a_reason_and_what_is_allowed(before: State, after: State) -> None:
    if lifecycle.may_move(before, after):
        assert move(before, after) is after
        with pytest.raises(ValueError, match="is allowed"):
            lifecycle.why_not(before, after)
        return
    with pytest.raises(lifecycle.MoveRefused) as refused:
        move(before, after)
    text = str(refused.value)
    assert f"that is {before} cannot become {after}: {lifecycle.why_not(before, after)}" in text
    assert all(str(allowed) in text.rsplit(";", 1)[1] for allowed in MOVES[before])


def test_a_state_read_from_a_row_is_as_good_as_the_enum_and_a_strange_one_is_refused() -> None:
    assert move(State("draft"), "announced") is State.ANNOUNCED  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="over"):
        move(State.DRAFT, "over")  # type: ignore[arg-type]


def test_whatever_was_told_is_never_taken_back() -> None:
    for start in State:
        reached, edge = {start}, [start]
        while edge:
            edge = [to for state in edge for to in MOVES[state] if to not in reached]
            reached |= set(edge)
        assert State.REVEALED in reached or State.CANCELED in reached
        if start != State.DRAFT:
            assert not any(lifecycle.may_edit_rules(state) for state in reached)
        if lifecycle.versions_are_pinned(start):
            assert not any(lifecycle.may_enter(state) for state in reached)
        if lifecycle.secret_is_public(start):
            assert not any(lifecycle.may_play(state) or lifecycle.may_record(state) for state in reached)


def test_anything_before_the_end_can_be_called_off_and_nothing_after_it() -> None:
    off = {state for state in State if lifecycle.may_move(state, State.CANCELED)}
    assert off == set(State) - {State.FINISHED, State.REVEALED, State.CANCELED}


def test_after_a_long_outage_all_moves_that_are_due_are_made_in_their_order() -> None:
    made = due_moves(State.ANNOUNCED, ALL_SET, 10_000)
    assert [(one.after, one.due_at) for one in made] == [(State.OPEN, 100), (State.FROZEN, 200), (State.PLAYING, 300)]
    assert due_moves(State.ANNOUNCED, ALL_SET, 99.9) == []
    assert [one.after for one in due_moves(State.FINISHED, ALL_SET, 500)] == [State.REVEALED]


@pytest.mark.parametrize("state", [State.DRAFT, State.PLAYING, State.PAUSED, State.REVEALED, State.CANCELED])
def test_the_clock_leaves_alone_what_waits_for_somebody(state: State) -> None:
    assert due_moves(state, ALL_SET, 10_000) == []
    assert lifecycle.next_deadline(state, ALL_SET) is None


def test_a_deadline_left_out_waits_for_an_organizer_and_holds_back_the_next() -> None:
    by_hand = Deadlines(opens_at=100, starts_at=300)
    assert [one.after for one in due_moves(State.ANNOUNCED, by_hand, 10_000)] == [State.OPEN]
    assert [one.after for one in due_moves(State.FROZEN, by_hand, 10_000)] == [State.PLAYING]


@given(st.sampled_from(State), deadlines(), st.integers(0, 1100), st.integers(0, 1100))
def test_the_clock_makes_a_move_once_and_takes_none_back(state: State, line: Deadlines, one: int, two: int) -> None:
    early, late = sorted((one, two))
    first, all_of_them = due_moves(state, line, early), due_moves(state, line, late)
    assert all_of_them[: len(first)] == first
    at = state
    for step in first:
        assert step.due_at <= early
        at = move(at, step.after)
    assert due_moves(at, line, early) == []
    assert first + due_moves(at, line, late) == all_of_them
    ahead = lifecycle.next_deadline(at, line)
    assert ahead is None or ahead.due_at > early


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"opens_at": 5.0, "freezes_at": 4.0}, "freezes_at .4.0. comes before opens_at"),
        ({"opens_at": 5.0, "starts_at": 4.0}, "starts_at"),
        ({"opens_at": 0.0, "freezes_at": 0.0}, "no one could enter"),
        ({"opens_at": 0.0, "freezes_at": -1.0}, "comes before"),
        ({"reveals_at": 4.0, "embargo_until": 5.0}, "within the embargo"),
        ({"starts_at": float("nan")}, "Unix seconds, not nan"),
    ],
)
def test_deadlines_out_of_order_are_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deadlines(**given)


@pytest.mark.parametrize("state", State)
def test_before_the_end_of_an_embargo_only_organizers_see_results(state: State) -> None:
    begun = state in {State.PLAYING, State.PAUSED, State.FINISHED, State.REVEALED, State.CANCELED}
    for viewer in lifecycle.Viewer:
        assert lifecycle.results_are_shown(state, viewer, 100.0, 99.9) == (
            begun and viewer == lifecycle.Viewer.ORGANIZER
        )
        assert lifecycle.results_are_shown(state, viewer, 100.0, 100.0) == begun
        assert lifecycle.results_are_shown(state, viewer, None, 0.0) == begun


def test_the_secret_is_not_revealed_within_the_embargo() -> None:
    assert not may_reveal(State.FINISHED, ALL_SET, 399)
    assert may_reveal(State.FINISHED, ALL_SET, 400)
    assert may_reveal(State.FINISHED, Deadlines(), 0)
    assert not may_reveal(State.PLAYING, Deadlines(), 0)


def test_a_draft_changes_its_deadlines_freely() -> None:
    check_change(State.DRAFT, ALL_SET, Deadlines(), 0)


@pytest.mark.parametrize("state", [state for state in State if state != State.DRAFT])
@pytest.mark.parametrize("name", lifecycle.MOVE_DEADLINES)
def test_an_announced_deadline_can_only_be_put_off_and_only_ahead_of_its_move(state: State, name: str) -> None:
    made = {State.ANNOUNCED: 0, State.OPEN: 1, State.FROZEN: 2, State.PLAYING: 3, State.PAUSED: 3, State.FINISHED: 3}
    old = Deadlines(**{name: 100.0})
    if lifecycle.MOVE_DEADLINES.index(name) < made.get(state, 4):
        with pytest.raises(ValueError, match=f"{name} cannot change"):
            check_change(state, old, Deadlines(**{name: 150.0}), 50)
        return
    check_change(state, old, Deadlines(**{name: 150.0}), 50)
    check_change(state, Deadlines(), Deadlines(**{name: 60.0}), 50)
    for other, message in ((90.0, "postponed"), (None, "not removed")):
        with pytest.raises(ValueError, match=message):
            check_change(state, old, Deadlines(**{name: other}), 50)
    with pytest.raises(ValueError, match="postponed"):
        check_change(state, Deadlines(), Deadlines(**{name: 40.0}), 50)


def test_the_embargo_is_a_rule_and_stays() -> None:
    with pytest.raises(ValueError, match="embargo is one of the rules"):
        check_change(State.ANNOUNCED, Deadlines(), Deadlines(embargo_until=5.0), 0)
