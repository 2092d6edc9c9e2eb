"""A bot that was entered in time and whose check is not over: said before the freeze, waited for, and said after."""

import csv
import json

import pytest
import time_machine
from tests.kits.actions_kit import an_organizer, order
from tests.kits.core_kit import KINDS, ON_POSTGRESQL, Platform, a_platform_after
from tests.kits.models import ActionKind, AuditEntry, Tournament, select
from tests.kits.tournament_pages_kit import House
from tests.kits.tournaments_kit import enter, entries_of, go, make, seen

from gangland_ladder.tournaments.lifecycle import Deadlines, State
from gangland_web.services import entries, tournaments

platform = pytest.fixture(a_platform_after(None, rounds=0), params=KINDS)


def entered_unready(platform: Platform, **rules: object) -> int:
    platform.upload("bob", "bobs", b"# one")
    platform.play_all()
    number = make(platform, **rules)
    go(platform, number, State.ANNOUNCED, State.OPEN)
    platform.upload("ann", "anns", b"# one")
    platform.upload("bob", "bobs", b"# two")
    for name in ("anns", "bobs"):
        enter(platform, number, name)
    return number


def notes(platform: Platform, number: int) -> list[tuple[str, str]]:
    with platform.database.read() as session:
        return [(bot.name, note) for bot, note in entries.omitted_bots(session, session.get_one(Tournament, number))]


@ON_POSTGRESQL
def test_a_freeze_waits_for_what_was_received_in_time_and_no_longer(platform: Platform) -> None:
    with time_machine.travel(1_000_000, tick=False) as clock:
        number = entered_unready(platform)
        boss = an_organizer(platform)
        before = platform.read_row(entries.unready_bots, Tournament, number)
        assert [(each.bot, each.version, each.plays) for each in before] == [("anns", 1, None), ("bobs", 2, 1)]
        clock.shift(1)
        done = order(platform, boss, ActionKind.MOVE, number, state=State.FROZEN, wait=True)
        assert (done.state, seen(platform, number).state) == ("done", "open")
        assert "is closed, and will freeze when 2 checks are over" in done.message
        platform.upload("cem", "cems", b"# late")
        with pytest.raises(entries.EntryRefused, match="are closed"):
            enter(platform, number, "cems")
        platform.play_all()
        platform.recorder.schedule()
        assert (seen(platform, number).state, notes(platform, number)) == ("frozen", [])
        assert len(entries_of(platform, number)) == 6

        stuck = entered_later(platform)
        order(platform, boss, ActionKind.MOVE, stuck, state=State.FROZEN, wait=True)
        clock.shift(tournaments.MAX_CHECK_WAIT_S - 1)
        platform.recorder.schedule()
        assert seen(platform, stuck).state == "open"
        clock.shift(1)
        platform.recorder.schedule()
        assert seen(platform, stuck).state == "frozen"
        assert [name for name, _ in notes(platform, stuck)] == ["dans"]


def entered_later(platform: Platform) -> int:
    number = make(platform, name="Autumn Cup")
    go(platform, number, State.ANNOUNCED, State.OPEN)
    platform.upload("dan", "dans", b"# stuck")
    enter(platform, number, "dans")
    return number


def test_a_deadline_waits_too_and_a_bot_that_is_left_out_keeps_a_line_with_the_reason(house: House) -> None:
    platform = house.platform
    with time_machine.travel(1_000_000, tick=False) as clock:
        number = entered_unready(platform, deadlines=Deadlines(freezes_at=1_000_100))
        clock.shift(100)
        platform.recorder.schedule()
        assert (seen(platform, number).state, seen(platform, number).closed_at) == ("open", 1_000_100)
        go(platform, number, State.FROZEN)  # the organizer does not wait
    says = [notes(platform, number)[0][1], notes(platform, number)[1][1]]
    assert says == ["version 1 was being checked", "version 2 was still being checked, so version 1 plays"]
    page = house.stranger().page(f"/tournaments/{number}?table=entries")
    files = (f"/tournaments/{number}.json", f"/tournaments/{number}/freeze.json")
    shown, table = (json.loads(house.stranger().page(each)) for each in files)
    assert [each["reason"] for each in shown["left_out"]] == says
    assert table["rows"] == shown["left_out"]
    lines = list(csv.DictReader(house.stranger().page(f"/tournaments/{number}/freeze.csv").splitlines()))
    assert lines == [{name: str(value) for name, value in each.items()} for each in shown["left_out"]]
    logged = {entry.details.get("reason") for entry in platform.rows(select(AuditEntry))}
    bots = [bot.id for bot, _ in platform.read_row(entries.omitted_bots, Tournament, number)]
    for bot, line in zip(bots, says, strict=True):
        assert line in page
        assert line in logged
        assert line in house.stranger().page(f"/bots/{bot}/games")


def test_a_tournament_whose_freeze_is_past_opens_no_entries_and_waits_for_a_later_one(platform: Platform) -> None:
    with time_machine.travel(1_000_000, tick=False) as clock:
        number = make(platform, deadlines=Deadlines(opens_at=1_000_100, freezes_at=1_000_200))
        late = make(platform, deadlines=Deadlines(freezes_at=1_000_200))
        go(platform, number, State.ANNOUNCED)
        boss = an_organizer(platform)
        clock.move_to(1_000_300)
        for _ in range(2):
            platform.recorder.schedule()
        assert (seen(platform, number).state, seen(platform, number).note[:26]) == (
            "announced",
            "the freeze time has passed",
        )
        for which, state in ((number, State.OPEN), (late, State.ANNOUNCED)):
            refused = order(platform, boss, ActionKind.MOVE, which, state=state)
            assert (refused.state, "the freeze time has passed" in refused.message) == ("refused", True)
        order(platform, boss, ActionKind.DEADLINE, number, name="freezes_at", at=1_000_400.0)
        platform.recorder.schedule()
        assert (seen(platform, number).state, seen(platform, number).note) == ("open", "")
