"""A replay that is walked through: its stops and addresses, what each key does, what stands on the screen."""

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
from gangland_ladder.cli.replay import in_plain, screen
from gangland_ladder.cli.terminal import keys_of
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.viewer.film import Film, NoSuchStop, film_of
from gangland_ladder.viewer.navigation import KEYS, TERMINAL, Cursor, keys_for, pressed
from gangland_ladder.viewer.presentation import presentation_of

NO_COLOR = {"NO_COLOR": "1"}
STYLED = re.compile(r"\x1b\[[0-9;]*m")
ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


@cache
def films(game: str) -> list[tuple[Replay, Film]]:
    return [(replay, film_of(replay)) for replay in stored(game)[::7]]


@cache
def long_game(game: str) -> Film:
    fit = [film for replay, film in films(game) if replay.seats == 3 and "lead" in film.marks.values()]
    return max(fit, key=lambda film: film.last)


GAMES = ("gang-of-dice", "gangster-dice")


def walked(film: Film, *keys: str, cursor: Cursor | None = None) -> Cursor:
    cursor = cursor or Cursor()
    for key in keys:
        cursor = pressed(film, cursor, key)
    return cursor


def shown(film: Film, cursor: Cursor, width: int = 80, height: int = 40) -> str:
    return "\n".join(STYLED.sub("", line) for line in screen(film, cursor, width, height, {"TERM": "xterm"}))


@pytest.mark.parametrize("game", GAMES)
def test_a_film_has_an_addressed_stop_for_each_decision_and_tells_each_sentence_once(game: str) -> None:
    for replay, film in films(game):
        assert [stop.number for stop in film.stops] == list(range(len(replay.decisions)))
        assert [film.index_of(stop.at) for stop in film.stops] == list(range(film.last))
        assert film.index_of("end") == film.last
        assert [(stop.seat, stop.number) for stop in film.stops if stop.fault] == [
            (seat, number) for seat, number in replay.faults if number is not None
        ]
        result = [text for _, text in film.opening]
        for stop in film.stops:
            result += [*stop.sentences, *(text for _, text in stop.opens)]
        assert [*result, film.ending] == [line.text for line in story.tell(replay)]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_saw_is_the_observation_that_it_was_sent_and_no_hand_of_another(game: str) -> None:
    rules = games.game_named(game)
    for replay, film in films(game):
        for step in expand(replay):
            for answer in step.answers:
                if answer.number is not None:
                    observed = film.stops[answer.number].observation
                    assert observed == presentation_of(replay.game).view_scene(
                        rules.observe(step.before, answer.seat, step.defaulting),
                        rules.held(step.before),
                        step.defaulting,
                    )
                    hands = {seat: each.get("hand") for seat, each in observed["seats"].items()}
                    assert [seat for seat, hand in hands.items() if hand is not None] in ([], [str(answer.seat)])


def test_views_that_were_not_sent_are_no_film_and_an_address_that_is_none_is_refused_with_what_there_is() -> None:
    replay, film = stored("gang-of-dice")[0], long_game("gang-of-dice")

    assert film_of(replay, views=views_digest(replay)).last == len(replay.decisions)
    with pytest.raises(ReplayError, match="views sent have the digest 00"):
        film_of(replay, views="0" * 64)
    wrong = {"r99": "rounds 1 to 12", "r2.s9.d1": "round 2 has r2.s", "x": "r7.s2.d1", "r2.d1": "r7"}
    for address, said in wrong.items():
        with pytest.raises(NoSuchStop, match=re.escape(said)):
            film.index_of(address)
    assert film.stops[film.index_of("r2")].round == 2


@pytest.mark.parametrize("game", GAMES)
def test_marks_are_at_faults_and_where_another_seat_comes_to_lead_alone(game: str) -> None:
    marks = [mark for _, film in films(game) for mark in film.marks.values()]
    assert {"fault", "lead"} == set(marks)

    film = long_game(game)
    leads: list[int] = []
    leader = None
    better = max if game == "gang-of-dice" else min
    for _, held in film.dice:
        first = [seat for seat, count in enumerate(held) if count == better(held)]
        if len(first) == 1:
            leads += [first[0]] if leader not in (None, first[0]) else []
            leader = first[0]
    assert len([mark for mark in film.marks.values() if mark == "lead"]) == len(leads) > 0
    assert [stop.leader for stop in film.stops if stop.leader is not None] == leads


