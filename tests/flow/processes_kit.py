"""Users, rights and settings of a site's processes, as the kernel has them."""

import time
from contextlib import suppress
from pathlib import Path

from tests.flow.flow_kit import Up, children_of, command_of
from tests.kits.processes_kit import descendants_of

MATCH_WORKER = "workers.match"
KINDS = (
    "zygote", "supervisor", MATCH_WORKER, "workers.records", "workers.beat", "workers.mail", "ops.serving",
    "-server",
)  # fmt: skip


def users_of(pid: int) -> set[int]:
    """Return the real, effective, saved and file system users of a process."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("Uid:"))
    return {int(word) for word in line.split()[1:]}


def held_by(pid: int) -> set[str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {
        line.split()[0]
        for line in lines
        if line.startswith(("CapPrm", "CapEff", "CapAmb")) and int(line.split()[1], 16)
    }


def kinds_of_users(up: Up) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for pid in (up.process.pid, *descendants_of(up.process.pid)):
        with suppress(OSError, StopIteration):
            if (kind := next((kind for kind in KINDS if kind in command_of(pid)), None)) is not None:
                users = users_of(pid)
                if 0 not in users:
                    if held_by(pid):  # bubblewrap has some in its own namespace while it sets up a jail
                        time.sleep(1)
                    assert held_by(pid) == set(), kind
                found.setdefault(kind, set()).update(users)
    return found


def environment_of(pid: int) -> dict[str, str]:
    pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return dict(pair.decode().split("=", 1) for pair in pairs if b"=" in pair)


def parts_of(up: Up) -> dict[int, str]:
    """Return the supervisor's children and their commands, without its short-lived fork."""
    commands = {pid: command_of(pid) for pid in children_of(up.process.pid)}
    return {pid: command for pid, command in commands.items() if command not in ("", command_of(up.process.pid))}


def wait_until_blank(up: Up, pid: int, names: set[str]) -> None:
    """Wait until a starting process has overwritten the secrets in its environment."""
    values = {name for name in names if not name.endswith("_FILE")}
    up.wait_until(lambda: not any(environment_of(pid)[name] for name in values), f"{pid} to hide {values}")
