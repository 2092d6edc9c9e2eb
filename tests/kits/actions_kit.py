"""Create organizer actions, and check that recomputed ratings are equal."""

from typing import Any

from tests.kits.core_kit import Platform
from tests.kits.ladder_kit import rebuilt
from tests.kits.models import ActionKind, Actor, Entry, Match, OrganizerAction, Tournament, User

from gangland_web.services import organizing


def an_organizer(platform: Platform) -> Actor:
    """A fixture function: `organizer = pytest.fixture(an_organizer)`."""
    with platform.database.write() as session:
        user = User(name="boss", name_key="boss", password_hash="-", role="organizer", created_at=0.0)
        session.add(user)
        session.flush()
        return Actor(user.id, "203.0.113.7")


def order(
    platform: Platform,
    actor: Actor,
    kind: ActionKind,
    tournament: int,
    *,
    match: int | None = None,
    entry: int | None = None,
    **more: Any,
) -> OrganizerAction:
    with platform.database.write() as session:
        given = organizing.send_action(
            session,
            actor,
            kind,
            session.get_one(Tournament, tournament),
            match=session.get_one(Match, match) if match else None,
            entry=session.get_one(Entry, entry) if entry else None,
            **more,
        )
        number = given.id
    platform.recorder.schedule()
    return platform.get(OrganizerAction, number)


def rebuilt_is_the_same(platform: Platform) -> bool:
    return not any(one.differed for one in rebuilt(platform))
