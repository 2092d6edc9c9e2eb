"""The whole compose file under a name, a port and an image of its own: brought up, looked at, killed, taken away."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import ruamel.yaml
from tests.compose import engine
from tests.flow.flow_kit import free_port

IMAGE = "gangland:compose-test"
OVERRIDE = "compose-test.yml"
BUILD_S = 1800.0
UP_S = 900.0  # the first run also fetches the images of database and broker
PAUSE_S = 0.5
KILL = "import os, signal, sys; [os.kill(int(pid), signal.SIGKILL) for pid in sys.argv[1:]]"

FoundT = TypeVar("FoundT")


class StepFailed(RuntimeError):
    """A wait failed; the message says what was expected and what was seen last."""


@dataclass(frozen=True)
class Container:
    """A container at one moment; `pid` is that of its first process on the engine's machine, 0 if it is stopped."""

    id: str
    service: str
    pid: int
    running: bool
    health: str
    started_at: str
    facts: dict[str, Any] = field(repr=False, compare=False)

    @property
    def is_well(self) -> bool:
        """Return whether it runs and, if it has a health check, is healthy."""
        return self.running and self.health in ("healthy", "none")


class Stack:
    def __init__(self, root: Path, folder: Path, port: int | None = None, *, apparmor: bool, **settings: str) -> None:
        self.folder, self.project = folder, f"gangland-compose-test-{os.getpid()}"
        self.port = port or free_port()
        self.environment = {
            "BIND": f"127.0.0.1:{self.port}",
            "COMPOSE_PROJECT_NAME": self.project,
            "COMPOSE_FILE": f"docker-compose.yml{os.pathsep}{OVERRIDE}",
            **({} if apparmor else {"WORKER_APPARMOR": "unconfined"}),
            **settings,
        }
        _copy(root, folder)
        services = ruamel.yaml.YAML(typ="safe").load((folder / "docker-compose.yml").read_text("utf-8"))["services"]
        ours = [name for name, service in services.items() if "build" in service]
        override = {"services": {name: {"image": IMAGE} for name in ours}}
        (folder / OVERRIDE).write_text(json.dumps(override), "utf-8")

    def build(self, *options: str) -> None:
        subprocess.run([self.folder / "docker" / "prepare"], check=True, stdout=subprocess.DEVNULL)
        engine.run("build", *options, "--tag", IMAGE, ".", folder=self.folder, within_s=BUILD_S)

    def compose(self, *arguments: str, stdin: str | None = None, within_s: float = engine.SECONDS) -> str:
        return engine.run(
            "compose", *arguments, folder=self.folder, environment=self.environment, stdin=stdin, within_s=within_s
        )

    def up(self, **settings: str) -> None:
        self.environment |= settings
        self.compose("up", "--no-build", "--detach", within_s=UP_S)

    def down(self) -> list[str]:
        """Remove everything; return what is left nevertheless."""
        self.compose("down", "--volumes", "--remove-orphans", "--timeout", "10", within_s=180)
        label = f"label=com.docker.compose.project={self.project}"
        kinds = (("container", ("--all",)), ("volume", ()), ("network", ()))
        return [
            f"{kind} {name}"
            for kind, options in kinds
            for name in engine.run(kind, "ls", *options, "--quiet", "--filter", label).split()
        ]

    def containers(self, *services: str) -> list[Container]:
        label = f"label=com.docker.compose.project={self.project}"
        found = engine.inspected(engine.run("ps", "--all", "--quiet", "--no-trunc", "--filter", label).split())
        all_of_them = [_container(one) for one in found]
        return [one for one in all_of_them if one.service in services or (not services and one.service != "prepare")]

    def execute(self, service: str, *command: str, stdin: str | None = None, within_s: float = engine.SECONDS) -> str:
        return self.compose("exec", "-T", service, *command, stdin=stdin, within_s=within_s)

    def kill(self, containers: list[Container]) -> None:
        """Kill the first process of each by a signal: the engine would not restart after `docker kill`."""
        rights = ("--pid=host", "--user=0", "--cap-drop=ALL", "--cap-add=KILL", "--network=none", "--read-only")
        pids = [str(one.pid) for one in containers if one.pid]
        engine.run("run", "--rm", *rights, "--security-opt=apparmor=unconfined", IMAGE, "python", "-c", KILL, *pids)

    def logs(self) -> str:
        return self.compose("logs", "--no-color", "--tail", "25")

    def setup_code(self) -> str:
        output = self.compose("logs", "--no-color", "--no-log-prefix", "prepare")
        found = re.findall(r"one-time code for the first administrator: (\S+)", output)
        if not found:
            raise StepFailed(f"no one-time code was printed, but: {output[-500:]}")
        return str(found[-1])


def wait_for(what: str, look: Callable[[], FoundT | None], within_s: float) -> FoundT:
    """Call `look` until it returns something, and return that.  Raises StepFailed after `within_s`."""
    until, last = time.monotonic() + within_s, ""
    while time.monotonic() < until:
        try:
            found = look()
        except (OSError, ValueError, engine.CommandFailed) as error:  # what was killed is not back yet
            found, last = None, f"; at last: {type(error).__name__}: {error}"
        if found is not None:
            return found
        time.sleep(PAUSE_S)
    raise StepFailed(f"waited {within_s:.0f} s in vain for {what}{last}")


def _container(found: dict[str, Any]) -> Container:
    state = found["State"]
    return Container(
        id=found["Id"],
        service=found["Config"]["Labels"]["com.docker.compose.service"],
        pid=state["Pid"],
        running=state["Status"] == "running",
        health=(state.get("Health") or {"Status": "none"})["Status"],
        started_at=state["StartedAt"],
        facts=found,
    )


def _copy(root: Path, folder: Path) -> None:
    """Copy the files that git knows, as they are in the checkout."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, folder / name)
