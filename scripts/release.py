"""Build the release: wheel, source archive and their checksums, the same bytes on every machine.

    python scripts/release.py [--into dist] [--compiled]
    python scripts/release.py --freeze

The commit is cloned into two other folders and built there under different masks, time zones and locales, by the tools
that requirements/build.txt locks; the wheel is built once more from the source archive.  All three builds must be equal
byte for byte, and both archives must contain exactly the tracked files.

--compiled adds a wheel with the engine compiled for this Python and platform, which pip prefers where it fits.  It must
contain the same files, and the compiled modules.  It is built only once, because C compilers differ between machines,
and without locked tools: by the hatchling, mypy and setuptools of the Python that runs this script.

--freeze, once before the first release, writes the statements of the first migration out (release_tables.py).
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"
PLACES = {
    "engine/gangland": "gangland",
    "sandbox/gangland_sandbox": "gangland_sandbox",
    "bots/gangland_bots": "gangland_bots",
    "platform/gangland_ladder": "gangland_ladder",
    "platform/gangland_web": "gangland_web",
    "platform/migrations": "gangland_web/_migrations",
    "docs": "gangland_web/_docs",
    "benchmarks/results": "gangland_web/_docs/results",
    "requirements/base.txt": "gangland_web/_locks/base.txt",
    "README.md": "gangland_web/_docs/README.md",
}
"""The locations in the wheel of folders of the repository and of pages of the documentation."""
NOT_IN_SDIST = re.compile(r"\.ci/|benchmarks/(?!results/)|tests/")
"""Files only for the project's own development."""
NEEDED = (
    "gangland/py.typed",
    "gangland_ladder/errors.toml",
    "gangland_ladder/py.typed",
    "gangland_sandbox/py.typed",
    "gangland_web/_docs/README.md",
    "gangland_web/_docs/index.md",
    "gangland_web/_migrations/env.py",
    "gangland_web/site/templates/base.html",
)
"""The names of some essential files of a wheel; the others follow from the tracked files."""
NEVER = re.compile(
    r"(^|/)(\.venv|\.git|__pycache__|secrets|node_modules)(/|$)|\.(pyc|sqlite3|pem|key|log)$|(^|/)secret-key$"
)

COMPILED = re.compile(r"(gangland/([a-z0-9_]+/)?[a-z0-9_]+|[0-9a-f]+__mypyc)\.[^/]+\.so")
"""The modules of the compiled engine, and their shared module."""


class ReleaseError(RuntimeError):
    """The release cannot be built, or is wrong; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Differences between machines that must not affect the build."""

    umask: int
    zone: str
    locale: str = "C.UTF-8"


HERE = Surroundings(0o022, "UTC")
ELSEWHERE = Surroundings(0o077, "Pacific/Kiritimati", "C")


@dataclass(frozen=True, slots=True)
class Built:
    """One build: the wheel, the source archive, and, if requested, the wheel for this platform."""

    wheel: Path
    sdist: Path
    compiled: Path | None = None

    @property
    def files(self) -> list[Path]:
        """All files of the build."""
        return [file for file in (self.wheel, self.sdist, self.compiled) if file is not None]


