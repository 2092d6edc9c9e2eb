"""Control groups: ours are used and left clean, and others are never touched.  Plain files stand in for version 2."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gangland_sandbox import cgroupfs, cgroups, errors, privileges
from gangland_sandbox.cgroups import REST, ROOT, Cgroups, survey
from gangland_sandbox.machine import facts

FILES = {
    "cgroup.procs": "", "cgroup.threads": "", "cgroup.subtree_control": "", "cgroup.events": "populated 0\n",
    "cgroup.kill": "",
}  # fmt: skip
OF_CONTROLLER = {
    "memory": {
        "memory.max": "max",
        "memory.swap.max": "max",
        "memory.oom.group": "1",
        "memory.events": "oom 0\noom_kill 0\n",
    },
    "pids": {"pids.max": "max"},
}
OTHERS = 4_000_001  # above the kernel's highest process number


class Kernel:
    """Does with plain files what cgroupfs does."""

    def __init__(self, root: Path, controllers: str = "cpu memory pids") -> None:
        self.root = root
        self.has_swap = True
        root.mkdir()
        (root / "cgroup.controllers").write_text(controllers)
        for name in ("cgroup.procs", "cgroup.subtree_control"):
            (root / name).write_text("")

    def make(self, group: Path) -> None:
        group.mkdir()
        for name, text in FILES.items():
            (group / name).write_text(text)
        self._pass_on(group)

    def _pass_on(self, group: Path) -> None:
        passed_on = (group.parent / "cgroup.subtree_control").read_text()
        if not (group / "cgroup.controllers").exists() or (group / "cgroup.controllers").read_text() != passed_on:
            (group / "cgroup.controllers").write_text(passed_on)
            for controller in passed_on.split():
                for name, text in OF_CONTROLLER.get(controller, {}).items():
                    if name != "memory.swap.max" or self.has_swap:
                        (group / name).write_text(text)

    def write(self, path: Path, text: str) -> None:
        group = path.parent
        if not path.exists():
            raise FileNotFoundError(errno.ENOENT, "no such file", str(path))
        if path.name == "cgroup.procs":
            self._move(text, group)
        elif path.name == "cgroup.kill":
            for procs in group.rglob("cgroup.procs"):
                procs.write_text("")
        elif path.name == "cgroup.subtree_control":
            self._enable({part.removeprefix("+") for part in text.split()}, group)
        else:
            path.write_text(text)

    def _move(self, pid: str, group: Path) -> None:
        if (group / "cgroup.subtree_control").read_text() and group != self.root:
            raise OSError(errno.EBUSY, "a group that passes controllers on holds no process")
        for procs in self.root.rglob("cgroup.procs"):
            procs.write_text("".join(f"{line}\n" for line in procs.read_text().split() if line != pid))
        with (group / "cgroup.procs").open("a") as here:
            here.write(f"{pid}\n")

    def _enable(self, wanted: set[str], group: Path) -> None:
        if (group / "cgroup.procs").read_text() and group != self.root:
            raise OSError(errno.EBUSY, "processes are in the group itself")
        if not wanted <= set((group / "cgroup.controllers").read_text().split()):
            raise OSError(errno.ENOENT, "no such controller here")
        (group / "cgroup.subtree_control").write_text(" ".join(sorted(wanted)))
        for inner in group.iterdir():
            if inner.is_dir():
                self._pass_on(inner)

    def rmdir(self, group: Path) -> None:
        if (group / "cgroup.procs").read_text() or any(inner.is_dir() for inner in group.iterdir()):
            raise OSError(errno.EBUSY, "not empty")
        shutil.rmtree(group)

    def pids(self, group: Path) -> list[int]:
        return [int(line) for line in (group / "cgroup.procs").read_text().split()]


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel(tmp_path / "cgroup")
    monkeypatch.setattr(cgroups, "MANAGER", tmp_path / "systemd")
    for module in (cgroupfs, cgroups):
        for name in ("make", "write", "rmdir"):
            monkeypatch.setattr(module, name, getattr(kernel, name), raising=False)
    return kernel


def a_unit(kernel: Kernel, *, delegated: bool = True, controllers: str = "memory pids") -> Path:
    unit = kernel.root / "gangland.service"
    kernel.write(kernel.root / "cgroup.subtree_control", " ".join(f"+{name}" for name in controllers.split()))
    kernel.make(unit)
    if delegated:
        os.setxattr(unit, "user.delegate", b"1")
    for pid in (os.getpid(), OTHERS):
        kernel.write(unit / "cgroup.procs", str(pid))
    return unit


def membership(tmp_path: Path, line: str) -> Path:
    path = tmp_path / "membership"
    path.write_text(line)
    return path


def found(kernel: Kernel, path: str = "/gangland.service") -> Cgroups | None:
    return Cgroups.find(kernel.root, membership=membership(kernel.root.parent, f"1:pids:/x\n0::{path}\n"))


def used(kernel: Kernel, path: str = "/gangland.service") -> Cgroups:
    cgroups_here = found(kernel, path)
    assert cgroups_here is not None
    return cgroups_here


def told(kernel: Kernel, path: str = "/gangland.service") -> str:
    return survey(kernel.root, membership=membership(kernel.root.parent, f"0::{path}\n")).description


def snapshot(root: Path) -> dict[str, str]:
    return {str(path): path.read_text() for path in root.rglob("*") if path.is_file()}


def test_a_delegated_group_is_divided_and_holds_no_process_itself(kernel: Kernel) -> None:
    unit = a_unit(kernel)
    cgroups_here = used(kernel)
    assert kernel.pids(unit) == []
    assert kernel.pids(unit / REST) == [OTHERS]
    assert kernel.pids(cgroups_here.folder / "self") == [os.getpid()]
    assert str(cgroups_here.folder) in cgroups_here.describe()
    assert "delegated" in told(kernel, f"/gangland.service/{cgroups_here.folder.name}/self")


def test_a_box_sets_every_limit_and_is_gone_when_it_is_closed(kernel: Kernel) -> None:
    a_unit(kernel)
    cgroups_here = used(kernel)
    box = cgroups_here.box(256 * 1024 * 1024, 4)
    (folder,) = cgroups_here.folder.glob("box-*")
    settings = {name: (folder / name).read_text() for of in OF_CONTROLLER.values() for name in of}
    assert settings == {
        "memory.max": "268435456", "memory.swap.max": "0", "memory.oom.group": "0",
        "memory.events": "oom 0\noom_kill 0\n", "pids.max": "4",
    }  # fmt: skip
    box.add(OTHERS + 1)
    assert kernel.pids(folder) == [OTHERS + 1]
    box.close()
    box.close()
    assert not folder.exists()
    kernel.has_swap = False  # a kernel that counts none is no obstacle
    cgroups_here.box(1, 1).close()


def test_only_a_kill_for_want_of_memory_counts_as_one(kernel: Kernel) -> None:
    a_unit(kernel)
    cgroups_here = used(kernel)
    box, other = cgroups_here.box(1000, 1), cgroups_here.box(1000, 1)
    first, second = sorted(cgroups_here.folder.glob("box-*"))
    (first / "memory.events").write_text("low 0\nmax 9\noom 1\noom_kill 0\n")
    assert not box.out_of_memory()
    (first / "memory.events").write_text("low 0\nmax 9\noom 1\noom_kill 1\n")
    assert box.out_of_memory()
    assert not other.out_of_memory()
    assert second.exists()


def test_started_as_root_the_groups_are_handed_to_the_jails_user(kernel: Kernel) -> None:
    unit = a_unit(kernel)
    cgroups_here = used(kernel)
    owner = privileges.JAIL_ID if os.geteuid() == 0 else os.geteuid()
    for name in ("", "cgroup.procs", "cgroup.subtree_control"):
        assert (cgroups_here.folder / name).stat().st_uid == owner
    assert {path.stat().st_uid for path in (unit, unit / "cgroup.procs")} == {os.geteuid()}


def test_what_dead_processes_left_is_swept_away_and_what_lives_stays(kernel: Kernel) -> None:
    unit = a_unit(kernel)
    start = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[19]
    alive = unit / f"gangland-{os.getppid()}-{start}"
    dead = [unit / f"gangland-{OTHERS}-1", unit / f"gangland-{os.getppid()}-{int(start) + 1}"]
    foreign = unit / "gangland-notes"
    for group in (alive, *dead, foreign):
        kernel.make(group)
    kernel.make(dead[0] / "box-1")
    kernel.write(dead[0] / "box-1" / "cgroup.procs", str(OTHERS + 7))
    assert found(kernel) is not None
    assert [group.exists() for group in (alive, *dead, foreign)] == [True, False, False, True]


def test_started_again_out_of_its_own_group_it_finds_the_one_around(kernel: Kernel) -> None:
    unit = a_unit(kernel)
    kernel.make(unit / REST)
    kernel.write(unit / REST / "cgroup.procs", str(os.getpid()))
    kernel.write(unit / REST / "cgroup.procs", str(OTHERS))
    assert used(kernel, f"/gangland.service/{REST}").folder.parent == unit


def test_a_containers_own_tree_is_its_own(kernel: Kernel) -> None:
    (kernel.root / "cgroup.events").write_text("populated 1\n")
    kernel.write(kernel.root / "cgroup.procs", str(os.getpid()))
    assert used(kernel, "/").folder.parent == kernel.root


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may divide what nobody manages")
def test_as_root_a_tree_that_nobody_manages_is_divided_and_others_stay_where_they_are(kernel: Kernel) -> None:
    kernel.write(kernel.root / "cgroup.procs", str(os.getpid()))
    kernel.write(kernel.root / "cgroup.procs", str(OTHERS))
    cgroups_here = used(kernel, "/")
    assert cgroups_here.folder.parent == kernel.root
    assert kernel.pids(kernel.root) == [OTHERS]
    assert kernel.pids(cgroups_here.folder / "self") == [os.getpid()]
    cgroups_here.box(1000, 1).close()
    assert not (kernel.root / REST).exists()


def not_delegated(kernel: Kernel) -> None:
    cgroups.MANAGER.mkdir()
    a_unit(kernel, delegated=False)
    (kernel.root / "gangland.service" / "cgroup.procs").chmod(0o444)  # root needs the mark, others the permission


def of_systemd(kernel: Kernel) -> None:
    cgroups.MANAGER.mkdir()  # the root of all, and somebody divides it
    kernel.write(kernel.root / "cgroup.procs", str(os.getpid()))


def somewhere_else(kernel: Kernel) -> None:
    a_unit(kernel)
    kernel.write(kernel.root / "cgroup.procs", str(os.getpid()))


def of_another_namespace(kernel: Kernel) -> None:
    a_unit(kernel)
    (kernel.root / "gangland.service" / "cgroup.procs").write_text(f"0\n{os.getpid()}\n")


def without_version_2(kernel: Kernel, *others: str) -> None:
    (kernel.root / "cgroup.controllers").unlink()
    for other in others:
        (kernel.root / other).parent.mkdir(exist_ok=True)
        (kernel.root / other).touch()


UNIT = "/gangland.service"


@pytest.mark.parametrize(
    ("machine", "path", "words"),
    [
        (not_delegated, UNIT, "v2, not delegated"), (of_systemd, "/", "v2, not delegated"),
        (lambda kernel: a_unit(kernel, controllers="pids"), UNIT, "v2, delegated without memory;"),
        (lambda kernel: a_unit(kernel, controllers=""), UNIT, "v2, delegated without memory and pids;"),
        (somewhere_else, UNIT, "is not visible"), (of_another_namespace, UNIT, "is not visible"),
        (lambda kernel: without_version_2(kernel, "memory/tasks"), "/", "v1;"),
        (lambda kernel: without_version_2(kernel, "unified/cgroup.controllers"), "/", "hybrid"),
        (without_version_2, "/", "none;"),
    ],
)  # fmt: skip
def test_what_is_not_ours_is_said_and_left_as_it_is(kernel: Kernel, machine: Any, path: str, words: str) -> None:
    machine(kernel)
    before = snapshot(kernel.root)
    assert found(kernel, path) is None
    assert words in told(kernel, path)
    assert "resource limits apply to the jails" in told(kernel, path)
    assert snapshot(kernel.root) == before


def test_a_group_that_cannot_be_divided_after_all_is_given_back(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    unit = a_unit(kernel)

    def refuse(path: Path, text: str) -> None:
        if path.name == "cgroup.subtree_control":
            raise PermissionError(errno.EACCES, "refused")
        kernel.write(path, text)

    monkeypatch.setattr(cgroups, "write", refuse)
    assert found(kernel) is None
    assert sorted(kernel.pids(unit)) == sorted([os.getpid(), OTHERS])
    assert [path for path in unit.iterdir() if path.is_dir()] == []
    assert "cannot be used" in caplog.text


def test_a_box_that_the_kernel_refuses_leaves_nothing(kernel: Kernel) -> None:
    a_unit(kernel)
    cgroups_here = used(kernel)
    kernel.write(cgroups_here.folder / "cgroup.subtree_control", "+pids")
    with pytest.raises(errors.SandboxError, match=r"no control group for a jail.*memory\.max"):
        cgroups_here.box(1, 1)
    assert list(cgroups_here.folder.glob("box-*")) == []


def test_a_process_that_is_gone_or_a_full_box_is_our_fault(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    a_unit(kernel)
    cgroups_here = used(kernel)
    box = cgroups_here.box(1, 1)
    monkeypatch.setattr(cgroupfs, "REMOVE_TIMEOUT_S", 0.02)

    def deaf(path: Path, text: str) -> None:
        if path.name == "cgroup.procs":
            raise ProcessLookupError(errno.ESRCH, "no such process")

    monkeypatch.setattr(cgroups, "write", deaf)
    with pytest.raises(errors.SandboxError, match="process 12 cannot be put"):
        box.add(12)
    (folder,) = cgroups_here.folder.glob("box-*")
    (folder / "cgroup.procs").write_text(f"{OTHERS}\n")
    monkeypatch.setattr(cgroupfs, "write", deaf)
    with pytest.raises(errors.SandboxError, match="cannot be emptied"):
        box.close()


def version_2_root() -> Path | None:
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    return next((Path(fields[1]) for fields in mounts if fields[2] == "cgroup2"), None)


@contextmanager
def a_real_group() -> Iterator[Path | None]:
    """A delegated group of the kernel's own; None where this user may make none."""
    root = version_2_root()
    group = root / f"gangland-test-{os.getpid()}" if root is not None else None
    try:
        if group is not None:
            group.mkdir()
            os.setxattr(group, "user.delegate", b"1")
    except OSError:
        group = None
    try:
        yield group
    finally:
        if group is not None:
            assert cgroupfs.remove(group)


