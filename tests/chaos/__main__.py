"""A fixed schedule played while everything is killed, stopped and wiped, and what came of it.

    python -m tests.chaos [--database sqlite|postgresql|both] [--seed N] [--short]

Ends with 0 if every scheduled match is recorded once, with the results, ratings and standings of an undisturbed run.
"""

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.chaos.report import lines
from tests.chaos.runs import LONG, LONG_ATTACK, SHORT, SHORT_ATTACK, attacked, problems, undisturbed

WORKERS = {"sqlite": 2, "postgresql": 4}  # the undisturbed run has one: the tables may not depend on it


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing of it is left behind
    size, plan = (SHORT, SHORT_ATTACK) if given.short else (LONG, LONG_ATTACK)
    databases = list(WORKERS) if given.database == "both" else [given.database]
    with TemporaryDirectory(prefix="gangland-chaos-") as name:
        folder = Path(name)
        sys.stderr.write("undisturbed, with 1 match worker\n")
        calm = undisturbed(folder / "calm", size)
        runs = []
        for kind in databases:
            sys.stderr.write(f"under attack on {kind}, with {WORKERS[kind]} match workers\n")
            how = {"seed": given.seed, "workers": WORKERS[kind], "plan": plan, "long": not given.short}
            runs.append(attacked(folder / kind, size, kind, **how))
    sys.stdout.write("\n".join(lines(calm, runs)) + "\n")
    return 1 if any(problems(run, calm.told) for run in runs) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", choices=[*WORKERS, "both"], default="both")
    parser.add_argument("--seed", type=int, default=1, help="which plan of disturbances is carried out")
    parser.add_argument("--short", action="store_true", help="what the test suite does, instead of minutes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
