"""The characters that are asked something: Franky, Nancy, Roberts, Liza, Timmy (ruling G34)."""

from typing import Any

import pytest
from tests.engine.gangster_dice.table import NOTHING, TWO_EACH, ChosenChance, Table, favors_in_play
from tests.engine.gangster_dice.tokens import BLUE, INVESTIGATOR, LAWYER, RED, SPEAKEASY, STREETS, WHITE

from gangland.faults import IllegalDecision
from gangland.game import EndReason, Outcome
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


def test_g34_franky_rolls_the_named_die_alone_and_its_old_and_new_face_are_public_before_anyone_bids() -> None:
    table = franky(round=7)
    table.chance.again = {0: 5}
    table.answer({0: (RED, GUN)})
    assert table.chance.thrown[3:] == [(7, 0, 2, 1)], "his second roll, at position 0"
    assert table.of("rerolled") == [(0, RED, GUN, COCKTAIL)]
    faces = shown_faces(table.state.opening.faces)
    assert faces == (((0, 3), (1, 2), (3, 3)), ((0, 0), (2, 2), (1, 1)), ((0, 0), (2, 2), (1, 1)))
    assert table.asked == [(0, "bids"), (1, "bids"), (2, "bids")]
    assert tuple(table.view(1).events[-1]) == (0, RED, GUN, COCKTAIL)
    assert table.view(1).players[0].faces == faces[0]
    assert table.view(1).players[0].symbols == (1, 1, 1, 3)


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


def nancy(*bids: str, rolls: Any = (TWO_EACH,) * 3, **more: Any) -> Table:
    return Table(3, cast=["nancy", "liza", "don"], rolls=rolls, **more).bid(*bids)


@pytest.mark.parametrize(("bid", "token"), [("G2", LAWYER), ("C2", SPEAKEASY), ("U2", STREETS)])
@pytest.mark.parametrize("owner", [None, 1])
def test_g34_nancy_may_swap_as_she_takes_lawyer_speakeasy_or_streets(bid: str, token: int, owner: int | None) -> None:
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


def test_g34_nancy_swaps_one_unlocked_die_for_one_on_the_speakeasy_the_same_colour_too() -> None:
    table = nancy("G2", "U0", "U0", stashes=[(2, 0, 4), (2, 2, 2), (2, 2, 2)], rolls=["GG//CCCC", TWO_EACH, TWO_EACH])
    every = [(given, taken) for given in (WHITE, BLUE) for taken in (WHITE, RED, BLUE)]
    assert table.choices(0) == [None, *every]
    assert GAME.default(table.state, 0) is None
    words = "one of 2 white, 0 red, 4 blue for one of 1 white, 1 red, 1 blue on the Speakeasy: .color given, color"
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
    """Nancy wins the Lawyer, swaps, and then takes a die of the Investigator's two colors."""
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


# The characters for whom the Investigator is not what it is for others: Roberts, Liza (ruling G34).


# Roberts


def roberts(*bids: str, dice: Any = (1, 1, 0), **more: Any) -> Table:
    """Seat 0 is Roberts with favors 0 to 4 minus its bid, and holds the loaded Investigator."""
    control = {INVESTIGATOR: 0} | more.pop("control", {})
    hands = [(0, 1, 2, 3, 3), (0, 1, 2), (0, 1, 2)]
    more = {"rolls": [TWO_EACH] * 3, "hands": hands, "deck": [1] * 9, **more}
    table = Table(3, cast=["roberts", "don", "eddie"], control=control, dice={INVESTIGATOR: dice}, **more)
    return table.bid(*(bids or ("C3", "U0", "U0")))


