"""Create organizer actions, and check that recomputed ratings are equal."""

from typing import Any

from tests.kits import core_kit, ladder_kit, models

from gangland_web.services import organizing


def an_organizer(platform: core_kit.Platform) -> models.Actor:
    """A fixture function: `organizer = pytest.fixture(an_organizer)`."""
    with platform.database.write() as session:
        user = models.User(name="boss", name_key="boss", password_hash="-", role="organizer", created_at=0.0)
        session.add(user)
        session.flush()
        return models.Actor(user.id, "203.0.113.7")


def order(
    platform: core_kit.Platform,
    actor: models.Actor,
    kind: models.ActionKind,
    tournament: int,
    *,
    match: int | None = None,
    entry: int | None = None,
    **more: Any,
) -> models.OrganizerAction:
    with platform.database.write() as session:
        given = organizing.send_action(
            session,
            actor,
            kind,
            session.get_one(models.Tournament, tournament),
            match=session.get_one(models.Match, match) if match else None,
            entry=session.get_one(models.Entry, entry) if entry else None,
            **more,
        )
        number = given.id
    platform.recorder.schedule()
    return platform.get(models.OrganizerAction, number)


def rebuilt_is_the_same(platform: core_kit.Platform) -> bool:
    return not any(one.differed for one in ladder_kit.rebuilt(platform))
