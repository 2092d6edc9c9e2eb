"""Tables of persons, from the row to the jail and back; orders and answers are carried by hand, without a broker."""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from sqlmodel import col, select
from tests.flow.flow_kit import children_of
from tests.kits.core_kit import GAME, Platform, bot_named, open_platform
from tests.kits.tournaments_kit import begin_tournament

import gangland_bots
from gangland.faults import IllegalDecision
from gangland_ladder.playing.table_orders import IDLE_S, TableOrder, TableRows
from gangland_ladder.playing.table_state import NotOpen, Row, Standing
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool
from gangland_web.broker.names import QUEUE_MATCHES
from gangland_web.models.accounts import User
from gangland_web.models.bots import VersionState
from gangland_web.models.columns import stored
from gangland_web.models.jobs import (
    AWAY_S,
    MOST_OF_VISITORS,
    TABLE_ATTEMPTS,
    PlayRow,
    PlayTable,
    TableState,
    TableVerdict,
)
from gangland_web.services.dispatch import MATCHES_A_SLOT
from gangland_web.services.play import (
    AWAY,
    ENDED_KEPT_S,
    IDLE,
    LEFT,
    Person,
    TableRefused,
    answer,
    checked_answer,
    end_table,
    open_table,
    record_rows,
    rows_of,
    see_person,
    setup_of,
    sweep_tables,
)
from gangland_web.services.uploads import submit_version
from gangland_web.services.worker_hosts import create_host
from gangland_web.workers import players
from gangland_web.workers.players import CodeStore, TablePlayer

ANN, BEN = Person(None, "a" * 64), Person(None, "b" * 64)
BROKEN = b"""from gangland import gang_of_dice


class Broken(gang_of_dice.Bot):
    rounds = 0

    def choose_dice(self, view):
        self.rounds += 1
        if %s:
            raise LookupError("no such card")
        return 1
"""
VISITORS = 12
"""Three times the tables whose bots a worker keeps."""
SOURCE = (Path(gangland_bots.__file__).parent / "gang_of_dice/random_gang.py").read_bytes()


class Carried:
    """A site with a worker, and what the worker said last."""

    def __init__(self, platform: Platform, pool: Pool) -> None:
        self.platform = platform
        self.pool = pool
        self.last: TableRows | None = None
        self.new_worker()

    def new_worker(self) -> None:
        codes = CodeStore(self.platform.post.codes.get)
        self.worker = TablePlayer(self, codes, lambda: None, lambda: None, Pool())
        self.worker._pool = self.pool  # plain processes: whoever runs the tests may be root, who opens no jail

    def rows(self, rows: TableRows) -> None:
        self.last = rows

    def open(self, person: Person = ANN, opponents: int = 1, slots: int = 4, bots: Sequence[str] = ()) -> None:
        with self.platform.database.write() as session:
            chosen = [stored(bot_named(session, bot).id) for bot in bots or ["random"] * opponents]
            open_table(session, person, GAME, chosen, slots=slots)

    def enter(self, name: str, source: bytes) -> None:
        with self.platform.database.write() as session:
            version = submit_version(session, None, GAME, name, f"{name}_gang.py", source)
            version.state = VersionState.ACTIVE.value
            bot_named(session, name).active_version_id = version.id

    def take_order(self) -> TableOrder:
        self.platform.recorder.send_tables()
        return self.platform.post.tables.pop()

    def play_order(self) -> TableRows:
        """Have the worker carry out the next order, and return what it says."""
        self.worker.play(msgspec.json.encode(self.take_order()).decode())
        assert self.last is not None
        return self.last

    def record(self, rows: TableRows) -> TableVerdict:
        return record_rows(self.platform.database, msgspec.json.encode(rows).decode()).verdict

    def ask_bots(self) -> TableVerdict:
        return self.record(self.play_order())

    def table(self) -> PlayTable:
        with self.platform.database.read() as session:
            return session.exec(select(PlayTable).order_by(col(PlayTable.id).desc()).limit(1)).one()

    def standing(self) -> Standing:
        with self.platform.database.read() as session:
            table = session.get_one(PlayTable, self.table().id)
            return Standing(setup_of(table), rows_of(session, table))

    def answer_first(self) -> int:
        """Answer with the first legal decision, and return the question's number."""
        standing = self.standing()
        (seat,) = standing.setup.persons
        question = standing.question(seat)
        assert question is not None
        carried_answer(self, question.number, question.choices[0].decision)
        return question.number


