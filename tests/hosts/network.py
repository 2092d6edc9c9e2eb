"""Several machines on one: a network namespace for each, joined by a bridge that has a namespace of its own.

Nothing of it is in the machine's own network, and removing the namespaces removes all of it.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gangland_web.process import before_exec

SITE = "site"
PREFIX = "gangland"
RUN = Path("/run/netns")
_CARD = "eth0"


class CannotNetwork(RuntimeError):
    """Namespaces cannot be made here; the message says why."""


@dataclass(frozen=True)
class Machine:
    name: str
    address: str

    def start(
        self, command: Sequence[str], log: IO[bytes] | int, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start a program in a new session; call this in the main thread, with which the program dies."""
        return subprocess.Popen(
            ["nsenter", f"--net={RUN / self.name}", "--", *command],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            text=True,
            start_new_session=True,
            preexec_fn=before_exec(),  # noqa: PLW1509  # a run has one thread when it starts something
        )

    def cut(self) -> None:
        _ip("-n", self.name, "link", "set", _CARD, "down")

    def fix(self) -> None:
        _ip("-n", self.name, "link", "set", _CARD, "up")


def why_not() -> str | None:
    """Return why no namespaces can be made here, else None."""
    if os.geteuid() != 0:
        return "network namespaces are made as root alone"
    missing = [name for name in ("ip", "nsenter") if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} not found (apt install iproute2 util-linux)"
    probe = f"{PREFIX}-{os.getpid()}-probe"
    try:
        _ip("netns", "add", probe)
    except CannotNetwork as failure:
        return str(failure)
    _ip("netns", "del", probe)
    return None


@contextmanager
def network(hosts: int) -> Iterator[tuple[Machine, list[Machine]]]:
    """Make a machine for the site and some for workers; remove all at the end.  Raises CannotNetwork."""
    remove_left_over()
    mark = f"{PREFIX}-{os.getpid()}"
    hub = f"{mark}-hub"
    names = [SITE, *(f"host{number}" for number in range(1, hosts + 1))]
    machines = [Machine(f"{mark}-{name}", f"10.77.0.{10 + number}") for number, name in enumerate(names)]
    try:
        _ip("netns", "add", hub)
        _ip("-n", hub, "link", "add", "bridge", "type", "bridge")
        _ip("-n", hub, "link", "set", "bridge", "up")
        for number, machine in enumerate(machines):
            _ip("netns", "add", machine.name)
            cable = ("link", "add", _CARD, "netns", machine.name, "type", "veth", "peer", f"port{number}", "netns", hub)
            _ip(*cable)
            _ip("-n", hub, "link", "set", f"port{number}", "master", "bridge", "up")
            _ip("-n", machine.name, "address", "add", f"{machine.address}/24", "dev", _CARD)
            _ip("-n", machine.name, "link", "set", "lo", "up")
            machine.fix()
        yield machines[0], machines[1:]
    finally:
        _remove(mark)


def remove_left_over() -> None:
    for found in RUN.glob(f"{PREFIX}-*"):
        owner = found.name.split("-")[1]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            _remove(f"{PREFIX}-{owner}")


def _remove(mark: str) -> None:
    for found in sorted(RUN.glob(f"{mark}-*")):
        subprocess.run(["ip", "netns", "del", found.name], check=False, capture_output=True)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotNetwork(f"ip {' '.join(words)}: {done.stderr.strip()}")
