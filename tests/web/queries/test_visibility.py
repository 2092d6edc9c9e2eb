"""Who sees what: every rule of visibility, held to a table of all states and everybody who looks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest
import time_machine
from sqlmodel import Session

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.models import accounts, bots, tournaments
from gangland_web.models.database import Database, migrate
from gangland_web.models.matches import Match, MatchState, PrivatePurpose, Purpose
from gangland_web.models.organizing import Moderation, ModerationKind
from gangland_web.queries.matches import MatchPage, finished_match, replay_lines, visible_game, visible_match
from gangland_web.queries.tournaments import get_tournament, shown_tournament, visible_event, visible_tournaments
from gangland_web.queries.visibility import (
    CurrentUser,
    NotVisible,
    acts_for,
    finished_matches,
    hidden_bot,
    is_announced,
    is_count_rounded,
    is_visible,
    may_see_hidden,
    results_are_immediate,
    results_visible,
    shown_secret,
)
from gangland_web.services.retention import ReplaysDeleted, Trim
from gangland_web.settings import sqlite_url

Found = TypeVar("Found")
NOW = 1_800_000_000.0
SECRET = b"\x07" * 32


@dataclass(frozen=True)
class Someone:
    id: int
    role: str = "author"
    team: int | None = None

    @property
    def is_admin(self) -> bool:
        return self.role == "admin"

    @property
    def party(self) -> bots.Party:
        return bots.Party(self.id, self.team)


ORGANIZER, ADMIN = Someone(1, "organizer"), Someone(2, "admin")
OTHERS = {
    "a stranger": None, "an author": Someone(3), "another organizer": Someone(4, "organizer"),
    "its organizer, who is none any more": Someone(1, "author"),
}  # fmt: skip
OWN = {"its organizer": ORGANIZER, "an admin": ADMIN}
EVERYBODY: dict[str, CurrentUser | None] = {**OTHERS, **OWN}
NEVER_RESULTS = {State.DRAFT, State.ANNOUNCED, State.OPEN, State.FROZEN}


def tournament(**changed: object) -> tournaments.Tournament:
    """Return a running tournament of organizer 1, 45 of 60 matches over."""
    rules = {"game": "gang-of-dice", "seats": 2, "name": "Cup", "options": {}, "blocks": 1, "limits": {}}
    kept = {"secret": SECRET, "commitment": "0" * 64, "created_at": 0.0, "announced_at": 1.0, "organizer_id": 1}
    counted = {"state": State.PLAYING.value, "matches_over": 45, "matches_planned": 60}
    values: dict[str, Any] = {"kind": "tournament", **rules, **kept, **counted, **changed}
    return tournaments.Tournament(**values)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("state", State)
def test_drafts_and_rehearsals_are_their_organizers_and_all_else_is_everybodys(state: State, who: str) -> None:
    own = who in OWN
    announced = state is not State.DRAFT
    assert is_visible(tournament(state=state.value), EVERYBODY[who]) is (own or announced)
    assert is_visible(tournament(state=state.value, announced_at=None), EVERYBODY[who]) is own
    assert is_visible(tournament(state=state.value, rehearsal_of=7), EVERYBODY[who]) is own
    assert is_announced(tournament(state=state.value)) is announced


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("state", State)
def test_results_wait_for_the_first_match_and_the_embargos_end(state: State, who: str) -> None:
    own, there = who in OWN, state not in NEVER_RESULTS
    with time_machine.travel(NOW, tick=False):
        for until, over in ((None, True), (NOW + 1, False), (NOW, True), (NOW - 1, True)):
            cup = tournament(state=state.value, embargo_until=until)
            assert results_visible(cup, EVERYBODY[who]) is (there and (own or over))
            at_once = state is State.FROZEN and until is None
            assert results_are_immediate(cup, EVERYBODY[who]) is (results_visible(cup, EVERYBODY[who]) or at_once)
    for kind in ("ladder", "trials"):
        assert results_visible(tournament(kind=kind, state=state.value, embargo_until=NOW * 2), EVERYBODY[who])


@pytest.mark.parametrize("state", State)
def test_the_secret_is_shown_once_it_is_revealed_and_hidden_matches_count_in_steps(state: State) -> None:
    public = state in {State.REVEALED, State.CANCELED}
    assert shown_secret(tournament(state=state.value)) == (SECRET.hex() if public else None)
    assert shown_secret(tournament(state=state.value, announced_at=None)) is None  # nor was its commitment
    with time_machine.travel(NOW, tick=False):
        assert shown_secret(tournament(state=state.value, embargo_until=NOW + 1)) is None
        assert shown_secret(tournament(state=state.value, embargo_until=NOW)) == (SECRET.hex() if public else None)
        hidden = tournament(embargo_until=NOW + 1)
        assert [finished_matches(hidden, who) for who in OTHERS.values()] == [40] * len(OTHERS)
        assert [finished_matches(hidden, who) for who in OWN.values()] == [45] * len(OWN)
        assert finished_matches(tournament(), None) == 45
        assert [is_count_rounded(hidden, who) for who in EVERYBODY.values()] == [who not in OWN for who in EVERYBODY]
        assert not is_count_rounded(tournament(embargo_until=NOW + 1, matches_over=60), None)


def test_a_bot_is_its_owners_and_its_teams_and_of_no_admin() -> None:
    named: dict[str, Any] = {"game": "gang-of-dice", "name": "a", "name_key": "a", "created_at": 0.0}
    own, teams = bots.Bot(owner_id=3, team_id=None, **named), bots.Bot(owner_id=None, team_id=5, **named)
    nobodys = bots.Bot(owner_id=None, team_id=None, **named)
    assert [acts_for(who, own) for who in (None, Someone(3), Someone(4), ADMIN)] == [False, True, False, False]
    assert [acts_for(who, teams) for who in (None, Someone(3), Someone(3, team=5))] == [False, False, True]
    assert not any(acts_for(who, nobodys) for who in EVERYBODY.values())
    assert [may_see_hidden(who, own) for who in (None, Someone(3), Someone(4), ADMIN)] == [False, True, False, True]


def test_a_bot_is_hidden_while_that_is_in_force_and_by_no_other_measure(session: Session) -> None:
    assert [bot and bot.id for bot in (hidden_bot(session, number) for number in (1, 2, 3))] == [1, None, None]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A store with events of a draft and a tournament under an embargo, one of a draft only, and trials."""
    database = Database(sqlite_url(tmp_path_factory.mktemp("store")))
    migrate(database)
    with database.write() as session:
        session.add(accounts.User(id=1, name="Boss", name_key="boss", password_hash="", created_at=0.0))
        session.add(tournaments.Event(id=1, name="School", organizer_id=1, created_at=0.0))
        session.add(tournaments.Event(id=2, name="Drafts", organizer_id=1, created_at=0.0))
        session.flush()
        session.add(tournament(id=101, event_id=1, state=State.DRAFT.value, announced_at=None))
        session.add(tournament(id=102, event_id=1, roster_digest="0" * 64, embargo_until=NOW * 2, matches_over=0))
        session.add(tournament(id=103, event_id=2, state=State.DRAFT.value, announced_at=None))
        session.add(tournament(id=104, kind="trials", organizer_id=None))
        kept: dict[str, Any] = {"game": "gang-of-dice", "owner_id": 1, "owner_group": "p1", "created_at": 0.0}
        session.add_all(bots.Bot(id=number, name=str(number), name_key=str(number), **kept) for number in (1, 2, 3))
        session.flush()
        measure: dict[str, Any] = {"reason": "", "details": {}, "ordered_by": 1, "ordered_at": 0.0}
        session.add(Moderation(kind=ModerationKind.HIDE, bot_id=1, **measure))
        session.add(Moderation(kind=ModerationKind.RETIRE, bot_id=2, **measure))
        session.add(Moderation(kind=ModerationKind.HIDE, bot_id=3, undone_by=1, undone_at=1.0, **measure))
    with database.read() as session:
        yield session
    database.close()


