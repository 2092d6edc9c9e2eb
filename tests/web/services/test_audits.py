"""Audits: a host that forges is found and its results are played again; a bot that goes by the clock blames nobody."""

import itertools
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
import time_machine
from tests.kits import actions_kit, core_kit, tournaments_kit
from tests.kits.audits_kit import Plays, add_hosts, audits, differences, forging, honest, host, play_on, play_with
from tests.kits.models import AUDIT_S, Audit, Entry, Match, Tournament, col, read_log, select

from gangland.faults import BotFault, FaultKind
from gangland_ladder.common.release import this_python
from gangland_ladder.matches import match_jobs, seeds
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.app import create_app
from gangland_web.base.formats import now_s
from gangland_web.ops.backup import results_digest
from gangland_web.services import audits as drawing
from gangland_web.services import matches, worker_hosts
from gangland_web.services.entries import EntryRefused
from gangland_web.settings import Settings

platform = pytest.fixture(core_kit.a_small_platform, params=core_kit.KINDS)


SECRET = bytes(range(32))


def a_tournament(platform: core_kit.Platform, percent: int | None = 100) -> int:
    number = tournaments_kit.make(platform)
    with platform.database.write() as session:
        tournament = session.get_one(Tournament, number)
        tournament.audit_percent, tournament.secret, tournament.commitment = percent, SECRET, seeds.commitment(SECRET)
    tournaments_kit.go(platform, number, *tournaments_kit.TO_PLAY)
    return number


def came_to(platform: core_kit.Platform) -> tuple[str, list[object]]:
    with platform.database.engine.connect() as connection:
        digest = results_digest(connection).sha256
    entries = platform.rows(select(Entry).order_by(col(Entry.tournament_id), col(Entry.id)))
    return digest, [(e.mu, e.sigma, e.rating, e.games, e.wins, e.faults, e.round_mu, e.strikes) for e in entries]


@cache
def undisturbed() -> tuple[str, list[object]]:
    """Return digest and ratings of the same cup and ladder with honest hosts only and no audits."""
    with TemporaryDirectory() as folder:
        other = core_kit.open_platform("sqlite", Path(folder), stage=core_kit.with_small_tables)
        a_tournament(other, 0)
        add_hosts(other, "alone")
        play_on(other, {"alone": honest})
        result = came_to(other)
        other.database.close()
        return result


@time_machine.travel(core_kit.NOON)
@core_kit.ON_POSTGRESQL
def test_a_host_that_forges_is_found_and_all_is_as_if_it_had_never_played(platform: core_kit.Platform) -> None:
    number = a_tournament(platform)
    platform.recorder.audit_percent = 100
    one, evil, other = add_hosts(platform, "one", "evil", "other")
    play_on(platform, {"one": honest, "evil": forging, "other": honest})
    stopped = host(platform, evil)
    assert stopped.stopped_at is not None
    assert "owners decided differently" in (stopped.stopped_for or "")
    assert [host(platform, each).stopped_at for each in (one, other)] == [None, None]
    assert {match.host_id for match in platform.matches(state="done") if match.purpose != "audit"} == {one, other}
    assert tournaments_kit.seen(platform, number).state == "finished"
    assert actions_kit.rebuilt_is_the_same(platform)
    acts = {line.entry.act for line in platform.read(read_log, 50)}
    assert {"stopped a worker host", "took back results"} <= acts
    assert "bot" not in {each.verdict for each in differences(platform)}
    assert came_to(platform) == undisturbed()


def test_a_bot_that_goes_by_the_clock_is_noted_and_no_host_is_blamed(platform: core_kit.Platform) -> None:
    number = a_tournament(platform)
    clock = tournaments_kit.entries_of(platform, number)[0]
    chance = Random(1)

    def fair(match_job: match_jobs.MatchJob) -> match_jobs.Result:
        now = chance.randrange(core_kit.DICERS)
        return play_with(match_job, lambda entry: core_kit.Dicer(now) if entry == clock.id else None)

    ids = add_hosts(platform, "one", "two", "three")
    play_on(platform, dict.fromkeys(("one", "two", "three"), fair))
    assert [host(platform, each).stopped_at for each in ids] == [None] * 3
    found = differences(platform)
    assert {each.entry_id for each in found} == {clock.id}
    assert "bot" in {each.verdict for each in found}
    assert platform.read(matches.inconsistent_versions, [clock.version_id]) == {clock.version_id}
    assert tournaments_kit.seen(platform, number).state == "finished"


def test_faults_of_time_and_memory_are_not_compared(platform: core_kit.Platform) -> None:
    slow = tournaments_kit.entries_of(platform, a_tournament(platform))[0].id
    ticks = itertools.count()

    def strained(match_job: match_jobs.MatchJob) -> match_jobs.Result:
        kind = (FaultKind.WALL_TIME, FaultKind.MEMORY)[next(ticks) % 2]
        result = {slow or 0: BotFault(kind, "it took too long")} if next(ticks) % 3 else {}
        return play_with(match_job, lambda _: None, result)

    add_hosts(platform, "one", "two")
    play_on(platform, {"one": strained, "two": strained})
    assert differences(platform) == []
    ended = audits(platform)
    assert {each.state for each in ended} == {"agreed"}
    assert sum(each.games_left_out for each in ended) > 0


def test_a_single_host_plays_again_at_another_time_and_is_never_blamed(platform: core_kit.Platform) -> None:
    number = a_tournament(platform)
    (alone,) = add_hosts(platform, "alone")
    ticks = itertools.count()
    play_on(platform, {"alone": lambda match_job: (forging if next(ticks) % 2 else honest)(match_job)})
    assert tournaments_kit.seen(platform, number).state == "finished"
    assert host(platform, alone).stopped_at is None
    assert {each.blamed_id for each in differences(platform)} == {None}
    assert all(each.second_host_id == alone for each in audits(platform))


