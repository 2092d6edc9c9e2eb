"""Tables of persons, from the row to the jail and back; jobs and answers are carried by hand, without a broker."""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from sqlmodel import col, select
from tests.flow.flow_kit import children_of
from tests.kits import core_kit, tournaments_kit

import gangland_bots
from gangland.faults import IllegalDecision
from gangland.replay import load
from gangland_ladder.playing.table_jobs import IDLE_S, TableRows
from gangland_ladder.playing.table_state import LiveTable, NotOpen, Row
from gangland_sandbox import jail, limits
from gangland_sandbox.pool import Pool
from gangland_web.broker import gate, names
from gangland_web.models import accounts, columns, matches
from gangland_web.models.bots import VersionState
from gangland_web.models.jobs import AWAY_S, MAX_VISITOR_TABLES, Job, PlayRow, PlayTable, TableState, Verdict
from gangland_web.services import dispatch, jobs, play, uploads, worker_hosts
from gangland_web.workers import players

ANN, BEN = play.TableOwner(None, "a" * 64), play.TableOwner(None, "b" * 64)
BROKEN = b"""from gangland import gang_of_dice


class Broken(gang_of_dice.Bot):
    rounds = 0

    def choose_dice(self, view):
        self.rounds += 1
        if %s:
            raise LookupError("no such card")
        return 1
"""
VISITORS = 12  # three times the tables whose bots a worker keeps
SOURCE = (Path(gangland_bots.__file__).parent / "gang_of_dice/random_gang.py").read_bytes()


class Carried:
    def __init__(self, platform: core_kit.Platform, pool: Pool) -> None:
        self.platform = platform
        self.pool = pool
        self.last: TableRows | None = None
        self.sent_job: core_kit.SentJob | None = None
        self.new_worker()

    def new_worker(self) -> None:
        codes = players.CodeStore(self.platform.post.codes.get)
        self.worker = players.TablePlayer(self, codes, lambda: None, lambda: None, Pool())
        self.worker._pool = self.pool  # plain processes: whoever runs the tests may be root, who opens no jail

    def report_progress(self, message: gate.Message, body: object = None) -> None:
        self.platform.recorder.record_message(jobs.Report.ALIVE, names.LOCAL, gate.encode_message(message.answer(body)))

    def send_result(self, message: gate.Message, result: object, within_s: float = 0.0) -> None:
        assert isinstance(result, TableRows)
        self.last = result

    def return_job(self, message: gate.Message) -> None:
        raise AssertionError("it is given back")

    def open(self, person: play.TableOwner = ANN, opponents: int = 1, slots: int = 4, bots: Sequence[str] = ()) -> None:
        with self.platform.database.write() as session:
            chosen = [columns.row_id(core_kit.bot_named(session, bot).id) for bot in bots or ["random"] * opponents]
            play.open_table(session, person, core_kit.GAME, chosen, slots=slots)

    def game(self) -> matches.PlayedGame:
        return self.platform.row(select(matches.PlayedGame).where(matches.PlayedGame.match_id == self.table().match_id))

    def enter(self, name: str, source: bytes) -> None:
        with self.platform.database.write() as session:
            version = uploads.submit_version(session, None, core_kit.GAME, name, f"{name}_gang.py", source)
            version.state = VersionState.ACTIVE.value
            core_kit.bot_named(session, name).active_version_id = version.id

    def take_job(self) -> core_kit.SentJob:
        self.platform.recorder.dispatch()
        self.sent_job = self.platform.post.tables.pop()
        return self.sent_job

    def play_job(self) -> TableRows:
        self.worker.play(self.take_job().message)
        assert self.last is not None
        return self.last

    def record(self, rows: TableRows, sent_job: core_kit.SentJob | None = None, host: str = names.LOCAL) -> Verdict:
        sent = sent_job or self.sent_job
        assert sent is not None
        return self.platform.say(jobs.Report.RESULT, sent, rows, host).verdict

    def ask_bots(self) -> Verdict:
        return self.record(self.play_job())

    def table(self) -> PlayTable:
        return self.platform.row(select(PlayTable).order_by(col(PlayTable.id).desc()).limit(1))

    def live_table(self) -> LiveTable:
        table = self.platform.get(PlayTable, self.table().id)
        return LiveTable(play.setup_of(table), self.platform.read(play.rows_of, table))

    def answer_first(self) -> int:
        live_table = self.live_table()
        (seat,) = live_table.setup.humans
        question = live_table.question(seat)
        assert question is not None
        carried_answer(self, question.number, question.choices[0].decision)
        return question.number


