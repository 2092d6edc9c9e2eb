"""One way of playing in a process of its own, so that no framework weighs on another's memory.

    python -m benchmarks.worker WAY

Answers one JSON line for each line that asks: {"game", "seats", "first", "games"} gives {"decisions", "cpu_s"}
or, if the framework is not there, {"missing"}.  CPU time counts: other programs on the machine do not.
"""

from __future__ import annotations

import json
import os
import sys
import time

from benchmarks.playing import Batch
from benchmarks.ways import Way, way_named


def serve(way: Way) -> None:
    """Play what is asked for until there is nothing more; what a framework prints goes to stderr."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    ready: dict[tuple[str, int], Batch] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        key = (asked["game"], asked["seats"])
        try:
            if key not in ready:
                ready[key] = way.prepare()(*key)
        except ImportError as error:
            answer: dict[str, object] = {"missing": str(error)}
        else:
            answer = _timed(ready[key], range(asked["first"], asked["first"] + asked["games"]))
        answers.write(f"{json.dumps(answer)}\n")
        answers.flush()


def _timed(batch: Batch, numbers: range) -> dict[str, object]:
    began = time.process_time()
    decisions = batch(numbers)
    return {"decisions": decisions, "cpu_s": time.process_time() - began}


if __name__ == "__main__":
    serve(way_named(sys.argv[1]))