@pytest.fixture
def carried(tmp_path: Path) -> Iterator[Carried]:
    platform = open_platform("sqlite", tmp_path)
    with Pool(Mode.TRUSTED) as pool:
        carried = Carried(platform, pool)
        carried.enter("random", SOURCE)
        yield carried
    platform.database.close()


def test_a_game_is_played_to_its_end_though_its_worker_is_lost_between_any_two_answers(carried: Carried) -> None:
    carried.open(opponents=2)
    setup = setup_of(carried.table())
    assert carried.ask_bots() is TableVerdict.TAKEN
    kept: list[Row] = []
    numbers = []
    while carried.table().state == TableState.PERSON:
        rows = carried.standing().rows
        assert rows[: len(kept)] == kept  # nothing that was decided is ever decided otherwise
        kept = rows
        numbers.append(carried.answer_first())
        if len(numbers) % 3 == 0:
            carried.new_worker()
        assert carried.ask_bots() is TableVerdict.TAKEN
    assert numbers == list(range(1, len(numbers) + 1))
    table = carried.table()
    assert table.state == TableState.OVER
    assert not table.differing
    assert carried.standing().played().replay.seed == setup.seed


def test_an_answer_that_is_lost_on_its_way_is_asked_for_again_and_is_the_same(carried: Carried) -> None:
    carried.open()
    lost = carried.play_order()
    for away in range(2 * TABLE_ATTEMPTS):
        if away:
            carried.take_order()
        _lease_runs_out(carried)
        assert sweep_tables(carried.platform.database) == 1
    again = carried.play_order()
    assert carried.record(again) is TableVerdict.TAKEN
    assert again.rows == lost.rows
    assert carried.record(lost) is TableVerdict.STALE


def test_only_the_host_that_was_given_a_table_adds_to_it_and_only_what_goes_on(carried: Carried) -> None:
    carried.open()
    with carried.platform.database.write() as session:
        create_host(session, "birch", "another password")
    setup, recorder = setup_of(carried.table()), carried.platform.recorder
    for forged in ({"rows": [Row(setup.persons[0], [])]}, {"first": 1}, {"rows": [Row(setup.bots[0], [99, 99])]}):
        rows = carried.play_order()
        text, token = msgspec.json.encode(rows).decode(), carried.table().lease_token
        assert not recorder.are_rows_authorized("birch", text)
        assert not recorder.is_authorized("local", carried.table().id, token)  # of a table, not of a match
        assert recorder.are_rows_authorized("local", text)
        assert carried.record(msgspec.structs.replace(rows, **forged)) is TableVerdict.REFUSED, forged
        assert not carried.standing().rows, forged
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
    rows = len(carried.standing().rows)
    carried.answer_first()
    with pytest.raises(NotOpen):
        carried_answer(carried, 1, [])
    assert len(carried.standing().rows) == rows + 1


def visitor(number: int) -> Person:
    return Person(None, f"{number:064d}")


