"""`pip install gangland` alone: every command runs or names the extra that it needs, for root and for anybody else."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

import pytest
from tests.kits.script_kit import loaded_script

from gangland_ladder.cli.app import COMMANDS

EPOCH_S = 1_700_000_000
MAX_PACKAGES = 15
SOMEBODY = 12345  # a user without a name, root rights or a home
NEEDS_SITE = "is missing: pip install 'gangland[site]'"
FORKS = """
import json, os, sys, tempfile
from gangland_ladder.cli import main

for arguments in json.loads(sys.argv[1]):
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = os.fork()
        if child == 0:
            sys.argv = ["gangland", *arguments]
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            main()
            sys.exit()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = [file.seek(0) or file.read() for file in (out, err)]
    print(json.dumps([code, *texts]), flush=True)
"""
"""Runs `gangland` in a fork for each list of arguments, so that Python starts once for all of them."""


@dataclass(frozen=True)
class Base:
    """A Python with only the wheel and the base install; `user` runs commands, None for this user."""

    python: Path
    work: Path
    user: int | None

    def run(self, *arguments: str | Path, program: str = "gangland") -> subprocess.CompletedProcess[str]:
        # A Ctrl-C key of the tests' shell, a locale or a checkout on the path would not be there.
        environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.work), "NO_COLOR": "1"}
        return subprocess.run(
            [self.python.with_name(program), *arguments],
            cwd=self.work,
            env=environment,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def does(self, *arguments: str | Path) -> str:
        done = self.run(*arguments)
        return _what_was_done(arguments, done.returncode, done.stdout, done.stderr)

    def run_all(self, calls: Iterable[tuple[str | Path, ...]]) -> Iterator[tuple[list[str], int, str, str]]:
        words = [list(map(str, call)) for call in calls]
        done = self.run("-c", FORKS, json.dumps(words), program="python")
        for call, line in zip(words, done.stdout.splitlines(), strict=True):
            yield (call, *json.loads(line))

    def does_all(self, calls: Iterable[tuple[str | Path, ...]]) -> list[str]:
        return [_what_was_done(*done) for done in self.run_all(calls)]


def _what_was_done(arguments: Sequence[str | Path], code: int, out: str, err: str) -> str:
    assert code == 0, f"gangland {arguments}: {code}\n{out}{err}"
    assert "Traceback" not in err
    return out


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    release: ModuleType = loaded_script(root, "release")
    built: dict[str, Path] = release.build(root, tmp_path_factory.mktemp("dist"), EPOCH_S, targets=["wheel"])
    return built["wheel"]


def own_python(folder: Path) -> Path:
    """Copy a Python with its standard library into a folder, and return the program."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    program = Path(os.path.realpath(sys.executable))
    (folder / "bin").mkdir()
    shutil.copy2(program, folder / "bin" / version)
    left_out = shutil.ignore_patterns("test", "tests", "site-packages", "dist-packages")
    shutil.copytree(Path(os.__file__).parent, folder / "lib" / version, ignore=left_out)
    for library in Path(sys.base_prefix, "lib").glob("libpython*"):
        shutil.copy2(library, folder / "lib" / library.name)
    return folder / "bin" / version


def base_packages(root: Path) -> list[str]:
    return re.findall(r"^([a-z0-9][\w.-]*)==", (root / "requirements" / "base.txt").read_text(), re.MULTILINE)


def install(python: Path, wheel: Path, packages: list[str]) -> None:
    (place,) = python.parent.parent.glob("lib/python*/site-packages")
    for name in packages:
        for file in distribution(name).files or ():
            source = Path(str(distribution(name).locate_file(file)))
            if ".." not in file.parts and source.is_file():
                (place / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, place / file)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", wheel], check=True, capture_output=True)
    subprocess.run([*pip, "check"], check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(root: Path, wheel: Path) -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="gangland-base-"))
    try:
        subprocess.run([own_python(home), "-m", "venv", "--without-pip", "--symlinks", home / "venv"], check=True)
        python = home / "venv" / "bin" / "python"
        install(python, wheel, base_packages(root))
        yield python
    finally:
        shutil.rmtree(home)