def test_g34_roberts_may_discard_a_favor_of_his_refilled_hand_instead_of_taking_a_die() -> None:
    table = roberts()
    assert table.asked == [(0, "discard")]
    assert table.view(0).hand == (0, 1, 1, 2, 3)
    assert table.choices(0) == [None, 0, 1, 2, 3]
    assert GAME.default(table.state, 0) is None
    for refused in (4, -1, True, (1,), "1", 1.0):
        with pytest.raises(
            IllegalDecision, match=r"favors \[0, 1, 1, 2, 3\] instead of taking a die. Allowed: None, 0, 1, 2, 3\."
        ):
            GAME.check(table.state, 0, refused)
    table.answer({0: 1})
    assert table.of("dropped") == [(0, 1)]
    assert table.of("received") == table.of("declined") == []
    assert table.state.hands[0] == (0, 1, 2, 3)
    assert table.state.public.discards == (2, 1, 0, 1)
    assert table.state.stashes[0] == (2, 2, 2)
    assert table.state.dice[INVESTIGATOR] == (1, 1, 0)
    assert table.state.opening.round == 2


def test_g34_the_favor_that_roberts_discards_is_face_up() -> None:
    table = roberts().answer({0: 2})
    assert [tuple(each) for each in table.view(1).events if type(each).__name__ == "Dropped"] == [(0, 2)]
    assert table.view(1).players[0].hand_limit == table.view(1).players[0].hand_size == 4


def test_g34_roberts_who_discards_nothing_takes_a_die_after_all() -> None:
    table = roberts().answer({0: None})
    assert table.asked == [(0, "take")]
    assert table.choices(0) == [WHITE, RED]
    assert table.answer({0: RED}).of("received") == [(0, RED)]
    one = roberts(dice=(0, 0, 3)).answer({0: None})
    assert one.of("received") == [(0, BLUE)]
    assert one.state.public.hand_limits[0] == 5


def test_g34_roberts_may_discard_where_he_may_decline_too() -> None:
    table = roberts("G3", "U0", "U0", control={LAWYER: 1})
    assert table.view(0).protected
    assert table.asked == [(0, "discard")]
    assert roberts("G3", "U0", "U0").answer({0: 0}).of("dropped") == [(0, 0)]
    table.answer({0: None})
    assert table.choices(0) == [None, WHITE, RED]
    assert table.answer({0: None}).of("declined") == [(0,)]


@pytest.mark.parametrize("spent_favor", ["stack", "out", "discards"])
def test_g34_a_plus_four_that_roberts_discards_was_not_played_and_goes_to_its_stack(spent_favor: str) -> None:
    none = (0,) * (5 if spent_favor == "discards" else 4)
    hands = [(0, 1, 3, 4, 4), (0, 1, 2), (0, 1, 2)]
    table = roberts(hands=hands, specials=4, spent_favor=spent_favor, discards=none).answer({0: 4})
    assert table.state.public.specials == 5
    assert table.state.public.discards[:4] == (2, 0, 0, 1)
    assert not any(table.state.public.discards[4:])
    assert table.state.hands[0] == (0, 1, 1, 4)


def test_g34_roberts_may_discard_once_a_round_and_his_hand_stays_smaller_for_the_rest_of_the_game() -> None:
    table = roberts().answer({0: 1})
    for limit, bids in ((4, ("F0", "F2", "F2")), (3, ("U1", "", ""))):
        assert {kind for _, kind in table.asked} == {"bids"}
        assert table.view(0).me.hand_limit == len(table.view(0).hand) == limit
        table.bid(*bids)
        assert table.asked == [(0, "discard")]
        assert len(table.view(0).hand) == limit
        table.roll(TWO_EACH)
        table.answer({0: 1})
    assert table.state.public.hand_limits == (2, 3, 3)
    assert table.state.hands[0] == (2, 3)
    assert table.of("dropped") == [(0, 1)] * 3
    assert table.bid("G2", "", "").asked == [(0, "take")]