def test_fifty_tables_are_open_half_of_them_without_an_account_and_a_person_has_one(carried: Carried) -> None:
    """Whoever has an account gets a seat, however many come without; one that was left makes room."""
    for number in range(25):
        carried.open(visitor(number), slots=1)
    with pytest.raises(TableRefused, match="All 25 tables for people without an account are taken"):
        carried.open(visitor(25), slots=1)
    carried.open(visitor(0), slots=1)  # leaves the first
    with carried.platform.database.write() as session:
        for user in range(1000, 1027):
            session.add(User(id=user, name=f"u{user}", name_key=f"u{user}", password_hash="-", created_at=0.0))
    for user in range(1000, 1025):
        carried.open(Person(user, None), slots=1)
    with pytest.raises(TableRefused, match="All 50 tables are taken"):
        carried.open(Person(1025, None), slots=1)
    with carried.platform.database.write() as session:
        its = session.exec(select(PlayTable).where(PlayTable.visitor == visitor(7).visitor)).one()
        its.active_at -= AWAY_S + 1
        session.exec(select(PlayTable).where(PlayTable.visitor == visitor(8).visitor)).one().active_at -= AWAY_S - 9
    carried.open(Person(1025, None), slots=1)
    with pytest.raises(TableRefused, match="All 50"):
        carried.open(Person(1026, None), slots=1)
    with carried.platform.database.read() as session:
        ended = session.exec(select(PlayTable.visitor, PlayTable.ended_for).where(PlayTable.state == "ended")).all()
    assert ended == [(visitor(0).visitor, LEFT), (visitor(7).visitor, AWAY)]


def test_a_page_that_is_left_open_keeps_no_table_at_which_nobody_decides(carried: Carried) -> None:
    carried.open()
    carried.ask_bots()
    with carried.platform.database.write() as session:
        session.get_one(PlayTable, carried.table().id).opened_at -= IDLE_S + 1
        for row in session.exec(select(PlayRow)).all():
            row.at -= IDLE_S + 1
        see_person(session, carried.table())
    sweep_tables(carried.platform.database)
    assert carried.table().ended_for == IDLE


