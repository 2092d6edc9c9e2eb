"""House bots: seeded at every start, whatever people have done."""

from pathlib import Path

from sqlmodel import select
from tests.kits.core_kit import GAME

from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot
from gangland_web.models.database import Database, migrate
from gangland_web.ops.prepare import prepare
from gangland_web.services.tournaments import ensure_tournaments
from gangland_web.services.uploads import house_files, submit_version
from gangland_web.settings import sqlite_url


def test_a_person_who_has_a_house_bots_name_keeps_it_and_the_site_starts(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path))
    migrate(database)
    with database.write() as session:
        ensure_tournaments(session)
        person = User(name="ann", name_key="ann", password_hash="-", created_at=0.0)
        session.add(person)
        session.flush()
        submit_version(session, person, GAME, "sensible_gang", "sensible_gang.py", b"# mine\n")
    prepare(database)
    with database.read() as session:
        mine = session.exec(select(Bot).where(Bot.game == GAME, Bot.name == "sensible_gang")).one()
        house = session.exec(select(Bot).where(Bot.game == GAME, Bot.is_house)).all()
    assert mine.is_house is False
    assert len(house) == len(house_files(GAME)) - 1
    database.close()