def test_g34_roberts_is_never_offered_to_discard_at_a_hand_of_two() -> None:
    table = roberts("C3", "U0", "U0", hands=[(0, 3), (0, 1), (0, 1)], hand_limits=[2, 3, 3])
    assert table.asked == [(0, "take")]
    least = roberts("C3", "U0", "U0", hands=[(0, 1, 3), (0, 1), (0, 1)], hand_limits=[3, 3, 3])
    assert least.asked == [(0, "discard")]


def test_g34_roberts_is_not_asked_when_no_die_waits_for_him() -> None:
    assert {kind for _, kind in roberts(dice=(0, 0, 0)).asked} == {"bids"}
    assert roberts(control={INVESTIGATOR: 1}).asked == [(1, "take")]


def roberts_with_his_last_die(**options: Any) -> Table:
    more: dict[str, Any] = {"stashes": [(1, 0, 0), (2, 2, 2), (2, 2, 2)], "rolls": ["U//", TWO_EACH, TWO_EACH]}
    control = {STREETS: 0, SPEAKEASY: 1}
    return roberts("U3", "G0", "G0", control=control, **more, **options).answer({0: WHITE})


def test_g34_roberts_at_zero_dice_discards_a_favor_and_wins() -> None:
    table = roberts_with_his_last_die()
    assert table.asked == [(0, "discard")]
    table.answer({0: 0})
    assert table.outcome() == Outcome((1, 2, 2), (0,), EndReason.COMPLETED)
    assert roberts_with_his_last_die().answer({0: None}).answer({0: RED}).outcome() is None


def test_g34_under_win_first_roberts_is_asked_after_the_win_check() -> None:
    assert roberts_with_his_last_die(win_check="win_first").outcome() == Outcome((1, 2, 2), (0,), EndReason.COMPLETED)
    table = roberts(win_check="win_first")
    assert table.asked == [(0, "discard")]
    assert table.answer({0: 0}).of("dropped") == [(0, 0)]
    assert table.of("received") == []
    assert table.state.opening.round == 2
    assert roberts(win_check="win_first", round=9, round_limit=9).asked == []


# Liza


def liza(stash: Any = (2, 2, 2), key: str = "liza", holder: int = 1, **more: Any) -> Table:
    stashes = [stash, (2, 2, 2), (2, 2, 2)]
    rolls = [None, TWO_EACH, TWO_EACH]
    table = Table(3, cast=[key, "don", "eddie"], rolls=rolls, stashes=stashes, control={INVESTIGATOR: holder}, **more)
    return table.bid("F2", "G0", "C0")


