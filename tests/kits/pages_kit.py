"""A site for tests of pages: the real application on a separate database, and its users."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import insert
from sqlmodel import Session, col, select, update
from tests.kits import database_kit, playing_kit
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, stream_encode_multipart
from zstandard import ZstdCompressor

from gangland.faults import BotFault, FaultKind
from gangland.games import game_named
from gangland.luck import luck_of
from gangland.match import play
from gangland.view import View
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.matches.match_jobs import CheckReport, FaultRecord
from gangland_ladder.playing.table_state import LiveTable
from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox.limits import Limits
from gangland_web.app import create_app
from gangland_web.base.formats import now_s
from gangland_web.broker.names import LOCAL
from gangland_web.models import accounts, columns, jobs
from gangland_web.models.bots import Bot, BotDraft, Version, VersionState
from gangland_web.models.database import Database, migrate
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry, StoredStandings, Tournament
from gangland_web.services import drafts, ladder_days, matches, tournaments, trials, uploads, worker_hosts
from gangland_web.services.entries import enter
from gangland_web.services.play import store_game
from gangland_web.settings import Settings, sqlite_url
from gangland_web.web.limits import Rates

PASSWORD = "correct horse battery"
SOURCE = b"""from gangland import gang_of_dice


class Mine(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Fields(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._area = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._area = (given.get("name") or "") if tag == "textarea" else ""
        if tag == "input":
            name = given.get("name") or ""
            self.values[name] = given.get("value") or self.values.get(name, "")

    def handle_data(self, data: str) -> None:
        if self._area:
            self.values[self._area] = self.values.get(self._area, "") + data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.values[self._area] = self.values.get(self._area, "").removeprefix("\n")
            self._area = ""


@dataclass
class Person:
    """The browser of a user: it follows no redirects by itself, and sends the tokens of forms."""

    client: FlaskClient
    _kept: tuple[str, float, str] = ("", 0.0, "")

    def get(self, path: str, **given: Any) -> TestResponse:
        return self.client.get(path, buffered=True, **given)

    def page(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code}\n{answer.text[:2000]}"
        return answer.text

    def token(self, path: str) -> str:
        found = _TOKEN.search(self.page(path))
        assert found, f"{path} has no form with a token"
        return found.group(1)

    def any_token(self, path: str) -> str:
        with self.client.session_transaction() as session:
            secret = session.get("csrf_token", "")
        known, at_s, token = self._kept
        if not secret or secret != known or not 0 <= now_s() - at_s < 600:
            token = self.token(path)
            with self.client.session_transaction() as session:
                self._kept = session["csrf_token"], now_s(), token
        return token

    def post(self, path: str, data: Mapping[str, Any], *, form_at: str | None = None, **given: Any) -> TestResponse:
        return self.client.post(path, data={"csrf_token": self.any_token(form_at or path), **data}, **given)

    def sign_up(self, name: str, password: str = PASSWORD) -> TestResponse:
        return self.post("/sign-up", {"name": name, "password": password})

    def sign_in(self, name: str, password: str = PASSWORD) -> TestResponse:
        return self.post("/sign-in", {"name": name, "password": password})

    def sign_out(self) -> TestResponse:
        return self.post("/sign-out", {}, form_at="/docs/")

    def upload(self, source: bytes = SOURCE, filename: str = "mine.py", **fields: Any) -> TestResponse:
        file = FileStorage(BytesIO(source), filename, "file")
        data = {"csrf_token": self.any_token("/write/gang-of-dice"), "game": "gang-of-dice", "file": file, **fields}
        body, _, boundary = stream_encode_multipart(data, use_tempfile=False)
        return self.client.post("/upload", data=body.read(), content_type=f"multipart/form-data; boundary={boundary}")


@dataclass
class Site(database_kit.HasDatabase):
    app: Flask
    database: Database

    def stranger(self) -> Person:
        return Person(self.app.test_client())

    def person(self, name: str, role: str = "author") -> Person:
        someone = self.stranger()
        assert someone.sign_up(name).status_code == 303
        with self.database.write() as db:
            db.exec(select(accounts.User).where(accounts.User.name == name)).one().role = role
        return someone

    def user_id(self, name: str) -> int:
        return columns.row_id(self.row(select(accounts.User.id).where(accounts.User.name == name)))

    def version(self, bot: str) -> Version:
        versions = self.rows(select(Version).join(Bot, Bot.id == Version.bot_id).where(Bot.name == bot))  # type: ignore[arg-type]
        return max(versions, key=lambda version: version.number)


@cache
def _empty_house() -> bytes:
    with TemporaryDirectory() as folder:
        database = Database(sqlite_url(Path(folder)))
        migrate(database)
        with database.write() as db:
            tournaments.ensure_tournaments(db)
            db.exec(update(Tournament).where(col(Tournament.kind) == "ladder").values(house_ranked=True))
            worker_hosts.create_host(db, LOCAL, "the password of this machine")
        database.close()
        return (Path(folder) / "gangland.sqlite3").read_bytes()


def open_site(tmp_path: Path, rates: Rates | None = None) -> Iterator[Site]:
    """Yield a site with tournaments and without bots; by default forms may be sent 10,000 times per hour."""
    (tmp_path / "gangland.sqlite3").write_bytes(_empty_house())
    database = Database(sqlite_url(tmp_path))
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only")
    often = "10000 per hour"
    app = create_app(settings, database=database, rates=rates or Rates(*[often] * len(fields(Rates))))
    yield Site(app, database)
    database.close()


def write_tournament(site: Site, name: str, state: State = State.PLAYING, **changed: Any) -> int:
    rules = {"kind": "tournament", "game": "gang-of-dice", "seats": 2, "options": {}, "blocks": 1, "limits": {}}
    kept = {"secret": b"\x07" * 32, "commitment": "0" * 64, "created_at": 0.0, "roster_digest": "0" * 64}
    values: dict[str, Any] = {"announced_at": 1.0, **rules, **kept, **changed}
    with site.database.write() as db:
        made = Tournament(name=name, state=state.value, **values)
        db.add(made)
        db.flush()
        return columns.row_id(made.id)


def write_standings(site: Site, tournament: int, bot: int, place: int = 2) -> None:
    mean: dict[str, Any] = {"mu": 25.0, "sigma": 8.0, "rating": 1.0, "round_mu": 25.0, "round_sigma": 8.0}
    with site.database.write() as db:
        version = db.exec(select(Version).where(Version.bot_id == bot)).one()
        entry = Entry(tournament_id=tournament, version_id=columns.row_id(version.id), created_at=0.0, **mean)
        db.add(entry)
        db.flush()
        rows = [{"entry": entry.id if rank == place else 0, "rank": rank} for rank in (1, 2)]
        db.add(StoredStandings(tournament_id=tournament, body={"rows": rows}, made_at=2.0))


class _Plain:
    """A player of Gang of Dice that rolls one die, or fails at a decision."""

    def __init__(self, fails_at: int | None) -> None:
        self.fails_at = fails_at

    def decide(self, kind: str, view: View, number: int) -> object:
        if self.fails_at is not None and number >= self.fails_at:
            raise BotFault(FaultKind.CRASHED, "line 7: KeyError('<b>boom</b>')")
        return 1 if kind == "dice" else []


def activate_bot(site: Site, owner: str | None, name: str, *, team: str = "", game: str = "gang-of-dice") -> int:
    with site.database.write() as db:
        person = db.exec(select(accounts.User).where(accounts.User.name == owner)).one() if owner else None
        source = SOURCE + f"# {name}\n".encode()
        version = uploads.submit_version(db, person, game, name, "mine.py", source, team=team)
        if person is not None:
            trials.activate(db, version)
        return version.bot_id


def pass_check(site: Site, version_id: int) -> None:
    """Record that a version passed its check, as the record worker would."""
    with site.database.write() as db:
        check = db.exec(select(Match).where(Match.trial_version_id == version_id, Match.purpose == "check")).one()
        check.state, check.done_at, check.digest = "done", 1_700_000_000.0, "0" * 64
        version = db.get_one(Version, version_id)
        trials.advance(db, version, VersionState.TIMED)
        trials.withdraw_earlier_versions(db, version)
        trials.plan_next(db, version)


def finished_match(
    site: Site, bots: Sequence[int], *, fails_at: int | None = None, purpose: str = "ladder", state: str = "done"
) -> int:
    """Write a match of one block, as the record worker would; the first bot may fail."""
    with site.database.write() as db:
        kind = "ladder" if purpose == "ladder" else "trials"
        tournament = db.exec(
            select(Tournament).where(
                Tournament.kind == kind, Tournament.game == "gang-of-dice", Tournament.seats == len(bots)
            )
        ).one()
        versions = [db.get_one(Bot, bot).active_version_id for bot in bots]
        entries = [enter(db, tournament, columns.row_id(version)) for version in versions]
        done: dict[str, Any] = {"done_at": 1_700_000_000.0, "digest": "0" * 64} if state == "done" else {}
        match = Match(
            tournament_id=columns.row_id(tournament.id),
            number=(number := matches.next_number(db, tournament)),
            rating_order=number if purpose == "ladder" else None,
            purpose=purpose,
            trial_version_id=versions[0] if purpose == "trial" else None,
            ladder_day_id=ladder_days.ensure_day(db, tournament).id if purpose == "ladder" else None,
            seed_digest="0" * 64,
            state=state,
            created_at=1_700_000_000.0,
            **done,
        )
        db.add(match)
        db.flush()
        _write_seats(db, columns.row_id(match.id), entries)
        for rotation in range(len(bots)):
            db.add(_game(columns.row_id(match.id), rotation, len(bots), fails_at))
        return columns.row_id(match.id)


def _write_seats(db: Session, match_id: int, entries: Sequence[Entry]) -> None:
    for position, entry in enumerate(entries):
        db.add(
            MatchSeat(
                match_id=match_id,
                position=position,
                entry_id=columns.row_id(entry.id),
                mean_place_num=2 * position + 3,
                mean_place_den=2,
                luck=0.25 - position,
                adjusted=1.5 + position / 4,
                wins=1,
                faults=1 if position == 0 else 0,
                mu_before=25.0,
                sigma_before=8.0,
                mu_after=26.5 - position,
                sigma_after=7.0,
            )
        )


def _game(match_id: int, rotation: int, seats: int, fails_at: int | None) -> PlayedGame:
    seating = [(seat + rotation) % seats for seat in range(seats)]
    players = [_Plain(fails_at if position == 0 else None) for position in seating]
    played = play(game_named("gang-of-dice"), players, bytes([rotation] * 32))
    logs = [[(None, "hello"), (5, f"log of position {position} <i>")] for position in range(seats)]
    return PlayedGame(
        match_id=match_id,
        block=0,
        rotation=rotation,
        replay=played.replay.to_json(),
        views=views_digest(played.replay),
        seating=seating,
        places=list(played.outcome.places),
        luck=list(luck_of(played.replay)),
        faults=[{**asdict(fault), "kind": fault.kind.value} for fault in played.faults],
        logs=ZstdCompressor().compress(json.dumps(logs).encode()),
    )


def run_game(seating: list[int], places: list[int], faults: Sequence[FaultRecord] = (), block: int = 0) -> PlayedGame:
    game = _game(0, seating[0], len(seating), None)
    game.block, game.seating, game.places, game.faults = block, seating, places, msgspec.to_builtins(faults)
    game.logs = ZstdCompressor().compress(json.dumps([[(0, "my own log")], [(0, "its own log")]]).encode())
    return game


def finish_run(site: Site, run_id: int, *games: PlayedGame, report: CheckReport | None = None) -> None:
    report = report or CheckReport("Mine", ["imported", "legal", "timed"], [], 0.1, 0.1, 40)
    with site.database.write() as db:
        run = db.get_one(jobs.DraftRun, run_id)
        run.state, run.result = jobs.RunState.DONE.value, msgspec.to_builtins(report)
        run.done_at = run.created_at
        if games:
            run.match_id = _private_match(db, drafts.setup_of(run).names, games)
        db.get_one(BotDraft, run.draft_id).passed_at = None if report.problems else run.created_at
        db.add(run)


def _private_match(db: Session, names: Sequence[str], games: Sequence[PlayedGame]) -> int:
    private = (col(Tournament.kind) == "private", Tournament.game == "gang-of-dice", Tournament.seats == len(names))
    tournament = db.exec(select(Tournament).where(*private)).one()
    values: dict[str, Any] = dict.fromkeys(("seed_digest", "digest"), "0" * 64) | {"created_at": 1.0, "done_at": 1.0}
    number = matches.next_number(db, tournament)
    values |= {"tournament_id": tournament.id, "number": number, "key": f"run-{number}", "state": "done"}
    match = Match(purpose="draft", **values)
    db.add(match)
    db.flush()
    db.execute(
        insert(MatchSeat), [{"match_id": match.id, "position": at, "name": name} for at, name in enumerate(names)]
    )
    for game in games:
        game.match_id = columns.row_id(match.id)
        db.add(game)
    return columns.row_id(match.id)


def finished_run(site: Site, owner: str, bot: int) -> int:
    """Write a draft after a match of two games against a bot; return the run's id."""
    with site.database.write() as db:
        author = db.exec(select(accounts.User).where(accounts.User.name == owner)).one()
        draft = drafts.save_draft(
            db, columns.row_id(author.id), "gang-of-dice", "drafted", SOURCE.decode(), opened=None
        )
        run_id = columns.row_id(drafts.start_run(db, draft, jobs.RunKind.PLAY, [bot]).id)
    finish_run(site, run_id, run_game([0, 1], [1, 2]), run_game([1, 0], [1, 2]))
    return run_id


def finished_table(site: Site, owner: str, game: str = "gang-of-dice") -> str:
    """Write a user's table with a finished game; return the address of the game."""
    setup = playing_kit.setup_of(game, 2)
    rows = playing_kit.play_on(playing_kit.host(setup), Random(3))
    with site.database.write() as db:
        person = db.exec(select(accounts.User).where(accounts.User.name == owner)).one()
        table = jobs.PlayTable(
            token=f"table-of-{owner}",
            owner_id=person.id,
            setup=msgspec.to_builtins(setup),
            limits=Limits.plain(1).to_dict(),
            opened_at=1.0,
            active_at=1.0,
        )
        db.add(table)
        db.flush()
        store_game(db, table, LiveTable(setup, rows))
    return f"/matches/table-of-{owner}/games/0/0"
