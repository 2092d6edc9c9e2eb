"""Several worker hosts against one broker, in network namespaces: what they play together, and one of them cut off.

    python -m tests.hosts [--turns 2] [--seconds 40] [--short]

It needs root.  Ends with 1 if a match is lost or counted twice, or few are played; with 2 without namespaces.
"""

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import columns, machine
from tests.chaos.runs import undisturbed
from tests.hosts import cutting, network
from tests.hosts.rates import CORES, ONE, WHOLE, Rate, broken, measure

MORE_CUTS = 4


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no namespace is left behind
    if lack := network.why_not():
        sys.stderr.write(f"several hosts cannot be tried here: {lack}\n")
        return 2
    with TemporaryDirectory(prefix="gangland-hosts-") as name:
        folder = Path(name)
        rates = {} if given.short else measure(folder / "rates", turns=given.turns, seconds=given.seconds)
        size = cutting.SHORT if given.short else cutting.LONG
        calm = undisturbed(folder / "calm", size)
        cut = cutting.cut_off(folder / "cut", size, calm.told, more=0 if given.short else MORE_CUTS)
    found = [*cut.problems, *(broken(rates) if rates else [])]
    sys.stdout.write(_text(rates, cut, found))
    return 1 if found else 0


def _text(rates: dict[str, Rate], cut: cutting.Cut, found: Sequence[str]) -> str:
    rows = [["hosts x workers", "matches/s", f"x {ONE.name}", "matches/CPU s left", f"x {WHOLE.name}"]]
    for rate in rates.values():
        one, whole = rates[ONE.name], rates[WHOLE.name]
        nearby = [rate.a_second / one.a_second if one.matches else 0.0]
        nearby += [rate.a_cpu_second, rate.a_cpu_second / whole.a_cpu_second if whole.matches else 0.0]
        rows.append([rate.way, f"{rate.a_second:.2f}", *(f"{figure:.2f}" for figure in nearby)])
    result = cut.told
    counts = f"{result.scheduled} matches scheduled, {result.committed} recorded"
    counts += f", {result.lost} lost, {result.doubled} doubled"
    again = f"leased again {cut.leased_again_s:.1f} s after the cut, {cut.stale} late results dropped"
    verdict = "".join(f"WRONG: {one}\n" for one in found) or "Nothing is lost, nothing counts twice.\n"
    table = f"{columns(rows)}\n" if rates else ""
    return f"{machine()} ({CORES} cores)\n\n{table}{cut.cuts} cuts: {counts};\n{again}.\n\n{verdict}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.hosts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=2, help="how often each way is measured (2)")
    parser.add_argument("--seconds", type=float, default=40.0, help="each time (40)")
    parser.add_argument("--short", action="store_true", help="what the test suite does: one cut, no rates")
    return parser


if __name__ == "__main__":
    sys.exit(main())