@pytest.fixture(
    scope="module", params=[pytest.param("closed home", marks=pytest.mark.long("jails of a second user")), "plain user"]
)
def base(installed: Path, request: pytest.FixtureRequest) -> Iterator[Base]:
    """The base install in a home of mode 0700, or for a user without rights."""
    closed = request.param == "closed home"
    installed.parent.parent.parent.chmod(0o700 if closed else 0o755)
    user = SOMEBODY if not closed and os.getuid() == 0 else None
    work = Path(tempfile.mkdtemp(prefix="gangland-work-"))
    try:
        if user is not None:
            os.chown(work, user, user)
        yield Base(installed, work, user)
    finally:
        shutil.rmtree(work)


plain_user = pytest.mark.parametrize("base", ["plain user"], indirect=True)
"""What opens no jail, or one as every other command does, is run by one of the two users."""


@pytest.fixture
def house(base: Base) -> Path:
    (found,) = base.python.parent.parent.glob("lib/python*/site-packages/gangland_bots")
    return found


@plain_user
def test_the_base_install_has_few_packages_and_needs_no_other(base: Base, root: Path) -> None:
    (place,) = base.python.parent.parent.glob("lib/python*/site-packages")
    names = {info.name.split("-")[0].lower().replace("_", "-") for info in place.glob("*.dist-info")}
    assert names == {*base_packages(root), "gangland"}
    assert len(names) <= MAX_PACKAGES


@pytest.mark.long("each command as a process; the quick suite runs those of the readme from the same install")
@plain_user
def test_every_command_runs_or_names_the_extra_that_it_needs(base: Base, house: Path) -> None:
    dice, gangster = house / "gang_of_dice", house / "gangster_dice"
    helped = base.does("--help")
    tried: dict[str, list[tuple[str | Path, ...]]] = {
        "new": [("new", "my_gang", "--game", "gang-of-dice"), ("new", "other", "--game", "gangster-dice")],
        "check": [
            ("check", "my_gang/my_gang.py"),
            ("check", "my_gang/my_gang.py", "--view", "3"),
            ("check", gangster / "random_gang.py", "--profile", "numeric"),
            ("check", "other/other.py", "--json"),
        ],
        "explain": [("explain", "E203")],
        "play": [
            ("play", "my_gang/my_gang.py", dice / "bold_gang.py", "--seed", "7", "--out", "game.json"),
            ("play", "other/other.py", gangster / "bold_gang.py", gangster / "cautious_gang.py", "--seed", "7"),
        ],
        "ladder": [
            ("ladder", gangster / "bold_gang.py", gangster / "random_gang.py", "--blocks", "1", "--archive", "cup.tar")
        ],
        "duel": [("duel", dice / "bold_gang.py", dice / "random_gang.py", "--max-blocks", "1")],
        "replay": [
            ("replay", "game.json"),
            ("replay", "cup.tar", "--game", "1"),
            ("replay", "game.json", "--html", "game.html"),
        ],
        "analyze": [("analyze", "game.json", "--html", "analyzed.html"), ("analyze", "cup.tar", "--game", "1")],
        "verify": [("verify", "cup.tar"), ("verify", "game.json")],
        "reproduce": [("reproduce", "1", gangster, "--archive", "cup.tar")],
        "import": [("import", "cup.tar", "--into", "cup", "--as", "ndjson")], "rate": [("rate", "matches.ndjson")],
        "config": [("config",)], "doctor": [("doctor",)],
    }  # fmt: skip
    seats = [{"entry": 1, "mean_place": "4/3"}, {"entry": 2, "mean_place": "5/3"}]
    match = {"number": 1, "game": "gang-of-dice", "blocks": 12, "seats": seats}
    (base.work / "matches.ndjson").write_text(json.dumps(match) + "\n")
    base.does_all(call for calls in tried.values() for call in calls)
    # Two that end in findings on purpose, and one that asks a site which is not there.
    others = {
        "diff": base.run("diff", house / "gang_of_dice" / "bold_gang.py", dice / "cautious_gang.py", "--games", "2"),
        "submit": base.run("submit", "my_gang/my_gang.py", "--site", "http://127.0.0.1:9", "--json"),
    }
    assert others["diff"].returncode == 1, others["diff"].stderr
    assert others["submit"].returncode in (3, 4), others["submit"].stderr
    clip = base.run("replay", "game.json", "--clip", "game", "--out", "game.webp")
    assert (clip.returncode, clip.stdout) == (2, "")
    assert "pip install 'gangland[pictures]'" in clip.stderr
    for command in ("up", "admin"):
        others[command] = base.run(command)
        assert (others[command].returncode, others[command].stdout) == (2, "")
        assert NEEDS_SITE in others[command].stderr

    rebuilt = base.run("rate", "--rebuild", "--data", "somewhere")
    assert (rebuilt.returncode, rebuilt.stdout) == (2, "")
    assert NEEDS_SITE in rebuilt.stderr
    tables = base.run("import", "cup.tar", "--into", "tables")
    assert tables.returncode == 2
    assert "gangland[research]" in tables.stderr

    assert {*tried, *others} == set(COMMANDS)
    assert [name for name in COMMANDS if f"  {name} " not in helped] == []
    commands = [command for command in COMMANDS if command != "admin"]
    for command, text in zip(commands, base.does_all((command, "--help") for command in commands), strict=True):
        assert f"gangland {command}" in text