@pytest.mark.parametrize("slots", [1, 2])
def test_due_matches_of_a_tournament_go_out_in_full_while_all_tables_wait(carried: Carried, slots: int) -> None:
    """However often tables are to be asked, a slot has as many matches ahead as without them."""
    platform = carried.platform
    platform.post.slot_count = slots
    begin_tournament(platform, blocks=1, limits=Limits.plain(1))
    for number in range(MOST_OF_VISITORS):
        carried.open(visitor(number), slots=slots)
    due, ahead = len(platform.matches(purpose="tournament")), slots * MATCHES_A_SLOT
    assert due > ahead
    for done in range(due - ahead):
        assert carried.ask_bots() is TableVerdict.TAKEN
        platform.recorder.dispatch()
        assert [queue for queue, _ in platform.post.sent] == [QUEUE_MATCHES] * ahead, f"after {done} matches"
        assert {order.id for _, order in platform.post.sent} <= {
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
        assert carried.ask_bots() is TableVerdict.TAKEN
    assert len(carried.worker._kept) == 4
    assert len(carried.pool._lent) == 4
    with carried.platform.database.write() as session:
        for table in session.exec(select(PlayTable)).all():
            table.active_at -= IDLE_S + 1
    sweep_tables(carried.platform.database)
    assert (carried.table().state, carried.table().ended_for) == ("ended", IDLE)
    carried.open(BEN)  # its place is free


def test_a_bot_at_fault_plays_on_by_default_and_the_person_reads_it_before_the_next_decision(carried: Carried) -> None:
    carried.enter("broken", BROKEN % b"self.rounds > 2")
    carried.enter("calm", BROKEN % b"False")
    carried.open(bots=["broken", "calm"])
    lines: list[str] = []
    assert carried.ask_bots() is TableVerdict.TAKEN
    while carried.table().state == TableState.PERSON:
        standing = carried.standing()
        (seat,) = standing.setup.persons
        lines += [line.text for line in standing.story(seat) if "fault" in line.text]
        carried.answer_first()
        assert carried.ask_bots() is TableVerdict.TAKEN
    assert carried.table().state == TableState.OVER
    assert {row.fault.kind for row in carried.standing().rows if row.fault is not None} == {"crashed"}
    assert lines == ["broken is at fault: played by default from here."]


def test_a_bot_that_fails_twice_in_a_row_on_its_way_back_ends_the_table_with_words(
    carried: Carried, tmp_path: Path
) -> None:
    fails = tmp_path / "fails"
    carried.enter("broken", BROKEN % f"__import__('os').path.exists({str(fails)!r})".encode())
    carried.open(bots=["broken"])
    carried.ask_bots()
    while not any(row.seat in carried.standing().setup.bots for row in carried.standing().rows):
        carried.answer_first()
        carried.ask_bots()
    carried.answer_first()
    fails.touch()
    carried.new_worker()
    assert carried.ask_bots() is TableVerdict.ENDED
    assert (carried.table().state, carried.table().ended_for) == ("ended", "A bot could not go on where it was.")


def test_visitors_who_open_tables_and_leave_cost_nothing_after_15_minutes(
    carried: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While they come, only the bots of the tables that are open are held; afterwards no process is left."""
    now_s = 1000.0
    monkeypatch.setattr(players, "time", SimpleNamespace(monotonic=lambda: now_s))
    before = set(children_of(os.getpid()))
    for number in range(VISITORS):
        carried.open(visitor(number), opponents=3)
        assert carried.ask_bots() is TableVerdict.TAKEN
        assert len(carried.pool._lent) == 3
        if number < VISITORS - 1:  # the last one goes away without a word
            with carried.platform.database.write() as session:
                end_table(session, session.get_one(PlayTable, carried.table().id), LEFT)
    with carried.platform.database.write() as session:
        session.get_one(PlayTable, carried.table().id).active_at -= IDLE_S + 1
    now_s += IDLE_S + 1
    carried.platform.recorder.sweep_tables()
    carried.worker.forget_idle()
    assert set(children_of(os.getpid())) == before
    assert (carried.pool._lent, carried.pool.idle, carried.worker._kept) == ({}, 0, {})
    with carried.platform.database.read() as session:
        open_ones = select(PlayTable).where(col(PlayTable.state).not_in(["over", "ended"]))
        leased = select(PlayTable).where(col(PlayTable.lease_token).is_not(None))
        assert session.exec(open_ones).first() is session.exec(leased).first() is None
    carried.platform.recorder.send_tables()
    assert carried.platform.post.tables == []
    with carried.platform.database.write() as session:
        assert len(session.exec(select(PlayTable)).all()) == VISITORS  # which say why they ended, for a day
        for table in session.exec(select(PlayTable)).all():
            table.active_at -= ENDED_KEPT_S
    carried.platform.recorder.sweep_tables()
    with carried.platform.database.read() as session:
        left = (session.exec(select(PlayTable)).first(), session.exec(select(PlayRow)).first())
    assert left == (None, None)


def test_bots_cost_no_cpu_while_a_person_thinks_and_a_table_that_its_worker_has_forgotten_goes_on(
    carried: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's process is stopped, with all its threads, until it is asked again."""
    now_s = 1000.0
    monkeypatch.setattr(players, "time", SimpleNamespace(monotonic=lambda: now_s))
    carried.open()
    carried.ask_bots()
    (child,) = carried.pool._lent
    stat = Path(f"/proc/{child.pid}/stat")
    while stat.read_bytes().rpartition(b")")[2].split()[0] not in (b"T", b"t"):  # the kernel stops it a moment later
        time.sleep(0.01)
    carried.answer_first()
    assert carried.ask_bots() is TableVerdict.TAKEN
    now_s += IDLE_S + 1
    carried.worker.forget_idle()
    carried.answer_first()
    assert carried.ask_bots() is TableVerdict.TAKEN
    assert not carried.table().differing


def carried_answer(carried: Carried, number: int, decision: object) -> None:
    given = checked_answer(carried.table(), carried.standing(), number, decision)
    with carried.platform.database.write() as session:
        answer(session, session.get_one(PlayTable, carried.table().id), given)


def _lease_runs_out(carried: Carried) -> None:
    with carried.platform.database.write() as session:
        session.get_one(PlayTable, carried.table().id).lease_until = 1.0
