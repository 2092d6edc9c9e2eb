"""Check a release step by step, in environments as clean as possible.

    python scripts/release_check.py [--final] [--into dist]

The current commit is cloned, built, installed into new environments (with the lock, and as a user would), and run:
every command of a newcomer, and `gangland up` on its own data folder.  A table has the results; exit 1 at the first
failure, with the steps to fix it.  --final also requires the date in CHANGELOG.md and the frozen first migration.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from release import ROOT, Built, ReleaseError, clone, release, run, version_of
from release_tables import FIRST, is_frozen

SERVES_WITHIN_S = 60.0
"""The time limit for a site to show its leaderboard after the start of its command, on an idle machine."""
RATES_WITHIN_S = 300.0
STOPS_WITHIN_S = 90.0
GAME = "gang-of-dice"
"""The game of the new bot and of its opponents."""


@dataclass
class Check:
    """The shared state of the steps: their folders, and the results of earlier steps."""

    root: Path
    work: Path
    into: Path
    final: bool
    made: dict[str, Any] = field(default_factory=dict)

    @property
    def built(self) -> Built:
        """The release, once it is built."""
        built = self.made["built"]
        if not isinstance(built, Built):
            raise TypeError(f"expected a build, got {built!r}")
        return built


def versions_agree(check: Check) -> str:
    """Compare the version with the changes, the notes and the code."""
    version = version_of(check.root)
    heading = re.search(r"^## (\S+) \((.+)\)$", _text(check.root, "CHANGELOG.md"), re.MULTILINE)
    if heading is None or heading[1] != version:
        text = heading and heading[0]
        raise ReleaseError(f"CHANGELOG.md has to begin with `## {version} (YYYY-MM-DD)`, not {text!r}")
    if check.final and not re.fullmatch(r"\d{4}-\d\d-\d\d", heading[2]):
        raise ReleaseError(f"CHANGELOG.md says `{heading[2]}` beside {version}: put the day of the release there")
    for file, words in (
        ("engine/gangland/__init__.py", f'__version__ = "{version}"'),
        ("docker-compose.yml", f"gangland:{version}"),
        ("docs/backups.md", f"### {version}"),
    ):
        if words not in _text(check.root, file):
            raise ReleaseError(f"{file} has to say {words!r}")
    return f"{version}, {heading[2]}"


def tree_is_clean(check: Check) -> str:
    """Clone the commit; fail if there are uncommitted changes."""
    check.made["clone"] = clone(check.root, check.work / "clone")
    return run(["git", "-C", check.made["clone"], "rev-parse", "--short", "HEAD"]).strip()


def built_alike(check: Check) -> str:
    """Build twice and from the source archive; compare byte for byte."""
    work = check.work / "build"
    work.mkdir()
    check.made["built"] = release(check.made["clone"], check.into, work)
    return f"{check.built.wheel.name} and {check.built.sdist.name}, three builds equal"


def database_is_stored(check: Check) -> str:
    """Check that a database of this version is stored, for the tests of later versions."""
    version, folder = version_of(check.root), check.made["clone"] / "tests" / "stored"
    databases = [path.name for path in folder.glob("*") if version in path.name]
    if not databases:
        raise ReleaseError(
            f"tests/stored holds no database of {version}, on which later versions are tried:"
            f" store one with  python -m tests.stored.make {version}"
        )
    return ", ".join(sorted(databases))


def tables_are_frozen(check: Check) -> str:
    """Check that the first release does not create its tables from the models, which change."""
    if is_frozen(check.root):
        return str(FIRST)
    if check.final:
        raise ReleaseError(f"{FIRST} follows the models: python scripts/release.py --freeze, then commit")
    return "not yet: not final"


def installs_from_the_lock(check: Check) -> str:
    """Install as a server does: libraries by hash, then only the wheel."""
    python, locks = _new_environment(check, "locked"), check.made["clone"] / "requirements"
    _pip(python, "--require-hashes", "-r", locks / "build.txt")
    _pip(python, "--no-build-isolation", "--require-hashes", "-r", locks / "run.txt")
    _pip(python, "--no-deps", "--no-index", check.built.wheel)
    return _libraries(python)


def installs_without_the_lock(check: Check) -> str:
    """Install like `pip install 'gangland[site]'`."""
    python = _new_environment(check, "free")
    _pip(python, f"{check.built.wheel}[site]")
    return _libraries(python)


def commands_work(name: str) -> Callable[[Check], str]:
    """Return the step that runs a newcomer's commands in one of the environments."""

    def step(check: Check) -> str:
        """Make a bot, check it, play it, rate it; ask the doctor."""
        folder = check.work / f"{name}-home"
        folder.mkdir()

        def gangland(*arguments: str) -> str:
            command: list[str | Path] = [_bin(check, name) / "gangland", *arguments]
            done = subprocess.run(
                command, cwd=folder, env=_environment(folder), capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                output = (done.stdout + done.stderr)[-3000:]
                raise ReleaseError(f"gangland {' '.join(arguments)} ended with status {done.returncode}:\n{output}")
            return done.stdout

        version = version_of(check.root)
        if gangland("--version") != f"gangland {version} (engine: pure Python)\n":
            raise ReleaseError(f"gangland --version does not say {version}")
        gangland("new", "newcomer", "--game", GAME)
        files = sorted(folder.rglob("*.py"), key=lambda file: len(file.parts))
        bot = str(next(file for file in files if not file.name.startswith("test")).relative_to(folder))
        gangland("check", bot)
        gangland("play", bot, bot, bot, "--seed", "7")
        code = "import gangland_bots; print(gangland_bots.__path__[0])"
        house = Path(run([_bin(check, name) / "python", "-c", code]).strip()) / GAME.replace("-", "_")
        ladder = json.loads(gangland("ladder", str(house), bot, "--blocks", "1", "--json"))
        gangland("doctor")
        return f"new, check, play, ladder ({len(ladder['standings'])} bots), doctor"

    return step


def site_serves(name: str) -> Callable[[Check], str]:
    """Return the step that runs `gangland up` in one of the environments."""

    def step(check: Check) -> str:
        """Measure the time to the leaderboard and to the first rated match; stop the site, and look for leftovers."""
        folder, port = check.work / f"{name}-site", _free_port()
        folder.mkdir()
        program, data = _bin(check, name) / "gangland", folder / "data"
        command: list[str | Path] = [program, "up", "--port", str(port), "--data", data]
        begun = time.monotonic()
        with (folder / "printed").open("wb") as printed:
            site = subprocess.Popen(command, cwd=folder, env=_environment(folder), stdout=printed, stderr=printed)
        try:
            address = f"http://127.0.0.1:{port}/ladders/"
            _wait(
                site,
                folder,
                lambda: _shows_house_bots(f"http://127.0.0.1:{port}/{GAME}/leaderboard"),
                SERVES_WITHIN_S,
                "leaderboard of house bots",
            )
            served_s = time.monotonic() - begun
            _wait(site, folder, lambda: _has_rated(address), RATES_WITHIN_S, "rated match")
            rated_s = time.monotonic() - begun
            begun = time.monotonic()
            site.send_signal(signal.SIGTERM)
            status = site.wait(STOPS_WITHIN_S)
        except subprocess.TimeoutExpired as late:
            raise ReleaseError(f"gangland up did not stop within {STOPS_WITHIN_S:.0f} s of SIGTERM") from late
        finally:
            site.kill()
            site.wait()
        if status != 0:
            raise ReleaseError(f"gangland up ended with status {status}:\n{_end_of(folder / 'printed')}")
        if left := _processes_of(data):
            raise ReleaseError(f"gangland up left processes behind: {left}")
        stopped_s = time.monotonic() - begun
        return f"leaderboard after {served_s:.1f} s, rated match after {rated_s:.1f} s, stopped in {stopped_s:.1f} s"

    return step


def units_run(check: Check) -> str:
    """Run the units, installed as in docs/systemd.md, by a separate systemd in namespaces."""
    script = check.root / "scripts" / "try_units"
    done = subprocess.run([script, _bin(check, "locked").parent], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        return f"NOT TRIED: {done.stdout.strip()}"
    if done.returncode != 0:
        raise ReleaseError(f"the units do not run:\n{(done.stdout + done.stderr)[-5000:]}")
    return done.stdout.strip().splitlines()[-1]


STEPS: tuple[tuple[str, Callable[[Check], str]], ...] = (
    ("version", versions_agree),
    ("tables", tables_are_frozen),
    ("clean clone", tree_is_clean),
    ("build, twice", built_alike),
    ("install, locked", installs_from_the_lock),
    ("install, free", installs_without_the_lock),
    ("commands, locked", commands_work("locked")),
    ("commands, free", commands_work("free")),
    ("gangland up, locked", site_serves("locked")),
    ("gangland up, free", site_serves("free")),
    ("systemd units", units_run),
    ("stored database", database_is_stored),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all steps and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Check a release, step by step.")
    parser.add_argument(
        "--final", action="store_true", help="the changes have their day, and the first tables are frozen"
    )
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="the folder for the release")
    options = parser.parse_args(arguments)
    work = Path(tempfile.mkdtemp(prefix="gangland-check-"))
    work.chmod(0o755)  # match workers that drop root privileges must reach it
    check = Check(ROOT, work, options.into.absolute(), options.final)
    try:
        return all_steps(check, STEPS)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def all_steps(check: Check, steps: Sequence[tuple[str, Callable[[Check], str]]]) -> int:
    """Run steps in order, each with a line of the table; return 1 at the first failure."""
    for name, step in steps:
        begun = time.monotonic()
        try:
            result = step(check)
        except ReleaseError as error:
            _line(name, "FAILED", begun, "")
            sys.stderr.write(f"\n{error}\n")
            return 1
        _line(name, "ok", begun, result)
    return 0


def _line(name: str, verdict: str, begun: float, result: str) -> None:
    sys.stdout.write(f"{name:<20} {verdict:<6} {time.monotonic() - begun:6.1f} s  {result}\n")
    sys.stdout.flush()


def _text(root: Path, file: str) -> str:
    return (root / file).read_text(encoding="utf-8")


def _new_environment(check: Check, name: str) -> Path:
    base = getattr(sys, "_base_executable", sys.executable)
    run([base, "-m", "venv", check.work / name])
    return _bin(check, name) / "python"


def _bin(check: Check, name: str) -> Path:
    return check.work / name / "bin"


def _pip(python: Path, *arguments: str | Path) -> None:
    run([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *arguments])


def _libraries(python: Path) -> str:
    listed = json.loads(run([python, "-m", "pip", "--disable-pip-version-check", "list", "--format", "json"]))
    python_version = run([python, "-c", "import platform; print(platform.python_version())"]).strip()
    return f"{len(listed)} packages, Python {python_version}"


def _environment(home: Path) -> dict[str, str]:
    """Return an environment without any trace of this checkout."""
    variables = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**variables, "HOME": str(home), "NO_COLOR": "1"}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _wait(
    site: subprocess.Popen[bytes], folder: Path, happened: Callable[[], bool], within_s: float, event: str
) -> None:
    deadline = time.monotonic() + within_s
    while not happened():
        if site.poll() is not None:
            raise ReleaseError(f"gangland up ended before there was a {event}:\n{_end_of(folder / 'printed')}")
        if time.monotonic() > deadline:
            raise ReleaseError(f"no {event} within {within_s:.0f} s of `gangland up`:\n{_end_of(folder / 'printed')}")
        time.sleep(0.1)


def _get(address: str) -> str | None:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310  # loopback, over http
            text: str = answer.read().decode()
            return text
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return None


def _shows_house_bots(address: str) -> bool:
    page = _get(address)
    return page is not None and "house" in page


def _has_rated(address: str) -> bool:
    """Return whether a bot of any ladder has a rated game."""
    for game in (GAME, "gangster-dice"):
        for seats in (2, 3, 4):
            document = _get(f"{address}{game}.json?seats={seats}")
            if document is not None and any(row["games"] for row in json.loads(document)["rows"]):
                return True
    return False


def _end_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")[-3000:]


def _processes_of(data: Path) -> list[int]:
    """Return the processes whose working folder is this one."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cwd").resolve() == data.resolve():
                pids.append(int(folder.name))
        except OSError:
            continue  # the process has ended, or belongs to another user
    return pids


if __name__ == "__main__":
    sys.exit(main())
