"""The final table: the first of the order meet once more, as it was announced, and a stranger can verify it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.kits import final_kit
from tests.kits.actions_kit import an_organizer, order, rebuilt_is_the_same
from tests.kits.archive_kit import changed, with_match
from tests.kits.core_kit import KINDS, ON_POSTGRESQL, Platform, a_platform_after, play_job, void
from tests.kits.final_kit import FINAL, examined, final_of, order_before, play_final, robin, scheduled, the_finished
from tests.kits.models import ActionKind, Entry, Match, PlayedGame, Tournament, Version, select
from tests.kits.tournaments_kit import begin_tournament, enter, entries_of, export, go, make, seen, tables_of

from gangland.faults import BotFault, FaultKind
from gangland_ladder.matches.match_jobs import MatchJob
from gangland_ladder.proof import archive_files, findings
from gangland_ladder.proof.archives import Content, PlayedMatch
from gangland_ladder.tournaments.final_table import FinalTerms, seating_order
from gangland_ladder.tournaments.lifecycle import State
from gangland_ladder.tournaments.settling_rounds import Terms
from gangland_web.services import organizing, settling, trials
from gangland_web.services.archives import content_of, import_archive


def with_a_finished_cup(platform: Platform) -> None:
    final_kit.finish(platform)


platform = pytest.fixture(a_platform_after(with_a_finished_cup, rounds=0), params=KINDS)


def told(proof: findings.Proof) -> str:
    return "\n".join(f"{each.where}: {each.message}" for each in proof.findings)


@ON_POSTGRESQL
def test_the_first_of_the_order_meet_at_a_table_of_its_own_size_and_it_decides_their_places(platform: Platform) -> None:
    number = the_finished(platform)
    before, final = order_before(platform, number), final_of(platform, number)
    tables = tables_of(platform, number)

    assert (final.number, final.state) == (len(tables), "done")
    assert list(tables[-1]) == sorted(before[:3])
    with platform.database.read() as session:
        games = session.exec(select(PlayedGame).where(PlayedGame.match_id == final.id)).all()
        places: dict[int, list[float]] = {entry: [] for entry in tables[-1]}
        for game in games:
            for seat, at in enumerate(game.seating):
                shared = game.places.count(game.places[seat])
                places[tables[-1][at]].append(game.places[seat] + (shared - 1) / 2)
        kept = settling.fit_standings(session, number)
    assert len(games) == FINAL.blocks * FINAL.seats
    decided = sorted(before[:3], key=lambda entry: (sum(places[entry]), before.index(entry)))
    assert [row["entry"] for row in kept["rows"]] == [*decided, *before[3:]]
    assert [row["rank"] for row in kept["rows"]] == list(range(1, len(before) + 1))
    assert [row["entry"] for row in kept["final_table"]["rows"]] == decided
    assert decided[-1] == before[0], "whoever led has failed in every game of it"


def test_house_bots_play_outside_the_ranking_unless_ranked(platform: Platform, tmp_path: Path) -> None:
    for owner in ("ann", "bob", "cem"):
        version = platform.upload(owner, f"{owner}s", f"# {owner}".encode())
        platform.write_row(trials.activate, Version, version)
    number = make(platform, house_ranked=False, blocks=1, final_table=FinalTerms(2, 1), settle=Terms(2, 20, 1))
    go(platform, number, State.ANNOUNCED, State.OPEN)
    for owner in ("ann", "bob", "cem"):
        enter(platform, number, f"{owner}s")
    go(platform, number, State.FROZEN, State.PLAYING)
    theirs = {entry.id for entry in entries_of(platform, number) if entry.owner_group is not None}
    house = {entry.id for entry in entries_of(platform, number)} - theirs

    def people_fail(match_job: MatchJob, index: int) -> BotFault | None:
        return None if match_job.seats[index].entry in house else BotFault(FaultKind.CRASHED, "it broke")

    while seen(platform, number).state != "finished":
        platform.play_all(failing=people_fail)
        scheduled(platform)
    assert (seen(platform, number).state, len(theirs), len(house)) == ("finished", 3, 4)
    kept = platform.read(settling.fit_standings, number)
    assert {row["entry"] for row in kept["rows"]} == theirs == set(kept["podium"])
    assert {row["entry"] for row in kept["outside"]} == house
    assert min(row["rank"] for row in kept["rows"]) == 1
    assert set(tables_of(platform, number)[-1]) < theirs
    go(platform, number, State.REVEALED)
    proof = examined(platform, number, tmp_path / "cup.tar")
    assert (told(proof), "the seats at the final table" in " ".join(proof.unproven)) == ("", False)
    found = import_archive(platform.database, tmp_path / "cup.tar")
    imported = platform.read(settling.fit_standings, found.tournament_id)
    assert [row["rank"] for row in imported["rows"]] == [row["rank"] for row in kept["rows"]]
    assert len(imported["outside"]) == len(house)
    ranked = examined(platform, number, tmp_path / "ranked.tar", partial(changed, house_ranked=msgspec.UNSET))
    assert "the first 2 of the order before it are" in told(ranked)


def test_a_final_table_is_not_rated_and_its_archive_is_imported_as_it_was(platform: Platform, tmp_path: Path) -> None:
    number = the_finished(platform)
    final = final_of(platform, number)
    assert final.rating_order is None
    assert seen(platform, number).cursor == final.number
    assert rebuilt_is_the_same(platform)
    go(platform, number, State.REVEALED)
    file = export(platform, number, tmp_path / "cup.tar")
    found = import_archive(platform.database, file)
    assert export(platform, found.tournament_id, tmp_path / "again.tar").read_bytes() == file.read_bytes()
    assert final_of(platform, found.tournament_id).state == "done"
    imported = platform.read_row(content_of, Tournament, found.tournament_id)
    assert imported.standings is not None
    assert imported.standings["final_table"]["match"] == final.number


def test_a_stranger_verifies_it_and_every_forgery_is_named(platform: Platform, tmp_path: Path) -> None:
    number = the_finished(platform)
    go(platform, number, State.REVEALED)
    file = tmp_path / "cup.tar"
    last = final_of(platform, number).number
    before = order_before(platform, number)

    def announced(**facts: Any) -> Callable[[Content], Content]:
        return partial(changed, final_table=msgspec.structs.replace(FINAL, **facts))

    def of_match(**facts: Any) -> Callable[[Content], Content]:
        change = lambda one: PlayedMatch(msgspec.structs.replace(one.match, **facts), one.games)  # noqa: E731
        return partial(with_match, number=last, change=change)

    def standing(change: Callable[[dict[str, Any]], Any]) -> Callable[[Content], Content]:
        def forged(whole: Content) -> Content:
            body = msgspec.json.decode(msgspec.json.encode(whole.standings))
            change(body)
            return replace(whole, standings=body)

        return forged

    def without_final(whole: Content) -> Content:
        return replace(changed(whole, matches=last - 1), matches=tuple(whole.matches)[:-1])

    someone_else = sorted([*before[:2], before[3]])
    in_short = FINAL.blocks * FINAL.seats - FINAL.seats
    proof = examined(platform, number, file)
    assert (proof.findings, proof.matches) == ([], last)
    wanted = f"but the first 3 of the order before it are {before[:3]!r}"
    forgeries: dict[str, Callable[[Content], Content]] = {
        f"match {last} is the final table of {someone_else!r}, {wanted}": of_match(entries=someone_else),
        "its commitment is": announced(effect="The final table decides nothing."),
        "not as 'The final table decides nothing.'": announced(
            effect="The final table decides nothing."
        ),
        f"match {last}, block 3, rotation 1 is missing": partial(
            with_match, number=last, change=lambda one: PlayedMatch(one.match, one.games[:in_short])
        ),
        "its commitment is ": announced(blocks=2), "a final table was announced, but none was played": without_final,
        f"instead of match {last}, block 2, rotation 1": of_match(final=msgspec.UNSET),
        f"it has {last} matches, but its schedule has {last - 1}": partial(changed, final_table=msgspec.UNSET),
        "standings.json, rows 0, entry: it says": standing(lambda body: body["rows"].insert(0, body["rows"].pop(1))),
        "standings.json: it says": standing(lambda body: body.pop("final_table")),
        f"match {last}: it has ratings, but the final table is not rated": of_match(
            scores=[
                msgspec.structs.replace(one, before=(25.0, 8.0), after=(25.0, 8.0))
                for one in tuple(archive_files.read_archive(file).matches())[-1].match.scores
            ]
        ),
    }  # fmt: skip
    for words, forge in forgeries.items():
        try:
            found = told(examined(platform, number, file, forge))
        except ValueError as refused:
            found = str(refused)
        assert words in found, (words, found)


def test_a_match_too_many_is_found_also_after_the_final_table(platform: Platform, tmp_path: Path) -> None:
    number = final_kit.finish(platform, final_table=FinalTerms(seats=2, blocks=2))  # of the size of all matches
    go(platform, number, State.REVEALED)
    last = final_of(platform, number).number

    def marked(*finals: int) -> Callable[[Content], Content]:
        def forge(whole: Content) -> Content:
            each = [(one, True if one.match.number in finals else msgspec.UNSET) for one in whole.matches]
            matches = [PlayedMatch(msgspec.structs.replace(one.match, final=mark), one.games) for one, mark in each]
            return replace(whole, matches=tuple(matches))

        return forge

    assert examined(platform, number, tmp_path / "cup.tar").findings == []
    not_one = told(examined(platform, number, tmp_path / "cup.tar", marked()))
    assert f"match {last}: it is neither in the schedule nor the final table" in not_one
    early = told(examined(platform, number, tmp_path / "cup.tar", marked(last - 1, last)))
    assert f"match {last - 1}: its entries are {list(tables_of(platform, number)[-2])!r}, but the schedule has" in early


def test_a_tournament_in_which_too_few_are_left_for_its_final_table_ends_without_one(platform: Platform) -> None:
    number = begin_tournament(platform, final_table=FINAL)
    boss = an_organizer(platform)
    for entry in entries_of(platform, number)[2:]:
        out = order(platform, boss, ActionKind.DISQUALIFY, number, entry=entry.id, reason="two accounts")
        assert out.state == "done"
    platform.play_all()
    scheduled(platform)
    assert seen(platform, number).state == "finished"
    assert not [match for match in platform.matches(tournament_id=number) if match.is_final]


def test_settling_comes_first_by_itself_and_nothing_is_played_after_the_final_table(
    platform: Platform, tmp_path: Path
) -> None:
    number = robin(platform, settle=Terms(first=2, percent=5, blocks=4))
    robins = len(platform.matches(tournament_id=number, state="done"))
    assert not platform.rows(select(Match).where(Match.tournament_id == number, Match.is_final))
    assert (seen(platform, number).settle_round, len(tables_of(platform, number)) > robins) == (1, True)
    for _ in range(40):
        platform.play_all()
        scheduled(platform)
        if seen(platform, number).state == "finished":
            break
    final = final_of(platform, number).number
    assert (final > robins + 1, final) == (True, len(tables_of(platform, number)))
    refused = order(platform, an_organizer(platform), ActionKind.MOVE, number, state=settling.SETTLE)
    assert (refused.state, "nothing is played after it" in refused.message) == ("refused", True)
    go(platform, number, State.REVEALED)
    assert examined(platform, number, tmp_path / "cup.tar").findings == []


def test_once_it_is_scheduled_nobody_cancels_finishes_or_plays_anything_else_again(platform: Platform) -> None:
    number = robin(platform)
    boss = an_organizer(platform)
    assert final_of(platform, number).state == "scheduled"
    first = platform.matches(tournament_id=number)[0]
    again = order(platform, boss, ActionKind.RERUN, number, match=first.id, reason="somebody else is to sit there")
    assert again.message == "the result of match 1 is final: the final table is scheduled"
    off = order(platform, boss, ActionKind.MOVE, number, state=State.CANCELED)
    assert "Spring Cup already has a scheduled final table: it can no longer be canceled" in off.message
    over = order(platform, boss, ActionKind.MOVE, number, state=State.FINISHED)
    assert "Spring Cup finishes automatically after its final table" in over.message
    assert platform.read_row(organizing.allowed_moves, Tournament, number) == [State.PAUSED]
    assert [one.state for one in (again, off, over)] == ["refused"] * 3
    platform.play_all()
    own = order(platform, boss, ActionKind.RERUN, number, match=final_of(platform, number).id, reason="a power cut")
    assert own.state == "done", own.message


def test_a_final_table_that_could_not_be_played_waits_for_the_organizer(platform: Platform) -> None:
    number = robin(platform)
    boss = an_organizer(platform)
    final = final_of(platform, number).id
    while final_of(platform, number).state != "void":
        platform.recorder.dispatch()
        sent = platform.take()
        platform.finish(sent, void(sent) if sent.id == final else play_job(sent))
    scheduled(platform)
    assert (final_of(platform, number).state, seen(platform, number).state) == ("void", "playing")
    out = order(platform, boss, ActionKind.VOID, number, match=final, reason="no second evening")
    assert out.state == "done", out.message
    scheduled(platform)
    assert seen(platform, number).state == "finished"
    kept = platform.read(settling.fit_standings, number)
    assert "final_table" not in kept
    assert [row["entry"] for row in kept["rows"]] == order_before(platform, number)


def test_whoever_is_disqualified_before_it_gives_the_seat_to_the_next(platform: Platform, tmp_path: Path) -> None:
    number = begin_tournament(platform, final_table=FINAL)
    platform.play_all()
    best = order_before(platform, number)[0]
    order(platform, an_organizer(platform), ActionKind.DISQUALIFY, number, entry=best, reason="two accounts")
    play_final(platform)
    table = tables_of(platform, number)[-1]
    assert seen(platform, number).state == "finished"
    assert best not in table
    body = platform.read(settling.stored_standings, number) or platform.read(settling.fit_standings, number)
    assert best not in [row["entry"] for row in body["rows"]]
    assert {row["entry"] for row in body["rows"][: FINAL.seats]} == set(table)
    go(platform, number, State.REVEALED)
    assert examined(platform, number, tmp_path / "cup.tar").findings == []


def test_equal_ones_are_seated_by_lots_that_verify_draws_too(platform: Platform, tmp_path: Path) -> None:
    number = begin_tournament(platform, final_table=FINAL)
    platform.play_all(failing=lambda *_: BotFault(FaultKind.CRASHED, "it broke"))
    lots = seating_order(dict.fromkeys(order_before(platform, number), 1), seen(platform, number).roster_digest)
    play_final(platform)
    rows = platform.read(settling.fit_standings, number)["rows"]
    assert list(tables_of(platform, number)[-1]) == sorted(lots[: FINAL.seats])
    assert {row["rank"] for row in rows if row["entry"] in lots[FINAL.seats :]} == {1}
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    go(platform, number, State.REVEALED)
    assert examined(platform, number, tmp_path / "cup.tar").findings == []


def test_it_waits_for_a_finalist_on_trial_and_whoever_fails_that_gives_the_seat_to_the_next(platform: Platform) -> None:
    ann = platform.upload("ann", "annbot")
    platform.play_all()
    number = make(platform, final_table=FINAL)
    go(platform, number, State.ANNOUNCED, State.OPEN)
    enter(platform, number, "annbot")
    go(platform, number, State.FROZEN, State.PLAYING)
    anns = platform.seat_of(ann)

    def others_fail(sent: MatchJob, at: int) -> BotFault | None:
        met = [anns(sent, index) for index in range(len(sent.seats))]
        return BotFault(FaultKind.CRASHED, "it broke") if any(met) and not met[at] else None

    platform.play_all(failing=others_fail)
    leader = order_before(platform, number)[0]
    assert leader == next(entry.id for entry in entries_of(platform, number) if entry.version_id == ann)

    with platform.database.write() as session:
        elsewhere = select(Entry).where(Entry.version_id == ann, Entry.tournament_id != number, Entry.active)
        for entry in session.exec(elsewhere).all():
            entry.quarantined = True  # as after a match of a ladder that could not be played
    scheduled(platform)
    assert not any(match.is_final for match in platform.matches(tournament_id=number))

    platform.play_all(failing=anns)
    play_final(platform, failing=anns)
    others = [entry for entry in order_before(platform, number) if entry != leader]  # without the blocks that it was in
    assert list(tables_of(platform, number)[-1]) == sorted(others[: FINAL.seats])
    assert (final_of(platform, number).state, seen(platform, number).state) == ("done", "finished")
