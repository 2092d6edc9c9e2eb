"""Build the two trees of a jail: a trimmed Python, and the engine with the harness."""

import importlib.util
import os
import platform
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from gangland_sandbox.errors import SandboxError
from gangland_sandbox.inside_library import MODULES, pack
from gangland_sandbox.narrowing import library
from gangland_sandbox.seccomp import Stage, filter_bytes
from gangland_sandbox.zygote import LIBRARY_PATH

_PYC_HEADER: Final = 16
VERSION: Final = f"python{sys.version_info.major}.{sys.version_info.minor}"
PYTHON: Final = "usr/bin/python3"
LIBRARIES: Final = "usr/lib/jail"
STDLIB: Final = f"usr/{sys.platlibdir}/{VERSION}"
APP_MOUNT: Final = "gangland"
NUMERIC_MOUNT: Final = "usr/lib/numeric"
"""An empty folder, the mount point of numpy in numeric jails; see `numeric`."""
HARNESS: Final = ("__init__.py", "zygote.py", "inside.py", "inside_code.py", "inside_library.py", "inside_waits.py")
"""The modules of this package in the jail; they import only the standard library, `gangland` and each other."""
LAYOUT: Final = 3
"""Part of every tree's name; increase it when this module builds trees differently."""

_LEFT_OUT: Final = frozenset(
    """__pycache__ _ios_support.py _pyrepl
    aifc.py asyncio cgi.py cgitb.py chunk.py config ctypes curses dbm dist-packages distutils ensurepip
    ftplib.py html idlelib imaplib.py lib-dynload lib2to3 mailbox.py msilib multiprocessing nntplib.py plistlib.py
    poplib.py pydoc_data site-packages smtpd.py smtplib.py sndhdr.py socketserver.py sqlite3 ssl.py sunau.py
    telnetlib.py test tests tkinter turtle.py turtledemo venv wave.py webbrowser.py wsgiref xml xmlrpc zoneinfo
    """.split()
)
_LEFT_OUT_EXTENSIONS: Final = re.compile(
    r"_?(ctypes|curses|dbm|gdbm|tkinter|ssl|sqlite3|crypt|nis|ossaudiodev|readline|spwd|syslog|test|xx|multiprocessing"
    r"|posixshmem|lsprof|asyncio|remote_debugging|codecs_|multibytecodec|audioop|elementtree|pyexpat|termios|zoneinfo)"
)


def build_python(root: Path) -> None:
    """Write a root folder with only this Python and the parts of its standard library that bots can use."""
    binary, *extensions = python_binaries()
    copy_file(binary, root / PYTHON, 0o755)
    for extension in extensions:
        copy_file(extension, root / STDLIB / "lib-dynload" / extension.name)
    for shared in shared_libraries([binary, *extensions]):
        copy_file(shared, root / LIBRARIES / shared.name, 0o755)
    loader = interpreter_of(binary)
    if loader is not None:
        copy_file(Path(os.path.realpath(loader)), root / loader.relative_to("/"), 0o755)
    stdlib = Path(sysconfig.get_path("stdlib"))
    compile_tree(_standard_modules(stdlib), stdlib, root / STDLIB, f"/{STDLIB}")
    write_modules(root / STDLIB, f"/{STDLIB}")
    for mount in (APP_MOUNT, NUMERIC_MOUNT):
        (root / mount).mkdir(parents=True)


def python_binaries() -> list[Path]:
    """Return the interpreter, and the extension modules of its standard library that the jail uses."""
    return [Path(os.path.realpath(sys._base_executable)), *_extensions()]  # type: ignore[attr-defined]


def build_app(root: Path) -> None:
    """Write the folder with `gangland` and the harness, as the jail imports them."""
    package = package_folder("gangland")
    compile_tree(sorted(package.rglob("*.py")), package, root / "gangland", f"/{APP_MOUNT}/gangland")
    harness = package_folder("gangland_sandbox")
    sources = [harness / name for name in HARNESS]
    compile_tree(sources, harness, root / "gangland_sandbox", f"/{APP_MOUNT}/gangland_sandbox")
    write_modules(root, f"/{APP_MOUNT}")
    library_file = root / LIBRARY_PATH.removeprefix(f"/{APP_MOUNT}/")
    library_file.write_bytes(_filter_library())
    library_file.chmod(0o644)


def python_hash() -> str:
    """Return the digest in the Python tree's name: of the interpreter, its files' sizes and times, and this module."""
    binary = Path(os.path.realpath(sys._base_executable))  # type: ignore[attr-defined]
    facts = [sys.version, str(LAYOUT), str(binary), stamp(binary), sysconfig.get_path("stdlib"), STDLIB]
    facts.append(stamp(Path(sysconfig.get_path("stdlib")) / "os.py"))
    facts.append(sha256(Path(__file__).read_bytes()).hexdigest())
    return sha256("\n".join(facts).encode()).hexdigest()[:16]


