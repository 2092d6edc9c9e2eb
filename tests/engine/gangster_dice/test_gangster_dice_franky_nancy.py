"""The characters that are asked about dice: Franky, Nancy (ruling G34)."""

from typing import Any

import pytest
from tests.engine.gangster_dice.table import (
    BLUE,
    INVESTIGATOR,
    LAWYER,
    NOTHING,
    RED,
    SPEAKEASY,
    STREETS,
    TWO_EACH,
    WHITE,
    Table,
)

from gangland.faults import IllegalDecision
from gangland.gangster_dice.rounds import shown_faces
from gangland.gangster_dice.rules import GAME

GAVEL, COCKTAIL, GUN, FINGER = range(4)


# Franky


def franky(roll: str = "GF/UU/FF", **more: Any) -> Table:
    return Table(3, cast=["franky", "eddie", "bobby"], rolls=[roll, TWO_EACH, TWO_EACH], **more)


def test_g34_franky_is_asked_after_all_rolls_and_before_anyone_bids() -> None:
    table = franky()
    assert table.asked == [(0, "reroll")]
    assert [event[0] for event in table.events] == ["round", "rolled", "rolled", "rolled"]
    assert table.view(0).players[2].symbols == (2, 2, 2, 0)
    assert [kind for _, kind in table.answer({0: None}).asked] == ["bids"] * 3


def test_g34_franky_names_none_or_one_of_his_dice_by_colour_and_face() -> None:
    table = franky("GF/UU/F", stashes=[(2, 2, 1), (2, 2, 2), (2, 2, 2)])
    every = [(WHITE, GAVEL), (WHITE, FINGER), (RED, GUN), (BLUE, FINGER)]
    assert table.choices(0) == [None, *every]
    assert list(table.view(0).rerollable) == every
    assert GAME.default(table.state, 0) is None
    assert GAME.check(table.state, 0, [RED, GUN]) == (RED, GUN)
    for refused in ((BLUE, GUN), (RED, FINGER), (3, 0), WHITE, [WHITE], [WHITE, GAVEL, 0], [True, 0], "GF", [None, 0]):
        with pytest.raises(
            IllegalDecision, match=r"Allowed: None, \(0, 0\) \(white gavel\), \(0, 3\) \(white finger\)"
        ):
            GAME.check(table.state, 0, refused)


def test_g34_franky_rolls_the_named_die_alone_as_his_second_roll_at_position_0() -> None:
    table = franky(round=7)
    table.chance.again = {0: 5}
    table.answer({0: (RED, GUN)})
    assert table.chance.thrown[3:] == [(7, 0, 2, 1)]
    assert table.of("rerolled") == [(0, RED, GUN, COCKTAIL)]
    faces = shown_faces(table.state.opening.faces)
    assert faces == (((0, 3), (1, 2), (3, 3)), ((0, 0), (2, 2), (1, 1)), ((0, 0), (2, 2), (1, 1)))


def test_g34_what_franky_rolls_follows_the_colour_of_the_die() -> None:
    for die, raw, face in (((WHITE, FINGER), 2, GAVEL), ((RED, GUN), 2, GUN), ((BLUE, FINGER), 2, COCKTAIL)):
        table = franky()
        table.chance.again = {0: raw}
        assert table.answer({0: die}).of("rerolled") == [(0, *die, face)]


def test_g34_the_die_that_franky_rolls_again_keeps_its_place_among_his_faces() -> None:
    table = franky("FF/UU/UG")
    table.chance.again = {0: 4}
    table.answer({0: (BLUE, GAVEL)})
    assert shown_faces(table.state.opening.faces)[0] == ((3, 3), (2, 2), (2, 0))
    assert table.of("rerolled") == [(0, BLUE, GAVEL, GAVEL)]


def test_g34_old_and_new_face_are_public_before_anyone_bids() -> None:
    table = franky()
    table.chance.again = {0: 5}
    table.answer({0: (RED, GUN)})
    assert table.asked == [(0, "bids"), (1, "bids"), (2, "bids")]
    assert [tuple(event) for event in table.view(1).events][-1] == (0, RED, GUN, COCKTAIL)
    assert table.view(1).players[0].faces == ((0, 3), (1, 2), (3, 3))
    assert table.view(1).players[0].symbols == (1, 1, 1, 3)


