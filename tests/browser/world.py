"""The site that the browser's tests look at, built once a run from real matches between house bots, without the jail.

It has both games at every table size, and every state that a page can show.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from time import time
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from sqlmodel import Session, col, select
from tests.browser.tables import put_tables
from tests.golden.players import House
from tests.kits import analyses_kit, core_kit, ladder_kit, pages_kit, shared_kit

from gangland.blocks import seating
from gangland.faults import BotFault, FaultKind
from gangland.games import GAME_NAMES, game_named
from gangland.match import play
from gangland.replay import load
from gangland.view import View
from gangland_ladder.analysis import account, analyzer, transfer
from gangland_ladder.matches import judging, match_jobs
from gangland_ladder.proof.randomness import Randomness, published_at
from gangland_ladder.tournaments import final_table, lifecycle
from gangland_sandbox.limits import Limits
from gangland_web.base.text import name_key
from gangland_web.broker.names import LOCAL
from gangland_web.models import columns, jobs
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot, Version
from gangland_web.models.database import Database, migrate
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry, Event, Tournament
from gangland_web.services import accounts, challenges, drafts, entries, final_tables, recovery, teams, worker_hosts
from gangland_web.services.following import FollowKind, follow, mark_of
from gangland_web.services.tournaments import Rules, ensure_tournaments, make_tournament, move_tournament
from gangland_web.services.uploads import retire_bot, submit_version
from gangland_web.settings import sqlite_url
from gangland_web.workers.records import Recorder

PASSWORD = "correct horse battery"
OWNER = "quince"
BOSS = "marlow"  # organizes all tournaments and administers the site; the owner signs in where a page needs a user
DAY_S = 86_400.0
HOUSE_BOTS = ("bold_gang", "cautious_gang", "random_gang")
LONG = "Wolfeschlegelsteinhausenbergerdorff_the_Longest_Name_That_Fits64"
MARKUP = "<script>alert('rolled')</script>&amp;<b>"
RIGHT_TO_LEFT = "שלום הקוביות عصابة النرد 123"
HOSTILE_LOG = "\x1b[31mred\x1b[0m \u202egnp.exe\u202c <img src=x onerror=alert(1)> \u200b" + "long " * 60
HOSTILE_FAULT = "bot.py:17: KeyError('\u202e<b>boom</b>\x1b[2J') " + "W" * 180
AUTHORS = (
    # owner, game, bot, plays as, every how many games it fails at a decision
    (OWNER, "gang-of-dice", "Steady", "cautious_gang", 0),
    (OWNER, "gangster-dice", "Sly", "bold_gang", 0),
    ("marlow", "gang-of-dice", "Nervous", "bold_gang", 9),
    ("Łucja <b>", "gangster-dice", MARKUP, "random_gang", 9),
    ("עברית عرب", "gangster-dice", RIGHT_TO_LEFT, "cautious_gang", 0),
    ("W" * 32, "gang-of-dice", LONG, "random_gang", 12),
)


PREMIERED = 8  # the shown steps of a premiere: the bots, six games, the third place


@dataclass(frozen=True)
class Persona:
    """How a version plays: like a house bot, failing in every nth game."""

    plays_as: str
    fails_every: int


class _Player(House):
    def __init__(self, game: str, persona: Persona, rng: Random, *, fails: bool) -> None:
        super().__init__(game, persona.plays_as, rng)
        self.lines: list[str] = []
        self.fails_at = rng.randrange(3, 9) if fails else None

    def decide(self, kind: str, view: View, number: int) -> object:
        self.lines.append(f"round {number}, {kind}: {HOSTILE_LOG if number == 1 else 'as always'}")
        if self.fails_at is not None and number >= self.fails_at:
            raise BotFault(FaultKind.CRASHED, HOSTILE_FAULT)
        return super().decide(kind, view, number)


class FilledSite(core_kit.Platform):
    personas: dict[str, Persona]

    def play_job(self, job: match_jobs.MatchJob) -> match_jobs.Result:
        blocks = [] if job.check_only else range(len(job.blocks))
        sitting = [(block, rotation) for block in blocks for rotation in range(len(job.seats))]
        trial = self.match(job.id).purpose == "trial"
        games = [self._game(job, block, rotation, may_fail=not trial) for block, rotation in sitting]
        checked = ["imported", "legal", "timed"]
        report = None if job.check is None else match_jobs.CheckReport("Bot", checked, [], 0.02, 0.03, 40)
        return match_jobs.Result(games=games, check=report, seconds=0.5)

    def _game(self, job: match_jobs.MatchJob, block: int, rotation: int, *, may_fail: bool) -> match_jobs.GameRecord:
        seats = seating(block, rotation, len(job.seats))
        players = [self._player(job, block, rotation, index, may_fail) for index in seats]
        played = play(game_named(job.game), players, bytes.fromhex(job.blocks[block]))
        faults = [match_jobs.FaultRecord(f.seat, f.kind.value, f.message, f.round, f.decision) for f in played.faults]
        logs = ["\n".join(player.lines)[:4000] for player in players]
        return match_jobs.GameRecord(
            block, rotation, list(seats), played.replay.to_json(), judging.views_digest(played.replay), faults, logs
        )

    def _player(self, job: match_jobs.MatchJob, block: int, rotation: int, index: int, may_fail: bool) -> _Player:
        persona = self.personas[job.seats[index].code]
        rng = Random(f"{job.blocks[block]}|{rotation}|{index}")
        every = persona.fails_every if may_fail else 0
        return _Player(job.game, persona, rng, fails=bool(every) and rng.randrange(every) == 0)

    def play_some(self, most: int | None = None) -> None:
        self.recorder.sweep()
        while self.post.sent and most != 0:
            job = self.take()
            self.finish(job, self.play_job(job))
            most = None if most is None else most - 1

    def submit(self, owner: str, game: str, name: str, persona: Persona, team: str = "") -> int:
        base = game.replace("-", "_")
        words = f"# {name!r} of {owner!r}, {persona}, the {len(self.personas)}th\n"
        source = f'"""Plays like {persona.plays_as}."""\n\nfrom gangland import {base}\n\n{words}'.encode()
        self.personas[sha256(source).hexdigest()] = persona
        with self.database.write() as session:
            user = session.exec(select(User).where(User.name == owner)).one()
            file = f"{name}.py" if name.isidentifier() and len(name) < 60 else f"a_{'w' * 50}.py"
            return submit_version(session, user, game, name, file, source, team=team).id or 0


def build_world(folder: Path) -> dict[str, int]:
    """Write `gangland.sqlite3` to a folder; return the ids that tests use, by name."""
    database = Database(sqlite_url(folder))
    migrate(database)
    post = core_kit.FakeBroker(slot_count=4)
    filled = FilledSite(database, post, Recorder(database, post, rounds=1))
    filled.personas = {}
    now = time()
    with time_machine.travel(now - 3 * DAY_S, tick=False):
        _found(filled)
        ladder_kit.announce(filled, (1, 1), (2, 60), (61, 90), seats=3, name="Winter of the " + MARKUP)
    for day in (2, 1):
        with time_machine.travel(now - day * DAY_S, tick=False):
            filled.submit(OWNER, "gang-of-dice", "Steady", Persona("bold_gang" if day == 2 else "random_gang", 0))
            if day == 2:  # a ladder's round is a hundred matches: one then, and one today
                filled.recorder.schedule()
            filled.play_some()
    with time_machine.travel(now - 3600, tick=False), same_secrets():
        places = _tournaments(filled, now)
        places |= _challenge(filled, "bold_gang", played=True)
        places |= _unfinished(filled)
        places |= _challenge(filled, "cautious_gang", played=False)
        places |= _team(filled) | _runs(filled)
        with filled.database.write() as session:
            put_tables(session, columns.row_id(session.exec(select(User.id).where(User.name == OWNER)).one()), now)
        places |= _event(filled, "Two of a kind", places["revealed"], places["revealed four"])
        places |= _event(filled, "School's out " + "W" * 40, places["open"], places["open code"])
    places |= _found_matches(database) | _found_bots(database)
    places["first seat"] = _analyze(database, places["match own"])
    shared_kit.close_in_one_file(database)
    return places


@contextmanager
def same_secrets() -> Iterator[None]:
    """Draw the same secrets in each run, because the width of a table depends on its games."""
    drawn = count()
    with pytest.MonkeyPatch.context() as patch:
        same = SimpleNamespace(token_bytes=lambda _: sha256(b"cup %d" % next(drawn)).digest())
        patch.setattr("gangland_web.services.tournaments.secrets", same)
        yield


def _found(filled: FilledSite) -> None:
    drawn = count()
    with filled.database.write() as session:
        worker_hosts.create_host(session, LOCAL, "the password of this machine")
        ensure_tournaments(session, ladder_blocks=1, draw_secret=lambda: sha256(b"%d" % next(drawn)).digest())
        for game in GAME_NAMES:
            for name in HOUSE_BOTS:
                source = f'"""The house\'s {name} of {game}."""\n'.encode()
                filled.personas[sha256(source).hexdigest()] = Persona(name, 0)
                submit_version(session, None, game, name, f"{name}.py", source)
        for owner in [*sorted({author[0] for author in AUTHORS} - {OWNER}), "ivy"]:
            session.add(User(name=owner, name_key=name_key(owner), password_hash="-", created_at=time()))
    recovery.set_email(
        filled.database, columns.row_id(accounts.sign_up(filled.database, OWNER, PASSWORD).id), f"{OWNER}@bots.example"
    )
    with filled.database.write() as session:
        boss = session.exec(select(User).where(User.name == BOSS)).one()
        boss.password_hash, boss.role = accounts.hash_password(PASSWORD), "admin"
    for owner, game, name, plays_as, fails_every in AUTHORS:
        filled.submit(owner, game, name, Persona(plays_as, fails_every))
        filled.play_some()