TWO_OF_THREE = [(0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]


def test_g34_liza_may_place_exactly_two_dice_of_any_colours_instead_of_a_colour() -> None:
    table = liza()
    assert table.asked == [(0, "dump")]
    assert table.choices(0) == [WHITE, RED, BLUE, *TWO_OF_THREE]
    assert table.view(0).placeable == 2
    for refused in ((1, 0, 0), (1, 1, 1), (0, 0, 0), (3, -1, 0), (1, 1), None, (1, 1, 0, 0), [True, 1, 0], [[1, 1, 0]]):
        with pytest.raises(IllegalDecision, match=r"2 white, 2 red, 2 blue. Allowed: 0 \(white\).*, \(0, 0, 2\)"):
            GAME.check(table.state, 0, refused)
    table.answer({0: [1, 0, 1]})
    assert table.of("placed") == [(0, (1, 0, 1))]
    assert table.of("dumped") == []
    assert table.state.stashes[0] == (1, 2, 1)
    assert sum(table.state.dice[INVESTIGATOR]) == 2 - len(table.of("received"))


def test_g34_liza_may_name_a_colour_all_the_same() -> None:
    table = liza((4, 2, 0)).answer({0: WHITE})
    assert table.of("dumped") == [(0, WHITE, 4)]
    assert table.of("placed") == []


def test_g34_liza_places_no_more_of_a_colour_than_she_has() -> None:
    assert liza((1, 3, 0)).choices(0) == [WHITE, RED, BLUE, (0, 2, 0), (1, 1, 0)]
    assert liza((0, 0, 2)).choices(0) == [WHITE, RED, BLUE, (0, 0, 2)]


def test_g34_liza_with_fewer_than_two_dice_and_others_name_a_colour() -> None:
    for table in (liza((0, 1, 0)), liza(key="silvio")):
        assert table.choices(0) == [WHITE, RED, BLUE]
        assert table.view(0).placeable == 0
        with pytest.raises(IllegalDecision):
            GAME.check(table.state, 0, (1, 1, 0))


def test_g34_liza_places_none_when_she_holds_the_investigator_or_nobody_does() -> None:
    assert {kind for _, kind in liza(holder=0).asked} == {"bids"}
    table = Table(3, cast=["liza", "don", "eddie"]).bid("F2", "F0", "F0")
    assert {kind for _, kind in table.asked} == {"bids"}


def liza_heads_up(bid: str, roll: str, stash: Any, *answers: Any, **more: Any) -> Table:
    """Liza controls Speakeasy and Streets, and wins the Investigator from seat 1 with one of them."""
    table = Table(
        2,
        cast=["liza", "don"],
        rolls=[roll, "G//"],
        stashes=[stash, (1, 0, 0)],
        control={SPEAKEASY: 0, STREETS: 0, INVESTIGATOR: 1},
        hands=[(0, 0, 1, 1), (0, 0, 0)],
        **more,
    ).bid(bid, "")
    for answer in answers:
        table.answer({0: answer})
    return table


def test_g34_what_liza_exchanged_is_gone_and_what_she_took_is_locked() -> None:
    table = liza_heads_up("C0 F1", "CC/CF/", (2, 2, 0), ((1, 0, 0), (0, 0, 1)))
    assert table.asked == [(0, "dump")]
    assert table.choices(0) == [WHITE, RED, BLUE, (0, 2, 0), (1, 1, 0)]
    few = liza_heads_up("C0 F1", "C/CF/", (1, 2, 0), ((1, 1, 0), (0, 0, 2)), dice={SPEAKEASY: (0, 0, 2)})
    assert few.choices(0) == [WHITE, RED, BLUE]
    assert few.view(0).placeable == 0


def test_g34_what_liza_staked_is_gone() -> None:
    table = liza_heads_up("U0 F1", "U/UF/", (1, 2, 0), WHITE)
    assert table.choices(0) == [WHITE, RED, BLUE, (0, 2, 0)]
    table.answer({0: (0, 2, 0)}).answer({1: None})
    assert table.of("emptied") == [((0,),)]
    assert liza_heads_up("U0 F1", "U/F/", (1, 1, 0), WHITE).choices(0) == [WHITE, RED, BLUE]


def test_g34_liza_under_held_names_a_colour_that_she_has_or_places_two() -> None:
    assert liza((1, 0, 1), investigator_colour="held").choices(0) == [WHITE, BLUE, (1, 0, 1)]
    assert liza((2, 0, 0), investigator_colour="held").choices(0) == [WHITE, (2, 0, 0)]
    assert liza((0, 1, 0), investigator_colour="held").of("dumped") == [(0, RED, 1)]


def test_g38_lizas_default_is_the_one_colour_of_which_she_has_most() -> None:
    assert GAME.default(liza((1, 3, 2)).state, 0) == RED
    assert GAME.default(liza((2, 2, 2)).state, 0) == WHITE


# Timmy draws pairs and is asked which favor he keeps (ruling G34).


def timmy(*bids: str, seat: int = 0, seats: int = 3, **more: Any) -> Table:
    others = ["eddie", "bobby", "don"][: seats - 1]
    hands = [[0, 0, 1]] * seats
    hands[seat] = [0, 1]
    table = Table(seats, cast=[*others[:seat], "timmy", *others[seat:]], **{"hands": hands, **more})
    return table.bid(*(bids or ["F0"] * seats))


def heads_up_timmy(bid: str, deck: list[int], **more: Any) -> Table:
    more = {"rolls": [TWO_EACH, None], "hands": [(0, 1), (1, 1, 1)], "deck": deck, **more}
    return Table(2, cast=["timmy", "don"], **more).bid(bid, "")


def test_g34_timmy_draws_a_pair_and_keeps_the_one_that_he_chooses() -> None:
    for kept, other in ((3, 1), (1, 3)):
        table = timmy(deck=[3, 1, 2, 2, 0, 0])
        assert table.asked == [(0, "keep")]
        assert table.view(0).pair == (1, 3)
        assert table.choices(0) == [1, 3]
        table.answer({0: kept})
        assert table.state.hands[0] == tuple(sorted((1, kept)))
        assert table.of("passed") == [(0, other)]
        assert table.of("drew") == [(0, (kept,)), (1, (2,)), (2, (2,))]
        assert table.state.public.discards[other] == 1
        assert table.view(0).pair == ()


def test_g34_timmy_keeps_one_of_the_two_and_no_other() -> None:
    table = timmy(deck=[3, 1, 2, 2, 0, 0])
    for refused in (None, 2, 0, 4, True, (1,), [1, 3], "1", 1.0):
        with pytest.raises(IllegalDecision, match=r"You drew the favors \[1, 3\] and keep one. Allowed: 1, 3\."):
            GAME.check(table.state, 0, refused)
    assert GAME.check(table.state, 0, 3) == 3


@pytest.mark.parametrize("pair", [(0, 1), (3, 0), (2, 3)])
def test_g38_timmys_default_is_the_higher_favor(pair: tuple[int, int]) -> None:
    assert GAME.default(timmy(deck=[*pair, 2, 2]).state, 0) == max(pair)


def test_g34_timmys_cards_are_drawn_at_his_place_in_the_order() -> None:
    table = timmy(seat=1, deck=[3, 1, 0, 2, 2])
    assert table.of("drew") == [(0, (3,))]
    assert table.asked == [(1, "keep")]
    assert table.view(1).pair == (0, 1)
    assert table.answer({1: 1}).of("drew") == [(0, (3,)), (1, (1,)), (2, (2,))]
    assert len(table.state.deck) == 1


def test_g34_timmy_is_not_dealt_pairs_at_setup() -> None:
    chance = ChosenChance([3, 0, 1, 1, 2])
    state, events = GAME.start(2, GAME.options({"characters": "chosen", "cast": ["timmy", "don"]}), chance)
    assert state.hands == ((0, 3), (1, 1, 2))
    assert {event[0] for event in events} == {"seated", "dealt", "round", "rolled"}


def test_g41_timmy_is_not_asked_about_an_equal_pair() -> None:
    table = timmy(deck=[2, 2, 3, 1])
    assert {kind for _, kind in table.asked} == {"bids"}
    assert table.of("paired") == [(0, (2, 2))]
    assert table.of("passed") == [(0, 2)]
    assert table.state.hands[0] == (1, 2)
    assert table.state.public.discards == (3, 0, 1, 0)


def test_g5_timmys_pair_is_hidden_until_one_is_discarded_and_then_the_other_still_is() -> None:
    table, other = timmy(deck=[3, 1, 2, 2, 0]), timmy(deck=[2, 0, 2, 2, 0])
    for seat in (1, 2):
        assert table.view(seat).wire == other.view(seat).wire
        assert table.view(seat).pair == ()
    table.answer({0: 1})
    other = timmy(deck=[3, 2, 2, 2, 0]).answer({0: 2})
    for seat in (1, 2):
        assert table.view(seat).wire == other.view(seat).wire
        assert [each for each in table.view(seat).events if type(each).__name__ == "Passed"] == [(0, 3)]


def test_g34_timmys_unkept_card_joins_the_discards_after_all_draws() -> None:
    table = timmy(deck=[3, 1], discards=(0, 0, 1, 0))
    assert table.state.public.discards == (3, 0, 1, 0)
    table.answer({0: 1})
    assert table.chance.shuffled[-1] == ("favors", 1, (0, 0, 0, 2))
    assert table.state.public.discards == (0, 0, 0, 1)
    assert len(table.state.deck) == 2


def test_g34_the_discards_are_shuffled_in_the_middle_of_timmys_pair() -> None:
    table = timmy(deck=[3], discards=(0, 1, 0, 0))
    assert table.chance.shuffled[-1] == ("favors", 1, (0, 0, 0, 1))
    assert table.view(0).pair == (0, 3)
    assert table.of("reshuffled") == [(4,)]
    assert favors_in_play(table.state) == 1 + 1 + 6 + 8


def test_g34_timmys_plus_four_is_no_pair() -> None:
    rolls, control = [TWO_EACH, None, None], {LAWYER: 0}
    table = timmy("G0", "F0", "F0", rolls=rolls, control=control, deck=[3, 1, 2])
    assert table.of("drew")[0] == (0, (4,))
    assert table.of("paired") == []
    empty = timmy("G0", "F0", "F0", rolls=rolls, control=control, deck=[3, 1, 2, 2], specials=0)
    assert empty.asked == [(0, "keep")]


def test_g34_timmy_heads_up_takes_the_plus_four_first_and_then_a_pair() -> None:
    table = heads_up_timmy("G0 U1", [3, 1, 2, 2], control={LAWYER: 0})
    assert [event[0] for event in table.events[-2:]] == ["special", "paired"]
    assert table.asked == [(0, "keep")]
    assert table.answer({0: 1}).of("drew") == [(0, (4, 1)), (1, (2,))]
    assert table.state.hands[0] == (1, 4)
    assert table.of("paired") == [(0, (1, 3))]


def test_g34_timmy_heads_up_decides_on_the_first_pair_before_he_sees_the_second() -> None:
    table, other = heads_up_timmy("C0 U1", [3, 1, 2, 0, 0]), heads_up_timmy("C0 U1", [3, 1, 1, 2, 0])
    assert table.view(0).wire == other.view(0).wire
    assert len(table.state.deck) == 3
    table.answer({0: 3})
    assert table.asked == [(0, "keep")]
    assert table.view(0).pair == (0, 2)
    table.answer({0: 0})
    assert table.of("passed") == [(0, 1), (0, 2)]
    assert table.of("drew") == [(0, (3, 0)), (1, (0,))]
    assert table.state.hands[0] == (0, 3)
    assert table.state.public.discards == (1, 3, 1, 0)


def test_g34_timmy_heads_up_draws_one_pair_for_one_bid() -> None:
    table = heads_up_timmy("F0", [3, 1, 2, 2], rolls=[None, None])
    assert table.answer({0: 3}).of("paired") == [(0, (1, 3))]
    assert table.of("drew") == [(0, (3,)), (1, (2,))]


def test_g41_timmy_heads_up_is_asked_about_the_pair_that_differs_alone() -> None:
    first = heads_up_timmy("C0 U1", [2, 2, 3, 1, 0])
    assert first.view(0).pair == (1, 3)
    assert first.answer({0: 3}).of("drew") == [(0, (2, 3)), (1, (0,))]
    second = heads_up_timmy("C0 U1", [3, 1, 2, 2, 0]).answer({0: 1})
    assert second.of("drew") == [(0, (1, 2)), (1, (0,))]


def test_g34_timmy_knows_at_his_second_pair_what_he_kept_of_the_first() -> None:
    table = heads_up_timmy("C0 U1", [3, 1, 2, 0, 0]).answer({0: 3})
    assert table.view(0).hand == (3,)
    assert table.view(1).players[0].hand_size == 1
    lawyer = heads_up_timmy("G0 U1", [3, 1, 2, 2], control={LAWYER: 0})
    assert lawyer.view(0).hand == (4,)
    assert lawyer.view(1).players[0].specials == 1
