"""Measure the pages per second of the web processes, over databases of `benchmarks.fill`.

    python -m benchmarks.pages --database sqlite:////tmp/large/gangland.sqlite3 --database postgresql://...

The site runs as `gangland up` starts it, with two processes, but without a cache of pages.  The client is one thread
of this process, on persistent connections over loopback.  It uses a part of the same cores, and does not accept gzip.
In the same rounds a plain Flask page of 100 rows from the same index is served in the same way.

The CPU time is that of the web processes and of a PostgreSQL server on this machine; it is the minimum of all rounds,
because neighbors only make pages slower.  Other figures are the medians of the rounds.
"""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, pairwise
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import urlopen

from sqlalchemy import event
from sqlmodel import col, select

from benchmarks.harness import Row, Section, Table, count, parser, publish, run_in_turn, say
from benchmarks.pages.serving import Served, WrongAnswer, drive, plain_page, served, site_without_cache
from benchmarks.processes import processes, tree_s
from gangland_web.app import create_app
from gangland_web.models.bots import Version
from gangland_web.models.database import Database
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.settings import read_settings
from gangland_web.web.caching import init_page_cache

ADDRESSES: Final = 100
"""The number of addresses of each kind of page, used in turn."""
PLAIN: Final = "plain page"
COLUMNS: Final = ("database", "page", "pages/s", "p50, ms", "p99, ms", "web CPU, ms", "database CPU, ms", "statements")


def addresses(database: Database, site: Served) -> dict[str, list[str]]:
    """Return the addresses of each kind of page for the ladder with the most matches and for its bots.

    Searches are for a bot's whole name, an author's, a number in many names, and a letter in all names.
    """
    with database.read() as db:
        order = col(Tournament.matches_over).desc()
        ladder = db.exec(select(Tournament).where(Tournament.kind == "ladder").order_by(order)).first()
        if ladder is None:
            raise SystemExit("this database has no ladder; fill it with benchmarks.fill")
        query = select(Version.bot_id, Entry.rating).join(Entry, col(Entry.version_id) == Version.id)
        query = query.where(Entry.tournament_id == ladder.id, col(Entry.active).is_(True), Entry.games > 0)
        bots = db.exec(query.order_by(col(Entry.rating).desc())).all()
    some = bots[:: max(1, len(bots) // ADDRESSES)][:ADDRESSES]
    files: list[str] = []
    path = f"/ladders/{ladder.game}.json?seats={ladder.seats}"
    while path and len(files) < ADDRESSES:
        files.append(path)
        with urlopen(f"http://127.0.0.1:{site.port}{path}") as answer:
            path = json.load(answer)["next"]
    return {
        PLAIN: [f"/{ladder.id}?below={rating!r}" for _, rating in some],
        "leaderboard": [file.replace(f"/ladders/{ladder.game}.json", f"/{ladder.game}/leaderboard") for file in files],
        "leaderboard as JSON": files,
        "bot": [f"/bots/{bot}" for bot, _ in some],
        "bot's games": [f"/bots/{bot}/games" for bot, _ in some],
        "two bots": [f"/bots/{bot}/against/{other}" for (bot, _), (other, _) in pairwise(some)],
        "search": [f"/search?q={text}" for bot, _ in some for text in (f"bot+{bot}", f"author+{bot}", bot % 100, "o")],
        "watch": [f"/{ladder.game}/watch"],
    }


@dataclass(frozen=True, slots=True)
class Round:
    """Times in milliseconds, CPU by page."""

    pages_s: float
    p50_ms: float
    p99_ms: float
    web_ms: float
    database_ms: float


def one_round(site: Served, paths: Iterator[str], server: int | None, connections: int, seconds: float) -> Round:
    """Request pages for this number of seconds."""
    before = processes()
    took = sorted(drive(site.port, paths, connections, seconds))
    after = processes()
    if not took:
        raise WrongAnswer(f"no page within {seconds:g} s")
    spent = [0.0 if pid is None else tree_s(pid, after) - tree_s(pid, before) for pid in (site.pid, server)]
    web, database = (1e3 * cpu_s / len(took) for cpu_s in spent)
    p50, p99 = (1e3 * took[int(share * len(took))] for share in (0.5, 0.99))
    return Round(len(took) / seconds, p50, p99, web, database)


def statements(database: Database, paths: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the mean number of SQL statements of a page of each kind; the plain page has one."""
    with TemporaryDirectory() as folder:
        os.environ |= {"SECRET_KEY": "for measuring, and nothing else", "DATA_DIR": folder}
        app = create_app(read_settings(), database=database)
    init_page_cache(app, 0)
    sent: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *given: sent.append(given[2]))
    counts = {}
    for page, addresses in paths.items():
        sent.clear()
        for path in addresses if page != PLAIN else ():
            app.test_client().get(path)
        counts[page] = (
            len([one for one in sent if not one.startswith("BEGIN")]) / len(addresses) if page != PLAIN else 1.0
        )
    return counts


def server_of(database: Database) -> int | None:
    """Return the main process of a PostgreSQL server on this machine, the parent of each connection's process."""
    if database.engine.dialect.name != "postgresql":
        return None
    with database.engine.connect() as connection:
        backend = int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())
    there = processes()
    return there[backend].parent if backend in there else None


def measure(url: str, options: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each kind of page of a database."""
    database = Database(url)
    try:
        with served(database, site_without_cache.__name__) as site, served(database, plain_page.__name__) as plain:
            server, paths = server_of(database), addresses(database, site)
            chosen_pages = {page: paths[page] for page in options.page or paths}
            ways = {}
            for page, page_paths in chosen_pages.items():
                at = plain if page == PLAIN else site
                ways[page] = partial(one_round, at, cycle(page_paths), server, options.connections, options.seconds)
            rounds = run_in_turn(ways, options.rounds)
        sent = statements(database, chosen_pages)
    finally:
        database.close()
    for page, those in rounds.items():
        middle = [median(figures) for figures in zip(*((r.pages_s, r.p50_ms, r.p99_ms) for r in those), strict=True)]
        web, of_server = min(r.web_ms for r in those), min(r.database_ms for r in those)
        yield (database.engine.dialect.name, page, *middle, web, of_server if server else None, sent[page])


def main() -> None:
    """Print the table, or write it into a page."""
    line = parser("benchmarks.pages", "Pages a second, all of them made.")
    line.add_argument("--database", action="append", required=True, help="its address; may be given again")
    line.add_argument("--page", action="append", help="this kind of page only; may be given again")
    line.add_argument("--seconds", type=float, default=3.0, help="of each kind of page in a round (3)")
    line.add_argument("--rounds", type=count, default=5, help="how often each kind is measured (5)")
    line.add_argument("--connections", type=count, default=4)
    options = line.parse_args()
    rows = []
    for url in options.database:
        for row in measure(url, options):
            rows.append(row)
            say(" ".join(map(str, row)))
    publish(options, [Section("pages", (Table("pages", "Pages that are made", COLUMNS, tuple(rows)),))])


if __name__ == "__main__":
    main()
