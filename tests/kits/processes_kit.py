"""The machine's processes, as /proc shows them."""

from collections import defaultdict
from pathlib import Path


def facts_of(pid: int) -> list[str]:
    """Return the fields of a process's stat behind its name: its state, its parent and so on; none if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def families() -> defaultdict[int, list[int]]:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        if facts := facts_of(int(folder.name)):
            found[int(facts[1])].append(int(folder.name))
    return found


def descendants_of(pid: int) -> list[int]:
    by_parent = families()
    below = list(by_parent[pid])
    for child in below:
        below += by_parent[child]
    return below


def is_alive(pid: int) -> bool:
    """Return whether a process runs; one that only waits to be reaped does not."""
    return (facts_of(pid) or ["X"])[0] not in "ZX"
