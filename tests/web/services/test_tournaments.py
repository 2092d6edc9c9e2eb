"""Tournaments: entered, frozen, played once and for all, and revealed."""

from itertools import combinations

import pytest
import time_machine
from tests.kits import tournaments_kit
from tests.kits.core_kit import GAME, KINDS, ON_POSTGRESQL, Platform, Sent, a_platform_after, play_job, void
from tests.kits.models import Bot, Entry, Match, Tournament, Version, col, select
from tests.kits.tournaments_kit import begin_tournament, enter, entries_of, go, ids_of, make, play_by, seen, states_of

from gangland.faults import BotFault, FaultKind
from gangland_ladder.matches.match_jobs import MatchJob, Result
from gangland_ladder.matches.seeds import block_seed, commitment, entries_digest
from gangland_ladder.pairing.permitted_tables import TablesError
from gangland_ladder.tournaments.lifecycle import Deadlines, MoveRefused, State
from gangland_web.services import matches, tournaments, uploads
from gangland_web.services.entries import EntryRefused, enter_bot, tournament_tables, withdraw_bot

platform = pytest.fixture(a_platform_after(None, rounds=0), params=KINDS)

PLANNER = "gangland_web.services.entries.tournament_tables"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_tournament_plays_every_table_once_and_is_finished(platform: Platform, seats: int) -> None:
    number = tournaments_kit.play_tournament(platform, seats=seats)
    entries = [entry.id for entry in entries_of(platform, number)]
    assert sorted(tournaments_kit.tables_of(platform, number)) == list(combinations(entries, seats))
    assert set(states_of(platform, number)) == {"done"}
    assert seen(platform, number).state == "finished"
    assert all(entry.games for entry in entries_of(platform, number))


@ON_POSTGRESQL
def test_its_dice_follow_from_a_secret_that_was_promised_and_from_all_frozen_code(platform: Platform) -> None:
    number = make(platform)
    with platform.database.write() as session:
        tournament = session.get_one(Tournament, number)
        tournament.secret, tournament.commitment = bytes(32), commitment(bytes(32))
        tournaments.move_tournament(session, tournament, State.ANNOUNCED)
    kept = seen(platform, number)  # with what was changed just before the move
    assert (kept.secret, kept.commitment, kept.state) == (bytes(32), commitment(bytes(32)), "announced")
    go(platform, number, State.OPEN, State.FROZEN, State.PLAYING)
    platform.recorder.sweep()
    match_job = next(match_job for _, match_job in platform.post.sent if match_job.id in ids_of(platform, number))
    tournament, match = platform.get(Tournament, number), platform.get(Match, match_job.id)
    codes = platform.rows(
        select(Version.code_sha256)
        .join(Entry, col(Entry.version_id) == Version.id)
        .where(Entry.tournament_id == number)
        .order_by(col(Entry.id))
    )
    assert commitment(tournament.secret) == kept.commitment
    digest = entries_digest(list(codes))
    assert match_job.blocks == [block_seed(tournament.secret, digest, match.number, block).hex() for block in range(2)]


@ON_POSTGRESQL
def test_the_clock_opens_freezes_and_starts_it_also_after_an_outage(platform: Platform) -> None:
    with time_machine.travel(1_000_000, tick=False) as clock:
        deadlines = Deadlines(opens_at=1_000_100, freezes_at=1_000_200, starts_at=1_000_300)
        number = make(platform, deadlines=deadlines)
        go(platform, number, State.ANNOUNCED)
        platform.recorder.schedule()
        assert seen(platform, number).state == "announced"
        clock.move_to(1_000_150)
        platform.recorder.schedule()
        assert seen(platform, number).state == "open"
        clock.move_to(1_009_000)
        platform.recorder.schedule()
        assert seen(platform, number).state == "playing"
        assert len(tournaments_kit.tables_of(platform, number)) == 6


