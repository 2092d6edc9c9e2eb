"""No process of the platform can be looked into by another one of the same user, and none shows what it was told."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.kits.broker_kit import running_broker

from gangland_sandbox.privileges import JAIL_ID
from gangland_web.base.secrecy import SECRETS, forget_secrets
from gangland_web.broker.server import BrokerPlan
from gangland_web.models.database import Database
from gangland_web.ops.prepare import prepare
from gangland_web.settings import sqlite_url

PATIENCE_S = 240.0

NOSY = """
import ctypes, os, sys
pid = int(sys.argv[1])
user = int(sys.argv[2])
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
found = []
for name in ("environ", "mem", "maps", "auxv"):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            file.read(1)
        found.append(name)
    except OSError as error:
        if error.errno not in (1, 13):
            found.append(f"{name}: {error}")
for name in ("fd", "map_files", "task/%d/fd" % pid):
    try:
        os.listdir(f"/proc/{pid}/{name}")
        found.append(name)
    except PermissionError:
        pass
for name in ("exe", "cwd", "root", "ns/net"):
    try:
        os.readlink(f"/proc/{pid}/{name}")
        found.append(name)
    except PermissionError:
        pass
libc = ctypes.CDLL(None, use_errno=True)
if libc.ptrace(16, pid, 0, 0) == 0:
    found.append("ptrace")
here = (ctypes.c_char * 8)()
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
mine, theirs = Piece(ctypes.addressof(here), 8), Piece(0x400000, 8)
if libc.process_vm_readv(pid, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0) >= 0:
    found.append("process_vm_readv")
elif ctypes.get_errno() != 1:
    found.append(f"process_vm_readv: {ctypes.get_errno()}")
print(os.getuid(), *found)
"""


def looked_into(pid: int, user: int) -> list[str]:
    ran = subprocess.run([sys.executable, "-c", NOSY, str(pid), str(user)], capture_output=True, text=True, check=True)
    own, *found = ran.stdout.split()
    assert int(own) == user
    return found


@contextmanager
def running(command: list[str], environment: dict[str, str], log: Path, user: int | None = None) -> Iterator[Any]:
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=out, user=user, group=user, cwd="/")
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)  # whoever looked into it may have left it stopped
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until(happened: Callable[[], object], process: Any, log: Path) -> None:
    until = time.monotonic() + PATIENCE_S
    while not happened():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.05)


def shown(pid: int) -> bytes:
    """Return the environment and command of a process as the kernel shows them to root."""
    return Path(f"/proc/{pid}/environ").read_bytes() + Path(f"/proc/{pid}/cmdline").read_bytes()


def test_a_plain_process_is_looked_into_by_one_of_its_user(tmp_path: Path) -> None:
    """Without this, the tests below would pass on a machine that forbids it anyway."""
    user = JAIL_ID if os.geteuid() == 0 else os.getuid()
    environment = {"PATH": os.environ["PATH"]}
    with running(["sleep", "600"], environment, tmp_path / "log", user=user) as process:
        time.sleep(0.2)
        assert {"environ", "maps", "fd"} <= set(looked_into(process.pid, user))


def test_a_match_worker_cannot_be_looked_into_by_its_own_user(broker: BrokerPlan, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "WORKER_REDIS_URL": broker.worker_redis_url}
    secret, log = broker.worker_redis_url.split(":")[2].split("@")[0].encode(), tmp_path / "log"
    with running([sys.executable, "-m", "gangland_web.workers.match"], environment, log) as process:
        wait_until(lambda: "ready to play" in log.read_text(), process, log)
        user = JAIL_ID if os.geteuid() == 0 else os.getuid()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert children  # the watchdog has the same address of the broker in its memory
        for pid in (process.pid, int(children[0])):
            assert Path(f"/proc/{pid}/status").read_text().split("\nUid:\t")[1].split()[0] == str(user)
            assert looked_into(pid, user) == []
            if os.geteuid() == 0:
                assert secret not in shown(pid)
                assert b"PATH=" in shown(pid)


@pytest.mark.parametrize("module", ["records", "beat"])
def test_a_process_of_the_platform_shows_no_secret(module: str, tmp_path: Path) -> None:
    with running_broker(tmp_path / "broker") as broker:
        database = Database(sqlite_url(tmp_path))
        prepare(database)
        database.close()
        named = {"REDIS_URL": broker.redis_url, "DATABASE_URL": database.url, "SMTP_URL": ""}
        environment = {"PATH": os.environ["PATH"], **named}
        secret, log = broker.redis_url.split(":")[2].split("@")[0].encode(), tmp_path / "log"
        with running([sys.executable, "-m", f"gangland_web.workers.{module}"], environment, log) as process:
            output = {"records": "recording", "beat": "sending periodic tasks"}[module]
            wait_until(lambda: output in log.read_text(), process, log)
            if os.geteuid() == 0:
                assert secret not in shown(process.pid)
                assert b"DATABASE_URL=\0" in shown(process.pid)
            else:
                assert looked_into(process.pid, os.getuid()) == []


BLANKED = """
import os
from pathlib import Path
from gangland_web.base.secrecy import keep_private, forget_secrets
keep_private()
keep_private()
shown = Path("/proc/self/environ").read_bytes()
assert b"hush" not in shown, shown
assert b"OTHER=loud" in shown, shown
assert os.environ["SECRET_KEY"] == "hush"
forget_secrets()
assert "SECRET_KEY" not in os.environ
if os.fork() == 0:
    import ctypes
    os._exit(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
assert os.wait()[1] == 0, "a child that is forked is closed too"
print("held")
"""


def test_secrets_are_blanked_in_the_first_environment_alone() -> None:
    environment = {"PATH": os.environ["PATH"], "SECRET_KEY": "hush", "OTHER": "loud", "DATABASE_URL": "sqlite:///hush"}
    ran = subprocess.run([sys.executable, "-c", BLANKED], env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout == "held\n", ran.stderr


def test_every_secret_setting_is_forgotten_with_its_file() -> None:
    environ = {name: "x" for secret in SECRETS for name in (secret, f"{secret}_FILE")} | {"PATH": "/bin"}
    forget_secrets(environ)
    assert environ == {"PATH": "/bin"}