def _make(
    filled: FilledSite, *states: lifecycle.State, note: str | None = None, enters: tuple[str, ...] = (), **rules: object
) -> int:
    result = {"game": "gang-of-dice", "seats": 2, "blocks": 1, "limits": Limits.plain(2)} | rules
    with filled.database.write() as session:
        organizer = session.exec(select(User.id).where(User.name == BOSS)).one()
        number = make_tournament(session, Rules(**result), organizer_id=organizer).id or 0  # type: ignore[arg-type]
    for state in states:
        with filled.database.write() as session:
            tournament = session.get_one(Tournament, number)
            move_tournament(session, tournament, state, note=note)
            for name in enters if state is lifecycle.State.OPEN else ():
                entries.enter_bot(session, tournament, _bot(session, tournament.game, name))
    return number


def _bot(session: Session, game: str, name: str) -> Bot:
    return session.exec(select(Bot).where(Bot.game == game, Bot.name == name)).one()


def _tournaments(filled: FilledSite, now: float) -> dict[str, int]:
    opened = (lifecycle.State.ANNOUNCED, lifecycle.State.OPEN)
    played = (*opened, lifecycle.State.FROZEN, lifecycle.State.PLAYING)
    of_dice = ("Steady", "Nervous", LONG)
    of_gangsters = ("Sly", RIGHT_TO_LEFT, MARKUP)
    final = final_table.FinalTerms(seats=3, blocks=2)
    soon = lifecycle.Deadlines(freezes_at=now + 2 * DAY_S, starts_at=now + 2 * DAY_S, reveals_at=now + 9 * DAY_S)
    places = {
        "revealed": _make(filled, *played, name="Autumn Cup", enters=of_dice),
        "revealed four": _make(
            filled, *played, name="Four at a table", game="gangster-dice", seats=4, blocks=6, tables=2,
            limits=Limits.plain(6), enters=of_gangsters,
        ),
        "revealed three": _make(filled, *played, name="Three's company", seats=3, tables=6, enters=of_dice),
        "embargoed": _make(
            filled, *played, name="Sealed Cup <b>", game="gangster-dice", enters=of_gangsters,
            deadlines=lifecycle.Deadlines(embargo_until=now + DAY_S),
        ),
        "final": _make(filled, *played, name="Champions' Cup", final_table=final, house_bots=False, enters=of_dice),
        "premiere": _make(
            filled, *played, name="Gala Night", final_table=final, has_premiere=True, house_bots=False, enters=of_dice,
        ),
    }  # fmt: skip
    for _ in range(2):  # final tables come second
        filled.play_some()
        filled.recorder.schedule()
    for after in range(PREMIERED):
        with filled.database.write() as session:
            final_tables.show_step(session, session.get_one(Tournament, places["premiere"]), after)
    for name in ("revealed", "revealed four", "revealed three", "final"):
        with filled.database.write() as session:
            move_tournament(session, session.get_one(Tournament, places[name]), lifecycle.State.REVEALED)
    return places | {
        "draft": _make(filled, name="Still a draft", seats=4, join_code="dice night", deadlines=soon),
        "announced": _make(filled, *opened[:1], name="Spring Cup", deadlines=soon),
        "open": _make(filled, *opened, name="Open house", deadlines=soon, enters=of_dice[1:]),
        "open code": _make(filled, *opened, name="By invitation", join_code="dice night", enters=()),
        "frozen": _make(filled, *opened, lifecycle.State.FROZEN, name="Frozen solid", enters=of_dice, deadlines=soon),
        "cancelled": _make(filled, *opened, lifecycle.State.CANCELED, note="The hall burnt down.", name="Called off"),
        "playing": _make(filled, *played, name="Now playing " + "W" * 60, game="gangster-dice", enters=of_gangsters),
        "paused": _make(filled, *played, lifecycle.State.PAUSED, name="Interval", seats=3, tables=4, enters=of_dice),
        "awaits its value": _awaiting(filled, now, of_dice),
    }


