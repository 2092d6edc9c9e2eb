"""A game as a channel plays it: nothing ahead of its time, and who is ahead at each step."""

import re
from functools import cache

from tests.golden.store import stored
from tests.kits.bots_kit import Rolls, recorded

from gangland import games, match
from gangland.view import View
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline_data import AHEAD_S, INTRO_S, LINES, Reel, reel_of

NAMES = ("Ada", "Bo", "Cy", "Di")
GAMES = ("gang-of-dice", "gangster-dice")


@cache
def reels(game: str) -> list[Reel]:
    return [reel_of(replay.to_json(), NAMES[: replay.seats]) for replay in stored(game)[::8]]


def test_a_reel_hands_out_no_step_long_before_its_time_and_the_end_last() -> None:
    reel = reel_of(recorded(2, 4).to_json(), ("Anna", "Bert"))
    assert reel.piece(0, -AHEAD_S - 1)["steps"] == []
    for elapsed in (0.0, 20.0, 50.0):
        piece = reel.piece(0, elapsed)
        assert piece["end"] is None
        assert piece["steps"][-1]["at_s"] <= elapsed + AHEAD_S
        assert len(piece["steps"]) < len(reel.says)
    assert reel.step(INTRO_S - 0.1) == 0
    whole = reel.piece(0, reel.seconds)
    assert [len(whole["steps"]), whole["end"]["places"]] == [len(reel.says), list(reel.timeline.places)]
    assert reel.piece(len(reel.says), reel.seconds)["steps"] == []
    winner = reel.timeline.places.index(1)
    assert whole["end"]["winners"] == [winner]
    assert reel.timeline.names[winner] in whole["end"]["points"][0]


def test_the_times_of_the_first_steps_do_not_tell_how_long_the_game_is() -> None:
    """A step's time is one of few, whatever comes after it, in games of 12 to a hundred rounds and more."""
    gaps, lengths = set[float](), set[int]()
    for game in GAMES:
        for reel in reels(game):
            gaps |= {round(then - at, 6) for at, then in zip(reel.at_s[:6], reel.at_s[1:7], strict=False)}
            lengths.add(len(reel.says))
    assert max(lengths) > 2 * min(lengths)
    assert gaps <= {round(2.0 * weight, 6) for weight in (0.45, 1.0, 1.4, 1.8, 2.2)}


def test_at_each_step_those_are_ahead_who_hold_most_or_in_gangster_dice_fewest() -> None:
    ahead: dict[str, int] = {}
    for game in GAMES:
        for reel in reels(game):
            began = dict(reel.timeline.dice)
            frames = reel.timeline.frames
            for step, frame, then in zip(
                reel.piece(0, reel.seconds)["steps"], frames, [*frames[1:], None], strict=True
            ):
                seats = frame.table["seats"]
                held = presentation_of(game).held(frame.table)
                if (
                    game == "gang-of-dice" and then is not None and then.round == frame.round
                ):  # what is staked is not lost
                    lost = {seat for seat in range(len(held)) if seats[str(seat)]["bust"]}
                    held = tuple(
                        now if seat in lost else before
                        for seat, (now, before) in enumerate(zip(held, began[frame.round], strict=True))
                    )
                able = {seat: count for seat, count in enumerate(held) if not seats[str(seat)]["fault"]}
                level = len(set(held)) == 1 or not able
                best = None if level else (min if game == "gangster-dice" else max)(able.values())
                assert list(step["best"]) == [seat for seat, count in able.items() if count == best]
                ahead[game] = ahead.get(game, 0) + (best is not None)
    assert all(steps > 100 for steps in ahead.values())


def test_a_step_is_told_in_a_few_sentences_no_decision_twice_and_no_card_that_is_drawn() -> None:
    told = {"again": 0, "alone": 0}
    for game in GAMES:
        for reel in reels(game):
            for says, frame in zip(reel.says, reel.timeline.frames, strict=True):
                assert 1 <= len(says) <= LINES
                assert not [each for each in says if re.search(" (draws|is dealt) ", each)]
                what_came = [each for each in frame.sentences if each in says]
                assert says[len(says) - len(what_came) :] == tuple(what_came)
                by_itself = says[0] == f"{NAMES[frame.seat]} {frame.did}." and says[0] not in frame.sentences
                told["alone" if by_itself else "again"] += 1
                assert len(what_came) >= len(says) - by_itself
                assert not (by_itself and what_came and what_came[0].startswith(says[0].removesuffix(".")))
    assert all(steps > 100 for steps in told.values())


def test_a_seat_that_failed_is_not_said_to_be_ahead() -> None:
    class Fails(Rolls):
        def decide(self, kind: str, view: View, number: int) -> object:
            return -1

    replay = match.play(games.game_named("gang-of-dice"), [Fails(1), Rolls(2), Rolls(3)], bytes(32)).replay
    reel = reel_of(replay.to_json(), ("Anna", "Bert", "Cleo"))
    assert replay.faults
    failed = next(index for index, frame in enumerate(reel.timeline.frames) if frame.fault)
    assert all(0 not in step["best"] for step in reel.piece(failed, reel.seconds)["steps"])


def test_a_game_that_nobody_began_is_its_end() -> None:
    replay = next(each for each in stored("gang-of-dice") if not each.decisions)
    reel = reel_of(replay.to_json(), NAMES[: replay.seats])
    assert reel.still(0.0, "dice.svg") == reel.still(reel.seconds, "dice.svg") != ""
    assert reel.piece(0, reel.end_s)["end"]["points"]
