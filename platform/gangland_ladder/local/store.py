"""Store the results of local runs, so that an interrupted run can continue."""

import fcntl
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from gangland_ladder.common.release import this_release
from gangland_ladder.common.runtime import write_errors_as
from gangland_ladder.matches.match_jobs import MatchJob

# A run is a file of JSON lines. The first line describes the run, and each further line has the result of one match
# with the digest of its job as the key. Lines are appended one by one, so a killed run leaves at most one incomplete
# line, at the end, which is removed when the run is resumed. A line depends only on its job, so a longer run of the
# same bots can also use it.

SCHEMA: Final = "gangland/run/1"
FOLDER_VARIABLE: Final = "GANGLAND_RUNS"
MAX_RUNS: Final = 100  # In one folder; older runs are deleted.
_MAX_HEAD_BYTES: Final = 1_000_000


class StoreError(ValueError):
    """A run cannot be stored or continued; the message explains why."""


def default_folder(env: Mapping[str, str]) -> Path:
    """Return `GANGLAND_RUNS`, else a folder in the user's state folder. Raises StoreError: the user has no home."""
    if folder := env.get(FOLDER_VARIABLE):
        return Path(folder)
    try:
        base = env.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    except RuntimeError as error:
        raise StoreError(f"no folder for runs: {error}; set {FOLDER_VARIABLE}") from error
    return Path(base) / "gangland" / "runs"


def key_of(job: MatchJob, **settings: object) -> str:
    """Return the key of a match in a store: a digest of its job, these settings and this release."""
    document = msgspec.to_builtins(job) | {"release": this_release()}
    return sha256(json.dumps([document, settings], sort_keys=True).encode()).hexdigest()[:32]


class _Line(msgspec.Struct, frozen=True):
    match: str
    came: msgspec.Raw


_LINE = msgspec.json.Decoder(_Line)


class RunStore:
    """The open and locked file of one run; `results` has the results by key, as of the last read."""

    def __init__(self, path: Path, run: Mapping[str, object], *, resume: bool) -> None:
        """Open a run, which is empty unless it is resumed. Raises StoreError: it cannot be written, or is in use."""
        self.path = path
        self.results: dict[str, bytes] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"cannot store the run in {path}: {error.strerror}") from error
        try:
            self._begin(run, resume)
        except BaseException:
            os.close(self._file)
            raise

    def _begin(self, run: Mapping[str, object], resume: bool) -> None:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # children of a fork do not inherit this lock
        except OSError as error:
            raise StoreError(f"another process is playing this run, stored in {self.path}") from error
        head = self._head = json.dumps({"schema": SCHEMA, "run": run}).encode() + b"\n"
        valid_bytes = self._read(head) if resume else 0
        with write_errors_as(self.path, StoreError):
            os.ftruncate(self._file, valid_bytes)
            if not valid_bytes:
                self._write(head)

    def _read(self, head: bytes) -> int:
        lines = self.path.read_bytes().splitlines(keepends=True)
        if not lines or lines[0] != head:
            return 0
        valid_bytes = len(head)
        for line in lines[1:]:
            try:
                record = _LINE.decode(line)
            except msgspec.MsgspecError:
                break
            if not line.endswith(b"\n"):
                break
            self.results[record.match] = bytes(record.came)
            valid_bytes += len(line)
        return valid_bytes

    def refresh(self) -> None:
        """Read the lines that have been added since the file was opened."""
        self._read(self._head)

    def put(self, key: str, result: object) -> None:
        """Store the result of a match. Raises StoreError: the file cannot be written, for example on a full disk."""
        with write_errors_as(self.path, StoreError):
            self._write(b'{"match":"%s","came":%s}\n' % (key.encode(), msgspec.json.encode(result)))

    def _write(self, line: bytes) -> None:
        written = os.write(self._file, line)
        while written < len(line):
            written += os.write(self._file, line[written:])

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def path_of(folder: Path, run: Mapping[str, object]) -> Path:
    """Return the path of a run in a folder."""
    digest = sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()[:16]
    return folder / f"{run['command']}-{digest}.ndjson"


def last_dice(
    folder: Path, run: Mapping[str, object], seed: int | None, salt: bytes | None
) -> tuple[int, bytes] | None:
    """Return the seed and salt of the latest run with the same settings, or None; a seed or salt of None fits any."""
    dice: dict[str, object] = {} if seed is None else {"seed": seed}
    dice |= {} if salt is None else {"salt": salt.hex()}
    for path in _runs(folder):
        stored = _run_in(path)
        if isinstance(stored, dict) and stored == {
            **run,
            "seed": stored.get("seed"),
            "salt": stored.get("salt"),
            **dice,
        }:
            with suppress(TypeError, ValueError):  # written by another version of this program, or damaged
                return int(stored["seed"]), bytes.fromhex(stored["salt"])
    return None


def delete_old(folder: Path) -> None:
    """Delete all runs in a folder except the latest `MAX_RUNS`."""
    for path in _runs(folder)[MAX_RUNS:]:
        with suppress(OSError):
            path.unlink()


def _runs(folder: Path) -> list[Path]:
    runs = []
    for path in folder.glob("*-*.ndjson"):
        with suppress(OSError):
            runs.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(runs, reverse=True)]


def _run_in(path: Path) -> object:
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(_MAX_HEAD_BYTES))
    except (OSError, ValueError):
        return None
    return head.get("run") if isinstance(head, dict) and head.get("schema") == SCHEMA else None
