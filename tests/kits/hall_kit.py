"""A site where a person plays, with the worker's part carried by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import msgspec
from sqlmodel import col, select
from tests.kits.core_kit import FakePost
from tests.kits.pages_kit import Site, open_site

import gangland_bots
from gangland.games import package_of
from gangland_ladder.playing.orders import TableRows
from gangland_ladder.playing.standing import Standing
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_web.league.playing.recording import record_rows
from gangland_web.league.playing.sending import send_tables
from gangland_web.league.playing.tables import rows_of, setup_of
from gangland_web.league.versions.submit import submit_version
from gangland_web.site.playing import views
from gangland_web.store.lifecycles.versions import VersionState
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.play_tables import PlayTable
from gangland_web.workers.match.playing import CodeStore
from gangland_web.workers.match.tables import TablePlayer

BOTS = {"gang-of-dice": "random_gang.py", "gangster-dice": "random_gang.py"}


class Hall:
    """A site and, at the other end of the broker, a worker."""

    def __init__(self, site: Site, pool: Pool) -> None:
        self.site = site
        self.post = FakePost()
        self.worker = TablePlayer(self, CodeStore(self.post.codes.get), lambda: None, lambda: None, Pool())
        self.worker._pool = pool  # plain processes: whoever runs the tests may be root, who opens no jail

    def rows(self, rows: TableRows) -> None:
        record_rows(self.site.database, msgspec.json.encode(rows).decode())

    def ask_bots(self) -> None:
        send_tables(self.site.database, self.post)
        while self.post.tables:
            self.worker.play(msgspec.json.encode(self.post.tables.pop()).decode())

    def table(self) -> PlayTable:
        with self.site.database.read() as db:
            found = db.exec(select(PlayTable).order_by(col(PlayTable.id).desc()).limit(1)).one()
            db.expunge_all()
            return found

    def standing(self) -> Standing:
        with self.site.database.read() as db:
            return Standing(setup_of(self.table()), rows_of(db, self.table()))


@contextmanager
def opened_hall(folder: Path) -> Iterator[Hall]:
    for site in open_site(folder):
        with Pool(Mode.TRUSTED) as pool:
            hall = Hall(site, pool)
            with patch.object(views, "request_bots", hall.ask_bots), patch.object(views, "match_slots", lambda: 8):
                yield hall


def add_bot(site: Site, game: str, name: str = "dicer") -> int:
    """Put a random bot on the site without a trial, and return its id."""
    source = (Path(gangland_bots.__file__).parent / package_of(game) / BOTS[game]).read_bytes()
    with site.database.write() as db:
        version = submit_version(db, None, game, name, "random_bot.py", source)
        version.state = VersionState.ACTIVE.value
        db.get_one(Bot, version.bot_id).active_version_id = version.id
        return version.bot_id