def test_whoever_installs_it_where_bots_play_in_jails_of_both_profiles(base: Base, house: Path) -> None:
    dice = house / "gang_of_dice"
    base.does("doctor")
    base.does("play", dice / "bold_gang.py", dice / "cautious_gang.py")
    base.does("play", dice / "bold_gang.py", dice / "boss_gang.py", "--profile", "numeric")


FAULTS = {
    "crashes": "raise ValueError(view.pool)", "illegal": "return 'seven'",
    "odd_words": "raise ValueError('\\udcff \\u202e')", "memory": "return len(bytearray(1 << 40))",
    "leaves": "raise SystemExit(3)",
}  # fmt: skip
"""What a bot does when it is asked; what is told of each is made where root privileges are dropped."""


def test_a_fault_is_told_and_is_never_a_fault_of_ours(base: Base) -> None:
    for name, what in FAULTS.items():
        lines = ["from gangland import gang_of_dice", "class Faulty(gang_of_dice.Bot):"]
        lines += ["    def choose_dice(self, view):", f"        {what}", ""]
        (base.work / f"{name}.py").write_text("\ufeff" + "\n".join(lines), encoding="utf-8")
    bots = [f"{name}.py" for name in FAULTS]
    calls = [
        *(("check", bot) for bot in bots[1:]), ("play", *bots[:4]), ("diff", *bots[:2], "--games", "1"),
        ("ladder", *bots[2:], "--blocks", "1"),
    ]  # fmt: skip
    for call, code, out, err in base.run_all(calls):
        assert "platform fault" not in out + err, err
        assert code in (0, 1), (call, err)


@plain_user
def test_the_commands_of_the_readme_run(base: Base, house: Path, root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    for name, source in re.findall(r"```python (\w+\.py)\n(.*?)```", readme, re.DOTALL):
        (base.work / name).write_text(source, encoding="utf-8")
    # The strongest think long, and each bot more makes many more tables.
    few = shutil.ignore_patterns("boss_gang.py", "closing_gang.py", "searching_gang.py")
    shutil.copytree(house, base.work / "bots" / "gangland_bots", ignore=few)
    lines = re.findall(r"^gangland ([^#\n]*)", readme, re.MULTILINE)
    assert len(lines) >= 3
    for line in lines:
        base.does(*re.sub(r"--blocks \d+", "--blocks 1", line).split())
