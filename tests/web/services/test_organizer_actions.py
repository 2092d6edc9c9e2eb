"""What an organizer orders: carried out by the record worker, with the ratings that follow and a log of it all."""

import json
from pathlib import Path

import pytest
import zstandard
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select
from tests.kits.actions_kit import an_organizer, order, rebuilt_is_the_same
from tests.kits.core_kit import KINDS, ON_POSTGRESQL, Platform, a_platform_after
from tests.kits.tournaments_kit import begin_tournament, entries_of, export, go, make, seen, states_of

from gangland_ladder.proof import archive_files, proving
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.formats import now_s
from gangland_web.models import columns, tournaments
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.organizing import ActionKind, Actor, OrganizerAction, read_log
from gangland_web.services import corrections, organizing, settling


def with_a_cup(platform: Platform) -> None:
    begin_tournament(platform, name=CUP)
    platform.play_all()


CUP = "Autumn Cup"


platform = pytest.fixture(a_platform_after(with_a_cup, rounds=0), params=KINDS)
organizer = pytest.fixture(an_organizer)


def played(platform: Platform, *, finished: bool = False) -> int:
    number = columns.row_id(platform.row(select(tournaments.Tournament.id).where(tournaments.Tournament.name == CUP)))
    if finished:
        platform.recorder.schedule()
        assert seen(platform, number).state == "finished"
    return number


def matches_of(platform: Platform, number: int) -> list[Match]:
    return platform.matches(tournament_id=number)


def state_of_ratings(platform: Platform, number: int) -> list[tuple[float, float, float, int, int, int]]:
    return [(e.mu, e.sigma, e.rating, e.games, e.wins, e.faults) for e in entries_of(platform, number)]


def counted(platform: Platform, number: int) -> list[tuple[int, int]]:
    return [platform.read(_counted, entry) for entry in entries_of(platform, number)]


def _counted(session: Session, entry: tournaments.Entry) -> tuple[int, int]:
    seats = session.exec(
        select(MatchSeat, Match.id)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(MatchSeat.entry_id == entry.id, Match.state == "done")
    ).all()
    games = [len(session.exec(select(PlayedGame.id).where(PlayedGame.match_id == match)).all()) for _, match in seats]
    return sum(games), sum(seat.wins for seat, _ in seats)


def test_a_match_that_is_taken_out_counts_for_nobody_any_more(platform: Platform, organizer: Actor) -> None:
    number = begin_tournament(platform, seats=3)
    platform.play_all()
    match = matches_of(platform, number)[1]
    done = order(platform, organizer, ActionKind.VOID, number, match=match.id, reason="the wrong deck")
    assert (done.state, done.message) == ("done", f"match {match.number} is void")
    now = platform.match(columns.row_id(match.id))
    assert (now.state, now.void_reason, now.digest) == ("void", "the wrong deck", None)
    assert [(e.games, e.wins) for e in entries_of(platform, number)] == counted(platform, number)
    assert rebuilt_is_the_same(platform)


def test_an_order_is_carried_out_once_and_keeps_what_was_recorded(platform: Platform, organizer: Actor) -> None:
    number = played(platform)
    match = matches_of(platform, number)[0]
    done = order(platform, organizer, ActionKind.VOID, number, match=match.id, reason="a mistake")
    assert done.before is not None
    (was,) = json.loads(zstandard.decompress(done.before))
    assert (was["match"], was["digest"], len(was["games"])) == (match.id, match.digest, 4)
    replays = platform.rows(select(PlayedGame.replay).where(PlayedGame.match_id == match.id))
    assert sorted(replays) == sorted(game["replay"] for game in was["games"])
    ratings = state_of_ratings(platform, number)
    for _ in range(2):
        platform.recorder.schedule()
    assert state_of_ratings(platform, number) == ratings
    again = order(platform, organizer, ActionKind.VOID, number, match=match.id, reason="twice")
    assert (again.state, again.message) == ("refused", f"match {match.number} is already void: a mistake")


