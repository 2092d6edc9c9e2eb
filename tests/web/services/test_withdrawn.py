"""What is withdrawn while it waits or plays: opponents of a trial, versions on trial, versions on the ladders."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from tests.kits.core_kit import GAME, HOUSE, ON_POSTGRESQL, Platform, Sent, bot_named, failed_check, play_job, void
from tests.kits.models import PATH, Entry, Match, MatchSeat, Tournament, Version, col, select

from gangland_ladder.matches.match_jobs import Result
from gangland_web.services.uploads import submit_version


def renew(platform: Platform, *names: str, edition: int = 1) -> None:
    with platform.database.write() as session:
        for name in names or [f"house{number}" for number in range(HOUSE)]:
            source = f"from gangland import gang_of_dice  # {name}, edition {edition}\n".encode()
            submit_version(session, None, GAME, name, f"{name}.py", source)


def opponent(platform: Platform, version: int) -> str:
    seats = platform.rows(
        select(Entry.version_id)
        .join(MatchSeat, col(MatchSeat.entry_id) == Entry.id)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(Match.trial_version_id == version, Tournament.seats == 2, Entry.version_id != version)
    )
    return platform.get(Version, seats[0]).filename.removesuffix(".py")


def test_an_upload_passes_though_every_house_bot_is_renewed_while_it_waits(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.pass_check()
    renew(platform)
    active = platform.get(Version, platform.read(bot_named, "house0").active_version_id)
    assert (active.number, active.state) == (2, "active")
    platform.recorder.schedule()
    platform.play_all()
    assert platform.version(version).state == "active"
    trials = platform.matches(trial_version_id=version, purpose="trial")
    assert [trial.state for trial in trials] == ["done", "void", "void", "done", "done"]  # the first was sent before


def test_no_version_becomes_active_while_the_trial_with_its_check_is_missing(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.pass_check()
    renew(platform, opponent(platform, version))
    platform.play_all()
    assert platform.version(version).state == "trial"
    platform.recorder.schedule()
    platform.play_all()
    assert [state for state, _, _ in platform.steps(version)] == [state.value for state in PATH]


def test_a_bot_that_waits_through_many_renewals_is_not_rejected_for_them(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.pass_check()
    for edition in range(5):
        renew(platform, edition=edition)
        platform.recorder.schedule()
    platform.recorder.sweep()
    match_job = platform.take()
    platform.finish(match_job, void(match_job))
    platform.play_all()
    assert platform.version(version).state == "active"


@ON_POSTGRESQL
def test_a_void_trial_is_planned_again_with_the_house_bots_of_now(platform: Platform) -> None:
    version = platform.upload("ann")
    platform.pass_check()
    platform.recorder.sweep()
    match_job = platform.take()
    renew(platform)
    platform.finish(match_job, void(match_job))
    again = platform.matches(trial_version_id=version)
    assert platform.match(match_job.id).void_reason == "the version was withdrawn"
    platform.play_all()
    assert platform.version(version).state == "active"
    retired = select(Entry.id).join(Version, col(Version.id) == Entry.version_id).where(Version.state == "retired")
    seats = select(MatchSeat.match_id).where(col(MatchSeat.entry_id).in_(retired))
    assert not {match.id for match in again if match.state != "void"} & set(platform.rows(seats))


def falls_silent(platform: Platform, match_job: Sent) -> None:
    platform.begin(match_job)
    with time_machine.travel(match_job.message.until + 1, tick=False):
        platform.recorder.sweep()


ENDS: dict[str, Callable[[Platform, Sent], object]] = {
    "it fails its check": lambda platform, match_job: platform.finish(match_job, failed_check(match_job)),
    "it comes to nothing": lambda platform, match_job: platform.finish(match_job, void(match_job)),
    "its result is refused": lambda platform, match_job: platform.result(
        match_job, Result(games=play_job(match_job).games[1:])
    ),
    "its worker falls silent": falls_silent,
}


@pytest.mark.parametrize("end", ENDS)
def test_a_trial_of_a_withdrawn_version_is_never_played_again(platform: Platform, end: str) -> None:
    first = platform.upload("ann")
    platform.pass_check()
    platform.recorder.sweep()
    match_job = platform.take()
    second = platform.upload("ann", source=b"# second\n")
    platform.pass_check()
    ENDS[end](platform, match_job)
    match = platform.match(match_job.id)
    assert (match.state, match.void_reason) == ("void", "the version was withdrawn")
    assert {trial.state for trial in platform.matches(trial_version_id=first, purpose="trial")} == {"void"}
    platform.play_all()
    assert platform.version(second).state == "active"


def test_a_ladder_match_of_a_retired_version_is_not_played_again(platform: Platform) -> None:
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        platform.recorder.schedule()
        match_job = platform.take()
        platform.begin(match_job)
        renew(platform)
        clock.shift(timedelta(seconds=16))
        platform.recorder.sweep()
    assert platform.match(match_job.id).void_reason == "the version was withdrawn"
