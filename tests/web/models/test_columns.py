"""Rows: what they say of themselves."""

from dataclasses import dataclass
from typing import Any

import pytest
from tests.kits.models import ROLES, TOURNAMENT_ACTS, Act, ChannelItem, Role, may

_VALUES: dict[str, Any] = {"channel": "ladders", "number": 2, "match_id": 3, "again": False, "why": "close"}


def test_a_row_shows_its_fields_in_one_order_whatever_the_order_it_was_read_in() -> None:
    row, other = ChannelItem(**_VALUES), ChannelItem(**_VALUES)
    values = dict(other.__dict__)
    other.__dict__.clear()
    other.__dict__.update(reversed(values.items()))
    assert list(row.__dict__) != list(other.__dict__)
    assert repr(row) == repr(other)


@dataclass(frozen=True)
class Somebody:
    id: int | None
    role: str


@dataclass(frozen=True)
class Tournament:
    organizer_id: int | None


AUTHOR, ORGANIZER, ADMIN = (Somebody(number, role.value) for number, role in enumerate(Role, 1))
OWN, ANOTHERS, NOBODYS = Tournament(ORGANIZER.id), Tournament(77), Tournament(None)
OF_THE_HOUSE = [act for act in Act if act not in TOURNAMENT_ACTS]


def test_authors_and_strangers_have_no_hand_in_the_house_and_only_an_admin_sets_roles_and_sees_everything() -> None:
    assert set(ROLES) == set(Act)
    for act in OF_THE_HOUSE:
        assert [may(who, act) for who in (None, AUTHOR, ADMIN)] == [False, False, True], act
    alone = [act for act in OF_THE_HOUSE if not may(ORGANIZER, act)]
    assert alone == [Act.SEE_WHOLE_LOG, Act.SET_ROLES, Act.MODERATE]
    assert not may(Somebody(ORGANIZER.id, Role.AUTHOR.value), Act.MOVE_TOURNAMENT, OWN)
    with pytest.raises(ValueError, match="needs a tournament"):
        may(ADMIN, Act.MOVE_TOURNAMENT)
    with pytest.raises(ValueError, match="does not take a tournament"):
        may(ADMIN, Act.SET_ROLES, OWN)


@pytest.mark.parametrize("act", sorted(TOURNAMENT_ACTS))
def test_an_organizer_runs_their_own_tournaments_and_an_admin_all(act: Act) -> None:
    who_may = {
        name: [may(who, act, tournament) for tournament in (OWN, ANOTHERS, NOBODYS)]
        for name, who in {"stranger": None, "author": AUTHOR, "organizer": ORGANIZER, "admin": ADMIN}.items()
    }
    assert who_may == {
        "stranger": [False] * 3, "author": [False] * 3, "organizer": [True, False, False], "admin": [True] * 3,
    }  # fmt: skip