@ON_POSTGRESQL
def test_a_match_that_is_played_again_has_the_same_dice_and_ends_the_same(platform: Platform, organizer: Actor) -> None:
    number = played(platform)
    before, (first, _, third, *_) = state_of_ratings(platform, number), matches_of(platform, number)
    with platform.database.write() as session:  # else it would be finished before the match is played again
        session.get_one(tournaments.Tournament, number).state = State.PAUSED.value
    done = order(platform, organizer, ActionKind.RERUN, number, match=first.id, reason="a worker was ill")
    assert (done.state, platform.match(columns.row_id(first.id)).state) == ("done", "scheduled")
    assert seen(platform, number).cursor == first.number
    assert state_of_ratings(platform, number) != before
    order(platform, organizer, ActionKind.VOID, number, match=third.id, reason="a mistake")
    order(platform, organizer, ActionKind.RERUN, number, match=third.id, reason="it was none")
    go(platform, number, State.PLAYING)
    platform.play_all()
    for match in (first, third):
        again = platform.match(columns.row_id(match.id))
        assert (again.state, again.digest) == ("done", match.digest)
    assert state_of_ratings(platform, number) == before
    assert rebuilt_is_the_same(platform)


@ON_POSTGRESQL
def test_who_is_disqualified_is_gone_from_all_that_counts(platform: Platform, organizer: Actor, tmp_path: Path) -> None:
    number = played(platform, finished=True)
    out, *others = entries_of(platform, number)
    done = order(platform, organizer, ActionKind.DISQUALIFY, number, entry=out.id, reason="two bots, one author")
    assert done.message.startswith("house0 is disqualified; ")
    theirs = {match.id for match in matches_of(platform, number) if out.id in entries_at(platform, match.id)}
    assert {m.id for m in matches_of(platform, number) if m.state == "void"} == theirs
    now, *rest = entries_of(platform, number)
    assert (now.disqualified_for, now.active, now.games, now.wins) == ("two bots, one author", False, 0, 0)
    assert [(e.games, e.wins) for e in rest] == counted(platform, number)[1:]
    assert rebuilt_is_the_same(platform)
    standings = platform.read_row(settling.final_standings, tournaments.Tournament, number)
    assert standings is not None
    assert sorted(row["entry"] for row in standings["rows"]) == sorted(entry.id or 0 for entry in others)
    go(platform, number, State.REVEALED)
    opened = archive_files.read_archive(export(platform, number, tmp_path / "cup.tar"))
    assert [entry.disqualified for entry in opened.entries] == ["two bots, one author", "", "", ""]
    assert not proving.prove(opened).count


def entries_at(platform: Platform, match: int | None) -> list[int]:
    return platform.rows(select(MatchSeat.entry_id).where(MatchSeat.match_id == match))


def test_who_is_disqualified_while_matches_wait_plays_none_of_them(platform: Platform, organizer: Actor) -> None:
    number = begin_tournament(platform)
    platform.recorder.dispatch()
    under_way = platform.take()
    out = under_way.seats[0].entry
    order(platform, organizer, ActionKind.DISQUALIFY, number, entry=out, reason="it reads the clock")
    platform.finish(under_way)  # too late: it counts no more
    platform.play_all()
    platform.recorder.schedule()
    assert states_of(platform, number) == {"void": 3, "done": 3}
    assert seen(platform, number).state == "finished"
    assert rebuilt_is_the_same(platform)


