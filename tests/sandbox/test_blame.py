"""Blame: by what was seen from outside, never by what a bot says of itself."""

import signal

import pytest

from gangland.faults import FaultKind
from gangland_sandbox import blame, jail, limits

LIMITS = limits.Limits.plain(12)
FULL = 240 * limits.MIB
LOW = 20 * limits.MIB


@pytest.mark.parametrize(
    ("status", "peak", "loading", "jailed", "kind"),
    [
        (0, LOW, False, True, FaultKind.CRASHED), (1, LOW, False, True, FaultKind.CRASHED),
        (137, LOW, False, True, FaultKind.CRASHED), (139, LOW, False, True, FaultKind.CRASHED),
        (137, FULL, False, True, FaultKind.MEMORY), (139, FULL, False, True, FaultKind.MEMORY),
        (159, LOW, False, True, FaultKind.FORBIDDEN_SYSCALL), (159, FULL, False, True, FaultKind.FORBIDDEN_SYSCALL),
        (0, LOW, True, True, FaultKind.IMPORT_ERROR), (159, LOW, False, False, FaultKind.CRASHED),
    ],
)  # fmt: skip
def test_a_death_is_named_by_how_it_came(status: int, peak: int, loading: bool, jailed: bool, kind: FaultKind) -> None:
    end = jail.End(status, 0.0, peak)
    found, message = blame.death_blame(end, LIMITS, loading=loading, jailed=jailed, printed="last words")
    assert found is kind
    assert message
    assert not loading or "last words" in message


@pytest.mark.parametrize("jailed", [True, False])
def test_a_wait_is_told_with_what_waited_if_the_harness_has_named_it(jailed: bool) -> None:
    def told(printed: str, status: int = signal.SIGTRAP) -> tuple[FaultKind, str]:
        return blame.death_blame(jail.End(status, 0.0, FULL), LIMITS, loading=False, jailed=jailed, printed=printed)

    waited = FaultKind.FORBIDDEN_SYSCALL
    assert told("before\ngangland: waited by time.sleep()") == (waited, f"{blame.WAIT_ERROR}\n(time.sleep())")
    assert told("gangland: waited by time.sleep()\nafter")[0] is (waited if jailed else FaultKind.MEMORY)
    if jailed:
        assert told("") == (waited, blame.WAIT_ERROR)
    assert told("gangland: waited by time.sleep()", signal.SIGKILL)[0] is FaultKind.MEMORY


def test_a_hint_says_where_bots_run_if_the_last_line_has_to_do_with_it() -> None:
    last = "ModuleNotFoundError: No module named 'numpy'"
    plain = "the jail has Python's standard library and gangland, and nothing else"
    assert blame.add_hint(f"line 1\n{last}", LIMITS) == f"line 1\n{last}\n({plain})"
    assert "library, numpy and gangland" in blame.add_hint(last, limits.Limits.numeric(12))
    assert blame.add_hint("MemoryError", LIMITS) == "MemoryError\n(a bot has 256 MiB of memory)"
    assert blame.add_hint(f"{last}\nValueError", LIMITS) == f"{last}\nValueError"


@pytest.mark.parametrize(
    ("hint", "loading", "peak", "kind"),
    [
        ("crashed", False, LOW, FaultKind.CRASHED), ("illegal", False, LOW, FaultKind.ILLEGAL),
        ("illegal", True, LOW, FaultKind.IMPORT_ERROR), ("import_error", False, LOW, FaultKind.CRASHED),
        ("import_error", True, LOW, FaultKind.IMPORT_ERROR), ("crashed", False, FULL, FaultKind.MEMORY),
        ("crashed", True, FULL, FaultKind.MEMORY),
    ],
)  # fmt: skip
def test_a_report_from_within_chooses_among_own_faults(hint: str, loading: bool, peak: int, kind: FaultKind) -> None:
    found, _ = blame.verdict_blame(hint, "why", LIMITS, loading=loading, peak_bytes=peak)
    assert found is kind


def test_memory_is_blamed_from_nine_tenths_of_the_limit() -> None:
    assert blame.is_memory_exhausted(int(0.9 * 256 * limits.MIB) + 1, LIMITS)
    assert not blame.is_memory_exhausted(int(0.9 * 256 * limits.MIB) - 1, LIMITS)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (FaultKind.DECISION_TIME, "more than the allowed 0.5 s of CPU"),
        (FaultKind.BANK_TIME, "12 s"),
        (FaultKind.WALL_TIME, "41 s"),
    ],
)
def test_lateness_is_told_with_the_limit(kind: FaultKind, words: str) -> None:
    assert blame.lateness_blame(kind, LIMITS, loading=False, method="choose_dice()")[0] is kind
    assert words in blame.lateness_blame(kind, LIMITS, loading=False, method="choose_dice()")[1]
    assert blame.lateness_blame(kind, LIMITS, loading=True, method="")[0] is FaultKind.IMPORT_TIME
