"""The jail itself: how it is opened, that it dies with its referee, and what is said when it cannot be built."""

import ctypes
import os
import re
import shutil
import signal
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from tests.sandbox.leftovers import gone
from tests.sandbox.trial import GAME, HONEST, SEED, TIGHT, apart, bot_of, in_a_child, open_descriptors, raised

from gangland_sandbox import asking, errors, jail, layout, orphans, runtime, treebuild


def program(folder: Path, script: str) -> str:
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH | stat.S_IROTH)
    for parent in (folder, *folder.parents):
        if parent.stat().st_uid == os.getuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
    return str(path)


def opening_fails() -> list[Any]:
    before = open_descriptors()
    try:
        asking.BotProcess.open(HONEST, filename="b.py", game=GAME, limits=TIGHT)
        output = "it opened"
    except errors.SandboxError as failure:
        output = str(failure)
    return [output, len(open_descriptors() - before), raised(lambda: os.waitpid(-1, os.WNOHANG))]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "echo 'bwrap: No permissions to create a new namespace' >&2; exit 1",
            "No permissions to create a new namespace",
        ),
        ("exit 1", "the jail could not be built"),
        ("exit 0", "the jail could not be built"),
        ("kill -9 $$", "the jail could not be built"),
    ],
)
def test_an_unbuilt_jail_says_why(script: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime.prepare()
    command = program(tmp_path, script)
    monkeypatch.setattr(jail, "bubblewrap", lambda: command)
    output, descriptors, children = apart(opening_fails)
    assert words in output
    assert (descriptors, children) == (0, "ChildProcessError")


@pytest.mark.parametrize(
    ("module", "name", "value", "words"),
    [
        (jail, "filter_bytes", lambda _: b"not a filter", "jail|harness"),
        (treebuild, "filter_bytes", lambda _: b"no rules" * 3, "the filter of a bot's process could not be set"),
        (jail, "PYTHON_FLAGS", ("-c", "raise SystemExit('broken runtime')"), "broken runtime"),
        (shutil, "which", lambda _: None, "apt install bubblewrap"),
    ],
    ids=["a filter that does not load", "a bot's own one", "a harness that does not start", "no bubblewrap"],
)
def test_where_a_part_of_the_jail_fails_no_bot_is_loaded_and_nothing_is_left(
    module: Any, name: str, value: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime.prepare()
    monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(jail, "bubblewrap", jail.bubblewrap.__wrapped__)
    if module is treebuild:
        monkeypatch.setattr(runtime, "_prepared", {})
    output, descriptors, children = apart(opening_fails)
    assert re.search(words, output)
    assert (descriptors, children) == (0, "ChildProcessError")


@in_a_child
def test_a_jail_dies_with_its_referee() -> None:
    result, telling = os.pipe()
    referee = os.fork()
    if referee == 0:
        bot = asking.BotProcess.open(bot_of("os.read(3, 1)", "import os"), filename="b.py", game=GAME, limits=TIGHT)
        os.write(telling, str(bot.pid).encode())
        signal.pause()
    pid = int(os.read(result, 100))
    os.close(result)
    os.close(telling)
    os.kill(referee, signal.SIGKILL)
    os.waitpid(referee, 0)
    assert gone(pid) == "gone"


@in_a_child
def test_a_jail_killed_from_outside_is_nobodys_fault() -> None:
    before = open_descriptors()
    bot = asking.BotProcess.open(HONEST, filename="b.py", game=GAME, limits=TIGHT)
    os.kill(bot._child.jail._process.pid, signal.SIGTERM)
    assert gone(bot.pid) == "gone"
    caught = raised(lambda: bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED))
    bot.close()
    assert [caught, len(open_descriptors() - before), gone(bot.pid)] == ["SandboxError", 0, "gone"]


@in_a_child
def test_a_jail_killed_once_it_has_spoken_and_before_it_is_given_a_bot_is_nobodys_fault() -> None:
    before = open_descriptors()
    opened = jail.open_jail(runtime.prepare())
    child = opened.fork()
    while not opened.wait_until_ready(1.0):
        pass
    assert opened._has_message(30.0)  # it has said hello, and nobody has heard it yet
    opened._process.kill()
    opened._process.wait()
    while opened._zygote is not None and not jail._readable(opened._zygote, 1.0):
        pass
    caught = raised(lambda: child.wait_for_hello(1.0))
    child.kill()
    assert [caught, len(open_descriptors() - before)] == ["SandboxError", 0]


@pytest.mark.parametrize("mode", ["jail", "trusted"])
def test_an_interrupt_from_the_keyboard_does_not_reach_a_bot(mode: str) -> None:
    def interrupted() -> list[Any]:
        with asking.BotProcess.open(HONEST, filename="b.py", game=GAME, limits=TIGHT, mode=mode) as bot:
            return [os.getpgid(bot._child.jail._process.pid) != os.getpgid(0), os.getpgid(bot.pid) != os.getpgid(0)]

    assert (apart(interrupted) if mode == "jail" else interrupted()) == [True, True]


@in_a_child
def test_many_jails_in_a_row_leave_nothing() -> None:
    before = open_descriptors()
    for _ in range(8):
        asking.BotProcess.open(HONEST, filename="b.py", game=GAME, limits=TIGHT).close()
    assert [len(open_descriptors() - before), raised(lambda: os.waitpid(-1, os.WNOHANG))] == [0, "ChildProcessError"]


@in_a_child
def test_two_jails_at_once_know_nothing_of_each_other() -> None:
    source = bot_of("self.log(os.getppid())\nreturn 1", "import os")
    bots = [asking.BotProcess.open(source, filename="b.py", game=GAME, limits=TIGHT) for _ in range(2)]
    for bot in bots:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
    assert [bot.ask("dice", (0,), 0) for bot in bots] == [1, 1]
    assert [bot.take_log() for bot in bots] == ["1", "1"]
    bots[0].close()
    assert bots[1].ask("dice", (0,), 1) == 1
    bots[1].close()


def test_in_a_container_user_namespaces_are_left_to_the_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jail, "can_disable_userns", lambda: False)
    assert "--disable-userns" not in jail.jail_command(runtime.prepare())
    monkeypatch.setattr(jail, "can_disable_userns", lambda: True)
    assert "--disable-userns" in jail.jail_command(runtime.prepare())