def _awaiting(filled: FilledSite, now: float, enters: tuple[str, ...]) -> int:
    address = "https://example.org/" + "draws/" * 40
    value = Randomness("The lottery of " + "W" * 60, address, published_at(now + DAY_S), "hex 64")
    to_freeze = (lifecycle.State.ANNOUNCED, lifecycle.State.OPEN, lifecycle.State.FROZEN)
    number = _make(filled, *to_freeze, name="By lot", enters=enters, randomness=value)
    with filled.database.write() as session:
        tournament = session.get_one(Tournament, number)
        tournament.randomness = {**(tournament.randomness or {}), "published_at": published_at(now - 60)}
        session.add(tournament)
    return number


def _challenge(filled: FilledSite, opponent: str, *, played: bool) -> dict[str, int]:
    with filled.database.write() as session:
        bot = _bot(session, "gang-of-dice", "Steady")
        number = challenges.create_challenge(
            session, bot.owner_id or 0, bot.id or 0, [opponent], challenges.Allowance()
        )
    filled.recorder.sweep()
    while played and filled.match(number).state != "done":
        job = filled.take()
        filled.finish(job, filled.play_job(job))
    return {"challenge" if played else "challenge waiting": number}


def _event(filled: FilledSite, name: str, *tournaments: int) -> dict[str, int]:
    with filled.database.write() as session:
        organizer = session.exec(select(User.id).where(User.name == BOSS)).one()
        event = Event(name=name, organizer_id=organizer, created_at=time())
        session.add(event)
        session.flush()
        for tournament in tournaments:
            session.get_one(Tournament, tournament).event_id = event.id
    return {f"event {name[:6]}": event.id or 0}


