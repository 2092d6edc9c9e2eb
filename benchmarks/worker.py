"""Run one way of playing in a separate process, so that frameworks do not share memory.

    python -m benchmarks.worker WAY

It answers each JSON line of its input with one line: {"game", "seats", "first", "games"} gives
{"decisions", "cpu_s"} or, if the framework is not installed, {"missing"}.  Times are CPU times, so other programs on
the machine do not count.
"""

import json
import os
import sys
import time

from benchmarks.ways import WAYS, Batch, Way


def serve(way: Way) -> None:
    """Play the requested games until the input ends; output of a framework goes to stderr."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    ready: dict[tuple[str, int], Batch] = {}
    for line in sys.stdin:
        request = json.loads(line)
        key = (request["game"], request["seats"])
        try:
            if key not in ready:
                ready[key] = way.prepare()(*key)
        except ImportError as error:
            answer: dict[str, object] = {"missing": str(error)}
        else:
            began = time.process_time()
            decisions = ready[key](range(request["first"], request["first"] + request["games"]))
            answer = {"decisions": decisions, "cpu_s": time.process_time() - began}
        answers.write(f"{json.dumps(answer)}\n")
        answers.flush()


if __name__ == "__main__":
    serve(next(way for way in WAYS if way.name == sys.argv[1]))
