"""One view of a check under the debugger: the bot runs in this very process, without the jail.

`python -m gangland_ladder.check_debug FILE GAME OPTIONS SIZES NUMBER` is what `gangland check --pdb` starts, in
a process of its own, so that Python's hashes are those of the jail.
"""

from __future__ import annotations

import json
import pdb  # noqa: T100  (it is what this module is for)
import sys
from bdb import BdbQuit
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gangland.bot import BaseBot, DecisionRequest, GameEnd
from gangland.faults import BotFault, FaultKind
from gangland.games import game_named
from gangland.view import Clock
from gangland_ladder.check_play import Asked, Examination, plan_of
from gangland_ladder.check_words import allowed, shown
from gangland_sandbox.inside import BadAnswer, Harness, explain, to_json
from gangland_sandbox.intake import unpack
from gangland_sandbox.limits import Limits
from gangland_sandbox.wire import clean

BLOCKS = 12
Wanted = Callable[[], bool]


class _Printing:
    """In place of the pipes: the bot's log goes to the terminal."""

    def send(self, _kind: int, _number: int, body: bytes = b"") -> None:
        """Print a line of the bot's log."""
        sys.stderr.write(f"  log | {clean(body.decode('utf-8', 'replace'))}\n")


class InProcess:
    """A bot in this process, asked as the jail's harness asks it; one of its decisions under the debugger.

    Args:
        wanted: whether the question that comes now is the one to stop at.
    """

    import_s = 0.0
    cpu_s = 0.0
    written_share = 0.0

    def __init__(self, source: bytes, filename: str, game: str, limits: Limits, wanted: Wanted) -> None:
        bundle = unpack(source, filename)
        self._wanted = wanted
        self._harness = Harness(_Printing())  # type: ignore[arg-type]
        self._clock = Clock(limits.decision_cpu_s, limits.bank_cpu_s, limits.bank_wall_s)
        name, *rows = self._harness.adopt(game, bundle.main, bundle.files).decode().split("\n")
        self.name = name
        self._lines = {kind: int(line) for kind, _, line in (row.partition("=") for row in rows)}

    def start_game(self, *, seat: int, seats: int, options: Mapping[str, object], rng_seed: bytes) -> None:
        """Begin a game, with the same chance for the bot as in the jail."""
        self._harness.start(seat, seats, dict(options), rng_seed)

    def ask(self, kind: str, view_wire: Any, _number: int) -> Any:
        """Return the bot's answer; where it is the wanted question, step through it.

        Raises:
            BotFault: the bot failed.
        """
        bot, view = self._harness.bot, self._harness.view(view_wire, self._clock)
        wanted = self._wanted()
        try:
            returned = self._stepped(bot, kind, view) if wanted else bot.act(DecisionRequest(kind, view))
            return json.loads(to_json(bot.encode(kind, returned)))
        except (TypeError, BadAnswer) as refused:
            raise BotFault(FaultKind.ILLEGAL, explain(refused)) from refused
        except Exception as failure:
            raise BotFault(FaultKind.CRASHED, explain(failure)) from failure

    @staticmethod
    def _stepped(bot: Any, kind: str, view: Any) -> Any:
        debugger = pdb.Pdb()
        try:
            if type(bot).act is BaseBot.act:
                return debugger.runcall(getattr(bot, f"choose_{kind}"), view)
            return debugger.runcall(bot.act, DecisionRequest(kind, view))
        except BdbQuit:
            raise SystemExit(0) from None
        except Exception as failure:
            sys.stderr.write(f"{explain(failure)}\nAfter the exception, where it was raised:\n")
            pdb.post_mortem(failure.__traceback__)
            raise

    def look_at_output(self) -> None:
        """Nothing to take: what is printed stands on the terminal."""

    def end_game(self, result: GameEnd) -> None:
        """Tell the bot how its game ended."""
        self._harness.end(result.places, result.faulted, result.reason)

    def method_line(self, kind: str) -> int | None:
        """Return the line of `choose_<kind>`."""
        return self._lines.get(kind)

    @property
    def method_lines(self) -> dict[str, int]:
        """The lines of all `choose_<kind>`."""
        return self._lines

    def close(self) -> None:
        """Nothing to give back."""


def debug(path: Path, game_name: str, options: dict[str, object], sizes: list[int], number: int) -> None:
    """Play the check up to a view, step through the bot's decision there, and say what came of it."""
    game, limits = game_named(game_name), Limits.plain(BLOCKS)

    def wanted() -> bool:
        return playing.views == number

    def opens() -> InProcess:
        return InProcess(path.read_bytes(), path.name, game_name, limits, wanted)

    def saw(asked: Asked) -> None:
        if asked.number == number:
            came = "raised" if asked.fault is not None else f"returned {shown(asked.answer)}"
            verdict = "illegal" if asked.refused is not None else "legal" if asked.fault is None else "a fault"
            sys.stdout.write(f"choose_{asked.kind}() {came}: {verdict}. {allowed(game, asked)}\n")
            raise SystemExit(0)

    playing = Examination(game, game.options(options), opens, saw, lambda _: None)
    playing.run(plan_of(sizes))
    raise SystemExit(f"the check has {playing.views} views, and no view {number}")


if __name__ == "__main__":
    _, file, name, given, tables, view = sys.argv
    debug(Path(file), name, json.loads(given), json.loads(tables), int(view))
