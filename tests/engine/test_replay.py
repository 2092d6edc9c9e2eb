"""Replays: read strictly, played again, and every change found out."""

import json
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland import match, story
from gangland.faults import BotFault, FaultKind
from gangland.games import GAME_NAMES, game_named
from gangland.replay import FAULT, Replay, ReplayError, Step, expand, from_dict, load, verify, verify_events
from gangland.view import View


class Plain:
    def __init__(self, game: str, fails_at: int | None = None) -> None:
        self.game = game_named(game)
        self.fails_at = fails_at
        self.answers = 0

    def decide(self, kind: str, view: View, number: int) -> object:
        self.answers += 1
        if self.answers - 1 == self.fails_at:
            raise BotFault(FaultKind.CRASHED, "it broke")
        if kind in ("dice", "bids"):
            return self.first(kind, view)
        bot: Any = self.game.bot_class
        return bot.encode(kind, getattr(bot, f"choose_{kind}")(None, view))

    @staticmethod
    def first(kind: str, view: Any) -> object:
        if kind == "dice":
            return min(3, view.pool)
        return [[int(t), f] for t, f in zip(view.legal_tokens[: view.bids_required], sorted(view.hand), strict=False)]


@cache
def a_game(game: str, seats: int = 3, fails_at: int | None = None) -> match.FinishedGame:
    players = [Plain(game, fails_at if seat == 1 else None) for seat in range(seats)]
    return match.play(game_named(game), players, bytes(range(32)))


@pytest.fixture(scope="module", params=GAME_NAMES)
def replay(request: pytest.FixtureRequest) -> Replay:
    return a_game(request.param, fails_at=4).replay


@given(st.data())
def test_a_changed_decision_seed_or_result_is_found(data: st.DataObject) -> None:
    whole = a_game(data.draw(st.sampled_from(GAME_NAMES))).replay.to_dict()
    part = data.draw(st.sampled_from(["decisions", "seed", "places", "rounds", "reason", "digest", "seats"]))
    changed = json.loads(json.dumps(whole))
    if part == "decisions":
        index = data.draw(st.integers(0, len(whole["decisions"]) - 1))
        changed["decisions"][index] = data.draw(st.sampled_from([None, 0, 1, 2, [], [1], FAULT, [[0, 0]]]))
    elif part in ("seed", "digest"):
        index = data.draw(st.integers(0, 63))
        mail = data.draw(st.sampled_from("0123456789abcdef"))
        changed[part] = whole[part][:index] + mail + whole[part][index + 1 :]
    else:
        changed[part] = data.draw(st.sampled_from([1, 2, 3, 4, [1, 1, 1], [1, 2, 2], "completed", "round_limit"]))
    if json.dumps(changed) == json.dumps(whole):
        return
    with pytest.raises(ReplayError):
        verify(from_dict(changed))


def followed(replay: Replay, *, in_steps: bool) -> tuple[Any, ...]:
    """Return the result of verifying a replay, with the views of its questions, or its error."""
    views: list[tuple[int, str, View]] = []
    rounds: list[Any] = []
    steps: list[Step] = []
    try:
        verified = verify_events(
            replay,
            steps.append if in_steps else None,
            on_view=lambda *question: views.append(question),
            on_round=rounds.append,
        )
    except ReplayError as refused:
        return (str(refused),)
    return (*verified, views, rounds)


def spoiled(replay: Replay) -> list[Replay]:
    whole = replay.decisions
    changed = [
        replace(replay, decisions=(*whole[:at], *others, *whole[at + 1 :]))
        for at in (*range(12), len(whole) - 1)
        for others in ((), (whole[at], whole[at]), (FAULT,), (-1,), (None,), (((0, 0),),))
        if others != whole[at : at + 1]
    ]
    return [*changed, replace(replay, rounds=replay.rounds + 1), replace(replay, seats=5)]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_game_without_faults_comes_out_the_same_whether_its_steps_are_looked_at_or_not(game: str) -> None:
    replay = a_game(game).replay
    outcome, events, views, rounds = followed(replay, in_steps=False)
    assert (outcome.places, len(views)) == (replay.places, len(replay.decisions))
    assert [game_named(game).round(state) for state in rounds] == [*range(1, replay.rounds + 1), replay.rounds]
    assert (outcome, events, views, rounds) == followed(replay, in_steps=True)
    refused = [followed(each, in_steps=False) for each in spoiled(replay)]
    assert refused == [followed(each, in_steps=True) for each in spoiled(replay)]
    assert all(len(each) == 1 for each in refused)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=8))
