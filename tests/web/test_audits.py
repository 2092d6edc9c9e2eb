"""Audits: a host that forges is found and what it played is played again; a bot that goes by the clock blames nobody."""

from __future__ import annotations

import pytest
from sqlmodel import col, select
from tests.web.audits_kit import (
    Greedy,
    Plays,
    add_hosts,
    audits,
    differences,
    forging,
    honest,
    host,
    play_on,
    play_with,
)
from tests.web.core_kit import KINDS, Platform, a_platform
from tests.web.test_core_directives import rebuilt_is_the_same
from tests.web.test_core_tournaments import TO_PLAY, go, make, seen

from gangland.faults import BotFault, FaultKind
from gangland_ladder.lifecycle import State
from gangland_ladder.orders import Order, Result
from gangland_ladder.seeds import commitment
from gangland_web.audits import drawing
from gangland_web.backup.digest import results_digest
from gangland_web.organising.audit import read_log
from gangland_web.tournaments.models import Entry, Tournament

platform = pytest.fixture(a_platform, params=KINDS)
ON_SQLITE = pytest.mark.parametrize("platform", ["sqlite"], indirect=True)
"""For what hangs on no database: half the time."""


SECRET = bytes(range(32))


def a_cup(platform: Platform, percent: int | None = 100) -> int:
    """A tournament that is played, with dice that are the same every time."""
    number = make(platform)
    with platform.database.write() as session:
        cup = session.get_one(Tournament, number)
        cup.audit_percent, cup.secret, cup.commitment = percent, SECRET, commitment(SECRET)
    go(platform, number, *TO_PLAY)
    return number


def came_to(platform: Platform) -> tuple[str, list[object]]:
    """The digest of all results, and all ratings of the cup and of the ladder."""
    with platform.database.engine.connect() as connection:
        digest = results_digest(connection).sha256
    with platform.database.read() as session:
        entries = session.exec(select(Entry).order_by(col(Entry.tournament_id), col(Entry.id))).all()
        return digest, [(e.mu, e.sigma, e.rating, e.games, e.wins, e.faults, e.round_mu, e.strikes) for e in entries]


def undisturbed(request: pytest.FixtureRequest) -> tuple[str, list[object]]:
    """What comes of the same cup and ladder where honest hosts alone play, and none is audited."""
    for twin in a_platform(request):
        a_cup(twin, 0)
        add_hosts(twin, "alone")
        play_on(twin, {"alone": honest})
        with twin.database.read() as se:
            from gangland_web.matches.models import Match
            print(sorted((m.tournament_id,m.number,m.state,m.digest,m.void_reason) for m in se.exec(select(Match)).all() if m.number>0))
        return came_to(twin)
    raise AssertionError("no platform")


def test_a_host_that_forges_is_found_and_all_is_as_if_it_had_never_played(
    platform: Platform, request: pytest.FixtureRequest
) -> None:
    number = a_cup(platform)
    platform.recorder.audit_percent = 100
    one, evil, other = add_hosts(platform, "one", "evil", "other")
    play_on(platform, {"one": honest, "evil": forging, "other": honest})
    stopped = host(platform, evil)
    assert stopped.stopped_at is not None
    assert "owners decided differently" in (stopped.stopped_for or "")
    assert [host(platform, each).stopped_at for each in (one, other)] == [None, None]
    assert {match.host_id for match in platform.matches(state="done") if match.purpose != "audit"} == {one, other}
    assert seen(platform, number).state == "finished"
    assert rebuilt_is_the_same(platform)
    with platform.database.read() as session:
        acts = {line.entry.act for line in read_log(session, 50)}
    assert {"stopped a worker host", "took back results"} <= acts
    request.param = request.node.callspec.params["platform"]
    import json
    with platform.database.read() as se:
        from gangland_web.matches.models import Match
        print(sorted((m.tournament_id,m.number,m.state,m.digest,m.void_reason) for m in se.exec(select(Match)).all() if m.number>0))
    assert came_to(platform) == undisturbed(request)