def _filter_library() -> bytes:
    return library(platform.machine(), filter_bytes(Stage.BOT))


def app_hash() -> str:
    """Return the digest in the engine tree's name: of the interpreter and all files of the tree."""
    package = package_folder("gangland")
    digest = sha256(f"{sys.version}\n{LAYOUT}".encode() + _filter_library())
    harness = package_folder("gangland_sandbox")
    for source in [*sorted(package.rglob("*.py")), *(harness / name for name in HARNESS)]:
        digest.update(source.name.encode() + b"\0" + sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:16]


def package_folder(name: str) -> Path:
    """Return the folder of an installed package, from a checkout or a wheel."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SandboxError(f"the package {name} is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def copy_file(source: Path, target: Path, mode: int = 0o644) -> None:
    """Copy a file; create the target's folders."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def compile_tree(sources: Iterable[Path], base: Path, target: Path, mount: str) -> None:
    """Copy and compile sources; `mount` is their folder in the jail, for tracebacks."""
    for source in sources:
        part = source.relative_to(base)
        compile_file(source, target / part, f"{mount}/{part}")


def compile_file(source: Path, target: Path, filename: str) -> None:
    """Copy one source, with a pyc that is never checked against it; `filename` is its name in tracebacks."""
    copy_file(source, target)
    cached = importlib.util.cache_from_source(str(target))
    try:
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(target), cached, dfile=filename, doraise=True, invalidation_mode=mode, quiet=1)
    except py_compile.PyCompileError:
        return  # a standard library may have files that are broken on purpose
    Path(cached).chmod(0o644)


def write_modules(tree: Path, mount: str) -> None:
    """Write one file with the code of all modules of a tree, for `inside_library`; `mount` as in `compile_tree`."""
    modules = {}
    for source in sorted(tree.rglob("*.py")):
        code = Path(importlib.util.cache_from_source(str(source)))
        part = source.relative_to(tree)
        parts = part.with_suffix("").parts
        # The module with the build's settings, which `sysconfig` reads, has the machine in its name.
        is_importable = parts[-1].startswith("_sysconfigdata") or all(name.isidentifier() for name in parts)
        if code.exists() and is_importable:
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            modules[name] = (is_package, f"{mount}/{part}", code.read_bytes()[_PYC_HEADER:])
    (tree / MODULES).write_bytes(pack(modules))
    (tree / MODULES).chmod(0o644)


def _standard_modules(stdlib: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(stdlib):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT and not name.startswith("config-"))
        for name in sorted(files):
            if name.endswith(".py") and name not in _LEFT_OUT:
                yield Path(folder) / name


def _extensions() -> Iterator[Path]:
    folder = Path(sysconfig.get_config_var("DESTSHARED") or Path(sysconfig.get_path("platstdlib")) / "lib-dynload")
    present = {file.name.partition(".")[0]: file for file in sorted(folder.glob("*.so"))} if folder.is_dir() else {}
    own_hashes = {"_sha512", "_sha2"} & (set(sys.builtin_module_names) | set(present))
    for name, file in present.items():
        if not _LEFT_OUT_EXTENSIONS.match(name) and not (name == "_hashlib" and own_hashes):
            yield file


def shared_libraries(binaries: list[Path]) -> list[Path]:
    """Return the libraries that these files load.  Raises SandboxError: `ldd` cannot run, or a library is missing."""
    try:
        listed = subprocess.run(
            ["ldd", *map(str, binaries)], capture_output=True, text=True, check=False, env={"LC_ALL": "C", **_PATH}
        ).stdout
    except OSError as error:
        raise SandboxError(f"cannot run ldd to find Python's libraries: {error}") from error
    if missing := re.findall(r"^\s*(\S+) => not found", listed, re.MULTILINE):
        raise SandboxError(f"libraries of Python are missing: {', '.join(sorted(set(missing)))}")
    paths = re.findall(r"^\s*\S+ => (/\S+) \(0x", listed, re.MULTILINE)
    return [Path(path) for path in sorted(set(paths))]


_PATH: Final = {"PATH": "/usr/local/bin:/usr/bin:/bin"}


def interpreter_of(binary: Path) -> Path | None:
    """Return an ELF file's dynamic loader, or None for a static file."""
    data = binary.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise SandboxError(f"{binary} is not a 64-bit little-endian ELF program")
    table, size, count = (int.from_bytes(data[at : at + width], "little") for at, width in ((32, 8), (54, 2), (56, 2)))
    for at in range(table, table + size * count, size):
        if int.from_bytes(data[at : at + 4], "little") == 3:
            begin = int.from_bytes(data[at + 8 : at + 16], "little")
            length = int.from_bytes(data[at + 32 : at + 40], "little")
            return Path(data[begin : begin + length].rstrip(b"\0").decode())
    return None


def stamp(file: Path) -> str:
    """Return a file's size and time, which change when it is replaced."""
    facts = file.stat()
    return f"{facts.st_size} {int(facts.st_mtime)}"