@pytest.fixture
def carried(tmp_path: Path) -> Iterator[Carried]:
    platform = core_kit.open_platform("sqlite", tmp_path)
    with Pool(jail.Mode.TRUSTED) as pool:
        carried = Carried(platform, pool)
        carried.enter("random", SOURCE)
        yield carried
    platform.database.close()


def test_a_game_is_played_to_its_end_though_its_worker_is_lost_between_any_two_answers(carried: Carried) -> None:
    carried.open(opponents=2)
    setup = play.setup_of(carried.table())
    assert carried.ask_bots() is Verdict.DONE
    kept: list[Row] = []
    numbers = []
    while carried.table().state == TableState.PERSON:
        rows = carried.live_table().rows
        assert rows[: len(kept)] == kept  # nothing that was decided is ever decided otherwise
        kept = rows
        numbers.append(carried.answer_first())
        if len(numbers) % 3 == 0:
            carried.new_worker()
        assert carried.ask_bots() is Verdict.DONE
    assert numbers == list(range(1, len(numbers) + 1))
    table = carried.table()
    assert table.state == TableState.OVER
    assert not table.differing
    replay = load(carried.game().replay)
    assert (replay.seed, len(replay.decisions) > len(kept)) == (setup.seed, True)


def test_an_answer_that_is_lost_on_its_way_is_asked_for_again_and_is_the_same(carried: Carried) -> None:
    carried.open()
    lost, sent_job = carried.play_job(), carried.sent_job
    for _ in range(2 * jobs.ATTEMPTS):
        _lease_runs_out(carried)
        carried.take_job()
    _lease_runs_out(carried)
    again = carried.play_job()
    assert carried.record(again) is Verdict.DONE
    assert again.rows == lost.rows
    assert carried.record(lost, sent_job) is Verdict.STALE


def test_only_the_host_that_was_given_a_table_adds_to_it_and_only_what_goes_on(carried: Carried) -> None:
    carried.open()
    carried.platform.write(worker_hosts.create_host, "birch", "another password")
    setup = play.setup_of(carried.table())
    for forged in ({"rows": [Row(setup.humans[0], [])]}, {"first": 1}, {"rows": [Row(setup.bots[0], [99, 99])]}):
        rows = carried.play_job()
        assert carried.sent_job is not None
        assert carried.record(rows, host="birch") is Verdict.FORGED
        message = msgspec.structs.replace(carried.sent_job.message, kind="ladder")
        assert carried.record(rows, core_kit.SentJob(message, None)) is Verdict.STALE  # of a table, not of a match
        assert carried.record(msgspec.structs.replace(rows, **forged)) is Verdict.REFUSED, forged
        assert not carried.live_table().rows, forged
    assert carried.table().state == TableState.ENDED


def test_an_answer_counts_once_and_only_to_the_question_that_is_open(carried: Carried) -> None:
    carried.open()
    with pytest.raises(NotOpen):
        carried_answer(carried, 1, [])
    carried.ask_bots()
    with pytest.raises(NotOpen):
        carried_answer(carried, 2, [])
    with pytest.raises(IllegalDecision):
        carried_answer(carried, 1, "everything")
    rows = len(carried.live_table().rows)
    carried.answer_first()
    with pytest.raises(NotOpen):
        carried_answer(carried, 1, [])
    assert len(carried.live_table().rows) == rows + 1


def visitor(number: int) -> play.TableOwner:
    return play.TableOwner(None, f"{number:064d}")