def test_no_value_in_any_field_gets_past_the_loader_but_as_a_replay_error(value: object) -> None:
    whole = a_game("gang-of-dice", 2).replay.to_dict()
    for name in whole:
        with suppress(ReplayError):
            verify(from_dict(whole | {name: value}))
            assert (whole | {name: value}) == whole


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"schema":"gangland/replay/2"}', "[" * 100_000, '"\\ud800"'])
def test_what_is_no_replay_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(ReplayError, match=r"replay"):
        load(text)


LONG = 10**3000  # a number that would fill a screen


SCHEMAS = ["gangland/replay/2", "gangland/replay/0", "gangland/replay/1 ", None, 1, LONG, ["x"]]
RULES = [99, 0, -1, "1", True, 1.0, None, [1], LONG]
LATER = {"rules": 2, "options": {"new": 1}, "decisions": [{"new": 1}], "reason": "new", "seats": 9}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        *(({"schema": each}, "reads replays of the schema 'gangland/replay/1', not ") for each in SCHEMAS),
        *(({"rules": each}, "^{title} replay of rules version .*; this version supports only 1$") for each in RULES),
        (LATER, "^{title} replay of rules version 2; this version supports only 1$"),
        *(
            ({"game": each}, "the games are gangster-dice, gang-of-dice")
            for each in ("chess", "", "gangster_dice", "../os")
        ),
    ],
)
def test_another_schema_game_or_version_is_refused(replay: Replay, changed: dict[str, object], says: str) -> None:
    with pytest.raises(ReplayError, match=says.format(title=game_named(replay.game).title)) as refused:
        from_dict(replay.to_dict() | changed)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("seats", 5, "is played with"), ("seats", True, "is played with"),
        ("options", {"colour": "any"}, "options? .*'colour'|no option 'colour'"), ("options", [], "field 'options'"),
        ("seed", "AB" * 32, "field 'seed'"), ("seed", "ab" * 31, "field 'seed'"),
        ("decisions", {}, "field 'decisions'"), ("decisions", [True], "field 'decisions'"),
        ("decisions", [1.0], "field 'decisions'"), ("decisions", [[[[1]]]], "field 'decisions'|decision 0"),
        ("decisions", [[[[[1]]]]], "field 'decisions'"), ("decisions", [["fault"]], "field 'decisions'"),
        ("faults", [[0, 0, 0]], "field 'faults'"), ("faults", [[3, 0]], "field 'faults'"),
        ("faults", [[0, -1]], "field 'faults'"), ("faults", [[1, None], [0, None]], "field 'faults'"),
        ("faults", [[0, 5], [1, None]], "field 'faults'"), ("faults", [[0, 5], [1, 4]], "field 'faults'"),
        ("faults", [[0, 4], [1, 4]], "field 'faults'"), ("faults", [[0, 4], [0, 5]], "field 'faults'"),
        ("rounds", 0, "field 'rounds'"), ("places", [1, 2], "field 'places'"), ("places", [1, 2, 4], "field 'places'"),
        ("places", [1, 2, LONG], "field 'places'"), ("reason", "victory", "field 'reason'"),
        ("reason", ["completed"], "field 'reason'"), ("digest", "AB" * 32, "field 'digest'"),
        ("digest", "", "field 'digest'"),
    ],
)  # fmt: skip
def test_a_malformed_field_is_refused_by_name(replay: Replay, field: str, value: object, says: str) -> None:
    with pytest.raises(ReplayError, match=says) as refused:
        verify(from_dict(replay.to_dict() | {field: value}))
    assert len(str(refused.value)) < 400


def test_missing_and_unknown_fields_are_named(replay: Replay) -> None:
    whole = replay.to_dict()
    for name in list(whole)[1:]:
        with pytest.raises(ReplayError, match=rf"missing \['{name}'\], unknown \[\]"):
            from_dict({key: value for key, value in whole.items() if key != name})
    with pytest.raises(ReplayError, match=r"missing \[\], unknown \['comment'\]"):
        from_dict(whole | {"comment": ""})


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("gang-of-dice", {"deck": "w24"}), ("gang-of-dice", {"first_player": "next"}),
        ("gangster-dice", {"round_limit": 100}), ("gangster-dice", {"characters": "none"}),
        ("gangster-dice", {"cast": []}),
    ],
)  # fmt: skip
def test_an_option_that_is_the_default_is_not_recorded_and_so_refused(game: str, options: dict[str, object]) -> None:
    with pytest.raises(ReplayError, match=r"records these options as \{\}, not as "):
        from_dict(a_game(game).replay.to_dict() | {"options": options})


