"""A game as a channel plays it: nothing ahead of its time, and who is ahead at each step."""

import re
from functools import cache

from tests.golden.store import stored
from tests.kits.bots_kit import Rolls, recorded

from gangland import games, match
from gangland.view import View
from gangland_ladder.viewer import presentation, timeline_data

NAMES = ("Ada", "Bo", "Cy", "Di")
GAMES = ("gang-of-dice", "gangster-dice")


@cache
def broadcasts(game: str) -> list[timeline_data.Broadcast]:
    return [timeline_data.broadcast_of(replay.to_json(), NAMES[: replay.seats]) for replay in stored(game)[::8]]


def test_a_broadcast_sends_no_step_long_before_its_time_and_the_end_last() -> None:
    broadcast = timeline_data.broadcast_of(recorded(2, 4).to_json(), ("Anna", "Bert"))
    assert broadcast.piece(0, -timeline_data.AHEAD_S - 1)["steps"] == []
    for elapsed in (0.0, 20.0, 50.0):
        piece = broadcast.piece(0, elapsed)
        assert piece["end"] is None
        assert piece["steps"][-1]["at_s"] <= elapsed + timeline_data.AHEAD_S
        assert len(piece["steps"]) < len(broadcast.captions)
    assert broadcast.step(timeline_data.INTRO_S - 0.1) == 0
    whole = broadcast.piece(0, broadcast.seconds)
    assert [len(whole["steps"]), whole["end"]["places"]] == [len(broadcast.captions), list(broadcast.timeline.places)]
    assert broadcast.piece(len(broadcast.captions), broadcast.seconds)["steps"] == []
    winner = broadcast.timeline.places.index(1)
    assert whole["end"]["winners"] == [winner]
    assert broadcast.timeline.names[winner] in whole["end"]["points"][0]


def test_the_times_of_the_first_steps_do_not_tell_how_long_the_game_is() -> None:
    gaps, lengths = set[float](), set[int]()
    for game in GAMES:
        for broadcast in broadcasts(game):
            gaps |= {round(then - at, 6) for at, then in zip(broadcast.at_s[:6], broadcast.at_s[1:7], strict=False)}
            lengths.add(len(broadcast.captions))
    assert max(lengths) > 2 * min(lengths)
    assert gaps <= {round(2.0 * weight, 6) for weight in (0.45, 1.0, 1.4, 1.8, 2.2)}


def test_at_each_step_those_are_ahead_who_hold_most_or_in_gangster_dice_fewest() -> None:
    ahead: dict[str, int] = {}
    for game in GAMES:
        for broadcast in broadcasts(game):
            began = dict(broadcast.timeline.counts)
            frames = broadcast.timeline.frames
            for step, frame, then in zip(
                broadcast.piece(0, broadcast.seconds)["steps"], frames, [*frames[1:], None], strict=True
            ):
                seats = frame.table["seats"]
                held = presentation.presentation_of(game).held(frame.table)
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
        for broadcast in broadcasts(game):
            for says, frame in zip(broadcast.captions, broadcast.timeline.frames, strict=True):
                assert 1 <= len(says) <= timeline_data.LINES
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
    broadcast = timeline_data.broadcast_of(replay.to_json(), ("Anna", "Bert", "Cleo"))
    assert replay.faults
    failed = next(index for index, frame in enumerate(broadcast.timeline.frames) if frame.fault)
    assert all(0 not in step["best"] for step in broadcast.piece(failed, broadcast.seconds)["steps"])


def test_a_game_that_nobody_began_is_its_end() -> None:
    replay = next(each for each in stored("gang-of-dice") if not each.decisions)
    broadcast = timeline_data.broadcast_of(replay.to_json(), NAMES[: replay.seats])
    assert broadcast.table_html(0.0, "dice.svg") == broadcast.table_html(broadcast.seconds, "dice.svg") != ""
    assert broadcast.piece(0, broadcast.end_s)["end"]["points"]
