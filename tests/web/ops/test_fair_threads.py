"""Which request the server answers next, and how many requests one client gets answered at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from threading import Event

import pytest

from gangland_web.ops.fair_threads import SLOW_AT_A_TIME, SLOW_S, FairThreads, Lines, Turn

LONG_S = 60.0
ONE = (1, 1, 1, 1)
ANY = (99, 99, 99, 99)


class Request:
    """A request that is answered when it may be; its name is noted at its start."""

    def __init__(self, name: str, started: list[str], may_end: Event | None = None) -> None:
        self.name, self._started, self._may_end = name, started, may_end
        self.is_over = Event()

    def service(self) -> None:
        self._started.append(self.name)
        if self._may_end is not None:
            assert self._may_end.wait(LONG_S)
        self.is_over.set()


def filled(names: str) -> Lines:
    """Lines with requests such as `a/table/1`."""
    lines = Lines(ONE)
    for name in names.split():
        client, part, page = name.split("/")
        lines.add((client, part, int(page)), Request(name, []))
    return lines


def order_of(lines: Lines) -> list[str]:
    """The names in the order in which one thread answers the requests."""

    def turns() -> Iterator[str]:
        while turn := lines.take(0.0):
            assert isinstance(turn.task, Request)
            yield turn.task.name
            lines.end(turn)

    return [*turns()]


@pytest.mark.parametrize(
    ("waiting", "order"),
    [
        ("a/x/1 a/x/1 a/x/1 a/y/1 b/x/1", "a/x/1 b/x/1 a/y/1 a/x/1 a/x/1"),  # clients, then parts, take turns
        ("a/x/1 a/x/1 a/x/2 a/y/1", "a/x/1 a/y/1 a/x/2 a/x/1"),  # and the pages of a part
        ("a/x/1 a/x/2 a/x/3 a/y/1 a/y/1", "a/x/1 a/y/1 a/x/2 a/y/1 a/x/3"),  # many pages of a part are one part
        ("a/x/1 a/y/1 a/z/1 b/x/1 b/x/1", "a/x/1 b/x/1 a/y/1 b/x/1 a/z/1"),  # many parts are one client
    ],
)
def test_lines_are_served_in_turns(waiting: str, order: str) -> None:
    lines = filled(waiting)
    assert order_of(lines) == order.split()
    assert lines.is_empty


def test_a_request_that_comes_last_waits_for_one_request_of_each_other_line() -> None:
    lines = filled(" ".join(["a/x/1"] * 32 + ["b/x/1"] * 32))
    first = lines.take(0.0)
    assert first is not None
    lines.add(("a", "health", 9), Request("health", []))
    lines.add(("c", "x", 1), Request("other client", []))
    lines.end(first)
    assert order_of(lines)[:4] == ["b/x/1", "other client", "health", "b/x/1"]


@contextmanager
def held(threads: FairThreads, line: tuple[str, str, int], count: int) -> Iterator[list[str]]:
    """Requests of one line whose first ones are being answered; yields the names of those."""
    started: list[str] = []
    may_end = Event()
    requests = [Request(str(number), started, may_end) for number in range(count)]
    for request in requests:
        threads.add(line, request)
    try:
        yield started
    finally:
        may_end.set()
        assert all(request.is_over.wait(LONG_S) for request in requests)
        threads.shutdown(LONG_S)


def answered(threads: FairThreads, line: tuple[str, str, int]) -> None:
    """Wait for the answer to a request."""
    request = Request("", [])
    threads.add(line, request)
    assert request.is_over.wait(LONG_S)


def test_one_page_holds_one_thread_while_others_are_answered() -> None:
    threads = FairThreads(8)
    with held(threads, ("a", "table", 1), 32) as started:
        answered(threads, ("a", "health", 2))
        answered(threads, ("b", "table", 1))
        assert started == ["0"]
        assert threads.active_count == 1
    assert started == [*map(str, range(32))]


def test_a_request_that_fails_gives_its_thread_back(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def service(self) -> None:
            raise LookupError

    threads = FairThreads(1)
    threads.add(("a", "", 1), Broken())
    answered(threads, ("a", "", 1))
    threads.shutdown(LONG_S)
    assert "a request could not be answered" in caplog.text


def test_slow_requests_give_their_places_away_up_to_a_number_for_each_client() -> None:
    lines = filled(" ".join(["a/x/1"] * 9 + ["b/x/1"]))
    turns: list[Turn] = []
    while turn := lines.take(0.0):
        turns.append(turn)
        lines.mark_slow(turn)
    assert not lines.mark_slow(turns[0])
    clients = [[*turn.line.upwards()][-2].name for turn in turns]
    assert sorted(clients) == ["a"] * (SLOW_AT_A_TIME + 1) + ["b"]
    for turn in turns:
        lines.end(turn)
    order_of(lines)
    assert lines.is_empty


def test_a_thread_that_waits_learns_that_a_request_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = FairThreads(8)
    with held(threads, ("a", "sign-in", 1), 3) as started:
        answered(threads, ("a", "health", 2))
        assert started == ["0"]
        monkeypatch.setattr("gangland_web.ops.fair_threads.time.monotonic", lambda: 2 * SLOW_S + 1e9)
        threads.mark_slow()
        answered(threads, ("a", "health", 2))
        while len(started) < 2:
            Event().wait(0.001)


def test_a_request_that_says_that_it_waits_gives_its_place_away_at_once() -> None:
    threads, may_end, waiting = FairThreads(8), Event(), Event()

    class Waiting:
        def service(self) -> None:
            threads.begin_wait()
            threads.begin_wait()
            waiting.set()
            assert may_end.wait(LONG_S)

    threads.add(("a", "play", 1), Waiting())
    assert waiting.wait(LONG_S)
    answered(threads, ("a", "play", 1))
    assert threads.active_count >= 1
    may_end.set()
    answered(threads, ("a", "play", 1))
    threads.shutdown(LONG_S)


def test_a_request_that_is_removed_is_not_answered_and_its_line_is_gone() -> None:
    lines, gone = Lines(ONE), Request("gone", [])
    lines.add(("a", "x", 1), gone)
    assert [lines.remove(("a", "x", 1), gone) for _ in range(2)] == [True, False]
    assert lines.is_empty
    lines = filled("a/x/1 a/x/1")
    assert not lines.remove(("a", "x", 2), gone)
    assert order_of(lines) == ["a/x/1", "a/x/1"]


def test_lines_keep_nothing_of_requests_that_are_over() -> None:
    lines = Lines(ANY)
    for number in range(2_000):
        lines.add((f"client {number}", "x", number), Request("", []))
    turns = [*iter(lambda: lines.take(0.0), None)]
    assert len(turns) == 99
    for turn in chain(turns, iter(lambda: lines.take(0.0), None)):
        lines.end(turn)
    assert lines.is_empty