def unless_hidden(find: Callable[[], Found]) -> Found | None:
    try:
        return find()
    except NotVisible:
        return None


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_tournament_and_its_event_are_found_by_whoever_may_know_of_them(session: Session, who: str) -> None:
    someone, own = EVERYBODY[who], who in OWN
    known = [unless_hidden(partial(get_tournament, session, number, someone)) for number in (101, 102, 103, 104, 999)]
    drafts = [101, 103] if own else []
    assert [found.id for found in known if found] == sorted([102, *drafts])
    shown = [unless_hidden(partial(shown_tournament, session, number, someone)) for number in (101, 102)]
    assert [found and found.id for found in shown] == [None, 102 if own else None]
    events = [unless_hidden(partial(visible_event, session, number, someone)) for number in (1, 2, 999)]
    found = [event and (event[0].id, sorted(each.id or 0 for each in event[1])) for event in events]
    of_school = [101, 102] if own else [102]
    assert found == [(1, of_school), (2, [103]) if own else None, None]
    assert sorted(each.id or 0 for each in visible_tournaments(session, 1, someone)) == of_school
    assert unless_hidden(lambda: visible_match(session, 999, ADMIN)) is None


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Callable[..., MatchPage]:
    where = "gangland_web.queries.matches"

    def shown(
        purpose: Purpose | PrivatePurpose, state: MatchState = MatchState.DONE, trimmed: int = 0, **changed: object
    ) -> MatchPage:
        values: dict[str, Any] = {"purpose": purpose.value, "state": state.value, "trimmed": trimmed, "number": 1}
        match = Match(id=1, tournament_id=1, seed_digest="", created_at=0.0, **values)
        seats: Any = tuple(SimpleNamespace(owner_id=owner, team_id=None) for owner in (3, None))
        page = MatchPage(match, tournament(**changed), seats)
        monkeypatch.setattr(f"{where}.match_page", lambda *_: page)
        monkeypatch.setattr(
            f"{where}.game_of", lambda _, __, block, rotation: "game" if block == rotation == 0 else None
        )
        monkeypatch.setattr(f"{where}.games_of", lambda *_: ["one", "two"])
        monkeypatch.setattr(f"{where}.replay_file", lambda _, played: f"replay of {played}")
        return page

    return shown


