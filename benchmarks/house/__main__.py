"""Measure how strong the house bots are, and print the tables of benchmarks/results/house-bots.md.

The same number of blocks gives the same strengths on any number of cores.  In the last table the
bosses play sensible bots in the jail.

    python -m benchmarks.house [--blocks N] [--matches N] [--only TABLE] [--json | --write]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.evidence.jobs import run_all
from benchmarks.evidence.tables import Row, Table, give_or_take, rewritten
from benchmarks.house.jailed import JAILED, SIZES, jailed_table, percent
from benchmarks.house.strength import Block, Met, Standing, jobs, standings
from gangland.games import game_named

PAGE = Path(__file__).resolve().parents[1] / "results" / "house-bots.md"
FULL = 100
"""Blocks of each pair; a table of three plays a third as many, one of four a sixth."""
WORDS = {2: "two", 3: "three", 4: "four"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, count and print."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.only and options.write:
        parser.error("--write needs all tables, so not with --only")
    sizes = [size for size in SIZES if options.only in (None, _key(*size))]
    found = [strength_table(*size, options) for size in sizes]
    if options.only in (None, JAILED):
        found.append(jailed_table(options.matches))
    if options.write:
        PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
        sys.stderr.write(f"wrote the tables of {PAGE.name}\n")
    elif options.json:
        sys.stdout.write(json.dumps([table.as_values() for table in found], indent=1) + "\n")
    else:
        sys.stdout.write("\n\n".join(table.as_text() for table in found) + "\n")


def strength_table(game: str, seats: int, options: argparse.Namespace) -> Table:
    """Play all tables of a size and return the bots in the order of their strength."""
    blocks = max(2, options.blocks * 2 // (seats * (seats - 1)))
    found: dict[Met, list[Block]] = {}
    for met, parts in run_all(jobs(game, seats, blocks), options.workers).items():
        assert isinstance(met, Met)
        found[met] = [block for part in parts for block in part]
    ranked = standings(game, seats, found)
    names = [each.bot for each in ranked] if seats == 2 else []
    columns = ("bot", "wins", "mean place", "sure", *(f"against {name}" for name in names))
    title = f"{game_named(game).title} at {seats} seats"
    finding = (
        f"{blocks} blocks at each of {len(found)} tables, {blocks * seats * len(found):,} games. An even share is "
        f"{1 / seats:.0%} and place {(seats + 1) / 2:.1f}. `sure`: the interval is apart from the next bot's."
    )
    return Table(_key(game, seats), title, columns, tuple(_rows(ranked, names)), finding)


def _key(game: str, seats: int) -> str:
    return f"{game}-{WORDS[seats]}"


def _rows(ranked: Sequence[Standing], names: Sequence[str]) -> Iterator[Row]:
    for each, below in zip(ranked, [*ranked[1:], None], strict=True):
        sure = "" if below is None else "yes" if each.place.high < below.place.low else "no"
        cells = [percent(each.against[name]) if name != each.bot else "" for name in names]
        yield (f"{each.bot}_gang", percent(each.wins), give_or_take(each.place, 2), sure, *cells)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house", description="How strong the house bots are.")
    parser.add_argument("--blocks", type=_count, default=FULL, help=f"blocks of each pair ({FULL})")
    parser.add_argument("--matches", type=_count, default=6, help="jailed matches at each table size (6)")
    parser.add_argument("--workers", type=_count, default=os.cpu_count() or 1, help="processes (one a core)")
    keys = [*(_key(*size) for size in SIZES), JAILED]
    parser.add_argument("--only", choices=keys, metavar="TABLE", help=f"one table: {', '.join(keys)}")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--write", action="store_true", help="write the tables into benchmarks/results/house-bots.md")
    return parser


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"a number from 1, not {text!r}")
    return count


def _stop(*_: object) -> None:
    """End as by an error, so that the other processes end too."""
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    main()