def test_fifty_tables_are_open_half_of_them_without_an_account_and_a_person_has_one(carried: Carried) -> None:
    """A person with an account always gets a seat; an abandoned table makes room."""
    for number in range(25):
        carried.open(visitor(number), slots=1)
    with pytest.raises(play.TableRefused, match="All 25 tables for people without an account are taken"):
        carried.open(visitor(25), slots=1)
    carried.open(visitor(0), slots=1)  # leaves the first
    with carried.platform.database.write() as session:
        for user in range(1000, 1027):
            session.add(accounts.User(id=user, name=f"u{user}", name_key=f"u{user}", password_hash="-", created_at=0.0))
    for user in range(1000, 1025):
        carried.open(play.TableOwner(user, None), slots=1)
    with pytest.raises(play.TableRefused, match="All 50 tables are taken"):
        carried.open(play.TableOwner(1025, None), slots=1)
    with carried.platform.database.write() as session:
        its = session.exec(select(PlayTable).where(PlayTable.visitor == visitor(7).visitor)).one()
        its.active_at -= AWAY_S + 1
        session.exec(select(PlayTable).where(PlayTable.visitor == visitor(8).visitor)).one().active_at -= AWAY_S - 90
    carried.open(play.TableOwner(1025, None), slots=1)
    with pytest.raises(play.TableRefused, match="All 50"):
        carried.open(play.TableOwner(1026, None), slots=1)
    ended = carried.platform.rows(select(PlayTable.visitor, PlayTable.ended_for).where(PlayTable.state == "ended"))
    assert ended == [(visitor(0).visitor, play.LEFT_REASON), (visitor(7).visitor, play.AWAY_REASON)]


def test_a_page_that_is_left_open_keeps_no_table_at_which_nobody_decides(carried: Carried) -> None:
    carried.open()
    carried.ask_bots()
    with carried.platform.database.write() as session:
        session.get_one(PlayTable, carried.table().id).opened_at -= IDLE_S + 1
        for row in session.exec(select(PlayRow)).all():
            row.at -= IDLE_S + 1
        play.record_presence(session, carried.table())
    play.sweep_tables(carried.platform.database)
    assert carried.table().ended_for == play.IDLE_REASON


@pytest.mark.parametrize("slots", [1, 2])
def test_due_matches_of_a_tournament_go_out_in_full_while_all_tables_wait(carried: Carried, slots: int) -> None:
    """A slot has as many matches ahead as without tables."""
    platform = carried.platform
    platform.post.slot_count = slots
    tournaments_kit.begin_tournament(platform, blocks=1, limits=limits.Limits.plain(1))
    for number in range(MAX_VISITOR_TABLES):
        carried.open(visitor(number), slots=slots)
    due, ahead = len(platform.matches(purpose="tournament")), slots * dispatch.MATCHES_PER_SLOT
    assert due > ahead
    for done in range(due - ahead):
        assert carried.ask_bots() is Verdict.DONE
        platform.recorder.dispatch()
        assert [queue for queue, _ in platform.post.sent] == [names.QUEUE_MATCHES] * ahead, f"after {done} matches"
        assert {match_job.id for _, match_job in platform.post.sent} <= {
            match.id for match in platform.matches(purpose="tournament", state="leased")
        }
        platform.finish(platform.take())
        if carried.table().state == TableState.PERSON:
            carried.answer_first()
        else:  # the game is over: all tables wait once more
            carried.open(visitor(0), slots=slots)


def test_one_worker_keeps_the_bots_of_four_tables_and_one_at_which_nobody_decides_ends(carried: Carried) -> None:
    for number in range(5):
        carried.open(visitor(number), slots=8)
        assert carried.ask_bots() is Verdict.DONE
    assert len(carried.worker._cache) == 4
    assert len(carried.pool._in_use) == 4
    with carried.platform.database.write() as session:
        for table in session.exec(select(PlayTable)).all():
            table.active_at -= IDLE_S + 1
    play.sweep_tables(carried.platform.database)
    assert (carried.table().state, carried.table().ended_for) == ("ended", play.IDLE_REASON)
    carried.open(BEN)  # its place is free


def test_a_bot_at_fault_plays_on_by_default_and_the_person_reads_it_before_the_next_decision(carried: Carried) -> None:
    carried.enter("broken", BROKEN % b"self.rounds > 2")
    carried.enter("calm", BROKEN % b"False")
    carried.open(bots=["broken", "calm"])
    lines: list[str] = []
    assert carried.ask_bots() is Verdict.DONE
    while carried.table().state == TableState.PERSON:
        live_table = carried.live_table()
        (seat,) = live_table.setup.humans
        lines += [line.text for line in live_table.story(seat) if "fault" in line.text]
        carried.answer_first()
        assert carried.ask_bots() is Verdict.DONE
    assert carried.table().state == TableState.OVER
    assert {fault["kind"] for fault in carried.game().faults} == {"crashed"}
    assert lines == ["broken is at fault and plays default decisions from now on."]


