"""Measures how many pages a second the web processes answer, over a database that `benchmarks.fill` has made.

    python -m benchmarks.pages --database sqlite:////tmp/large/gangland.sqlite3 --database postgresql://...

the site runs as `gangland up` starts it, with two processes; the customer is one thread of this process, on
kept connections over loopback, so it takes a part of the same cores.  All figures of a run are of the same minutes.
CPU is that of the web processes alone (a server for PostgreSQL has its own).

A leaderboard's 100 rows are asked for page by page through the whole ladder.  "made": every page anew, kept pages
switched off; "kept": as shipped; "unchanged": the customer has the page and sends its ETag.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import quantiles

from sqlalchemy import make_url
from sqlmodel import Session, col, select

from benchmarks.pages.driver import ask, drive, request
from benchmarks.pages.serving import Served, served
from gangland_web.store.database import Database
from gangland_web.store.models.bots import Version
from gangland_web.store.models.tournaments import Entry, Tournament

PAGES = 100
"""The most addresses that take turns."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one kind of page came to; times in milliseconds."""

    database: str
    page: str
    way: str
    pages_s: float
    p50_ms: float
    p99_ms: float
    cpu_ms: float


def addresses(database: Database, port: int) -> dict[str, list[str]]:
    """Return the addresses of each kind of page, of the ladder with the most matches."""
    with database.read() as db:
        order = col(Tournament.matches_over).desc()
        ladder = db.exec(select(Tournament).where(Tournament.kind == "ladder").order_by(order)).first()
        if ladder is None:
            raise SystemExit("this database has no ladder; fill it with benchmarks.fill")
        bots = _some_bots(db, ladder)
    at = f"/ladders/{ladder.game}"
    twins = _walk(port, f"{at}.json?seats={ladder.seats}")
    return {
        "leaderboard": [twin.replace(".json", "") for twin in twins],
        "leaderboard as JSON": twins,
        "match list": _older(port, f"{at}/matches?seats={ladder.seats}"),
        "bot": [f"/bots/{bot}" for bot in bots],
        "bot's matches": [f"/bots/{bot}/matches" for bot in bots],
        "home": ["/"],
    }


def _some_bots(db: Session, ladder: Tournament) -> list[int]:
    chosen = select(Version.bot_id).join(Entry, col(Entry.version_id) == Version.id)
    chosen = chosen.where(Entry.tournament_id == ladder.id, col(Entry.active).is_(True), Entry.games > 0)
    found = list(db.exec(chosen.order_by(col(Entry.rating).desc())).all())
    return found[:: max(1, len(found) // PAGES)][:PAGES]


def _walk(port: int, path: str) -> list[str]:
    found: list[str] = []
    while path and len(found) < PAGES:
        found.append(path)
        path = json.loads(ask(port, path).body).get("next", "")
    return found


def _older(port: int, path: str) -> list[str]:
    found: list[str] = []
    while path and len(found) < PAGES:
        found.append(path)
        before, next_link, _ = ask(port, path).body.decode().partition('" rel="next"')
        path = before.rpartition('href="')[2].replace("&amp;", "&") if next_link else ""
    return found


def measure(url: str, given: argparse.Namespace) -> Iterator[Figures]:
    """Yield the figures of one database."""
    database, kind = Database(url), make_url(url).get_backend_name()
    try:
        for keeping in (False, True):
            with served(database.url, keeping=keeping) as site:
                for page, paths in addresses(database, site.port).items():
                    if not keeping:
                        yield _driven(kind, page, "made", site, [request(path) for path in paths], 200, given)
                    elif "ETag".lower() in ask(site.port, paths[0]).headers:
                        yield _driven(kind, page, "kept", site, [request(path) for path in paths], 200, given)
                        asked = [request(path, ask(site.port, path).headers["etag"]) for path in paths]
                        yield _driven(kind, page, "unchanged", site, asked, 304, given)
    finally:
        database.close()


def _driven(
    kind: str, page: str, way: str, site: Served, asked: Sequence[bytes], status: int, given: argparse.Namespace
) -> Figures:
    drive(site.port, asked, status=status, connections=given.connections, seconds=given.seconds / 4)  # warm
    before = site.cpu_s()
    took = drive(site.port, asked, status=status, connections=given.connections, seconds=given.seconds)
    cpu = site.cpu_s() - before
    cuts = quantiles(took, n=100) if len(took) > 1 else took * 99
    return Figures(kind, page, way, len(took) / given.seconds, 1e3 * cuts[49], 1e3 * cuts[98], 1e3 * cpu / len(took))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description="Pages a second.")
    parser.add_argument("--database", action="append", required=True, help="its address; may be given again")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each kind of page (5)")
    parser.add_argument("--connections", type=int, default=4)
    given = parser.parse_args()
    line = "| {} | {} | {} | {} | {} | {} | {} |\n"
    sys.stdout.write(line.format("database", "page", "way", "pages/s", "p50, ms", "p99, ms", "CPU, ms"))
    sys.stdout.write("|---|---|---|--:|--:|--:|--:|\n")
    for url in given.database:
        for one in measure(url, given):
            rounded = f"{one.pages_s:.0f}", f"{one.p50_ms:.1f}", f"{one.p99_ms:.1f}", f"{one.cpu_ms:.2f}"
            sys.stdout.write(line.format(one.database, one.page, one.way, *rounded))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