@pytest.mark.parametrize(
    ("options", "read_only", "known"), [("--disable-userns", 0, True), ("--disable-userns", 1, False), ("", 0, False)]
)
def test_user_namespaces_are_closed_by_bubblewrap_where_it_can(
    options: str, read_only: int, known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Mounted:
        f_flag = read_only

    command = program(tmp_path, f"echo '    {options}    Disable'")
    monkeypatch.setattr(jail, "bubblewrap", lambda: command)
    monkeypatch.setattr("gangland_sandbox.jail.os.statvfs", lambda _: Mounted)
    assert jail.can_disable_userns.__wrapped__() is known


@pytest.mark.parametrize(
    ("status", "forbidden", "words"),
    [
        (0, False, "status 0"), (9, False, "SIGKILL"), (11, False, "SIGSEGV"), (31, True, "SIGSYS"),
        (137 << 8, False, "status 137"), (159 << 8, False, "status 159"),
    ],
)  # fmt: skip
def test_an_end_is_told_in_words(status: int, forbidden: bool, words: str) -> None:
    end = jail.End(status, 0.0, 0)
    assert end.forbidden is forbidden
    assert words in end.summary


# Jails lie at the same addresses each time; what starts them does not stay so.


WHERE = bot_of("self.log(id(len))\nreturn 1")


def where_jails_lie() -> list[Any]:
    """Return the number of different addresses of one object in some jails, and this process's own setting."""
    places = set()
    for _ in range(3):
        with asking.BotProcess.open(WHERE, filename="b.py", game=GAME, limits=TIGHT) as bot:
            bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
            bot.ask("dice", (0,), 0)
            places.add(bot.take_log())
    return [len(places), ctypes.CDLL(None).personality(0xFFFFFFFF) & 0x40000]


def test_all_jails_have_their_python_at_the_same_place_and_the_referee_keeps_its_own() -> None:
    assert apart(where_jails_lie) == [1, 0]


@in_a_child
def test_jails_are_opened_where_addresses_stay_random() -> None:
    layout._personality = lambda: lambda _: -1  # type: ignore[assignment]
    places, own = where_jails_lie()
    assert places >= 1
    assert own == 0


# Half-opened jails whose referee was killed are ended by the next referee, and no others are.


def half_opened() -> int:
    """Leave a waiting jail whose outer process was killed; return the inner one."""
    command = [part for part in jail.jail_command(runtime.prepare()) if part != "--die-with-parent"]
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


@in_a_child
def test_a_half_opened_jail_without_a_referee_is_ended_and_a_jail_in_use_is_not() -> None:
    with asking.BotProcess.open(HONEST, filename="b.py", game=GAME, limits=TIGHT) as bot:
        pid = half_opened()
        found = [adopted(pid), orphans.sweep(runtime.prepare()) >= 1, gone(pid)]
        bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
        assert [*found, orphans.sweep(runtime.prepare()), bot.alive] == [True, True, "gone", 0, True]
