"""What every test gets: the project's root, no network beyond this machine, and chance that can be repeated."""

import atexit
import gc
import ipaddress
import os
import signal
import socket
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from gangland_ladder.common.runtime import calculate_on_one_thread

ROOT = Path(__file__).resolve().parent.parent
ONE_SITE = "tests/browser/"  # the modules of this folder share a site full of matches, and a browser

# Collecting makes millions of objects and no garbage worth looking for.
gc.disable()

# What a kit asserts is explained as what a test does.
pytest.register_assert_rewrite("tests.kits")

# No test hangs on how fast a machine is, and a failure comes again with the same command.
settings.register_profile(
    "gangland", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("gangland")

# Hundreds of processes are started from here, and none of them should compile again what another has compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every process of the tests calculates on one thread, as the command line does: the others would only wait.
calculate_on_one_thread()

# A shell's background jobs ignore Ctrl-C, and so would every process of the tests that press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


PREFIX = "gangland-tests-"
MEMORY = Path("/dev/shm")
ROOM = 6 << 30  # the most bytes of a run, with a good margin: half of it with long tests


def _folder_in_memory() -> str | None:
    """Return a file system in memory with room for a run's hundreds of databases, if there is one."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return None
    room, pages = os.statvfs(MEMORY), os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    runs_programs = not room.f_flag & os.ST_NOEXEC
    return str(MEMORY) if runs_programs and min(room.f_bavail * room.f_frsize, pages) > ROOM else None


def pytest_configure() -> None:
    """Keep temporary folders apart from another run's: pytest closes their common parent to the jails' user."""
    if "PYTEST_XDIST_WORKER" not in os.environ and "PYTEST_DEBUG_TEMPROOT" not in os.environ:
        for left in MEMORY.glob(f"{PREFIX}*"):  # by a run that was killed
            if not Path("/proc", left.name.removeprefix(PREFIX).partition("-")[0]).exists():
                rmtree(left, ignore_errors=True)
        folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=_folder_in_memory())
        os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = tempfile.tempdir = folder
        Path(folder).chmod(0o1777)  # some tests are other users
        atexit.register(rmtree, folder, ignore_errors=True)  # the last: servers of the tests still end at the exit


def pytest_collection_finish() -> None:
    """Exclude the objects of the collection from garbage collection, and collect less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests that are marked `long`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests unless asked for, and start with the modules that have slow ones."""
    long = {item for item in items if _is_long(item)}
    if long and not config.getoption("long"):
        config.hook.pytest_deselected(items=[item for item in items if item in long])
        items[:] = [item for item in items if item not in long]
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def _is_long(item: pytest.Item) -> bool:
    marks = list(item.iter_markers("long"))
    for mark in marks:
        if len(mark.args) != 1 or mark.kwargs or not isinstance(mark.args[0], str):
            raise pytest.UsageError(f'{item.nodeid}: expected long("the reason"), got {mark.args} {mark.kwargs}')
    return bool(marks)


SECONDS: defaultdict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    SECONDS["/".join(report.nodeid.split("::")[0].split("/")[:-1])] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("seconds of each folder")
    for folder, seconds in sorted(SECONDS.items(), key=lambda row: -row[1]):
        terminalreporter.write_line(f"{seconds:7.1f}  {folder}")


class WholeModules(LoadFileScheduling):  # type: ignore[misc]  # xdist says nothing of its types
    """Deals out whole modules: what the tests of one share, such as a site, is made in one process."""

    def _split_scope(self, nodeid: str) -> str:
        module: str = super()._split_scope(nodeid)
        return ONE_SITE if module.startswith(ONE_SITE) else module


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> WholeModules | None:
    config.option.loadscopereorder = False
    return WholeModules(config, log) if config.getvalue("dist") == "load" else None


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


def is_loopback(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True
    host = str(address[0]).split("%")[0]
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True, scope="session")
def _own_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep local runs in a folder of the tests, with a fixed salt and without the user's settings."""
    with pytest.MonkeyPatch.context() as patch:
        data = tmp_path_factory.mktemp("data")
        salt = data / "gangland" / "local" / "salt"
        salt.parent.mkdir(parents=True)
        salt.write_text("00" * 32 + "\n")
        patch.setenv("XDG_DATA_HOME", str(data))
        patch.setenv("GANGLAND_RUNS", str(tmp_path_factory.mktemp("runs")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Let sockets reach this machine only, so that no test depends on another server."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if not is_loopback(address):
            raise PermissionError(f"a test may connect to this machine alone, not to {address!r}")
        connect(self, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", guarded)
    yield
    patch.undo()