STORE = cast(Session, None)
OWNER = Someone(3)


def refused(ask: Callable[[], object]) -> bool:
    return unless_hidden(lambda: [ask()]) is None


@pytest.mark.parametrize("who", EVERYBODY)
def test_each_purpose_has_its_readers_and_an_embargo_its_organizer(show: Callable[..., MatchPage], who: str) -> None:
    def is_allowed(someone: CurrentUser | None) -> bool:
        asked = [
            refused(lambda: visible_match(STORE, 1, someone)),
            refused(lambda: visible_game(STORE, 1, 0, 0, someone)),
            refused(lambda: finished_match(STORE, 1, someone)),
        ]
        assert len(set(asked)) == 1
        return not asked[0]

    for purpose in (*Purpose, *PrivatePurpose):
        page = show(purpose)
        hidden = purpose in {Purpose.CHECK, Purpose.AUDIT, *PrivatePurpose}
        owners = purpose in {Purpose.TRIAL, Purpose.CHALLENGE}
        assert is_allowed(EVERYBODY[who]) is (not hidden and (not owners or EVERYBODY[who] == OWNER)), purpose
        assert is_allowed(OWNER) is not hidden, purpose
        if not hidden:
            assert visible_match(STORE, 1, OWNER) is page
            assert list(visible_game(STORE, 1, 0, 0, OWNER)) == [page, "game"]
            assert replay_lines(STORE, finished_match(STORE, 1, OWNER)) == "replay of one\nreplay of two\n"
    show(Purpose.TOURNAMENT, embargo_until=NOW * 2)
    assert is_allowed(EVERYBODY[who]) is (who in OWN)
    assert not is_allowed(OWNER)


def test_games_are_shown_once_the_match_is_done_and_while_replays_are_kept(show: Callable[..., MatchPage]) -> None:
    for state in MatchState:
        page = show(Purpose.LADDER, state)
        assert visible_match(STORE, 1, None) is page
        assert refused(lambda: visible_game(STORE, 1, 0, 0, None)) is (state is not MatchState.DONE)
        assert refused(lambda: finished_match(STORE, 1, None)) is (state is not MatchState.DONE)
    show(Purpose.LADDER)
    assert refused(lambda: visible_game(STORE, 1, 0, 1, None))
    show(Purpose.LADDER, trimmed=Trim.REPLAYS)
    with pytest.raises(ReplaysDeleted):
        visible_game(STORE, 1, 0, 0, None)
    with pytest.raises(ReplaysDeleted):
        finished_match(STORE, 1, None)
