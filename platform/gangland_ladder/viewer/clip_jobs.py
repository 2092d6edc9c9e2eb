"""Make clips in a separate process with limited memory and time.

`python -m gangland_ladder.viewer.clip_jobs` reads a job from standard input and writes the clip to standard output.
Bot names are untrusted text that may crash the drawing libraries; a crash ends only that process.
"""

import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from gangland.replay import ReplayError, load
from gangland_ladder.viewer.drawing.canvas import Scheme
from gangland_ladder.viewer.timeline import NoSuchFrame, timeline_of

MAX_DECISIONS: Final = 5_000  # More than any game of house bots has.
# The largest known clip uses a fifth of each limit.
CPU_S: Final = 20
MEMORY_BYTES: Final = 768 * 1024**2
WALL_S: Final = 300.0  # The process runs at a low priority.
_REASON_CHARS: Final = 300


class ClipFailed(RuntimeError):
    """The clip could not be made; the message has the reason."""


class ClipJob(Struct, forbid_unknown_fields=True):
    """The data for a clip; see `clips.render`."""

    replay: str  # as JSON
    names: Sequence[str]  # in seat order
    notes: Mapping[int, str]  # messages about seats' failures, by decision number
    part: str
    form: str
    scheme: str
    label: str = ""


class ClipResult(Struct, forbid_unknown_fields=True):
    """The clip, or the reason why it could not be made."""

    body: bytes = b""
    failed: str = ""


def run_job(job: ClipJob) -> bytes:
    """Make the clip in a separate process with an empty environment, and return it.  Raises ClipFailed."""
    command = [sys.executable, "-P", "-m", __name__]
    try:
        process = subprocess.run(
            command, input=msgspec.json.encode(job), capture_output=True, timeout=WALL_S, check=False, env={}
        )
    except subprocess.TimeoutExpired as error:
        raise ClipFailed(f"the process took more than {WALL_S:.0f} s") from error
    if process.returncode:
        last_line = process.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ClipFailed(f"the process exited with status {process.returncode}: {last_line[-_REASON_CHARS:]!a}")
    return process.stdout


def make(job: ClipJob) -> bytes:
    """Make the clip in this process.  Raises ClipFailed: the replay is invalid or too long, or has no such part."""
    from gangland_ladder.viewer.clips import FileFormat, render

    try:
        replay = load(job.replay)
        if len(replay.decisions) > MAX_DECISIONS:
            raise ClipFailed(f"the game has {len(replay.decisions)} decisions, over {MAX_DECISIONS}")
        timeline = timeline_of(replay, job.names, notes=job.notes)
        return render(timeline, job.part, FileFormat(job.form), Scheme(job.scheme), label=job.label)
    except (ReplayError, NoSuchFrame) as error:
        raise ClipFailed(str(error)) from error


def _main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=ClipJob)
    sys.stdout.buffer.write(make(job))


if __name__ == "__main__":
    _main()