def test_g34_frankys_new_symbol_may_be_bid_on_and_the_one_that_vanished_may_not() -> None:
    table = franky("GF/UF/FF")
    table.chance.again = {0: 5}
    table.answer({0: (RED, GUN)})
    assert GAME.check(table.state, 0, [[SPEAKEASY, 0]]) == ((SPEAKEASY, 0),)
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, [[STREETS, 0]])
    table.bid("C2", "G0", "G0")
    assert table.of("revealed")[0] == (0, ((SPEAKEASY, 2, 3),))


def test_g34_franky_rolls_one_die_again_each_round_or_none() -> None:
    table = franky()
    table.answer({0: None})
    assert table.of("rerolled") == []
    assert [draw for draw in table.chance.thrown if draw[2] > 1] == []
    table.bid("F0", "U0", "C0")
    assert table.state.opening.round == 2
    assert table.asked == [(0, "reroll")]
    table.chance.again = {0: 0}
    table.answer({0: (WHITE, FINGER)})
    assert {kind for _, kind in table.asked} == {"bids"}


# Nancy


def nancy(*bids: str, key: str = "nancy", rolls: Any = (TWO_EACH,) * 3, **more: Any) -> Table:
    """Seat 0 is Nancy; play the bids."""
    return Table(3, cast=[key, "liza", "don"], rolls=rolls, **more).bid(*bids)


@pytest.mark.parametrize(("bid", "token"), [("G2", LAWYER), ("C2", SPEAKEASY), ("U2", STREETS)])
@pytest.mark.parametrize("owner", [None, 1])
def test_g34_nancy_may_swap_when_she_newly_takes_lawyer_speakeasy_or_streets(
    bid: str, token: int, owner: int | None
) -> None:
    control = {} if owner is None else {token: owner}
    table = nancy(bid, "F0", "F0", rolls=[TWO_EACH, None, None], control=control)
    assert table.of("took")[0][:2] == (token, 0)
    assert table.asked == [(0, "swap")]


@pytest.mark.parametrize(
    ("bid", "control"), [("G2", {LAWYER: 0}), ("G0", {}), ("F2", {}), ("F2", {INVESTIGATOR: 0}), ("U0", {STREETS: 1})]
)
def test_g34_nancy_may_not_swap_when_she_takes_none_of_them(bid: str, control: dict[int, int]) -> None:
    table = nancy(bid, "G1", "U1", rolls=["GG/UU/FF", TWO_EACH, TWO_EACH], control=control)
    assert [kind for _, kind in table.asked] == ["bids"] * 3


def test_g34_others_do_not_swap() -> None:
    assert {kind for _, kind in nancy("G2", "U0", "U0", key="silvio").asked} == {"bids"}
    assert nancy("U0", "G2", "U0").of("swapped") == []


def test_g34_nancy_swaps_one_unlocked_die_for_one_on_the_speakeasy_the_same_colour_too() -> None:
    table = nancy("G2", "U0", "U0", stashes=[(2, 0, 4), (2, 2, 2), (2, 2, 2)], rolls=["GG//CCCC", TWO_EACH, TWO_EACH])
    every = [(given, taken) for given in (WHITE, BLUE) for taken in (WHITE, RED, BLUE)]
    assert table.choices(0) == [None, *every]
    assert GAME.default(table.state, 0) is None
    words = "one of 2 white, 0 red, 4 blue for one of 1 white, 1 red, 1 blue on the Speakeasy: .colour given, colour"
    for refused in ((RED, WHITE), (WHITE, 3), (WHITE, -1), WHITE, [WHITE], ((1, 0, 0), (1, 0, 0)), [False, 0], ()):
        with pytest.raises(IllegalDecision, match=words):
            GAME.check(table.state, 0, refused)
    table.answer({0: [BLUE, RED]})
    assert table.of("swapped") == [(0, BLUE, RED)]
    assert table.state.stashes[0] == (2, 1, 3)
    assert table.state.dice[SPEAKEASY] == (1, 0, 2)