def test_keys_step_by_decision_and_by_round_or_to_a_round_and_never_beyond_the_ends() -> None:
    film = long_game("gang-of-dice")
    second, third = film.round_index(2), film.round_index(3)

    assert walked(film, "right", "right").index == 2
    assert walked(film, "right", "left", "left").index == 0
    assert walked(film, "end").index == walked(film, "end", "right").index == film.last
    assert walked(film, "end", "home").index == 0
    assert walked(film, "shift-right", "pagedown").index == third
    assert walked(film, "shift-right", "shift-right", "shift-left").index == second
    assert walked(film, "shift-right", "right", "pageup").index == second
    assert film.stops[walked(film, "end", "shift-left").index].round == film.rounds
    assert walked(film, "g", "1", "1", "enter").index == film.round_index(11)
    assert walked(film, "g", "1", "2", "backspace", "enter").index == 0
    assert "to round: 11_" in shown(film, walked(film, "g", "1", "1"))
    lost = walked(film, "right", "g", "9", "9", "enter")
    assert (lost.index, lost.typed) == (1, None)
    assert "rounds 1 to 12" in shown(film, lost)
    assert walked(film, "right", "g", "3", "escape").index == 1


@pytest.mark.parametrize("game", GAMES)
def test_brackets_go_from_mark_to_mark_and_say_when_there_is_no_more(game: str) -> None:
    film = long_game(game)
    marks = sorted(film.marks)

    found, cursor = [], Cursor(-1)
    while (cursor := pressed(film, cursor, "]")).message == "":
        found.append(cursor.index)
    assert found == marks
    assert "no fault and no lead change" in shown(film, cursor)
    assert walked(film, "end", "[").index == marks[-1]


def test_each_seats_view_is_shown_on_its_key_and_zero_shows_all() -> None:
    film = long_game("gangster-dice")
    middle = Cursor(film.index_of("r2"))
    stop = film.stops[middle.index]
    own = f"favors {', '.join(map(str, stop.table['seats'][str(stop.seat)]['hand']))}"

    for seat, name in enumerate(film.names):
        frame = shown(film, walked(film, str(seat + 1), cursor=middle))
        assert f"What {name} (seat {seat + 1}) saw at " in frame
        assert frame.count("    favors ") == 1
    assert own in shown(film, walked(film, str(stop.seat + 1), cursor=middle))
    assert shown(film, walked(film, "1", "0", cursor=middle)) == shown(film, middle)
    assert shown(film, middle).count("    favors ") == 3
    assert "has not been asked yet" in shown(long_game("gang-of-dice"), Cursor(0, seat=_not_first()))
    assert "the table has 3 seats" in shown(film, walked(film, "4"))


@pytest.mark.parametrize("game", GAMES)
def test_in_a_seats_view_one_walks_over_its_own_decisions_and_sees_no_others(game: str) -> None:
    film = long_game(game)
    for seat, name in enumerate(film.names):
        own = [index for index, stop in enumerate(film.stops) if stop.seat == seat]
        cursor, observed = walked(film, str(seat + 1), "home"), []
        while cursor.index != film.last:
            stop = film.stops[cursor.index]
            observed.append(cursor.index)
            frame = " ".join(shown(film, cursor, 200, 60).split())
            assert f"What {name} (seat {seat + 1}) saw at {stop.at}:" in frame
            assert f"▶ {name} {stop.did}" in frame
            assert [text for text in stop.sentences if text in frame.partition("▶")[2]] == []
            cursor = pressed(film, cursor, "right")
        assert observed == own
        assert walked(film, "left", cursor=cursor).index == own[-1]
        assert walked(film, "shift-right", cursor=replace(cursor, index=own[0])).index in (*own, film.last)


@pytest.mark.parametrize("game", GAMES)
def test_luck_at_a_stop_is_that_of_all_that_it_tells_and_of_nothing_later(game: str) -> None:
    for replay, film in films(game)[::3]:
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
        for stop in film.stops:
            assert stop.luck_before == luck.luck_from(replay.game, replay.seats, heard[: requested[stop.number]])
            assert stop.luck == luck.luck_from(replay.game, replay.seats, heard[: settled[stop.number]])


def _not_first() -> int:
    return (long_game("gang-of-dice").stops[0].seat + 1) % 3


