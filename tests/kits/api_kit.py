"""A site with an example of everything in the API, and programs that call the API."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from sqlmodel import col, select
from tests.kits import core_kit, ladder_kit, served_kit, shared_kit
from tests.kits.pages_kit import PASSWORD, SOURCE, Site
from tests.kits.tournaments_kit import TO_PLAY, enter, go, ids_of, make
from werkzeug.test import TestResponse

from gangland_ladder.errors import entries
from gangland_ladder.tournaments import final_table, lifecycle
from gangland_web.app import create_app
from gangland_web.models import accounts, bots, columns, matches, organizing
from gangland_web.models.database import Database
from gangland_web.models.tournaments import Entry, Event, Tournament
from gangland_web.services.accounts import hash_password
from gangland_web.services.organizing import send_action
from gangland_web.services.teams import create_team, invite, join_team, open_invitations
from gangland_web.settings import Settings, sqlite_url
from gangland_web.web.limits import Rates
from gangland_web.workers.records import Recorder

DAY_S = 86_400
OFTEN = Rates(api="100000 per minute", api_anonymous="100000 per minute", upload="100000 per hour")


@dataclass
class Program:
    """An API client with a token and without cookies; anonymous without a token."""

    site: Site
    token: str | None

    def call(self, method: str, path: str, **given: Any) -> TestResponse:
        headers = given.pop("headers", {})
        if self.token is not None:
            headers = {"Authorization": f"Bearer {self.token}", **headers}
        client = self.site.app.test_client(use_cookies=False)
        return client.open(f"/api/v1{path}", method=method, headers=headers, buffered=True, **given)

    def get(self, path: str, **given: Any) -> TestResponse:
        return self.call("GET", path, **given)

    def read(self, path: str) -> Any:
        answer = self.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[:500]}"
        return answer.get_json()

    def post(self, path: str, body: Any = None, key: str | None = None) -> TestResponse:
        given = {} if body is None else {"json": body}
        return self.call("POST", path, headers={"Idempotency-Key": key} if key else {}, **given)

    def upload(
        self, source: bytes = SOURCE, filename: str = "mine.py", key: str | None = None, **fields: Any
    ) -> TestResponse:
        form = {"game": "gang-of-dice", "file": (BytesIO(source), filename), **fields}
        return self.call("POST", "/bots", data=form, headers={"Idempotency-Key": key} if key else {})


def refused(answer: TestResponse, status: int, code: str | None) -> dict[str, Any]:
    problem: dict[str, Any] = answer.get_json()
    assert (answer.status_code, problem["code"]) == (status, code), answer.text
    assert answer.mimetype == "application/problem+json"
    assert problem["status"] == status
    assert {"type", "title", "detail"} <= set(problem)
    assert code is None or problem["title"] == entries()[code].title
    return problem


@dataclass
class World:
    """A site with ladders, tournaments in every state and people; `named` are the variables of the curl lines."""

    site: Site
    platform: core_kit.Platform
    people: dict[str, int]
    named: dict[str, str]

    def set_passwords(self) -> None:
        known = hash_password(PASSWORD)
        with self.platform.database.write() as db:
            for user in db.exec(select(accounts.User)).all():
                user.password_hash = known

    def program(self, name: str, *scopes: str) -> Program:
        return Program(self.site, served_kit.new_token(self.site, self.people[name], *scopes))


def a_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = build_world(tmp_path_factory.mktemp("world"))
    yield world
    world.platform.database.close()


def build_world(folder: Path, rates: Rates = OFTEN) -> World:
    built, (people, named) = shared_kit.database_of("api-world", _built)
    (folder / "gangland.sqlite3").write_bytes(built)
    post = core_kit.FakeBroker(slot_count=1000)  # some matches are sent to workers that do not exist
    database = Database(sqlite_url(folder))
    platform = core_kit.Platform(database, post, Recorder(database, post, rounds=1))
    settings = Settings(folder, None, None, None, secret_key="for tests only")
    return World(Site(create_app(settings, database=database, rates=rates), database), platform, people, named)


def _built(folder: Path) -> tuple[dict[str, int], dict[str, str]]:
    now = time.time()
    platform = core_kit.open_platform("sqlite", folder)
    with time_machine.travel(now - 3 * DAY_S, tick=False):
        ladder_kit.announce(platform, (1, 1), (2, 30), seats=4)
    with time_machine.travel(now - 2 * DAY_S, tick=False):
        platform.recorder.schedule()  # season 1 of the ladder at four seats begins
        for owner, bot in (("Ann", "anns"), ("Boss", "dons")):
            platform.upload(owner, bot, source=SOURCE + f"# {bot}\n".encode())
            platform.play_all()
        people = _people(platform.database)
        platform.recorder.schedule()
        platform.play_all()
    named = _tournaments(platform, people["Boss"])
    with time_machine.travel(now, tick=False):
        platform.recorder.schedule()  # the day is over, and its secret is public
        platform.recorder.schedule()  # and the standings of the season are public
    named |= _named(platform, named, now)
    named |= _teams(platform.database, people) | {"AUTHOR": str(people["Ann"])}
    shared_kit.close_in_one_file(platform.database)
    return people, named


def _people(database: Database) -> dict[str, int]:
    with database.write() as db:
        for name, role in (("Bob", "author"), ("Other", "organizer"), ("Root", "admin")):
            db.add(accounts.User(name=name, name_key=name.lower(), password_hash="-", created_at=0.0, role=role))
        db.exec(select(accounts.User).where(accounts.User.name == "Boss")).one().role = "organizer"
        db.flush()
        return {user.name: user.id or 0 for user in db.exec(select(accounts.User)).all()}


WAYS: dict[str, tuple[lifecycle.State, ...]] = {
    "TOURNAMENT": TO_PLAY, "PREMIERE": TO_PLAY, "HIDDEN": TO_PLAY, "DRAFT": (), "OLD_DRAFT": (),
    "OPEN": TO_PLAY[:2], "CODED": TO_PLAY[:2], "PLAYING": TO_PLAY, "FREE": TO_PLAY[:2], "FREE_TOO": TO_PLAY[:2],
}  # fmt: skip


def _teams(database: Database, people: dict[str, int]) -> dict[str, str]:
    aces = create_team(database, people["Boss"], "The Aces")
    code = invite(database, people["Boss"], 3, 7, member_limit=8)
    for name in ("Bob", "Root"):
        join_team(database, people[name], code, member_limit=8)
    create_team(database, people["Other"], "The Kings")
    with database.read() as db:
        invitation = open_invitations(db, columns.row_id(aces.id))[0].id
    return {
        "TEAM": str(aces.id), "INVITATION": str(invitation), "MEMBER": str(people["Root"]),
        "INVITE_CODE": invite(database, people["Other"], 3, 7, member_limit=8),
    }  # fmt: skip


def _tournaments(platform: core_kit.Platform, boss: int) -> dict[str, str]:
    """Create a tournament in each state that API calls use; the first three tournaments are played."""
    numbers = {}
    for name, states in WAYS.items():
        more: dict[str, Any] = {"join_code": "open sesame"} if name == "CODED" else {}
        if name.startswith("FREE"):
            more |= {"house_bots": False, "game": "gang-of-dice" if name == "FREE" else "gangster-dice"}
        if name == "PREMIERE":
            more |= {"final_table": final_table.FinalTerms(seats=2, blocks=1), "has_premiere": True}
        if name == "HIDDEN":
            more["deadlines"] = lifecycle.Deadlines(embargo_until=time.time() + DAY_S)
        number = make(platform, name=f"The {name.title()} Cup", blocks=1, **more)
        numbers[name] = str(number)
        platform.change(Tournament, number, organizer_id=boss)
        go(platform, number, *states[:2])
        if len(states) > 2:
            enter(platform, number, "anns")
            go(platform, number, *states[2:])
        if name == "HIDDEN":
            for _ in range(2):  # the second run plays the final table
                platform.play_all()
                platform.recorder.schedule()
            go(platform, int(numbers["TOURNAMENT"]), lifecycle.State.REVEALED)
    with platform.database.write() as session:
        event = Event(name="Dice Night", organizer_id=boss, created_at=time.time())
        session.add(event)
        session.flush()
        for name in ("FREE", "FREE_TOO"):
            session.get_one(Tournament, int(numbers[name])).event_id = event.id
    return numbers | {"EVENT": str(event.id)}


def _named(platform: core_kit.Platform, tournaments: dict[str, str], now: float) -> dict[str, str]:
    platform.upload("Boss", "old", game="gangster-dice")
    with platform.database.write() as db:
        playing = db.get_one(Tournament, int(tournaments["PLAYING"]))
        boss = organizing.Actor(playing.organizer_id, "here")
        order = send_action(db, boss, organizing.ActionKind.DEADLINE, playing, name="reveals_at", at=now + DAY_S).id
        old = db.exec(select(bots.Bot.id).where(bots.Bot.name == "old")).one()
        bot = db.exec(select(bots.Bot).where(bots.Bot.name == "dons")).one()
        house = db.exec(select(bots.Bot).where(bots.Bot.name == "house0")).one()
        ladder = select(matches.Match.id).join(Tournament, col(Tournament.id) == matches.Match.tournament_id)
        done = db.exec(ladder.where(Tournament.kind == "ladder", matches.Match.state == "done").limit(1)).one()
        entry = db.exec(select(Entry.id).where(Entry.tournament_id == int(tournaments["PLAYING"]))).first()
        anns = db.exec(select(bots.Bot.id).where(bots.Bot.name == "anns")).one()
        version = db.exec(select(bots.Version.id).where(bots.Version.bot_id == bot.id)).one()
    return {
        "BOT": str(house.id), "OTHER_BOT": str(anns), "ANNS_BOT": str(anns), "OLD_BOT": str(old),
        "ACTION": str(order), "MY_BOT": str(bot.id), "VERSION": str(version), "MATCH": str(done),
        "ENTRY": str(entry), "CUP_MATCH": str(min(filter(None, ids_of(platform, int(tournaments["TOURNAMENT"]))))),
        "HIDDEN_MATCH": str(min(filter(None, ids_of(platform, int(tournaments["HIDDEN"]))))),
        "DAY": datetime.fromtimestamp(now - 2 * DAY_S, UTC).strftime("%Y-%m-%d"),
    }  # fmt: skip
