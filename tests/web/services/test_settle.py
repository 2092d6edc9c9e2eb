"""Settling: the first places are played on by terms that were announced, and a stranger can verify all of it."""

from functools import partial
from pathlib import Path
from threading import Thread
from time import sleep

import msgspec
import pytest
from sqlalchemy import text
from tests.kits.actions_kit import an_organizer, order
from tests.kits.archive_kit import changed
from tests.kits.core_kit import KINDS, Platform, a_platform_after, play_job
from tests.kits.final_kit import examined, scheduled, the_finished
from tests.kits.models import ActionKind, Tournament, lock_tournament, lock_versions
from tests.kits.tournaments_kit import TO_PLAY, export, go, make, seen, tables_of

from gangland_ladder.proof.archive_files import read_archive
from gangland_ladder.rating.final_standings import standings
from gangland_ladder.tournaments.lifecycle import State
from gangland_ladder.tournaments.settling_rounds import Terms, next_tables, open_pairs
from gangland_web.services import entries, organizing
from gangland_web.services.final_tables import advance_tournaments
from gangland_web.services.settling import SETTLE, block_results, start_settling, stored_standings

TERMS = Terms(first=2, percent=5, blocks=6)


def finish(platform: Platform, *, seats: int = 2, terms: Terms | None = TERMS) -> int:
    number = make(platform, seats=seats, settle=terms)
    go(platform, number, *TO_PLAY)
    platform.play_all()
    scheduled(platform)  # without sending matches of the ladders as well
    assert seen(platform, number).state == "finished"
    return number


def with_a_finished_cup(platform: Platform) -> None:
    finish(platform)


platform = pytest.fixture(a_platform_after(with_a_finished_cup, rounds=0), params=KINDS)


def settled(platform: Platform, number: int) -> None:
    result = order(platform, an_organizer(platform), ActionKind.MOVE, number, state=SETTLE)
    assert result.state == "done", result.message
    for _ in range(40):
        platform.play_all()
        platform.recorder.schedule()
        if seen(platform, number).state == "finished":
            return
    raise AssertionError("it did not end")


@pytest.mark.parametrize("seats", [2, 3])
def test_the_first_play_on_until_separated_or_at_the_limit(platform: Platform, tmp_path: Path, seats: int) -> None:
    number = finish(platform, seats=seats)
    before = tables_of(platform, number)
    early = platform.read(stored_standings, number)
    settled(platform, number)

    after = tables_of(platform, number)
    tournament = seen(platform, number)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert tournament.settle_round is not None
    assert 1 <= tournament.settle_round <= TERMS.rounds(tournament.blocks) == 3
    with platform.database.read() as session:
        found = standings(block_results(session, number))
    late = platform.read(stored_standings, number)
    assert tournament.settle_round == 3 or not open_pairs(found, TERMS, tournament.blocks)
    assert early is not None
    assert late is not None
    assert late["blocks"] == early["blocks"] + tournament.blocks * (len(after) - len(before))

    go(platform, number, State.REVEALED)
    assert examined(platform, number, tmp_path / "cup.tar").findings == []
    assert read_archive(export(platform, number, tmp_path / "cup.tar")).tournament.settling == TERMS
    for facts in ({"percent": TERMS.percent + 1}, {"blocks": 2}, {"blocks": 60, "percent": 1}):
        other = msgspec.structs.replace(TERMS, **facts)  # than those it was played by
        forged = examined(platform, number, tmp_path / "cup.tar", partial(changed, settling=other))
        assert any("its commitment is" in each.message for each in forged.findings)
        assert seats > 2 or "blocks" not in facts or any("settling" in each.message for each in forged.findings)


def test_nothing_is_settled_that_was_not_announced_or_once_the_secret_is_public(platform: Platform) -> None:
    public = the_finished(platform)
    number = finish(platform, terms=None)
    refused = order(platform, an_organizer(platform), ActionKind.MOVE, number, state=SETTLE)
    assert (refused.state, "announced without settling" in refused.message) == ("refused", True)
    assert seen(platform, number).state == "finished"
    go(platform, public, State.REVEALED)
    with platform.database.write() as session, pytest.raises(entries.EntryRefused, match="no place can be settled now"):
        start_settling(session, session.get_one(Tournament, public))


def test_a_settling_ends_by_itself_and_plans_nothing_while_a_match_is_out(platform: Platform) -> None:
    number = the_finished(platform)
    boss = an_organizer(platform)
    order(platform, boss, ActionKind.MOVE, number, state=SETTLE)
    many = len(tables_of(platform, number))
    platform.recorder.dispatch()
    sent = platform.take()
    for _ in range(3):
        platform.recorder.schedule()
    assert (len(tables_of(platform, number)), seen(platform, number).state) == (many, "playing")
    platform.finish(sent, play_job(sent))
    platform.play_all()
    early = order(platform, boss, ActionKind.MOVE, number, state=State.FINISHED)
    assert (early.state, "when its first places are settled" in early.message) == ("refused", True)
    assert len(tables_of(platform, number)) > many


def test_settling_opens_no_way_to_cancel_or_play_again_what_was_finished(platform: Platform) -> None:
    number = the_finished(platform)
    boss = an_organizer(platform)
    final, taken_out = (match.id for match in platform.matches(tournament_id=number)[:2])
    order(platform, boss, ActionKind.VOID, number, match=taken_out, reason="to have it played again")
    assert order(platform, boss, ActionKind.MOVE, number, state=SETTLE).state == "done"

    for match in (final, taken_out):
        again = order(platform, boss, ActionKind.RERUN, number, match=match, reason="somebody else is to win")
        assert (again.state, "is final" in again.message) == ("refused", True)
    for state in (State.PLAYING, State.PAUSED):
        found = platform.get(Tournament, number)
        assert (found.state, State.CANCELED in platform.read(organizing.allowed_moves, found)) == (state, False)
        off = order(platform, boss, ActionKind.MOVE, number, state=State.CANCELED)
        assert (off.state, "can no longer be canceled" in off.message) == ("refused", True)
        if state is State.PLAYING:
            go(platform, number, State.PAUSED)
    go(platform, number, State.PLAYING)
    platform.play_all()
    new = platform.matches(tournament_id=number, state="done")[-1].id
    assert order(platform, boss, ActionKind.RERUN, number, match=new, reason="the power failed").state == "done"


@pytest.mark.parametrize("platform", ["postgresql"], indirect=True)
def test_settling_and_whoever_moves_versions_do_not_wait_for_each_other(platform: Platform) -> None:
    number = the_finished(platform)
    with platform.database.write() as session:
        session.get_one(Tournament, number).sqlmodel_update({"state": State.PLAYING.value, "settle_round": 20})
    settling = Thread(target=advance_tournaments, args=(platform.database,))
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
    with platform.database.write() as session:
        lock_versions(session)
        settling.start()
        while settling.is_alive() and not session.connection().execute(waiting).scalar():
            sleep(0.01)
        lock_tournament(session, session.get_one(Tournament, number))
    settling.join()
    assert seen(platform, number).state == "finished"


def test_terms_out_of_their_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match="first must be a number from 1 to 10, not 0"):
        Terms(0, 5, 60)
    with pytest.raises(ValueError, match="percent must be a number from 1 to 20, not 50"):
        Terms(3, 50, 60)
    assert next_tables(standings([]), TERMS, blocks=2, seats=2, entrants=[], played=0) == ()