def test_a_bot_that_fails_twice_on_its_way_back_ends_the_table(carried: Carried, tmp_path: Path) -> None:
    fails = tmp_path / "fails"
    carried.enter("broken", BROKEN % f"__import__('os').path.exists({str(fails)!r})".encode())
    carried.open(bots=["broken"])
    carried.ask_bots()
    while not any(row.seat in carried.live_table().setup.bots for row in carried.live_table().rows):
        carried.answer_first()
        carried.ask_bots()
    carried.answer_first()
    fails.touch()
    carried.new_worker()
    assert carried.ask_bots() is Verdict.DONE
    assert (carried.table().state, carried.table().ended_for) == ("ended", "A bot could not continue the game.")


def test_visitors_who_leave_tables_cost_nothing_in_the_end(carried: Carried, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the bots of open tables are held; no process is left at the end."""
    now_s = 1000.0
    monkeypatch.setattr(players, "time", SimpleNamespace(monotonic=lambda: now_s))
    before = set(children_of(os.getpid()))
    for number in range(VISITORS):
        carried.open(visitor(number), opponents=3)
        assert carried.ask_bots() is Verdict.DONE
        assert len(carried.pool._in_use) == 3
        if number < VISITORS - 1:  # the last one goes away without a word
            carried.platform.write_row(play.end_table, PlayTable, carried.table().id, play.LEFT_REASON)
    with carried.platform.database.write() as session:
        session.get_one(PlayTable, carried.table().id).active_at -= IDLE_S + 1
    now_s += IDLE_S + 1
    play.sweep_tables(carried.platform.database)
    carried.worker.forget_idle()
    assert set(children_of(os.getpid())) == before
    assert (carried.pool._in_use, carried.pool.idle, carried.worker._cache) == ({}, 0, {})
    with carried.platform.database.read() as session:
        open_ones = select(PlayTable).where(col(PlayTable.state).not_in(["over", "ended"]))
        leased = select(Job).where(col(Job.token).is_not(None))
        assert (session.exec(open_ones).first(), session.exec(leased).first()) == (None, None)
    carried.platform.recorder.dispatch()
    assert carried.platform.post.tables == []
    with carried.platform.database.write() as session:
        assert len(session.exec(select(PlayTable)).all()) == VISITORS  # which say why they ended, for a day
        for table in session.exec(select(PlayTable)).all():
            table.active_at -= play.ENDED_RETENTION_S
    play.sweep_tables(carried.platform.database)
    with carried.platform.database.read() as session:
        left = (session.exec(select(PlayTable)).first(), session.exec(select(PlayRow)).first())
    assert left == (None, None)


def test_bots_cost_no_cpu_as_a_person_thinks(carried: Carried, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's process and its threads are stopped until the next question."""
    now_s = 1000.0
    monkeypatch.setattr(players, "time", SimpleNamespace(monotonic=lambda: now_s))
    carried.open()
    carried.ask_bots()
    (child,) = carried.pool._in_use
    stat = Path(f"/proc/{child.pid}/stat")
    while stat.read_bytes().rpartition(b")")[2].split()[0] not in (b"T", b"t"):  # the kernel stops it a moment later
        time.sleep(0.01)
    carried.answer_first()
    assert carried.ask_bots() is Verdict.DONE
    now_s += IDLE_S + 1
    carried.worker.forget_idle()
    carried.answer_first()
    assert carried.ask_bots() is Verdict.DONE
    assert not carried.table().differing


def carried_answer(carried: Carried, number: int, decision: object) -> None:
    given = play.checked_answer(carried.table(), carried.live_table(), number, decision)
    carried.platform.write_row(play.store_answer, PlayTable, carried.table().id, given)


def _lease_runs_out(carried: Carried) -> None:
    """Let the sweep find the latest job lost, and send it again."""
    assert carried.sent_job is not None
    carried.platform.change(Job, carried.sent_job.message.job, lease_until=1.0)
    carried.platform.recorder.sweep()
