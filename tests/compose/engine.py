"""A container engine as its own client reaches it: whichever `docker info` answers for."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SECONDS = 120.0  # the default timeout of a command


class NoEngine(RuntimeError):
    """No engine, or no Compose 2, is reachable; the message says what was tried."""


class CommandFailed(RuntimeError):
    """A command of the engine's client failed or never ended."""


def run(
    *arguments: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: str | None = None,
    within_s: float = SECONDS,
) -> str:
    """Run `docker` and return its output; Ctrl-C does not reach the client.  Raises CommandFailed."""
    try:
        done = subprocess.run(
            ["docker", *arguments],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=within_s,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired as error:
        raise CommandFailed(f"docker {' '.join(arguments)} took more than {within_s:.0f} s") from error
    if done.returncode:
        raise CommandFailed(f"docker {' '.join(arguments)} ended with {done.returncode}: {_tail(done)}")
    return done.stdout


def reached() -> dict[str, Any]:
    """Return `docker info`, with the version of Compose as `Compose`.  Raises NoEngine."""
    try:
        facts: dict[str, Any] = json.loads(run("info", "--format", "{{json .}}", within_s=30))
        compose = run("compose", "version", "--short", within_s=30).strip()
    except FileNotFoundError as error:
        raise NoEngine("there is no command `docker`") from error
    except (CommandFailed, json.JSONDecodeError) as error:
        raise NoEngine(str(error)) from error
    if facts.get("ServerErrors") or not facts.get("ServerVersion"):
        raise NoEngine(f"`docker info` reaches no engine: {' '.join(facts.get('ServerErrors') or ['no version'])}")
    return facts | {"Compose": compose}


def has_apparmor(facts: Mapping[str, Any]) -> bool:
    return any("apparmor" in option for option in facts.get("SecurityOptions") or ())


def inspected(identities: Sequence[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("inspect", *identities)) if identities else []
    return found


def _tail(done: subprocess.CompletedProcess[str]) -> str:
    return (done.stderr or done.stdout).strip()[-1500:]