def build(
    source: Path,
    into: Path,
    epoch_s: int,
    *,
    around: Surroundings = HERE,
    targets: Sequence[str] = ("sdist", "wheel"),
    python: Path | str = sys.executable,
    compiled: bool = False,
) -> dict[str, Path]:
    """Build with the hatchling of an interpreter; return the file of each target.

    Args:
        epoch_s: the time of the commit, used for every file in the archives.
        compiled: whether the wheel has the compiled engine; the interpreter then needs mypy.

    Raises:
        ReleaseError: hatchling failed.
    """
    flags = [part for target in targets for part in ("--target", target)]
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ},
        "SOURCE_DATE_EPOCH": str(epoch_s),
        "TZ": around.zone,
        "LC_ALL": around.locale,
        "GANGLAND_COMPILED": "1" if compiled else "",
    }
    done = subprocess.run(
        [python, "-m", "hatchling", "build", "--directory", into, *flags],
        cwd=source,
        env=environment,
        umask=around.umask,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ReleaseError(f"hatchling failed in {source}:\n{done.stdout}{done.stderr}")
    patterns = {"sdist": "gangland-*.tar.gz", "wheel": "gangland-*.whl"}
    return {target: _only(into, patterns[target]) for target in targets}


def build_from_sdist(sdist: Path, work: Path, epoch_s: int, *, python: Path | str = sys.executable) -> Path:
    """Unpack a source archive, build the wheel from it, and return the wheel."""
    with tarfile.open(sdist) as archive:
        plainly = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not in Python 3.11.2, Debian 12's
        archive.extractall(work, **plainly)  # type: ignore[arg-type]  # noqa: S202  # our own archive
    unpacked = _only(work, "gangland-*")
    return build(unpacked, work / "out", epoch_s, around=ELSEWHERE, targets=["wheel"], python=python)["wheel"]


def tracked(root: Path) -> list[str]:
    """Return the names of the repository's files, including new ones that are not ignored."""
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return sorted(name for name in listed if name and (root / name).exists())


def wheel_problems(wheel: Path, files: Sequence[str], *, compiled: bool = False) -> list[str]:
    """Return the problems of a wheel of a repository with these tracked files, as sentences.

    Args:
        compiled: whether it must contain the engine's compiled modules, which are not tracked.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        apart = {name.partition("/")[2] for name in archive.namelist() if ".dist-info/" in name}
    expected = {
        place + name.removeprefix(folder)
        for name in files
        for folder, place in PLACES.items()
        if name == folder or name.startswith(f"{folder}/")
    }
    lacking = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"} - apart
    if compiled:
        modules = {name for name in names if COMPILED.fullmatch(name)}
        names -= modules
        lacking |= set() if modules else {"compiled modules"}
    return _differences(wheel.name, names, expected | set(NEEDED)) + [f"{wheel.name} lacks {name}" for name in lacking]


def sdist_problems(sdist: Path, files: Sequence[str]) -> list[str]:
    """Return the problems of a source archive of a repository with these tracked files, as sentences."""
    with tarfile.open(sdist) as archive:
        inside = [(member.name.partition("/")[2], member.isfile()) for member in archive.getmembers()]
    names = {name for name, is_file in inside if is_file} - {"PKG-INFO"}
    expected = {name for name in files if not NOT_IN_SDIST.match(name)}
    odd = [f"{sdist.name}: {name} is no plain file" for name, is_file in inside if not is_file]
    return _differences(sdist.name, names, expected) + odd


def _differences(archive: str, names: set[str], expected: set[str]) -> list[str]:
    return [
        *(f"{archive} lacks {name}" for name in sorted(expected - names)),
        *(f"{archive} holds {name}, which is not tracked" for name in sorted(names - expected)),
        *(f"{archive} must not hold {name}" for name in sorted(names & expected) if NEVER.search(name)),
    ]


def version_of(root: Path) -> str:
    """Return the version that pyproject.toml declares."""
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def commit_time_s(root: Path) -> int:
    """Return the time of the current commit, in seconds since 1970."""
    return int(_git(root, "log", "-1", "--format=%ct"))


def sum_of(file: Path) -> str:
    """Return a file's SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def write_sums(folder: Path, files: Sequence[Path]) -> Path:
    """Write the checksums for `sha256sum --check`; return the file."""
    lines = sorted(f"{sum_of(file)}  {file.name}\n" for file in files)
    sums = folder / SUMS
    sums.write_text("".join(lines), encoding="utf-8")
    return sums


def clone(root: Path, into: Path) -> Path:
    """Clone the current commit without other files of the working tree; return the clone.

    Raises:
        ReleaseError: there are uncommitted changes, which the release would not contain.
    """
    if changed := _git(root, "status", "--porcelain").splitlines():
        raise ReleaseError(
            f"the working tree has {len(changed)} changes, {changed[0].strip()!r} the first: commit or stash them"
        )
    into.parent.mkdir(parents=True, exist_ok=True)
    _git(root, "clone", "--quiet", "--no-hardlinks", str(root), str(into))
    _git(into, "checkout", "--quiet", "--detach", _git(root, "rev-parse", "HEAD").strip())
    return into


def build_tools(root: Path, folder: Path) -> Path:
    """Create an environment with only the locked build tools; return its Python.

    Raises:
        ReleaseError: they cannot be installed.
    """
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    lock = root / "requirements" / "build.txt"
    run([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--require-hashes", "-r", lock])
    return python


def run(command: Sequence[Path | str], *, cwd: Path | None = None) -> str:
    """Run a command and return its output.

    Raises:
        ReleaseError: it failed; the message has the end of its output.
    """
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        output = (done.stdout + done.stderr).strip()[-3000:]
        raise ReleaseError(f"{' '.join(map(str, command))} ended with status {done.returncode}:\n{output}")
    return done.stdout


def release(root: Path, into: Path, work: Path, *, compiled: bool = False) -> Built:
    """Build everything twice and from the source archive, compare, and copy it into a folder with its checksums.

    Args:
        compiled: whether to build a wheel for this Python and platform, too.

    Raises:
        ReleaseError: builds differ, or files are missing or not tracked.
    """
    epoch_s, extra = commit_time_s(root), []
    if compiled:  # done first, because a compiler may be missing
        apart = clone(root, work / "compiled")
        extra.append(build(apart, work / "out-compiled", epoch_s, targets=["wheel"], compiled=True)["wheel"])
    python = build_tools(root, work / "tools")
    first = clone(root, work / "first")
    second = clone(root, work / "a longer path" / "elsewhere" / "second")
    built = build(first, work / "out-1", epoch_s, python=python)
    rebuilt = build(second, work / "out-2", epoch_s, around=ELSEWHERE, python=python)
    from_sdist = build_from_sdist(built["sdist"], work / "unpacked", epoch_s, python=python)
    pairs = [(built[target], rebuilt[target]) for target in ("sdist", "wheel")]
    for one, other in (*pairs, (built["wheel"], from_sdist)):
        if one.name != other.name or sum_of(one) != sum_of(other):
            raise ReleaseError(
                f"{one} and {other} differ: diffoscope shows where; something in them is not the commit's"
            )
    files = tracked(first)
    problems = wheel_problems(built["wheel"], files) + sdist_problems(built["sdist"], files)
    problems += [problem for wheel in extra for problem in wheel_problems(wheel, files, compiled=True)]
    if problems:
        raise ReleaseError("\n".join(problems))
    into.mkdir(parents=True, exist_ok=True)
    copies = [Path(shutil.copyfile(file, into / file.name)) for file in (built["wheel"], built["sdist"], *extra)]
    write_sums(into, copies)
    return Built(*copies)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the release of the current commit; return the exit status."""
    parser = argparse.ArgumentParser(description="Build wheel and source archive, twice, and compare.")
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="the folder for the files")
    parser.add_argument("--compiled", action="store_true", help="build a wheel with the compiled engine as well")
    parser.add_argument("--freeze", action="store_true", help="write the statements of the first migration out")
    options = parser.parse_args(arguments)
    if options.freeze:
        from release_tables import FIRST, freeze  # it needs the site's packages

        sys.stdout.write(f"{FIRST}: {'written: commit it' if freeze(ROOT) else 'written out already'}\n")
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="gangland-release-") as work:
            built = release(ROOT, options.into.absolute(), Path(work), compiled=options.compiled)
    except ReleaseError as error:
        sys.stderr.write(f"release: {error}\n")
        return 1
    for file in built.files:
        sys.stdout.write(f"{sum_of(file)}  {file}\n")
    return 0


def _only(folder: Path, pattern: str) -> Path:
    files = list(folder.glob(pattern))
    if len(files) != 1:
        raise ReleaseError(f"expected one {pattern} in {folder}, found {len(files)}")
    return files[0]


def _git(folder: Path, *arguments: str) -> str:
    return run(["git", "-C", folder, *arguments])


if __name__ == "__main__":
    sys.exit(main())