def test_a_name_that_stands_twice_is_refused_for_readers_differ_on_which_counts(replay: Replay) -> None:
    twice = replay.to_json().replace('"rounds":', '"rounds":1,"rounds":')
    with pytest.raises(ReplayError, match="a name occurs twice"):
        load(twice)


def test_the_digest_covers_what_had_no_effect_on_the_game() -> None:
    broken = {0: BotFault(FaultKind.IMPORT_ERROR, "x")}
    players = [Plain("gangster-dice")] * 2
    over = match.play(game_named("gangster-dice"), players, bytes(32), early_faults=broken).replay
    for changed in ({"options": {"round_limit": 7}}, {"options": {"win_check": "win_first"}}, {"digest": "0" * 64}):
        with pytest.raises(ReplayError, match="the replay records digest "):
            verify(from_dict(over.to_dict() | changed))


def test_a_replay_that_breaks_off_or_goes_on_too_long_is_refused(replay: Replay) -> None:
    with pytest.raises(ReplayError, match="in the middle of the game"):
        verify(replace(replay, decisions=replay.decisions[:-1]))
    with pytest.raises(ReplayError, match="over after"):
        verify(replace(replay, decisions=(*replay.decisions, None)))


def test_a_seat_at_fault_is_played_by_default_to_the_end(replay: Replay) -> None:
    answers = [answer for step in expand(replay) for answer in step.answers if answer.seat == 1]
    first = next(index for index, answer in enumerate(answers) if answer.by_default)
    assert all(answer.by_default for answer in answers[first:])
    assert answers[first].number is not None
    assert all(answer.number is None for answer in answers[first + 1 :])


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_seat_that_fails_before_the_game_shares_last_place(game: str) -> None:
    broken = {2: BotFault(FaultKind.IMPORT_ERROR, "no such module")}
    players = [Plain(game) for _ in range(3)]
    played = match.play(game_named(game), players, bytes(32), early_faults=broken)
    assert played.replay.faults == ((2, None),)
    assert (played.faults[0].round, played.faults[0].decision) == (0, None)
    assert played.outcome.places[2] == 3
    assert verify(load(played.replay.to_json())) == played.outcome


@pytest.mark.parametrize("game", GAME_NAMES)
def test_at_two_seats_the_other_wins_at_once_when_one_cannot_even_start(game: str) -> None:
    players = [Plain(game), Plain(game)]
    played = match.play(game_named(game), players, bytes(32), early_faults={0: BotFault(FaultKind.IMPORT_TIME, "slow")})
    assert played.outcome.places == (2, 1)
    assert played.replay.decisions == ()
    assert players[1].answers == 0


@pytest.mark.parametrize("game", GAME_NAMES)
def test_when_all_fail_nobody_wins_and_all_share(game: str) -> None:
    played = match.play(
        game_named(game),
        [Plain(game), Plain(game)],
        bytes(32),
        early_faults={seat: BotFault(FaultKind.IMPORT_ERROR, "x") for seat in (0, 1)},
    )
    assert (played.outcome.places, played.outcome.winners) == ((1, 1), ())


def test_the_story_names_everybody_and_how_it_ended(replay: Replay) -> None:
    names = ["Ada", "Bea", "Cay"]
    lines = list(story.tell(replay, names))
    whole = " ".join(line.text for line in lines)
    assert all(name in whole for name in names)
    assert "Bea is at fault" in whole
    assert [line.round for line in lines] == sorted(line.round for line in lines)
    opened = {line.round: line.text for line in reversed(lines) if line.round}
    assert list(range(1, replay.rounds + 1)) == sorted(opened)
    assert not any(text.startswith(f"Round {number}") for number, text in opened.items())
    requested = [line.decision for line in lines if line.decision is not None]
    assert requested == sorted(requested)


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("fails_at", range(6))
def test_g38_a_game_that_a_fault_ends_is_over_in_that_round(game: str, fails_at: int) -> None:
    played = a_game(game, 2, fails_at)
    (fault,) = played.faults
    assert played.outcome.winners == (0,)
    assert played.rounds == fault.round
    assert verify(load(played.replay.to_json())) == played.outcome
    assert max(line.round for line in story.tell(played.replay)) == fault.round