def _team(filled: FilledSite) -> dict[str, int]:
    with filled.database.read() as session:
        captain, member, owner = (
            session.exec(select(User).where(User.name == name)).one().id or 0 for name in (BOSS, "W" * 32, OWNER)
        )
    team = teams.create_team(filled.database, captain, "The Dice Brothers <i>")
    code = teams.invite(filled.database, captain, 2, 7, member_limit=8)
    with filled.database.write() as session:  # one of their bots has to go before they are one owner
        retire_bot(session, _bot(session, "gang-of-dice", "Nervous"))
    teams.join_team(filled.database, member, code, member_limit=8)
    filled.submit(BOSS, "gangster-dice", "Brotherly", Persona("bold_gang", 0), team=team.name)
    _follow(filled, owner, member)
    return {"team": team.id or 0, "owner": owner}


def _follow(filled: FilledSite, owner: int, member: int) -> None:
    with filled.database.write() as session:
        for name in (HOUSE_BOTS[0], "Nervous", MARKUP, RIGHT_TO_LEFT):
            bots = session.exec(select(Bot.id).where(Bot.name == name)).all()
            follow(session, owner, FollowKind.BOT, columns.row_id(bots[0]))
        follow(session, owner, FollowKind.PERSON, member)
        mark = mark_of(session, owner)
        mark.read_at, mark.ranks = 1.0, {f"{bot}.2": 40 for bot in session.exec(select(Bot.id)).all()}
        session.add(mark)