def test_what_the_state_does_not_allow_is_refused_and_said(platform: Platform, organizer: Actor) -> None:
    number = played(platform, finished=True)
    match, entry = matches_of(platform, number)[0], entries_of(platform, number)[0]
    rerun = order(platform, organizer, ActionKind.RERUN, number, match=match.id, reason="again")
    assert (rerun.state, "(finished)" in rerun.message) == ("refused", True)
    back = order(platform, organizer, ActionKind.MOVE, number, state="open")
    assert (back.state, "its results are final" in back.message) == ("refused", True)
    go(platform, number, State.REVEALED)
    ratings = state_of_ratings(platform, number)
    for kind, what in ((ActionKind.VOID, {"match": match.id}), (ActionKind.DISQUALIFY, {"entry": entry.id})):
        refused = order(platform, organizer, kind, number, reason="too late", **what)
        assert (refused.state, "(completed)" in refused.message) == ("refused", True)
    assert state_of_ratings(platform, number) == ratings


@ON_POSTGRESQL
def test_moves_and_deadlines_are_ordered_and_a_failure_holds_nothing_up(platform: Platform, organizer: Actor) -> None:
    number = make(platform)
    with platform.database.write() as session:
        broken = organizing.send_action(
            session, organizer, ActionKind.MOVE, session.get_one(tournaments.Tournament, number), state="announced"
        )
        broken.details = {}
    done = order(platform, organizer, ActionKind.MOVE, number, state="announced", reason="See you there")
    assert (done.message, seen(platform, number).note) == ("Spring Cup: announced", "See you there")
    first = platform.row(select(OrganizerAction).order_by(col(OrganizerAction.id)).limit(1))
    assert (first.state, "internal error" in (first.message or "")) == ("refused", True)
    later = now_s() + 3600
    moved = order(platform, organizer, ActionKind.DEADLINE, number, name="opens_at", at=later, reason="an hour more")
    assert (moved.state, seen(platform, number).opens_at) == ("done", later)
    sooner = order(platform, organizer, ActionKind.DEADLINE, number, name="opens_at", at=later - 60)
    assert (sooner.state, "can only be postponed" in sooner.message) == ("refused", True)
    assert seen(platform, number).opens_at == later


def test_an_order_names_a_match_of_its_tournament_and_a_reason(platform: Platform, organizer: Actor) -> None:
    other, number = make(platform), played(platform)
    match = matches_of(platform, number)[0]
    for reason in ("", "  \n ", "x" * 501):
        with pytest.raises(corrections.ActionRefused, match="reason"):
            order(platform, organizer, ActionKind.VOID, number, match=match.id, reason=reason)
    with pytest.raises(corrections.ActionRefused, match="does not belong to Spring Cup"):
        order(platform, organizer, ActionKind.VOID, other, match=match.id, reason="mine")
    assert platform.match(columns.row_id(match.id)).state == "done"
    go(platform, number, State.PAUSED)
    out = entries_at(platform, match.id)[0]
    order(platform, organizer, ActionKind.DISQUALIFY, number, entry=out, reason="it reads the clock")
    refused = order(platform, organizer, ActionKind.RERUN, number, match=match.id, reason="why not")
    assert (refused.state, refused.message) == ("refused", "house0, a bot in match 1, is disqualified")


@ON_POSTGRESQL
def test_the_log_says_who_ordered_what_from_where_and_nobody_can_edit_it(platform: Platform, organizer: Actor) -> None:
    number = played(platform)
    match = matches_of(platform, number)[0]
    order(platform, organizer, ActionKind.VOID, number, match=match.id, reason="a mistake")
    for statement in ("UPDATE audit_log SET act = 'nothing'", "DELETE FROM audit_log"):
        with pytest.raises(DBAPIError, match="append-only"), platform.database.write() as session:
            session.connection().execute(text(statement))
    came, ordered = platform.read(read_log, 10, tournament_id=number)
    assert (ordered.actor, ordered.entry.act, ordered.entry.address) == ("boss", "ordered: void", "203.0.113.7")
    about = f"match {match.number} of {CUP}"
    assert (ordered.entry.subject, ordered.entry.details) == (about, {"reason": "a mistake"})
    assert (came.actor, came.entry.act, came.entry.subject) == (None, "done: void", f"match {match.number} is void")
    assert came.entry.action_id == ordered.entry.action_id