def test_the_clock_calls_off_what_has_too_few_bots(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(*_: object) -> None:
        raise TablesError("6 tables are too many to play")

    with time_machine.travel(1_000_000, tick=False) as clock:
        few = make(platform, house_bots=False, deadlines=Deadlines(freezes_at=1_000_001))
        go(platform, few, State.ANNOUNCED, State.OPEN)
        clock.move_to(1_000_001)
        platform.recorder.schedule()
        assert seen(platform, few).state == "cancelled"
        assert "not enough bots" in seen(platform, few).note
        monkeypatch.setattr(PLANNER, too_many)
        number = make(platform, deadlines=Deadlines(freezes_at=1_000_002))
        go(platform, number, State.ANNOUNCED, State.OPEN)
        clock.move_to(1_000_002)
        for _ in range(2):
            platform.recorder.schedule()
            assert seen(platform, number).state == "open"
            assert "6 tables are too many" in seen(platform, number).note
            assert entries_of(platform, number) == []
        monkeypatch.setattr(PLANNER, tournament_tables)
        platform.recorder.schedule()
    assert seen(platform, number).state == "frozen"
    assert states_of(platform, number) == {"scheduled": 6}


def test_freezing_pins_the_version_that_is_active_then_of_each_bot_that_was_entered(platform: Platform) -> None:
    first = platform.upload("ann", source=b"# one\n")
    other = platform.upload("bob", "never_entered", b"# other\n")
    platform.play_all()
    number = make(platform)
    go(platform, number, State.ANNOUNCED, State.OPEN)
    enter(platform, number, "newcomer")
    second = platform.upload("ann", source=b"# two\n")
    platform.play_all()
    go(platform, number, State.FROZEN)
    third = platform.upload("ann", source=b"# three\n")
    platform.play_all()
    go(platform, number, State.PLAYING)
    platform.play_all()
    platform.recorder.schedule()
    pinned = {entry.version_id for entry in entries_of(platform, number)}
    assert second in pinned
    assert not {first, third, other} & pinned
    assert [platform.version(version).state for version in (second, other)] == ["retired", "active"]
    assert states_of(platform, number) == {"done": 10}


@ON_POSTGRESQL
def test_entering_says_why_not(platform: Platform) -> None:
    number = make(platform, join_code="velvet", house_bots=False)
    platform.upload("ann")
    go(platform, number, State.ANNOUNCED)
    with pytest.raises(EntryRefused, match=r"\(announced\)"):
        enter(platform, number, "newcomer", "velvet")
    go(platform, number, State.OPEN)
    with platform.database.write() as session:
        uploads.retire_bot(session, session.exec(select(Bot).where(Bot.name == "newcomer")).one())
    with pytest.raises(EntryRefused, match="has no active version"):
        enter(platform, number, "newcomer", "velvet")
    platform.upload("ann", source=b"# once more\n")
    for code in (None, "", "silk"):
        with pytest.raises(EntryRefused, match="code"):
            enter(platform, number, "newcomer", code)
    enter(platform, number, "newcomer", "velvet")
    enter(platform, number, "newcomer", " velvet ")
    with platform.database.write() as session:
        bot = session.exec(select(Bot).where(Bot.name == "newcomer")).one()
        assert withdraw_bot(session, session.get_one(Tournament, number), bot)
        assert not withdraw_bot(session, session.get_one(Tournament, number), bot)
        house = session.exec(select(Bot).where(Bot.game == GAME, col(Bot.is_house).is_(True)).limit(1)).one()
        with pytest.raises(EntryRefused, match="does not accept house bots"):
            enter_bot(session, session.get_one(Tournament, number), house)


def test_a_paused_tournament_sends_nothing_and_a_cancelled_one_takes_no_result(platform: Platform) -> None:
    number = begin_tournament(platform)

    def under_way() -> list[Sent]:
        platform.post.sent.clear()
        platform.recorder.dispatch()
        return [match_job for _, match_job in platform.post.sent if match_job.id in ids_of(platform, number)]

    played = under_way()
    go(platform, number, State.PAUSED)
    for match_job in played:
        platform.finish(match_job)
    assert not under_way()
    assert states_of(platform, number)["done"] == len(played) > 0
    go(platform, number, State.PLAYING)
    platform.play_all()
    assert states_of(platform, number) == {"done": 6}
    number = begin_tournament(platform)
    match_job = under_way()[0]
    go(platform, number, State.CANCELED)
    platform.finish(match_job)
    assert states_of(platform, number) == {"void": 6}
    assert seen(platform, number).state == "cancelled"


def test_it_is_revealed_when_all_is_played_and_its_embargo_is_over(platform: Platform) -> None:
    with time_machine.travel(1_000_000, tick=False) as clock:
        number = begin_tournament(platform, deadlines=Deadlines(embargo_until=1_000_500))
        with pytest.raises(EntryRefused, match="6 matches still to be played"):
            go(platform, number, State.FINISHED)
        with pytest.raises(MoveRefused, match="dice would be known"):
            go(platform, number, State.REVEALED)
        assert seen(platform, number).state == "playing"
        platform.play_all()
        platform.recorder.schedule()
        with pytest.raises(EntryRefused, match="after its embargo"):
            go(platform, number, State.REVEALED)
        assert seen(platform, number).state == "finished"
        clock.move_to(1_000_500)
        go(platform, number, State.REVEALED)
    assert seen(platform, number).state == "revealed"


def test_ratings_take_in_all_results_also_where_the_last_matches_became_void(platform: Platform) -> None:
    number = begin_tournament(platform)
    platform.recorder.dispatch()
    last = max(match.number for match in platform.matches(tournament_id=number))
    while platform.post.sent:
        match_job = platform.take()
        if platform.match(match_job.id).number != last or match_job.id not in ids_of(platform, number):
            platform.finish(match_job)
    with platform.database.write() as session:
        gone = session.exec(select(Match).where(Match.tournament_id == number, Match.number == last)).one()
        assert matches.void_leased(session, gone, "taken out")
    assert seen(platform, number).cursor == last
    platform.recorder.schedule()
    assert (seen(platform, number).state, seen(platform, number).cursor) == ("finished", last + 1)


def test_who_could_not_be_played_waits_for_a_solo_trial_and_plays_on(platform: Platform) -> None:
    number, _ = tournaments_kit.begin_with_anns_bot(platform)
    platform.recorder.dispatch()
    failing = next(match_job.id for _, match_job in platform.post.sent if match_job.id in ids_of(platform, number))
    play_by(platform, lambda match_job: void(match_job) if match_job.id == failing else play_job(match_job))
    assert states_of(platform, number) == {"done": 9, "void": 1}
    assert not [entry for entry in entries_of(platform, number) if entry.quarantined]
    assert seen(platform, number).state == "finished"


def test_who_fails_alone_too_is_out_and_the_others_play_on(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.play_all()
    number = make(platform)
    go(platform, number, State.ANNOUNCED, State.OPEN)
    enter(platform, number, "newcomer")
    go(platform, number, State.FROZEN)
    replaced = platform.upload("ann", source=b"# two\n")
    platform.play_all()
    assert platform.version(version).state == "retired"
    go(platform, number, State.PLAYING)
    code = platform.version(version).code_sha256
    mine = next(entry.id for entry in entries_of(platform, number) if entry.version_id == version)

    def plays_badly(match_job: MatchJob, index: int) -> BotFault | None:
        alone = match_job.check is not None and match_job.seats[index].code == code
        return BotFault(FaultKind.CRASHED, "down it goes") if alone else None

    def result_of(match_job: MatchJob) -> Result:
        in_it = match_job.check is None and mine in {seat.entry for seat in match_job.seats}
        return void(match_job) if in_it else play_job(match_job, failing=plays_badly)

    play_by(platform, result_of)
    assert states_of(platform, number) == {"done": 6, "void": 4}
    assert platform.version(replaced).state == "active"
    assert seen(platform, number).state == "finished"