def _runs(filled: FilledSite) -> dict[str, int]:
    site: Any = SimpleNamespace(database=filled.database)
    with filled.database.write() as session:
        house = columns.row_id(_bot(session, "gang-of-dice", HOUSE_BOTS[0]).id)
        author = columns.row_id(session.exec(select(User.id).where(User.name == OWNER)).one())
        draft = drafts.save_draft(session, author, "gang-of-dice", "wrong", "import gangland\n" * 9, opened=None)
        checked, checked_draft = (
            columns.row_id(drafts.start_run(session, draft, jobs.RunKind.CHECK).id),
            columns.row_id(draft.id),
        )
    problem = match_jobs.Problem(
        "E203", "choose_dice() returned 99\nYou have 5 dice. Allowed: 1 to 5.", 7, "dice", 3, 12
    )
    view = match_jobs.FailingView(
        3, 1, 2, 4, [("pool", "5"), ("round", "4"), ("mine", "(" + "gangster (6), " * 20 + ")")]
    )
    report = match_jobs.CheckReport("Wrong", ["imported"], [problem], 0.1, 0.1, 40, failing=[view])
    pages_kit.finish_run(site, checked, report=report)
    played = pages_kit.finished_run(site, OWNER, house)
    _analyse_run(filled.database, played)
    return {"run with a problem": checked, "draft with a problem": checked_draft, "run of a match": played}


def _unfinished(filled: FilledSite) -> dict[str, int]:
    filled.recorder.schedule()
    job = _next_of(filled, "ladder", without=("Steady", "Sly", *HOUSE_BOTS))
    while filled.match(job.id).state != "void":
        filled.finish(job, core_kit.void(job, "the jail could not be built"))
        filled.recorder.sweep()
        again = [each for _, each in filled.post.sent if each.id == job.id]
        if again:
            job = again[-1]
        else:
            other = filled.take()
            filled.finish(other, filled.play_job(other))
    versions = {"rejected": filled.submit(OWNER, "gang-of-dice", "Steady", Persona("bold_gang", 0))}
    while filled.version(versions["rejected"]).state != "rejected":
        job = _next_of(filled, "trial")
        filled.finish(job, core_kit.failed_check(job, HOSTILE_FAULT))
    filled.recorder.schedule()
    job = _next_of(filled, "ladder")
    filled.begin(job)
    versions["on trial"] = filled.submit(OWNER, "gangster-dice", "Sly", Persona("bold_gang", 0))
    filled.recorder.sweep()
    job = _next_of(filled, "trial")
    filled.begin(job)
    filled.progress(job, "imported")
    versions["received"] = filled.submit("ivy", "gangster-dice", "Fresh", Persona("bold_gang", 0))
    filled.post.slot_count = 0  # one match waits
    filled.recorder.schedule()
    return {f"version {name}": version for name, version in versions.items()}