def test_of_two_hosts_the_elder_is_believed_and_new_audits_alone_count_for_the_other(
    platform: core_kit.Platform,
) -> None:
    a_tournament(platform)
    platform.recorder.audit_percent = 100
    elder, evil = add_hosts(platform, "elder", "evil")
    play_on(platform, {"elder": honest, "evil": forging})
    assert (host(platform, elder).stopped_at, host(platform, evil).stopped_at is None) == (None, False)
    platform.write(worker_hosts.resume_host, "evil")
    a_tournament(platform)
    play_on(platform, dict.fromkeys(("elder", "evil"), honest))
    assert host(platform, evil).stopped_at is None
    assert evil in {match.host_id for match in platform.matches(state="done", purpose="tournament")}


def test_a_tournament_waits_for_its_audits_for_a_day_and_no_longer(platform: core_kit.Platform) -> None:
    number = a_tournament(platform)
    platform.play_all()  # nobody sends the audits' results: the host that had them is gone
    with time_machine.travel(now_s(), tick=False) as clock:
        for audit in audits(platform):
            assert audit.state in ("open", "agreed")
        with platform.database.write() as session:
            for audit in session.exec(select(Audit)).all():
                audit.state, audit.ended_at, audit.created_at = "open", None, now_s()
                session.add(audit)
        platform.recorder.schedule()
        assert tournaments_kit.seen(platform, number).state == "playing"
        with pytest.raises(EntryRefused, match="some audits"):
            tournaments_kit.go(platform, number, State.FINISHED)
        clock.shift(AUDIT_S + 1)
        platform.recorder.schedule()
    assert tournaments_kit.seen(platform, number).state == "finished"
    assert {each.state for each in audits(platform)} == {"lapsed"}
    tournaments_kit.go(platform, number, State.REVEALED)


def test_what_was_played_on_another_python_is_not_audited_and_blames_nobody(platform: core_kit.Platform) -> None:
    number = a_tournament(platform)
    platform.play_all()
    with platform.database.write() as session:
        for match in session.exec(select(Match).where(Match.tournament_id == number)).all():
            assert match.python == this_python()
            match.python = "3.99"
            session.add(match)
        for audit in session.exec(select(Audit)).all():
            audit.state, audit.ended_at = "open", None
            session.add(audit)
    platform.recorder.schedule()
    assert {each.state for each in audits(platform)} == {"lapsed"}
    (why,) = {each.lapsed_for for each in audits(platform)}
    assert why.startswith(f"it was recorded on Python 3.99, and at the site bots run on Python {this_python()} ")


def test_what_is_found_after_the_secret_is_public_is_void_and_not_played_again(platform: core_kit.Platform) -> None:
    number = a_tournament(platform, 0)
    _, evil, _ = add_hosts(platform, "one", "evil", "other")
    hosts: dict[str, Plays] = {"one": honest, "evil": forging, "other": honest}
    play_on(platform, hosts)
    tournaments_kit.go(platform, number, State.REVEALED)
    theirs = {match.number for match in platform.matches(tournament_id=number) if match.host_id == evil}
    platform.recorder.audit_percent = 100
    a_tournament(platform)
    play_on(platform, hosts)
    assert host(platform, evil).stopped_at is not None
    void = {match.number for match in platform.matches(tournament_id=number, state="void")}
    assert void == theirs != set()
    assert actions_kit.rebuilt_is_the_same(platform)


def test_only_what_is_recorded_is_drawn_by_chance(platform: core_kit.Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([1, 2, 1, 99, 0, 3])
    monkeypatch.setattr(drawing, "secrets", SimpleNamespace(randbelow=lambda below: next(drawn) * below // 100))
    a_tournament(platform, 2)
    add_hosts(platform, "alone")
    play_on(platform, {"alone": honest})
    assert len(audits(platform)) == 3


def test_nobody_sees_the_match_of_an_audit(platform: core_kit.Platform, tmp_path: Path) -> None:
    number = a_tournament(platform)
    add_hosts(platform, "one", "two", "three")
    play_on(platform, {"one": honest, "two": honest, "three": honest})
    plays = platform.matches(purpose="audit", state="done")
    assert len(plays) == len(platform.matches(tournament_id=number)) > 0
    settings = Settings(tmp_path, None, None, None, "for tests only")
    client = create_app(settings, database=platform.database).test_client()
    for play in plays:
        for path in (f"/matches/{play.id}", f"/matches/{play.id}.json", f"/matches/{play.id}/games/1/1"):
            assert client.get(path).status_code == 404, path
    result = client.get("/audits.json").get_json()
    assert (result["percent"], result["audits"]["agreed"]) == (2, len(plays))
    assert {row["host"]: row["against"] for row in result["hosts"]} == {"local": 0, "one": 0, "two": 0, "three": 0}
    assert client.get("/audits").headers["Location"] == "/status#audits"
    page = client.get("/status").text
    assert "Worker hosts" in page
    assert "Only administrators" not in page
    assert client.get("/audits.csv").text.startswith("host,state,audits")
    platform.change(Tournament, number, embargo_until=now_s() + 3600)
    result = client.get("/audits.json").get_json()
    assert set(result["audits"].values()) == {0}, "they count the matches that are over"
    assert {(row["audits"], row["owners"]) for row in result["hosts"]} == {(0, 0)}
