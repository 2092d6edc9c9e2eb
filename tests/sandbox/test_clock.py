"""Time: what is charged, to which bank, and who is blamed when a limit is passed."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from gangland.faults import FaultKind
from gangland_sandbox import clock, errors, limits
from gangland_sandbox.clock import Banks, Meter, cpu_clock, is_asleep, peak_bytes, run_delay_s, switches

LIMITS = limits.Limits(bank_cpu_s=2.0, bank_wall_s=10.0, decision_cpu_s=0.5)


class Fakes:
    def __init__(self) -> None:
        self.cpu = self.wall = self.delay = self.late = 0.0
        self.own_switches = self.forced_switches = 0.0
        self.asleep, self.looks = True, 0


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    made = Fakes()
    monkeypatch.setattr("gangland_sandbox.clock.time.clock_gettime", lambda _: made.cpu)
    monkeypatch.setattr("gangland_sandbox.clock.time.monotonic", lambda: made.wall)
    monkeypatch.setattr(clock, "run_delay_s", lambda pid: made.late if pid == clock.THIS_THREAD else made.delay)
    monkeypatch.setattr(clock, "switches", lambda _: (int(made.own_switches), int(made.forced_switches)))
    monkeypatch.setattr(clock, "is_asleep", lambda _: made.asleep)
    return made


@pytest.fixture
def meter(fakes: Fakes) -> Meter:
    return Meter(1, LIMITS, Banks.full(LIMITS))


@pytest.fixture
def slow(meter: Meter) -> Meter:
    meter.begin()
    meter.start_counting_waits()
    return meter


def test_a_quick_decision_is_charged_to_both_banks(fakes: Fakes, meter: Meter) -> None:
    meter.begin()
    fakes.cpu, fakes.wall = 0.25, 0.5
    assert meter.finish(0.5, fakes.wall) is None
    meter.charge_wall(2.0)  # it is over
    assert (meter.banks.cpu_left_s, meter.banks.wall_left_s) == (1.75, 9.5)
    assert (meter.cpu_s, meter.wall_s) == (0.25, 0.5)


def test_thinking_while_others_are_asked_is_paid_for_at_the_next_decision(fakes: Fakes, meter: Meter) -> None:
    meter.begin()
    assert meter.finish(0.5, fakes.wall) is None
    fakes.cpu = 0.75
    meter.begin()
    assert meter.finish(0.5, fakes.wall) is FaultKind.DECISION_TIME


def test_a_decision_over_its_limit_is_blamed_before_the_banks(fakes: Fakes, meter: Meter) -> None:
    meter.begin()
    fakes.cpu = 3.0
    assert meter.exceeded_limit(0.5, fakes.wall) is FaultKind.DECISION_TIME
    fakes.wall = 11.0
    assert meter.finish(0.5, fakes.wall) is FaultKind.DECISION_TIME


@pytest.mark.parametrize("each_s", [0.4375, 0.5])
def test_many_decisions_within_the_limit_empty_the_bank_to_its_end(fakes: Fakes, meter: Meter, each_s: float) -> None:
    kinds = []
    for _ in range(5):
        meter.begin()
        fakes.cpu += each_s
        kinds.append(meter.finish(0.5, fakes.wall))
    assert kinds == [None, None, None, None, FaultKind.BANK_TIME]


def test_a_sleeping_bot_is_blamed_when_the_wall_bank_is_empty(fakes: Fakes, slow: Meter) -> None:
    fakes.wall = 9.9
    assert slow.exceeded_limit(0.5, fakes.wall) is None
    for seconds in (10.1, 10_000.0):  # sleep never voids a match, however long
        fakes.wall = seconds
        assert slow.exceeded_limit(0.5, fakes.wall) is FaultKind.WALL_TIME


def test_a_halt_after_the_answer_was_seen_and_the_callers_own_time_cost_nothing(fakes: Fakes, meter: Meter) -> None:
    meter.begin()
    seen = fakes.wall = 0.5
    fakes.wall = 40.5
    assert meter.exceeded_limit(0.5, seen) is None
    assert meter.finish(0.5, seen) is None
    assert meter.banks.wall_left_s == 9.5
    meter.begin()
    fakes.wall += 70.5
    meter.give_back(70.0)
    fakes.asleep = False
    assert meter.exceeded_limit(0.5, fakes.wall) is None
    assert meter.finish(0.5, fakes.wall) is None
    assert meter.banks.wall_left_s == 9.0


def test_naps_add_up(fakes: Fakes, meter: Meter) -> None:
    kinds = []
    for _ in range(3):
        meter.begin()
        fakes.wall += 3.5
        kinds.append(meter.finish(0.5, fakes.wall))
    assert kinds == [None, None, FaultKind.WALL_TIME]


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "delay_s", "late_s", "left_s"),
    [(12.0, 0.25, 11.5, 0.0, 9.5), (1.0, 0.25, 5.0, 0.0, 9.75), (1.0, 0.25, 0.0, 0.75, 9.75)],
    ids=["the bot's own wait", "work is never less than its CPU", "the referee's own wait"],
)
def test_waiting_for_a_core_is_not_charged_and_work_is(
    fakes: Fakes, slow: Meter, wall_s: float, cpu_s: float, delay_s: float, late_s: float, left_s: float
) -> None:
    fakes.wall, fakes.cpu, fakes.delay, fakes.late = wall_s, cpu_s, delay_s, late_s
    assert slow.finish(0.5, fakes.wall) is None
    assert slow.banks.wall_left_s == left_s


def test_a_wait_for_a_core_before_the_question_buys_no_sleep(fakes: Fakes, meter: Meter) -> None:
    fakes.delay = 100.0
    meter.begin()
    meter.start_counting_waits()
    fakes.wall = 10.5
    assert meter.exceeded_limit(0.5, fakes.wall) is FaultKind.WALL_TIME


def test_a_bot_in_line_for_a_core_is_not_blamed_and_a_machine_that_gives_none_is(fakes: Fakes, slow: Meter) -> None:
    fakes.asleep = False
    for fakes.wall in (30.0, 60.0):
        assert slow.exceeded_limit(0.5, fakes.wall) is None
    fakes.wall = 60.25
    with pytest.raises(errors.SandboxError, match="for a core"):
        slow.exceeded_limit(0.5, fakes.wall)


def test_a_long_wait_that_was_seen_is_forgiven_whole_once_the_bot_runs_again(fakes: Fakes, slow: Meter) -> None:
    fakes.wall, fakes.asleep = 25.0, False
    assert slow.exceeded_limit(0.5, fakes.wall) is None
    fakes.wall, fakes.delay, fakes.cpu = 25.5, 25.0, 0.01
    assert slow.exceeded_limit(0.5, fakes.wall) is None
    assert slow.finish(0.5, fakes.wall) is None
    assert slow.banks.wall_left_s == pytest.approx(9.5)


def test_giving_the_core_away_again_and_again_is_paid_for_and_voids_nothing(fakes: Fakes, slow: Meter) -> None:
    fakes.asleep = False
    kinds = []
    for _ in range(200):
        fakes.wall, fakes.delay, fakes.cpu = fakes.wall + 0.5, fakes.delay + 0.49, fakes.cpu + 0.0001
        kinds.append(slow.exceeded_limit(0.5, fakes.wall))
    assert kinds.index(FaultKind.WALL_TIME) < 40


def test_waits_for_a_core_that_a_bot_brought_about_itself_are_charged(fakes: Fakes, slow: Meter) -> None:
    for _ in range(42):  # naps of microseconds on a shared core: runnable nearly all the time, and hardly any work
        fakes.wall += 0.25
        fakes.delay += 0.24
        fakes.cpu += 0.003
        fakes.own_switches += 10_000
        fakes.forced_switches += 2
        slow.exceeded_limit(5.0, fakes.wall)
    assert slow.current_wall_s() > 10.0
    assert slow.exceeded_limit(5.0, fakes.wall) is FaultKind.WALL_TIME


def test_32_times_a_bot_may_give_its_core_away_also_once_its_process_is_gone(fakes: Fakes, slow: Meter) -> None:
    fakes.wall = fakes.delay = 1.0
    for fakes.own_switches, charged_s in ((32, 0.0), (33, 1 / 33), (0, 1 / 33)):
        assert slow.exceeded_limit(0.5, fakes.wall) is None
        assert slow.current_wall_s() == pytest.approx(charged_s)


def test_a_bot_whose_core_is_taken_from_it_again_and_again_pays_its_work_alone(fakes: Fakes, slow: Meter) -> None:
    for _ in range(40):  # six neighbors, ten steps of niceness above it
        fakes.wall += 0.5
        fakes.delay += 0.49
        fakes.cpu += 0.009
        fakes.forced_switches += 3
        fakes.own_switches += 0.5
        assert slow.exceeded_limit(5.0, fakes.wall) is None
    assert slow.current_wall_s() < 0.5


def test_a_referee_that_is_back_late_from_a_quick_wait_is_not_charged_to_the_bot(fakes: Fakes, meter: Meter) -> None:
    meter.begin()
    fakes.wall = 0.5
    meter.add_lateness(0.25)
    assert meter.finish(0.5, fakes.wall) is None
    assert meter.banks.wall_left_s == 9.75
    meter.begin()
    meter.banks.core_wait_left_s = 0.0
    fakes.wall = 1.0
    meter.add_lateness(0.25)
    assert meter.finish(0.5, fakes.wall) is None
    assert meter.banks.wall_left_s == 9.25


@dataclass(frozen=True)
class Way:
    """What happens between two looks at the clocks; after `looks` looks the bot gets the core it waits for."""

    wall: float
    cpu: float
    delay: float = 0.0
    late: float = 0.0
    own_switches: float = 0.0
    forced_switches: float = 0.0
    asleep: bool = False
    looks: int = 1

    def step(self, fakes: Fakes) -> None:
        fakes.looks += 1
        fakes.asleep = self.asleep
        fakes.wall += self.wall
        fakes.late += self.late
        if fakes.looks % self.looks == 0:
            fakes.cpu += self.cpu
            fakes.delay += self.delay
            fakes.own_switches += self.own_switches
            fakes.forced_switches += self.forced_switches


def shared(neighbors: int) -> Way:
    return Way(0.01 * (1 + neighbors), 0.01, 0.01 * neighbors, forced_switches=3)


WAYS = {
    "alone": Way(0.1, 0.1, asleep=True),
    **{f"beside {neighbors}": shared(neighbors) for neighbors in (1, 6, 12, 100, 400)},
    **{f"starved for {looks} looks": Way(0.25, 0.0001, 0.25 * looks, looks=looks) for looks in (2, 20, 120)},
    "giving its core away": Way(0.25, 0.001, 0.249, own_switches=50),
    "giving its core away uncounted": Way(0.25, 0.001, 0.249),
    "blocked where the referee is late too": Way(0.25, 0.0, late=0.2, asleep=True),
}


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("looks", [1, 7, 10_000])
def test_no_bot_lasts_longer_than_its_banks_on_any_machine(fakes: Fakes, meter: Meter, name: str, looks: int) -> None:
    """`looks` is after how many looks at the clocks the bot answers, if it lives."""
    fault = None
    try:
        while fault is None:
            meter.begin()
            meter.start_counting_waits()
            for _ in range(looks):
                WAYS[name].step(fakes)
                fault = meter.exceeded_limit(0.5, fakes.wall)
                if fault is not None:
                    break
            else:
                fault = meter.finish(0.5, fakes.wall)
    except errors.SandboxError:
        assert WAYS[name].looks > 1  # nobody but the machine brings that about
    one_look_s = 4.1
    assert fakes.wall <= LIMITS.bank_wall_s + LIMITS.core_wait_s + one_look_s


@pytest.mark.parametrize("neighbors", [0, 1, 6, 10])
def test_a_bot_that_never_waits_uses_up_its_cpu_bank_beside_others(fakes: Fakes, meter: Meter, neighbors: int) -> None:
    kinds: list[FaultKind | None] = []
    while not any(kinds):
        meter.begin()
        meter.start_counting_waits()
        for _ in range(20):
            shared(neighbors).step(fakes)
            kinds.append(meter.exceeded_limit(0.5, fakes.wall))
        kinds.append(meter.finish(0.5, fakes.wall))
    assert next(kind for kind in kinds if kind) is FaultKind.BANK_TIME
    assert meter.wall_s == pytest.approx(LIMITS.bank_cpu_s, abs=0.3)


def test_the_next_look_comes_before_a_limit_can_have_been_passed_twice(fakes: Fakes, meter: Meter) -> None:
    meter.begin()
    assert 0.002 <= meter.next_check_s(0.5) <= 0.51
    fakes.cpu = 0.25
    assert meter.exceeded_limit(0.5, fakes.wall) is None
    assert meter.next_check_s(0.5) == pytest.approx(0.251)
    meter.banks.cpu_left_s = 0.125
    assert meter.next_check_s(0.5) == pytest.approx(0.126)
    meter.banks.wall_left_s = 0.0
    assert meter.next_check_s(0.5) <= 0.01


def test_a_clock_that_is_gone_reads_as_it_last_did(monkeypatch: pytest.MonkeyPatch, fakes: Fakes, meter: Meter) -> None:
    fakes.cpu = 0.25
    meter.begin()
    meter.finish(0.5, fakes.wall)

    def gone(_: int) -> float:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("gangland_sandbox.clock.time.clock_gettime", gone)
    assert meter.read_cpu() == 0.25


def test_what_the_kernel_tells_of_a_process_is_read_and_of_one_that_is_gone_nothing() -> None:
    assert time.clock_gettime(cpu_clock(os.getppid())) > 0
    assert cpu_clock(1) == -14
    assert run_delay_s(os.getpid()) >= 0.0
    assert switches(os.getpid()) > (0, 0)
    assert not is_asleep(os.getpid())
    assert peak_bytes(os.getpid()) > 1_000_000
    pid = 2**22 + 1
    assert (run_delay_s(pid), is_asleep(pid), peak_bytes(pid), switches(pid)) == (0.0, True, 0, (0, 0))


def test_waits_for_a_core_are_counted_in_nanoseconds_and_memory_in_kib(monkeypatch: pytest.MonkeyPatch) -> None:
    for output, read, value in (
        (b"7000000000 2500000000 9\n", run_delay_s, 2.5),
        (b"VmPeak:\t7 kB\n", peak_bytes, 7168),
    ):
        monkeypatch.setattr(Path, "read_bytes", lambda _, output=output: output)
        assert read(1) == value


@pytest.mark.parametrize(("state", "asleep"), [(b"R", False), (b"S", True), (b"D", True)])
def test_who_neither_runs_nor_waits_is_asleep(monkeypatch: pytest.MonkeyPatch, state: bytes, asleep: bool) -> None:
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"7 (a) R bot) " + state + b" 1 7 7")
    assert is_asleep(7) is asleep


def test_a_long_wait_that_was_seen_is_forgiven_whole_even_if_the_kernel_counts_less(fakes: Fakes, slow: Meter) -> None:
    fakes.wall, fakes.asleep = 1.0, False
    assert slow.exceeded_limit(0.5, fakes.wall) is None
    fakes.delay = 0.5
    assert slow.exceeded_limit(0.5, fakes.wall) is None
    assert slow.current_wall_s() == 0.0


def test_what_a_process_used_after_the_last_reading_is_charged_once(fakes: Fakes, meter: Meter) -> None:
    meter.begin()
    fakes.cpu = 0.25
    assert meter.finish(0.5, fakes.wall) is None
    meter.settle(0.75)
    assert (meter.cpu_s, meter.banks.cpu_left_s) == (0.75, 1.25)
    meter.settle(0.125)
    assert (meter.cpu_s, meter.banks.cpu_left_s) == (0.75, 1.25)