def _next_of(filled: FilledSite, purpose: str, *, without: tuple[str, ...] = ()) -> core_kit.Sent:
    """Return the next job of a match of this purpose without these bots; play the earlier jobs."""
    filled.recorder.sweep()
    while True:
        job = filled.take()
        if filled.match(job.id).purpose == purpose and not any(s.name.startswith(without) for s in job.seats):
            return job
        filled.finish(job, filled.play_job(job))


def _analyse_run(database: Database, run_id: int) -> None:
    with database.write() as session:
        match = session.get_one(Match, session.get_one(jobs.DraftRun, run_id).match_id)
        game = session.get_one(PlayedGame, analyses_kit.games_of(session, match)[1])
        analysis = analyzer.analyze(load(game.replay))
        row = jobs.GameAnalysis(game_id=game.id, requested_by="own", requested_at=1.0, done_at=2.0, state="done")
        row.course, row.figures = transfer.pack(analysis), transfer.pack(account.figures_of(analysis))
        row.version, row.complete = analysis.version, analysis.complete
        session.add(row)


def _analyze(database: Database, match: int) -> int:
    """Analyze and continue a match's second game; return the seat of its first decision, from 1."""
    with database.read() as session:
        replay = session.get_one(PlayedGame, analyses_kit.games_of(session, session.get_one(Match, match))[1]).replay
    analysis = analyzer.analyze(load(replay))
    judged = next(each for moment in analysis.moments for each in moment.judged)
    first = analyzer.continue_game(load(replay), judged.number or 0, best=judged.best.decision)
    more: Any = {"course": transfer.pack(analysis), "continued": [analyzer.stored_form(first)]}
    analyses_kit.write_figures(database, match, 1, account.figures_of(analysis), **more)
    return first.seat + 1


def _found_matches(database: Database) -> dict[str, int]:
    places: dict[str, int] = {}
    chosen = select(Match, Tournament).join(Tournament, col(Tournament.id) == Match.tournament_id)
    with database.read() as session:
        for match, tournament in session.exec(chosen.order_by(col(Match.id))).all():
            number = match.id or 0
            places.setdefault(f"match {match.purpose} {match.state}", number)
            if match.state != "done":
                continue
            if tournament.blocks == 6:
                places.setdefault("match long", number)
            if tournament.kind == "ladder":
                table = f"{tournament.game} {tournament.seats}"
                places.setdefault(f"match {table}", number)
                for game in session.exec(select(PlayedGame).where(PlayedGame.match_id == number)).all():
                    if game.faults and f"fault {table}" not in places:
                        places |= {f"fault {table}": number, f"rotation {table}": game.rotation}
    return places


def _found_bots(database: Database) -> dict[str, int]:
    special = {LONG: "long", MARKUP: "markup", RIGHT_TO_LEFT: "rtl", HOUSE_BOTS[0]: "house"}
    with database.read() as session:
        bots = session.exec(select(Bot).order_by(col(Bot.id))).all()
        places = {f"bot {special.get(bot.name, bot.name)}": bot.id or 0 for bot in bots}
        seated = select(Match.id, Bot.id, Entry.quarantined).join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        seated = seated.join(Entry, col(Entry.id) == MatchSeat.entry_id).where(Match.purpose == "ladder")
        seated = seated.join(Version, col(Version.id) == Entry.version_id).join(Bot, col(Bot.id) == Version.bot_id)
        seated = seated.join(Tournament, col(Tournament.id) == Match.tournament_id)
        largest_first = seated.order_by(col(Tournament.seats).desc(), col(Match.id))
        for match, bot_id, quarantined in session.exec(largest_first).all():
            if quarantined:
                places["bot in quarantine"] = bot_id or 0
            if bot_id == places["bot Steady"] and session.get_one(Match, match).state == "done":
                places["match own"] = match or 0
    return places
