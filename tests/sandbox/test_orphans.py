"""Half-opened jails whose referee was killed are ended by the next referee, and no others are."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.sandbox.leftovers import gone
from tests.sandbox.trial import GAME, HONEST, SEED, TIGHT, apart

from gangland_sandbox import runtime
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.jail import jail_command
from gangland_sandbox.orphans import sweep


def half_opened() -> int:
    """Leave a jail that waits for ever, whose outer process was killed; return the inner one."""
    command = [part for part in jail_command(runtime.prepare()) if part != "--die-with-parent"]
    at = command.index("--seccomp")
    waiting, never = os.pipe()
    info, result = os.pipe()
    requested = [*command[:at], "--block-fd", str(waiting), "--info-fd", str(result), "--", "/usr/bin/python3"]
    outer = subprocess.Popen(requested, env={}, pass_fds=(waiting, result), stderr=subprocess.DEVNULL)
    os.close(result)
    with open(info) as words:
        pid = int(words.read().partition('"child-pid":')[2].split()[0].rstrip(",}"))
    outer.kill()
    outer.wait()
    assert never  # held open by this process, so that the inner one waits
    return pid


def adopted(pid: int) -> bool:
    for _ in range(500):
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1] == "1":
            return True
        time.sleep(0.01)
    return False


def test_a_half_opened_jail_without_a_referee_is_ended_and_a_jail_in_use_is_not() -> None:
    def swept() -> list[Any]:
        with BotProcess.open(HONEST, filename="b.py", game=GAME, limits=TIGHT) as bot:
            pid = half_opened()
            found = [adopted(pid), sweep(runtime.prepare()) >= 1, gone(pid)]
            bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
            return [*found, sweep(runtime.prepare()), bot.alive]

    assert apart(swept) == [True, True, "gone", 0, True]
