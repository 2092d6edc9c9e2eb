"""Compile the engine with mypyc, for the wheel of one Python and platform, or for a checkout.

    python scripts/compile_engine.py                                build it if necessary, and print its folder
    GANGLAND_COMPILED=1 python -m hatchling build --target wheel    build a compiled wheel instead of the pure one

Both contain the sources of the compiled modules.  Without GANGLAND_COMPILED the build ignores this script: the pure
wheel is the same to the byte on every machine.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    sys.exit("compile_engine: this Python has no hatchling: python -m pip install hatchling mypy setuptools")

ROOT: Final = Path(__file__).resolve().parent.parent
WANTED: Final = "GANGLAND_COMPILED"
COMPILERS: Final = ("mypy", "setuptools")
FLAGS: Final = {"MYPYC_OPT_LEVEL": "3", "MYPYC_DEBUG_LEVEL": "0"}
PURE: Final = (
    *("__init__.py", "bot.py", "compiled.py", "events.py", "game.py", "view.py", "views.py"),
    *("advice.py", "blocks.py", "characters.py", "faults.py", "games.py", "options.py", "practice.py", "sampling.py"),
    *("setup.py", "story.py", "telling.py", "unseen.py", "warnings.py", "words.py"),
)
"""Modules to leave uncompiled, by file name: base classes of other modules, types that are read at run time, and, in
the second and third line, modules that take no time during a game, but would take a third of the build."""
SUFFIX: Final = ".so"


class CompileError(RuntimeError):
    """The engine cannot be compiled here; the message says what to do."""


class CompiledEngine(BuildHookInterface[Any]):
    """A build hook of Hatchling that adds the compiled modules to the wheel if GANGLAND_COMPILED is set."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return the packages for an isolated build environment."""
        return list(COMPILERS) if self._wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the engine, and name the wheel after its Python and platform."""
        if version == "editable" or not self._wanted:
            return
        folder = compiled(Path(self.root))
        modules = folder.rglob(f"*{SUFFIX}")
        build_data["force_include"] |= {str(file): str(file.relative_to(folder)) for file in modules}
        build_data["pure_python"], build_data["infer_tag"] = False, True

    @property
    def _wanted(self) -> bool:
        return self.target_name == "wheel" and os.environ.get(WANTED, "") not in ("", "0")


def compiled(root: Path) -> Path:
    """Return the folder of a compiled `gangland`, built once for each state of the source.

    Raises:
        CompileError: mypy, setuptools or a C compiler is missing, or the compiler failed.
    """
    builds = root / "build" / "compiled"
    builds.mkdir(parents=True, exist_ok=True)
    folder = builds / _key(root)
    with (builds / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for older in builds.glob("engine-*"):
                shutil.rmtree(older)
            with tempfile.TemporaryDirectory(dir=builds) as work:
                _compile(root / "engine" / "gangland", Path(work))
                Path(work).chmod(0o755)
                Path(work).rename(folder)
                Path(work).mkdir()  # for the end of the block to remove
    return folder


def _key(root: Path) -> str:
    """Return the name of a build, which depends on the source, this script, the compiler and the Python."""
    try:
        versions = " ".join(map(version, COMPILERS))
    except PackageNotFoundError as missing:
        raise CompileError(
            f"this Python has no {missing.name}: {sys.executable} -m pip install {' '.join(COMPILERS)}"
        ) from missing
    digest = sha256(f"{sys.version} {platform.machine()} {versions}".encode())
    for file in (Path(__file__), *sorted((root / "engine").rglob("*.py"))):
        digest.update(file.name.encode() + b"\0" + sha256(file.read_bytes()).digest())
    return f"engine-{digest.hexdigest()[:16]}"


def _compile(package: Path, folder: Path) -> None:
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    sources = sorted(path for path in (folder / package.name).rglob("*.py") if path.name not in PURE)
    done = subprocess.run(
        [sys.executable, "-m", "mypyc", *(str(path.relative_to(folder)) for path in sources)],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "MYPYPATH"} | FLAGS,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CompileError(
            f"mypyc could not compile the engine. It needs a C compiler and Python's headers (Debian, Ubuntu: "
            f"apt-get install gcc libc6-dev python3-dev):\n{(done.stdout + done.stderr).strip()[-3000:]}"
        )
    for left in ("build", ".mypy_cache"):
        shutil.rmtree(folder / left, ignore_errors=True)


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{compiled(ROOT)}\n")
    except CompileError as error:
        sys.exit(f"compile_engine: {error}")
