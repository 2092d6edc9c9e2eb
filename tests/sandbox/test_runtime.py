"""The runtime: built once, whole or not at all, and trusted only if nobody else could have written it."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from gangland_sandbox import errors, runtime, treebuild
from gangland_sandbox.runtime import home, prepare, verify


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "runtimes"
    monkeypatch.setenv("GANGLAND_RUNTIME_DIR", str(folder))
    monkeypatch.setattr(runtime, "SYSTEM_FOLDER", folder)
    monkeypatch.setattr(runtime, "_prepared", {})
    return folder


def test_the_engines_tree_holds_the_engine_the_harness_and_nothing_else(fresh: Path) -> None:
    app = prepare(trusted=True).app
    assert sorted(path.name for path in app.iterdir()) == ["gangland", "gangland_sandbox", "modules.bin"]
    assert (app / "gangland" / "bot.py").is_file()
    harness = {path.name for path in (app / "gangland_sandbox").glob("*.py")}
    assert harness <= {
        "__init__.py", "zygote.py", "inside.py", "inside_code.py", "inside_library.py", "inside_waits.py",
    }  # fmt: skip


def test_the_pythons_tree_holds_a_python_and_nothing_of_the_host() -> None:
    root = prepare().python
    assert root is not None
    assert {path.name for path in root.iterdir()} <= {"usr", "lib", "lib64", "gangland"}
    assert (root / "usr/bin/python3").is_file()
    modules = root / treebuild.STDLIB
    for left_out in ("ctypes", "site-packages", "test", "idlelib", "ensurepip", "sqlite3", "tkinter", "ssl.py"):
        assert not (modules / left_out).exists()
    assert not list(modules.glob("lib-dynload/_ctypes*"))
    for kept in ("random.py", "collections", "dataclasses.py", "statistics.py", "heapq.py"):
        assert (modules / kept).exists()


def test_a_runtime_is_read_by_everybody_and_written_by_nobody_else() -> None:
    found = prepare()
    for tree in (found.python, found.app):
        assert tree is not None
        for folder, folders, files in os.walk(tree):
            for name in folders + files:
                mode = (Path(folder) / name).stat().st_mode
                assert mode & 0o022 == 0
                assert mode & 0o004


def test_whoever_comes_second_takes_what_is_there(fresh: Path) -> None:
    app = prepare(trusted=True).app
    stamp = app.stat().st_mtime_ns
    runtime.clear_cache()
    assert prepare(trusted=True).app == app
    assert app.stat().st_mtime_ns == stamp


def test_many_at_once_build_one_tree_and_neither_they_nor_a_build_that_fails_leave_drafts(fresh: Path) -> None:
    def broken(root: Path) -> None:
        (root / "half").touch()
        raise OSError(28, "No space left on device")

    with pytest.raises(errors.SandboxError, match="No space left"):
        runtime._tree("runtime-1", broken)
    assert [path.name for path in fresh.iterdir()] == [".lock"]
    found: list[Path] = []
    threads = [
        threading.Thread(target=lambda: found.append(runtime._tree("runtime-1", treebuild.build_app))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [fresh / "runtime-1"] * 4
    assert sorted(path.name for path in fresh.iterdir()) == [".lock", "runtime-1"]


@pytest.mark.parametrize("mode", [0o775, 0o777, 0o757])
def test_a_runtime_that_others_can_write_is_not_trusted(fresh: Path, mode: int) -> None:
    app = prepare(trusted=True).app
    for path in (app, app / "gangland", app / "gangland" / "bot.py", fresh):
        before = path.stat().st_mode
        path.chmod(mode)
        with pytest.raises(errors.SandboxError, match="cannot be trusted"):
            verify(app)
        path.chmod(before)
    verify(app)


def test_a_runtime_in_a_folder_closed_to_others_is_no_use_to_root(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(errors.SandboxError, match="can only be read by root"):
        runtime.check_reach(tmp_path)


def test_a_foreign_file_or_a_link_is_not_trusted(fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = prepare(trusted=True).app
    lstat = Path.lstat

    def foreign(self: Path) -> Any:
        facts = lstat(self)
        return os.stat_result((*facts[:4], 4242, *facts[5:])) if self.name == "bot.py" else facts

    with monkeypatch.context() as patch:
        patch.setattr(Path, "lstat", foreign)
        with pytest.raises(errors.SandboxError, match="user 4242"):
            verify(app)
    (app / "gangland" / "more.py").symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(errors.SandboxError, match=r"more\.py"):
        verify(app)


def test_another_engine_is_another_runtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = treebuild.app_hash()
    package = tmp_path / "gangland"
    package.mkdir()
    (package / "bot.py").write_text("changed = True\n")
    folders = {"gangland": package, "gangland_sandbox": treebuild.package_folder("gangland_sandbox")}
    monkeypatch.setattr(treebuild, "package_folder", folders.__getitem__)
    assert treebuild.app_hash() != before


def test_the_folder_is_that_of_the_setting_of_root_or_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GANGLAND_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr("gangland_sandbox.runtime.os.geteuid", lambda: 1000)
    assert home() == Path("/data/gangland")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert home() == Path.home() / ".local/share/gangland"
    monkeypatch.setattr("gangland_sandbox.runtime.os.geteuid", lambda: 0)
    assert home() == Path("/var/lib/gangland")
    monkeypatch.setenv("GANGLAND_RUNTIME_DIR", "/elsewhere")
    assert home() == Path("/elsewhere")


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Listed:
        stdout = "\tlibpython3.so => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x0)\n"

    monkeypatch.setattr("gangland_sandbox.treebuild.subprocess.run", lambda *_, **__: Listed)
    with pytest.raises(errors.SandboxError, match=r"libpython3\.so"):
        treebuild.shared_libraries([Path("/bin/true")])