REALLY = """
import os, signal, subprocess, sys
from pathlib import Path
from gangland_sandbox import cgroups, privileges
group = Path(sys.argv[1])
(group / "cgroup.procs").write_text(str(os.getpid()))
with subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL) as other:
    (group / "cgroup.procs").write_text(str(other.pid))
    here = cgroups.Cgroups.find(group.parent, controllers=())
    print("found", here is not None)
    print("home", (group / "cgroup.procs").read_text().split())
    print("rest", (group / "gangland-rest" / "cgroup.procs").read_text().split() == [str(other.pid)])
    privileges.drop()
    box = here.box(1 << 28, 4)
    bot = subprocess.Popen(["sh", "-c", "sleep 60 & sleep 60"], stdout=subprocess.DEVNULL)
    box.add(bot.pid)
    (folder,) = here.folder.glob("box-*")
    print("in", str(bot.pid) in (folder / "cgroup.procs").read_text().split())
    print("killed", box.out_of_memory())
    box.close()
    print("ended", bot.wait() == -signal.SIGKILL, folder.exists())
    box = here.box(1, 1)
    left = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL)
    box.add(left.pid)
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
AGAIN = """
import os, sys
from pathlib import Path
from gangland_sandbox import cgroups
group = Path(sys.argv[1])
(group / "cgroup.procs").write_text(str(os.getpid()))
here = cgroups.Cgroups.find(group.parent, controllers=())
print(sorted(path.name for path in group.iterdir() if path.is_dir()) == sorted(["gangland-rest", here.folder.name]))
"""


def test_the_kernel_itself_takes_a_jail_in_kills_it_and_forgets_what_a_crash_left() -> None:
    with a_real_group() as group:
        if group is None:
            # Nothing to try on: then a player finds nothing either, and the doctor says why.
            assert Cgroups.find() is None or version_2_root() == ROOT
            assert facts()["cgroups"] == survey().description
            return
        ran = subprocess.run([sys.executable, "-c", REALLY, str(group)], stdout=subprocess.PIPE, text=True, check=False)
        assert ran.returncode == -signal.SIGKILL
        assert ran.stdout.splitlines() == [
            "found True", "home []", "rest True", "in True", "killed False", "ended True False",
        ]  # fmt: skip
        assert len([path for path in group.rglob("box-*") if cgroupfs.pids(path)]) == 1
        again = subprocess.run([sys.executable, "-c", AGAIN, str(group)], stdout=subprocess.PIPE, text=True, check=True)
        assert again.stdout.strip() == "True"
    assert group is not None
    assert not group.exists()


EATS = """
import os, signal, sys
from gangland_sandbox import cgroups, privileges
here = cgroups.Cgroups.find()
if here is None:
    print("none:", cgroups.survey().description)
    sys.exit()
privileges.drop()
box = here.box(64 << 20, 8)
waits, goes = os.pipe()
bot = os.fork()
if bot == 0:
    os.read(waits, 1)
    held = bytearray(256 << 20)
    os._exit(len(held) % 7)
box.add(bot)
os.write(goes, b".")
_, status = os.waitpid(bot, 0)
print("out of memory", os.waitstatus_to_exitcode(status), box.out_of_memory())
box.close()
"""


def test_where_memory_is_delegated_a_bot_that_is_out_of_it_is_known_exactly_else_the_doctor_says_why() -> None:
    ran = subprocess.run([sys.executable, "-c", EATS], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    state = survey()
    if state.home is None:
        print(f"NOT TRIED: no memory controller is delegated here ({state.description})")
        assert ran == f"none: {state.description}"
        assert facts()["cgroups"] == state.description
    else:
        assert ran == "out of memory -9 True"
