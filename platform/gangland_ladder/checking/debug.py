"""Debug one view of a check, for `gangland check --pdb`; the bot runs in this process, outside the jail."""

import json
import pdb  # noqa: T100  (this module is for debugging)
import signal
import sys
from bdb import BdbQuit
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gangland.bot import BaseBot, DecisionRequest, GameEnd, remember
from gangland.faults import BotFault, FaultKind
from gangland.game import Game
from gangland.games import game_named
from gangland.view import Clock
from gangland_ladder.checking.examination import Bench, CheckedView, Examination, ViewReached, plan_of, stop_at_view
from gangland_ladder.checking.problems import allowed_answers, answer_text, fault_message
from gangland_ladder.common.runtime import FINDINGS, INTERRUPTED, USAGE
from gangland_sandbox import caps, errors, inside, intake, wire
from gangland_sandbox.limits import Limits, Profile

BLOCKS = 12
IsRequested = Callable[[], bool]


def debug(
    path: Path, game_name: str, options: dict[str, object], sizes: list[int], number: int, profile: str, salt: bytes
) -> int:
    """Run the check up to a view, debug the bot's decision there, and print the result; return the exit code."""
    game, limits = game_named(game_name), Limits.of(Profile(profile), BLOCKS)
    bench = Bench(path.read_bytes(), path.name, game, limits, game.options(options), sizes, salt)

    def is_requested() -> bool:
        return examination.views == number

    def open_process() -> InProcess:
        return InProcess(bench, is_requested)

    examination = Examination(bench, open_process, stop_at_view(number), lambda _: None)
    try:
        examination.run(plan_of(bench.table_sizes))
    except ViewReached as reached:
        return _report(game, reached.checked)
    except (errors.UploadRejected, BotFault) as error:
        sys.stderr.write(f"gangland: {wire.clean(str(error))}\n")
        return FINDINGS
    except KeyboardInterrupt:
        sys.stderr.write("gangland: interrupted\n")
        return INTERRUPTED
    sys.stderr.write(f"gangland: no view {number}: this check has {examination.views} views\n")
    return USAGE


def _report(game: Game[Any], checked: CheckedView) -> int:
    verdict = "illegal" if checked.illegal_decision is not None else "legal" if checked.fault is None else "a fault"
    if checked.fault is None:
        sentence = f"choose_{checked.kind}() returned {answer_text(checked.answer)}: {verdict}."
    elif checked.fault.kind is FaultKind.ILLEGAL:
        sentence = "{}: a fault. {}".format(*fault_message(checked.fault).split("\n")[:2])
    else:
        sentence = f"choose_{checked.kind}() raised an exception: a fault."
    sys.stdout.write(f"{wire.clean(sentence)} {allowed_answers(game, checked)}\n")
    return 0 if verdict == "legal" else FINDINGS


class InProcess:
    """A bot in this process, with one decision in the debugger. Raises UploadRejected, BotFault: it fails to load."""

    import_s = 0.0
    cpu_s = 0.0
    written_share = 0.0

    def __init__(self, bench: Bench, is_requested: IsRequested) -> None:
        limits, bundle = bench.limits, intake.unpack(bench.source, bench.filename, caps.CAPS[bench.limits.profile])
        self._is_requested = is_requested
        self._decision_s = limits.decision_cpu_s
        self._harness = inside.Harness(_LogPrinter())  # type: ignore[arg-type]
        self._clock = Clock(limits.decision_cpu_s, limits.bank_cpu_s, limits.bank_wall_s)
        with _as_fault(FaultKind.IMPORT_ERROR):
            ready = self._harness.adopt(bench.game.name, bundle.main, bundle.files)
        self.name, *rows = ready.decode().split("\n")
        self.method_lines = {kind: int(line) for kind, _, line in (row.partition("=") for row in rows)}

    def start_game(self, *, seat: int, seats: int, options: Mapping[str, object], rng_seed: bytes) -> None:
        """Begin a game; the bot gets the same random numbers as in the jail. Raises BotFault: the bot failed."""
        with _as_fault(FaultKind.CRASHED):
            self._harness.start(seat, seats, dict(options), rng_seed)

    def ask(self, kind: str, view_wire: Any, _number: int) -> Any:
        """Return the bot's answer, in the debugger if this is the view to debug. Raises BotFault: the bot failed."""
        harness = self._harness
        bot, view = harness.bot, harness.view(view_wire, self._clock, kind)
        remember(bot, view)
        with _as_fault(FaultKind.CRASHED):
            if self._is_requested():
                answer = _debug_decision(bot, kind, view)
            else:
                with _time_limit(self._decision_s):
                    answer = bot.act(DecisionRequest(kind, view))
        try:
            return json.loads(harness.encode_answer(kind, answer))
        except inside.BadAnswer as error:
            raise BotFault(FaultKind.ILLEGAL, str(error)) from error

    def check_output(self) -> None:
        """Do nothing, because output goes directly to the terminal."""

    def end_game(self, result: GameEnd) -> None:
        """Send the result to the bot. Raises BotFault: the bot failed."""
        with _as_fault(FaultKind.CRASHED):
            self._harness.end(result.places, result.faulted, result.reason)

    def method_line(self, kind: str) -> int | None:
        """Return the line of `choose_<kind>`."""
        return self.method_lines.get(kind)

    def close(self) -> None:
        """Do nothing."""


class _LogPrinter:
    def send(self, _kind: int, _number: int, body: bytes = b"") -> None:
        sys.stderr.write(f"  log | {wire.clean(body.decode('utf-8', 'replace'))}\n")


class _TooLate(BaseException):
    """A decision outside the debugger took too long; a bot's `except Exception` does not catch this."""


@contextmanager
def _as_fault(kind: FaultKind) -> Iterator[None]:
    try:
        yield
    except _TooLate:
        raise BotFault(FaultKind.DECISION_TIME, "the decision took too long") from None
    except Exception as error:
        raise BotFault(kind, inside.explain(error)) from error


@contextmanager
def _time_limit(limit_s: float) -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, _too_late)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _too_late(_signal: int, _frame: object) -> None:
    raise _TooLate


def _debug_decision(bot: Any, kind: str, view: Any) -> Any:
    debugger = pdb.Pdb()
    try:
        if type(bot).act is BaseBot.act:
            return debugger.runcall(getattr(bot, f"choose_{kind}"), view)
        return debugger.runcall(bot.act, DecisionRequest(kind, view))
    except BdbQuit:
        raise SystemExit(0) from None
    except Exception as error:
        sys.stderr.write(f"{wire.clean(inside.explain(error))}\nThe debugger stopped at the exception:\n")
        pdb.post_mortem(error.__traceback__)
        raise


# This runs in a separate process, so that Python's hashes are the same as in the jail.
if __name__ == "__main__":
    _, file, name, options, sizes, view, profile, salt = sys.argv
    sys.exit(debug(Path(file), name, json.loads(options), json.loads(sizes), int(view), profile, bytes.fromhex(salt)))
