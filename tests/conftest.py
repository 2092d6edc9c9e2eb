"""What every test gets: the project's root, no network beyond this machine, and chance that can be repeated."""

from __future__ import annotations

import gc
import ipaddress
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).resolve().parent.parent
ONE_SITE = "tests/browser/"
"""The modules of this folder share a site full of matches, and a browser."""

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

# A shell's background jobs ignore Ctrl-C, and so would every process of the tests that press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Keep temporary folders apart from another run's: pytest closes their common parent to the jails' user anew."""
    if "PYTEST_XDIST_WORKER" not in os.environ and "PYTEST_DEBUG_TEMPROOT" not in os.environ:
        folder = mkdtemp(prefix="gangland-tests-")
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        Path(folder).chmod(0o711)
        config.add_cleanup(lambda: rmtree(folder, ignore_errors=True))


def pytest_collection_finish() -> None:
    """Look for garbage less often, and never again among what collecting thousands of tests has made."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with modules in which something is slow, so that no process waits for one of them at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


class WholeModules(LoadFileScheduling):  # type: ignore[misc]  # xdist says nothing of its types
    """Gives a process that is done the next module: what its tests share, such as a site, is made in one process."""

    def _split_scope(self, nodeid: str) -> str:
        module: str = super()._split_scope(nodeid)
        return ONE_SITE if module.startswith(ONE_SITE) else module


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> WholeModules | None:
    """Deal tests out by whole modules, in the order in which they are collected."""
    config.option.loadscopereorder = False
    return WholeModules(config, log) if config.getvalue("dist") == "load" else None


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the checkout."""
    return ROOT


def is_loopback(address: Any) -> bool:
    """Tell whether a socket's address stays on this machine."""
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
    """Let local runs be kept in a folder of the tests' own, their salt be fixed, and no user's settings be read."""
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
    """Let sockets reach this machine alone, so that no test hangs on somebody's server."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if not is_loopback(address):
            raise PermissionError(f"a test may connect to this machine alone, not to {address!r}")
        connect(self, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", guarded)
    yield
    patch.undo()
