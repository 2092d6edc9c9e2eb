"""Bots that wait for time to pass: one fault and one sentence, in the jail and out of it, for every way to wait."""

import pytest
from tests.sandbox import numeric_kit, trial

from gangland.faults import BotFault, FaultKind
from gangland_ladder.errors import problem_of
from gangland_sandbox.blame import WAIT_ERROR

IMPORTS = "import os\nimport queue\nimport select\nimport selectors\nimport signal\nimport threading\nimport time"
NAMED = {
    "a nap": "time.sleep(1e-5)", "no time at all": "time.sleep(0)",
    "a nap caught": "try:\n    time.sleep(1e-5)\nexcept BaseException:\n    return 1",
    "a select": "select.select([], [], [], 1e-5)", "a select of a class": "selectors.SelectSelector().select(0.01)",
    "a poll": "select.poll().poll(1)", "a selector": "selectors.DefaultSelector().select(0.01)",
    "a timer": "signal.setitimer(signal.ITIMER_REAL, 0.01)",
    "a signal": "signal.sigtimedwait([signal.SIGUSR1], 0.001)",
}  # fmt: skip
"""Ways to wait whose call is named in the sentence wherever the bot plays."""
LOCKS = {
    "a lock": "lock = threading.Lock()\nlock.acquire()\nlock.acquire(timeout=0.001)",
    "an event": "threading.Event().wait(0.001)",
    "a condition": "met = threading.Condition()\nwith met:\n    met.wait(0.001)",
    "a semaphore": "threading.Semaphore(0).acquire(timeout=0.001)", "a barrier": "threading.Barrier(2).wait(0.001)",
    "a queue": "queue.Queue().get(timeout=0.001)", "a simple queue": "queue.SimpleQueue().get(timeout=0.001)",
}  # fmt: skip
AT_ONCE = (
    "look = select.poll()\nlook.register(2, select.POLLOUT)\nself.log(look.poll(0) == [(2, select.POLLOUT)])",
    "self.log(select.select([3], [2], [], 0) == ([], [2], []))",
    "with selectors.DefaultSelector() as looks:\n    self.log(looks.select(0) == [])",
    "lock = threading.Lock()\nself.log(lock.acquire(timeout=5) and not lock.acquire(False))",
    "event = threading.Event()\nevent.set()\nself.log(event.wait(5))",
    "waiting = queue.Queue()\nwaiting.put(True)\nself.log(waiting.get(timeout=5))",
    "os.sched_yield()\nself.log(True)",
)
"""What returns at once."""


@pytest.mark.parametrize("wait", [*NAMED, *LOCKS])
@pytest.mark.parametrize("mode", ["jail", "trusted"])
def test_whoever_waits_is_at_fault_by_one_sentence_in_the_jail_and_without_it(wait: str, mode: str) -> None:
    body = (NAMED | LOCKS)[wait]
    bot = trial.bot_of(body, IMPORTS)
    result = trial.play(bot) if mode == "jail" else trial.play_here(bot, mode="trusted")
    assert (result.kind, result.answers, result.left) == ("forbidden_syscall", [], [])
    assert result.message.split("\n")[0] == f"subject.py: {WAIT_ERROR}"
    if wait in NAMED and mode == "jail":
        at = 12 + body.startswith("try")
        assert f"called at subject.py:{at} in choose_dice()" in result.message
        found = problem_of(BotFault(FaultKind(result.kind), result.message), "subject.py")
        assert (found.code, found.line) == ("E230", at)


@pytest.mark.parametrize("mode", ["jail", "trusted"])
def test_what_returns_at_once_is_no_wait(mode: str) -> None:
    bot = trial.bot_of("\n".join((*AT_ONCE, "return 1")), IMPORTS)
    result = trial.play(bot) if mode == "jail" else trial.play_here(bot, mode="trusted")
    assert (result.kind, result.message) == ("none", "")
    lines = result.log.split("\n")
    assert set(lines) == {"True"}
    assert len(lines) >= len(AT_ONCE)


@pytest.mark.parametrize(
    "guard",
    [
        "try:\n    signal.signal(signal.SIGSYS, lambda *_: None)\nexcept PermissionError:\n    pass",
        "try:\n    signal.signal(signal.SIGTRAP, lambda *_: None)\nexcept PermissionError:\n    pass",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))",
    ],
    ids=["SIGSYS handled", "SIGTRAP handled", "all blocked"],
)
def test_no_signal_that_is_handled_or_blocked_keeps_a_bot_that_waits_from_its_end(guard: str) -> None:
    result = trial.play(trial.bot_of(f"{guard}\nthreading.Event().wait(0.001)\nreturn 1", IMPORTS))
    assert (result.kind, result.answers) == ("forbidden_syscall", [])


@pytest.mark.parametrize("wait", ["a nap", "a select", "a lock", "a condition"])
def test_whoever_waits_beside_numpy_is_at_fault_by_the_same_sentence(wait: str) -> None:
    work = "import numpy as np\nnp.linalg.svd(np.ones((60, 60)))\n"
    result = numeric_kit.play_numeric(trial.bot_of(work + (NAMED | LOCKS)[wait], IMPORTS))
    assert (result.kind, result.answers) == ("forbidden_syscall", [])
    assert WAIT_ERROR in result.message