def test_g34_nancy_may_take_no_die_and_all_are_told() -> None:
    table = nancy("G2", "U0", "U0").answer({0: None})
    assert table.of("swapped") == [(0, None, None)]
    assert table.state.stashes[0] == (2, 2, 2)
    assert table.state.dice[SPEAKEASY] == (1, 1, 1)


def test_g34_nancy_takes_what_lies_on_the_speakeasy_now() -> None:
    assert nancy("G2", "U0", "U0", dice={SPEAKEASY: (0, 3, 0)}).choices(0) == [None, (0, 1), (1, 1), (2, 1)]


def test_g34_nancy_swaps_once_though_she_takes_two_tokens() -> None:
    table = Table(2, cast=["nancy", "don"], rolls=[TWO_EACH, None], hands=[(0, 2), (0, 1, 1)]).bid("G2 U0", "F0")
    assert table.asked == [(0, "swap")]
    table.answer({0: (WHITE, WHITE)})
    assert {kind for _, kind in table.asked} == {"bids"}


def test_g34_nancy_swaps_after_all_effects_and_sees_what_was_exchanged() -> None:
    control = {SPEAKEASY: 1, INVESTIGATOR: 1}
    rolls = [TWO_EACH, TWO_EACH, "FF/FF/FF"]
    table = Table(3, cast=["nancy", "don", "silvio"], rolls=rolls, control=control).bid("G2", "C1", "F2")
    assert table.asked == [(1, "exchange"), (2, "dump")]
    table.answer({1: ((0, 2, 0), (1, 0, 1)), 2: WHITE})
    assert table.asked == [(0, "swap")]
    assert table.view(0).speakeasy.dice == (0, 3, 0)
    assert [type(event).__name__ for event in table.view(0).events[-2:]] == ["Exchanged", "Dumped"]
    table.answer({0: (WHITE, RED)})
    assert table.state.dice[SPEAKEASY] == (1, 2, 0)


def test_g34_nancy_swaps_before_the_draw() -> None:
    table = nancy("G2", "U0", "U0", hands=[(0, 2), (0, 1), (0, 1)], deck=[3, 3, 3])
    assert table.of("drew") == []
    assert table.view(0).hand == (0,)
    table.answer({0: None})
    assert table.of("drew") == [(0, (3,)), (1, (3,)), (2, (3,))]


def swap_with_investigator(answer: Any) -> Table:
    """Nancy takes the Lawyer, swaps, and then has to take a die of the two colours on the Investigator."""
    more: dict[str, Any] = {"control": {INVESTIGATOR: 0}, "dice": {INVESTIGATOR: (1, 1, 0)}}
    return nancy("G2", "U0", "U0", **more).answer({0: answer})


def test_g34_the_die_that_nancy_takes_is_locked() -> None:
    table = swap_with_investigator((WHITE, BLUE))
    assert table.asked == [(0, "take")]
    assert table.view(0).locked == (0, 0, 1)
    assert table.view(0).spare == (1, 2, 2)
    assert swap_with_investigator(None).view(0).locked == (0, 0, 0)
    assert table.answer({0: RED}).state.locked[0] == (0, 0, 0)


def heads_up_exchange(exchange: Any) -> Table:
    more: dict[str, Any] = {"stashes": [(1, 1, 0), (1, 0, 0)], "control": {SPEAKEASY: 0}, "hands": [(0, 1), (0, 0, 0)]}
    table = Table(2, cast=["nancy", "don"], rolls=["G/C/", "F//"], **more).bid("G0 C1", "")
    return table.answer({0: exchange})


def test_g34_a_die_that_nancy_received_is_locked_for_her_swap() -> None:
    table = heads_up_exchange(((1, 0, 0), (0, 0, 1)))
    assert table.choices(0) == [None, (RED, WHITE), (RED, RED)]
    assert table.view(0).spare == (0, 1, 0)


def test_g34_nancy_is_not_asked_when_all_her_dice_are_locked_or_the_speakeasy_is_empty() -> None:
    assert heads_up_exchange(((1, 1, 0), (1, 1, 0))).asked[0][1] == "bids"
    assert heads_up_exchange(NOTHING).asked == [(0, "swap")]
    empty = nancy("G2", "U0", "U0", dice={SPEAKEASY: (0, 0, 0)})
    assert {kind for _, kind in empty.asked} == {"bids"}
    assert empty.of("swapped") == []
