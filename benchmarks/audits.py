"""How many results a host that forges sends before audits stop it: `python -m benchmarks.audits [--write]`.

Every result is drawn with the usual share; once a host is suspected, half of its further results are, and half of its
earlier ones at once.  A forged result that is audited shows one bot whose owner is drawn evenly from all.  The false
alarms are those of honest hosts among owners of whom `BASE` would stand against any host, at whatever moment.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from statistics import mean, quantiles
from typing import Final

from gangland_ladder.proof.auditing.evidence import BASE, FALSE_STOP, evidence, is_forging, is_suspect

SHARES: Final = (1.0, 0.5, 0.2, 0.1, 0.05)
OWNERS: Final = (4, 20, 100)
AUDITED: Final = 0.02
SUSPECTS: Final = 0.5
RUNS: Final = 1000
SEED: Final = 18
SEATS: Final = 2
LIMIT: Final = 100_000
PAGE: Final = Path(__file__).parent / "results" / "audits.md"
BEGIN: Final = "<!-- made by benchmarks/audits.py -->"
END: Final = "<!-- end -->"


def results_until_stopped(rng: random.Random, owners: int, forged: float, audited: float = AUDITED) -> int:
    """Return how many results a host sends until it is stopped, `LIMIT` if it is not by then."""
    seen: set[int] = set()
    against: set[int] = set()
    unaudited: list[tuple[tuple[int, ...], bool]] = []
    suspected = False

    def take(table: tuple[int, ...], is_forged: bool) -> None:
        seen.update(table)
        if is_forged:
            against.add(table[0])

    for count in range(1, LIMIT + 1):
        result = tuple(rng.sample(range(owners), SEATS)), rng.random() < forged
        share = max(audited, SUSPECTS) if suspected else audited
        if rng.random() < share:
            take(*result)
        else:
            unaudited.append(result)
            continue
        if not suspected and is_suspect(len(seen), len(against)):
            suspected = True
            for earlier in unaudited[-400:]:
                if rng.random() < SUSPECTS:
                    take(*earlier)
        if is_forging(len(seen), len(against)):
            return count
    return LIMIT


def is_falsely_stopped(rng: random.Random, owners: int, base: float = BASE) -> bool:
    """Return whether an honest host is stopped at any time until all owners were compared.

    The worst order for it: each owner is compared once, and those that stand against the host do so at once.
    """
    against = 0
    for seen in range(1, owners + 1):
        against += rng.random() < base
        if is_forging(seen, against):
            return True
    return False


def false_stops(rng: random.Random, owners: int, runs: int) -> int:
    """Return how many honest hosts of so many are ever stopped."""
    return sum(is_falsely_stopped(rng, owners) for _ in range(runs))


def least_against(owners: int) -> int:
    """Return with how many of so many owners against it a host is stopped."""
    return next(count for count in range(owners + 1) if is_forging(owners, count))


def page() -> str:
    """Return the part of results/audits.md that is made here."""
    rng = random.Random(SEED)
    lines = [
        BEGIN,
        "| share of its results that it forges | " + " | ".join(f"{owners} owners" for owners in OWNERS) + " |",
        "|---|" + "---:|" * len(OWNERS),
    ]
    for forged in SHARES:
        cells = []
        for owners in OWNERS:
            counts = [results_until_stopped(rng, owners, forged) for _ in range(RUNS)]
            cells.append(f"{mean(counts):,.0f} ({quantiles(counts, n=20)[-1]:,.0f})")
        lines.append(f"| {forged:.0%} | " + " | ".join(cells) + " |")
    stops = {owners: false_stops(rng, owners, 200_000) for owners in (20, 200)}
    allowed = FALSE_STOP * 200_000
    needed = ", ".join(f"{least_against(owners)} of {owners}" for owners in (5, *OWNERS[1:]))
    lines += [
        "",
        f"Results until it is stopped: the mean of {RUNS:,} simulated hosts, and in brackets the number within which",
        f"95% are; {AUDITED:.0%} of results audited, two seats, seed {SEED}.",
        f"A host is stopped with {needed} owners against it. Of 200,000 simulated honest hosts",
        f"that met 20 owners {stops[20]} were stopped, of those that met 200 owners {stops[200]};",
        f"at most {allowed:,.0f} are meant to be.",
        f"The evidence of one owner of one is {evidence(1, 1):.0f}; {1 / FALSE_STOP:,.0f} stop a host.",
        END,
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the figures, or write them into the documentation."""
    made = page()
    if "--write" not in sys.argv[1:]:
        print(made)
        return
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN, 1)
    PAGE.write_text(before + made + rest.split(END, 1)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
