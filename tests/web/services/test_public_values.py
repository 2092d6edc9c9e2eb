"""A tournament whose dice wait for a public value: announced before the freeze, entered after it, proven by all."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import time_machine
from tests.kits.actions_kit import an_organizer, order
from tests.kits.archive_kit import LOTTERY
from tests.kits.core_kit import KINDS, Platform, a_platform_after
from tests.kits.models import ActionKind, Actor, Match, Tournament, select
from tests.kits.tournaments_kit import enter, export, go, ids_of, make, seen, states_of, tables_of

from gangland_ladder.matches.seeds import block_seed, commitment, dice_secret, promise, rng_key, schedule_seed
from gangland_ladder.pairing.round_robin import round_robin
from gangland_ladder.proof import archive_files, archive_matches, proving
from gangland_ladder.tournaments.lifecycle import Deadlines, State
from gangland_sandbox.limits import Limits
from gangland_web.services import archives, entries, ladder_days, match_jobs, organizing, tournaments
from gangland_web.services.rules import change_draft, rehearse, rules_of

platform = pytest.fixture(a_platform_after(None, rounds=0), params=KINDS)
organizer = pytest.fixture(an_organizer)

PUBLISHED = LOTTERY.published_s
VALUE = "48 3 17 22 35 41"
KEPT = "3 17 22 35 41 48"
TO_FREEZE = (State.ANNOUNCED, State.OPEN, State.FROZEN)


def value(platform: Platform, number: int, typed: str = VALUE) -> str:
    return platform.write_row(ladder_days.enter_value, Tournament, number, typed)


def started(platform: Platform) -> None:
    platform.write(tournaments.run_tournaments)


def frozen(platform: Platform, **changed: object) -> int:
    number = make(platform, randomness=LOTTERY, **changed)
    go(platform, number, *TO_FREEZE)
    return number


def test_no_match_is_there_before_the_value_and_all_dice_come_from_it(platform: Platform, tmp_path: Path) -> None:
    with time_machine.travel(PUBLISHED - 60, tick=False) as clock:
        number = frozen(platform, deadlines=Deadlines(starts_at=PUBLISHED - 30))
        tournament = seen(platform, number)
        secret = tournament.secret
        assert tournament.commitment == commitment(secret, promise({"randomness": LOTTERY})) != commitment(secret)
        with pytest.raises(ladder_days.ValueRefused, match="Enter it then"):
            value(platform, number)
        clock.move_to(PUBLISHED)
        started(platform)
        assert (seen(platform, number).state, ids_of(platform, number)) == ("frozen", set())
        with pytest.raises(ladder_days.ValueRefused, match="enter the public value of Spring Cup first"):
            go(platform, number, State.PLAYING)
        with pytest.raises(entries.EntryRefused, match="does not accept entries now"):
            enter(platform, number, "house1")
        with pytest.raises(ladder_days.ValueRefused, match="expected 6 whole numbers"):
            value(platform, number, "3 17")
        before = seen(platform, number).revision
        assert value(platform, number) == KEPT
        assert seen(platform, number).revision > before
        with pytest.raises(ladder_days.ValueRefused, match="already has the public value 3 17 22 35 41 48"):
            value(platform, number, "1 2 3 4 5 6")
        started(platform)
        assert seen(platform, number).state == "playing"
        platform.recorder.sweep()
        sent = next(job for _, job in platform.post.sent if job.id in ids_of(platform, number))
    tournament = seen(platform, number)
    secret, digest = dice_secret(tournament.secret, KEPT), bytes.fromhex(tournament.roster_digest)
    match = platform.get(Match, sent.id)
    assert sent.blocks == [block_seed(secret, digest, match.number, block).hex() for block in range(2)]
    assert sent.rng_key == rng_key(secret, match.number).hex()
    proven_everywhere(platform, number, tmp_path)


def proven_everywhere(platform: Platform, number: int, tmp_path: Path) -> None:
    platform.play_all()
    platform.recorder.schedule()
    go(platform, number, State.REVEALED)
    path = export(platform, number, tmp_path / "cup.tar")
    archive = archive_files.read_archive(path)
    tournament = seen(platform, number)
    proof = proving.prove(archive, announced=tournament.commitment, frozen=tournament.roster_digest)
    assert (proof.findings, proof.scheduled) == ([], 0)
    assert archive.tournament.public_value == KEPT

    taken = archives.import_archive(platform.database, path)
    assert export(platform, taken.tournament_id, tmp_path / "again.tar").read_bytes() == path.read_bytes()
    with platform.database.read() as session:
        imported = session.get_one(Tournament, taken.tournament_id)
        match = session.exec(select(Match).where(Match.tournament_id == imported.id, Match.number == 1)).one()
        played = next(iter(archive.matches()))
        secret = bytes.fromhex(archive.tournament.secret or "")
        expected = archive_matches.match_job_of(archive, played, secret)
        assert match_jobs.played_match_job(session, match, imported).blocks == expected.blocks


def test_who_meets_whom_in_a_sample_follows_the_value(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def noted(*given: Any, seed: str, sample: int | None) -> Any:
        drawn.append(seed)
        return round_robin(*given, seed=seed, sample=sample)

    monkeypatch.setattr("gangland_web.services.entries.round_robin", noted)
    with time_machine.travel(PUBLISHED - 60, tick=False) as clock:
        number = frozen(platform, seats=3, tables=2)
        clock.move_to(PUBLISHED)
        value(platform, number)
        drawn.clear()
        go(platform, number, State.PLAYING)
    assert drawn == [schedule_seed(seen(platform, number).roster_digest, KEPT)]
    assert len(tables_of(platform, number)) == 2


def test_entries_that_are_not_frozen_when_the_value_is_published_are_never_played(platform: Platform) -> None:
    with time_machine.travel(PUBLISHED - 60, tick=False) as clock:
        by_clock = make(platform, randomness=LOTTERY, deadlines=Deadlines(freezes_at=PUBLISHED - 30))
        by_hand = make(platform, randomness=LOTTERY)
        for number in (by_clock, by_hand):
            go(platform, number, State.ANNOUNCED, State.OPEN)
        clock.move_to(PUBLISHED)
        platform.recorder.schedule()
        assert seen(platform, by_clock).state == "cancelled"
        assert "before entries closed" in seen(platform, by_clock).note
        with pytest.raises(ladder_days.ValueRefused, match="before entries closed"):
            go(platform, by_hand, State.FROZEN)
        with pytest.raises(ladder_days.ValueRefused, match="before entries closed"):
            go(platform, make(platform, randomness=LOTTERY), State.ANNOUNCED)
        assert states_of(platform, by_hand) == {}


def test_no_deadline_and_no_maintenance_moves_the_freeze_beyond_the_value(platform: Platform, organizer: Actor) -> None:
    with pytest.raises(ValueError, match="entries must close before the public value is published"):
        rules(deadlines=Deadlines(freezes_at=PUBLISHED))
    with time_machine.travel(PUBLISHED - 600, tick=False) as clock:
        number = make(platform, randomness=LOTTERY, deadlines=Deadlines(freezes_at=PUBLISHED - 300))
        go(platform, number, State.ANNOUNCED, State.OPEN)
        late = order(platform, organizer, ActionKind.DEADLINE, number, name="freezes_at", at=PUBLISHED)
        assert (late.state, "must close before" in late.message) == ("refused", True)
        clock.move_to(PUBLISHED - 100)
        platform.write(organizing.postpone_missed, organizer, PUBLISHED - 500)
        assert seen(platform, number).freezes_at == PUBLISHED - 1


def rules(**changed: object) -> tournaments.Rules:
    result = {"name": "Cup", "game": "gang-of-dice", "seats": 2, "blocks": 2, "limits": Limits.plain(2)}
    return tournaments.Rules(**result | {"randomness": LOTTERY} | changed)  # type: ignore[arg-type]


def test_a_changed_draft_has_another_commitment_and_no_rehearsal_waits(platform: Platform, organizer: Actor) -> None:
    number = make(platform, name="Cup")
    with platform.database.write() as session:
        tournament = session.get_one(Tournament, number)
        bare = tournament.commitment
        change_draft(session, organizer, tournament, rules(limits=replace(Limits.plain(2), memory_mib=64)))
        assert tournament.commitment == commitment(tournament.secret, promise({"randomness": LOTTERY}))
        assert rules_of(tournament).randomness == LOTTERY
        tried = rehearse(session, organizer, tournament)
        assert (tried.randomness, tried.commitment) == (None, commitment(tried.secret))
        assert Limits.from_dict(tried.limits) == replace(Limits.plain(1), memory_mib=64)
        change_draft(session, organizer, tournament, rules(randomness=None))
        assert tournament.commitment == bare


def test_what_was_entered_is_an_organizers_order_in_the_log(platform: Platform, organizer: Actor) -> None:
    with time_machine.travel(PUBLISHED - 60, tick=False) as clock:
        number = frozen(platform)
        early = order(platform, organizer, ActionKind.RANDOMNESS, number, value=VALUE)
        assert (early.state, "Enter it then" in early.message) == ("refused", True)
        clock.move_to(PUBLISHED + 5)
        done = order(platform, organizer, ActionKind.RANDOMNESS, number, value=VALUE)
    assert (done.state, done.message) == ("done", f"Spring Cup: the public value for the dice is {KEPT}")
    tournament = seen(platform, number)
    assert (tournament.public_value, tournament.public_value_at) == (KEPT, PUBLISHED + 5)
    none = order(platform, organizer, ActionKind.RANDOMNESS, make(platform), value=VALUE)
    assert "no public value was announced" in none.message