def test_logs_of_a_bot_at_a_decision_and_of_the_round_until_it_are_shown_on_demand() -> None:
    replay = next(each for each in stored("gang-of-dice")[::7] if len(each.decisions) > 20)
    film = film_of(replay, logs={3: "I think\nso I am"})
    assert "I think" not in shown(film, Cursor(3))
    assert "  | I think\n  | so I am" in re.sub(r" +\n", "\n", shown(film, walked(film, "D", cursor=Cursor(3))))
    assert "No log of this decision" in shown(film, walked(film, "d", cursor=Cursor(4)))

    film = long_game("gang-of-dice")
    index = film.round_index(3) + 1
    result = shown(film, walked(film, "l", cursor=Cursor(index)))
    assert "This round until here:" in result
    for stop in film.stops[index - 1 : index + 1]:
        assert f"{film.names[stop.seat]} {stop.did}." in result
    assert "This round until here:" not in shown(film, walked(film, "ll", cursor=Cursor(index)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("width", "height"), [(60, 24), (20, 5), (200, 60)])
def test_a_screen_fits_its_terminal_however_narrow(game: str, width: int, height: int) -> None:
    film = replace(long_game(game), names=("a" * 80, "本" * 40, "c"))

    for index in range(0, film.last + 1, 9):
        for seat in (None, 1):
            for opened in (False, True):
                lines = screen(film, Cursor(index, seat=seat, help=opened), width, height, {"TERM": "xterm"})
                assert len(lines) == height
                assert max(cell_len(STYLED.sub("", line)) for line in lines) <= width


def test_a_game_in_which_nobody_was_asked_is_shown_too() -> None:
    film = film_of(next(each for each in stored("gang-of-dice")[::7] if not each.decisions))

    frame = shown(film, walked(film, "right", "left", "]", "pagedown", "1", "0"))
    assert film.opening[0][1] in frame
    assert film.ending in frame


def test_what_does_not_fit_can_be_scrolled_to_and_without_colour_there_is_none() -> None:
    film = long_game("gangster-dice")
    top = shown(film, Cursor(5), 60, 10)
    down = shown(film, walked(film, *["down"] * 4, cursor=Cursor(5)), 60, 10)
    coloured, plain = ("\n".join(screen(film, Cursor(5), 80, 30, {"TERM": "xterm", **more})) for more in ({}, NO_COLOR))

    assert down.splitlines()[2] == shown(film, Cursor(5), 60, 40).splitlines()[6]
    assert shown(film, walked(film, *["down"] * 4, *["up"] * 9, cursor=Cursor(5)), 60, 10) == top
    colours = re.compile(r"\x1b\[[0-9;]*\b(3[0-7]|4[0-7]|9[0-7])[;m]")
    assert colours.search(coloured)
    assert not colours.search(plain)
    assert "\x1b" not in in_plain(film, 5, 80)


def test_the_help_names_every_key_of_the_one_map_that_works_there() -> None:
    film = long_game("gang-of-dice")
    frame = shown(film, walked(film, "?"), 80, 60)

    for key in keys_for("terminal", film):
        assert re.search(rf"^ +{re.escape(key.shown)}  {re.escape(key.words)}", frame, re.MULTILINE)
    assert "what seat 4 saw" not in frame
    assert not walked(film, "?", "right").help
    page = (Path(__file__).resolve().parents[3] / "docs" / "replays.md").read_text()
    assert [key.words for key in KEYS if f"- {key.shown}: {key.words}\n" not in page] == []
    names = [name for key in KEYS for name in key.terminal]
    assert len(names) == len(set(names)) == len(TERMINAL)
    assert walked(film, "q").done
    assert walked(film, "?", "q").done


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

    ran = gangland("replay", file, "--at", film_of(replay).at(0))

    assert ran.code == 0
    assert r"ada\nRound 9" in ran.out
    assert "b[bold]\\u202eea" in ran.out
    assert "hi\n" in ran.out
    assert not ODD.search(ran.out)


class Sitting:
    """`gangland replay` in a terminal of its own."""

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
    film = long_game("gang-of-dice")
    at = film.at(film.index_of("r7"))
    there = sit("replay", game_file, "--at", at)

    assert "\x1b[?1049h" in there.until(at)
    there.type("\x1b[C")
    there.until(film.at(film.index_of(at) + 1))
    there.type("g5\r")
    there.until(film.at(film.index_of("r5")))
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
