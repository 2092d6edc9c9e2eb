"""A replay that is walked through: its frames and addresses, what each key does, what stands on the screen."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.golden.store import stored
from tests.kits.command_kit import gangland

from gangland import games, luck, story
from gangland.game import Event
from gangland.replay import Replay, ReplayError, expand
from gangland_ladder.cli.replay import plain_frame, screen
from gangland_ladder.cli.terminal import keys_of
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.viewer.navigation import KEYS, TERMINAL_ACTIONS, Cursor, after_key, keys_for
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import NoSuchFrame, Timeline, timeline_of

NO_COLOR = {"NO_COLOR": "1"}
STYLED = re.compile(r"\x1b\[[0-9;]*m")
ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


@cache
def timelines(game: str) -> list[tuple[Replay, Timeline]]:
    return [(replay, timeline_of(replay)) for replay in stored(game)[::7]]


@cache
def long_game(game: str) -> Timeline:
    fit = [timeline for replay, timeline in timelines(game) if replay.seats == 3 and "lead" in timeline.marks.values()]
    return max(fit, key=lambda timeline: timeline.last)


GAMES = ("gang-of-dice", "gangster-dice")


def walked(timeline: Timeline, *keys: str, cursor: Cursor | None = None) -> Cursor:
    cursor = cursor or Cursor()
    for key in keys:
        cursor = after_key(timeline, cursor, key)
    return cursor


def shown(timeline: Timeline, cursor: Cursor, width: int = 80, height: int = 40) -> str:
    return "\n".join(STYLED.sub("", line) for line in screen(timeline, cursor, width, height, {"TERM": "xterm"}))


@pytest.mark.parametrize("game", GAMES)
def test_a_timeline_has_an_addressed_frame_for_each_decision_and_each_sentence_once(game: str) -> None:
    for replay, timeline in timelines(game):
        assert [frame.number for frame in timeline.frames] == list(range(len(replay.decisions)))
        assert [timeline.index_of(frame.at) for frame in timeline.frames] == list(range(timeline.last))
        assert timeline.index_of("end") == timeline.last
        assert [(frame.seat, frame.number) for frame in timeline.frames if frame.fault] == [
            (seat, number) for seat, number in replay.faults if number is not None
        ]
        result = [text for _, text in timeline.opening]
        for frame in timeline.frames:
            result += [*frame.sentences, *(text for _, text in frame.next_round_sentences)]
        assert [*result, timeline.ending] == [line.text for line in story.tell(replay)]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_saw_is_the_observation_that_it_was_sent_and_no_hand_of_another(game: str) -> None:
    rules = games.game_named(game)
    for replay, timeline in timelines(game):
        for step in expand(replay):
            for answer in step.answers:
                if answer.number is not None:
                    observed = timeline.frames[answer.number].observation
                    assert observed == presentation_of(replay.game).view_scene(
                        rules.observe(step.before, answer.seat, step.defaulting),
                        rules.held(step.before),
                        step.defaulting,
                    )
                    hands = {seat: each.get("hand") for seat, each in observed["seats"].items()}
                    assert [seat for seat, hand in hands.items() if hand is not None] in ([], [str(answer.seat)])


def test_views_that_were_not_sent_and_an_address_that_is_none_are_refused() -> None:
    replay, timeline = stored("gang-of-dice")[0], long_game("gang-of-dice")
    assert timeline_of(replay, views=views_digest(replay)).last == len(replay.decisions)
    with pytest.raises(ReplayError, match="views sent have the digest 00"):
        timeline_of(replay, views="0" * 64)
    wrong = {"r99": "rounds 1 to 12", "r2.s9.d1": "round 2 has r2.s", "x": "r7.s2.d1", "r2.d1": "r7"}
    for address, said in wrong.items():
        with pytest.raises(NoSuchFrame, match=re.escape(said)):
            timeline.index_of(address)
    assert timeline.frames[timeline.index_of("r2")].round == 2


@pytest.mark.parametrize("game", GAMES)
def test_marks_are_at_faults_and_where_another_seat_comes_to_lead_alone(game: str) -> None:
    marks = [mark for _, timeline in timelines(game) for mark in timeline.marks.values()]
    assert {"fault", "lead"} == set(marks)
    timeline = long_game(game)
    leads: list[int] = []
    leader = None
    better = max if game == "gang-of-dice" else min
    for _, held in timeline.counts:
        first = [seat for seat, count in enumerate(held) if count == better(held)]
        if len(first) == 1:
            leads += [first[0]] if leader not in (None, first[0]) else []
            leader = first[0]
    assert len([mark for mark in timeline.marks.values() if mark == "lead"]) == len(leads) > 0
    assert [frame.leader for frame in timeline.frames if frame.leader is not None] == leads


def test_keys_step_by_decision_and_by_round_or_to_a_round_and_never_beyond_the_ends() -> None:
    timeline = long_game("gang-of-dice")
    second, third = timeline.round_index(2), timeline.round_index(3)
    assert walked(timeline, "right", "right").index == 2
    assert walked(timeline, "right", "left", "left").index == 0
    assert walked(timeline, "end").index == walked(timeline, "end", "right").index == timeline.last
    assert walked(timeline, "end", "home").index == 0
    assert walked(timeline, "shift-right", "pagedown").index == third
    assert walked(timeline, "shift-right", "shift-right", "shift-left").index == second
    assert walked(timeline, "shift-right", "right", "pageup").index == second
    assert timeline.frames[walked(timeline, "end", "shift-left").index].round == timeline.rounds
    assert walked(timeline, "g", "1", "1", "enter").index == timeline.round_index(11)
    assert walked(timeline, "g", "1", "2", "backspace", "enter").index == 0
    assert "to round: 11_" in shown(timeline, walked(timeline, "g", "1", "1"))
    lost = walked(timeline, "right", "g", "9", "9", "enter")
    assert (lost.index, lost.typed) == (1, None)
    assert "rounds 1 to 12" in shown(timeline, lost)
    assert walked(timeline, "right", "g", "3", "escape").index == 1


@pytest.mark.parametrize("game", GAMES)
def test_brackets_go_from_mark_to_mark_and_say_when_there_is_no_more(game: str) -> None:
    timeline = long_game(game)
    marks = sorted(timeline.marks)
    found, cursor = [], Cursor(-1)
    while (cursor := after_key(timeline, cursor, "]")).message == "":
        found.append(cursor.index)
    assert found == marks
    assert "no fault or lead change" in shown(timeline, cursor)
    assert walked(timeline, "end", "[").index == marks[-1]


def test_each_seats_view_is_shown_on_its_key_and_zero_shows_all() -> None:
    timeline = long_game("gangster-dice")
    middle = Cursor(timeline.index_of("r2"))
    frame = timeline.frames[middle.index]
    own = f"favors {', '.join(map(str, frame.table['seats'][str(frame.seat)]['hand']))}"
    for seat, name in enumerate(timeline.names):
        screen = shown(timeline, walked(timeline, str(seat + 1), cursor=middle))
        assert f"View of {name} (seat {seat + 1}) at " in screen
        assert screen.count("    favors ") == 1
    assert own in shown(timeline, walked(timeline, str(frame.seat + 1), cursor=middle))
    assert shown(timeline, walked(timeline, "1", "0", cursor=middle)) == shown(timeline, middle)
    assert shown(timeline, middle).count("    favors ") == 3
    assert "has not decided anything yet" in shown(long_game("gang-of-dice"), Cursor(0, seat=_not_first()))
    assert "the table has 3 seats" in shown(timeline, walked(timeline, "4"))


@pytest.mark.parametrize("game", GAMES)
def test_in_a_seats_view_one_walks_over_its_own_decisions_and_sees_no_others(game: str) -> None:
    timeline = long_game(game)
    for seat, name in enumerate(timeline.names):
        own = [index for index, frame in enumerate(timeline.frames) if frame.seat == seat]
        cursor, observed = walked(timeline, str(seat + 1), "home"), []
        while cursor.index != timeline.last:
            frame = timeline.frames[cursor.index]
            observed.append(cursor.index)
            screen = " ".join(shown(timeline, cursor, 200, 60).split())
            assert f"View of {name} (seat {seat + 1}) at {frame.at}:" in screen
            assert f"▶ {name} {frame.did}" in screen
            assert [text for text in frame.sentences if text in screen.partition("▶")[2]] == []
            cursor = after_key(timeline, cursor, "right")
        assert observed == own
        assert walked(timeline, "left", cursor=cursor).index == own[-1]
        assert walked(timeline, "shift-right", cursor=replace(cursor, index=own[0])).index in (*own, timeline.last)


@pytest.mark.parametrize("game", GAMES)
def test_luck_at_a_stop_is_that_of_all_that_it_tells_and_of_nothing_later(game: str) -> None:
    for replay, timeline in timelines(game)[::3]:
        heard: list[Event] = []
        requested, settled, number, began = {}, {}, -1, False
        for step in expand(replay):
            for answer in step.answers:
                if answer.number is not None:
                    number, began = answer.number, False
                    requested[number] = settled[number] = len(heard)
            for event in step.events:
                heard.append(event)
                began = began or event[0] == "round"
                if number >= 0 and not began:
                    settled[number] = len(heard)
        for frame in timeline.frames:
            assert frame.luck_before == luck.luck_from(replay.game, replay.seats, heard[: requested[frame.number]])
            assert frame.luck == luck.luck_from(replay.game, replay.seats, heard[: settled[frame.number]])


def _not_first() -> int:
    return (long_game("gang-of-dice").frames[0].seat + 1) % 3


def test_logs_of_a_bot_at_a_decision_and_of_the_round_until_it_are_shown_on_demand() -> None:
    replay = next(each for each in stored("gang-of-dice")[::7] if len(each.decisions) > 20)
    timeline = timeline_of(replay, logs={3: "I think\nso I am"})
    assert "I think" not in shown(timeline, Cursor(3))
    assert "  | I think\n  | so I am" in re.sub(r" +\n", "\n", shown(timeline, walked(timeline, "D", cursor=Cursor(3))))
    assert "No log of this decision" in shown(timeline, walked(timeline, "d", cursor=Cursor(4)))
    timeline = long_game("gang-of-dice")
    index = timeline.round_index(3) + 1
    result = shown(timeline, walked(timeline, "l", cursor=Cursor(index)))
    assert "This round so far:" in result
    for frame in timeline.frames[index - 1 : index + 1]:
        assert f"{timeline.names[frame.seat]} {frame.did}." in result
    assert "This round so far:" not in shown(timeline, walked(timeline, "ll", cursor=Cursor(index)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("width", "height"), [(60, 24), (20, 5), (200, 60)])
def test_a_screen_fits_its_terminal_however_narrow(game: str, width: int, height: int) -> None:
    timeline = replace(long_game(game), names=("a" * 80, "本" * 40, "c"))
    for index in range(0, timeline.last + 1, 9):
        for seat in (None, 1):
            for opened in (False, True):
                lines = screen(timeline, Cursor(index, seat=seat, shows_help=opened), width, height, {"TERM": "xterm"})
                assert len(lines) == height
                assert max(cell_len(STYLED.sub("", line)) for line in lines) <= width


def test_a_game_in_which_nobody_was_asked_is_shown_too() -> None:
    timeline = timeline_of(next(each for each in stored("gang-of-dice")[::7] if not each.decisions))
    frame = shown(timeline, walked(timeline, "right", "left", "]", "pagedown", "1", "0"))
    assert timeline.opening[0][1] in frame
    assert timeline.ending in frame


def test_what_does_not_fit_can_be_scrolled_to_and_without_colour_there_is_none() -> None:
    timeline = long_game("gangster-dice")
    top = shown(timeline, Cursor(5), 60, 10)
    down = shown(timeline, walked(timeline, *["down"] * 4, cursor=Cursor(5)), 60, 10)
    coloured, plain = (
        "\n".join(screen(timeline, Cursor(5), 80, 30, {"TERM": "xterm", **more})) for more in ({}, NO_COLOR)
    )
    assert down.splitlines()[2] == shown(timeline, Cursor(5), 60, 40).splitlines()[6]
    assert shown(timeline, walked(timeline, *["down"] * 4, *["up"] * 9, cursor=Cursor(5)), 60, 10) == top
    colours = re.compile(r"\x1b\[[0-9;]*\b(3[0-7]|4[0-7]|9[0-7])[;m]")
    assert colours.search(coloured)
    assert not colours.search(plain)
    assert "\x1b" not in plain_frame(timeline, 5, 80)


def test_the_help_names_every_key_of_the_one_map_that_works_there() -> None:
    timeline = long_game("gang-of-dice")
    frame = shown(timeline, walked(timeline, "?"), 80, 60)
    for key in keys_for("terminal", timeline):
        assert re.search(rf"^ +{re.escape(key.label)}  {re.escape(key.effect)}", frame, re.MULTILINE)
    assert "what seat 4 saw" not in frame
    assert not walked(timeline, "?", "right").shows_help
    names = [name for key in KEYS for name in key.terminal]
    assert len(names) == len(set(names)) == len(TERMINAL_ACTIONS)
    assert walked(timeline, "q").is_done
    assert walked(timeline, "?", "q").is_done


def test_what_a_terminal_sends_is_read_as_keys_also_many_at_once() -> None:
    sent = "\x1b[C\x1b[1;2D\x1bOHq?\x1b[6~5\r\x7f\x1b"
    assert keys_of(sent) == ["right", "shift-left", "home", "q", "?", "pagedown", "5", "enter", "backspace", "escape"]


def test_nothing_that_a_file_says_can_drive_the_terminal(tmp_path: Path) -> None:
    replay = next(each for each in stored("gang-of-dice")[::7] if each.seats == 2 and each.decisions)
    seats = [
        {"bot": "\x1b[2Jada\nRound 9", "logged": [{"decision": 0, "text": "\x1b]0;x\x07\u200bhi"}, "x", {}]},
        {"bot": "b[bold]\u202eea", "logged": [{"decision": "0", "text": 3}]},
    ]
    document = {"schema": "gangland/game/1", "seats": seats, "replay": replay.to_dict()}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(document))
    ran = gangland("replay", file, "--at", timeline_of(replay).at(0))
    assert ran.code == 0
    assert r"ada\nRound 9" in ran.out
    assert "b[bold]\\u202eea" in ran.out
    assert "hi\n" in ran.out
    assert not ODD.search(ran.out)


class Sitting:
    def __init__(self, *arguments: object) -> None:
        self.ours, self.theirs = pty.openpty()
        self.size(80, 24)
        self.before = termios.tcgetattr(self.theirs)
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("gangland"), *map(str, arguments)],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**os.environ, "TERM": "xterm"},
        )
        self.said = ""

    def size(self, width: int, height: int) -> None:
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def until(self, words: str) -> str:
        while words not in self.said:
            assert select.select([self.ours], [], [], 60)[0], f"{words!r} did not come: {self.said[-500:]!r}"
            self.said += os.read(self.ours, 65536).decode("utf-8", "replace")
        result, _, self.said = self.said.partition(words)
        return result

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    @property
    def restored(self) -> bool:
        return termios.tcgetattr(self.theirs) == self.before


@pytest.fixture
def sit() -> Iterator[Callable[..., Sitting]]:
    sittings: list[Sitting] = []

    def sit(*arguments: object) -> Sitting:
        sittings.append(Sitting(*arguments))
        return sittings[-1]

    yield sit
    for each in sittings:
        each.process.kill()
        each.process.wait()
        os.close(each.ours)
        os.close(each.theirs)


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    fit = [each for each in stored("gang-of-dice")[::7] if len(each.decisions) == long_game("gang-of-dice").last]
    file.write_text(next(each for each in fit if each.seats == 3).to_json())
    return file


def test_a_game_is_walked_through_in_a_terminal_left_as_before(sit: Callable[..., Sitting], game_file: Path) -> None:
    timeline = long_game("gang-of-dice")
    at = timeline.at(timeline.index_of("r7"))
    there = sit("replay", game_file, "--at", at)
    assert "\x1b[?1049h" in there.until(at)
    there.type("\x1b[C")
    there.until(timeline.at(timeline.index_of(at) + 1))
    there.type("g5\r")
    there.until(timeline.at(timeline.index_of("r5")))
    there.size(60, 20)
    there.process.send_signal(signal.SIGWINCH)
    there.until("← → [ ] 0-4 L")
    there.type("q")
    there.until("\x1b[?1049l")
    assert there.process.wait(60) == 0
    assert there.restored


def test_a_terminal_is_restored_when_the_viewer_is_ended(sit: Callable[..., Sitting], game_file: Path) -> None:
    there = sit("replay", game_file)
    there.until("choose_dice")
    there.process.terminate()
    there.until("\x1b[?1049l")
    assert there.process.wait(60) == 128 + signal.SIGTERM
    assert there.restored
