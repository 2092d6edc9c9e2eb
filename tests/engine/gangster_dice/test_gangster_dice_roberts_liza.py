"""The characters for whom the Investigator is not what it is for others: Roberts, Liza (ruling G34)."""

from typing import Any

import pytest
from tests.engine.gangster_dice.table import BLUE, INVESTIGATOR, LAWYER, RED, SPEAKEASY, STREETS, TWO_EACH, WHITE, Table

from gangland.faults import IllegalDecision
from gangland.game import EndReason, Outcome
from gangland.gangster_dice.rules import GAME

# Roberts


def roberts(*bids: str, key: str = "roberts", dice: Any = (1, 1, 0), **more: Any) -> Table:
    """Seat 0 is Roberts with a hand of 0 to 4 but for what he plays, and holds the loaded Investigator."""
    control = {INVESTIGATOR: 0} | more.pop("control", {})
    hands = [(0, 1, 2, 3, 3), (0, 1, 2), (0, 1, 2)]
    more = {"rolls": [TWO_EACH] * 3, "hands": hands, "deck": [1] * 9, **more}
    table = Table(3, cast=[key, "don", "eddie"], control=control, dice={INVESTIGATOR: dice}, **more)
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


def test_g34_roberts_hand_stays_smaller_for_the_rest_of_the_game() -> None:
    table = roberts().answer({0: 1})
    for limit, bids in ((4, ("F0", "F2", "F2")), (3, ("U1", "", ""))):
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


def test_g34_others_take_a_die() -> None:
    assert roberts(key="liza").asked == [(0, "take")]


def test_g34_roberts_may_discard_once_a_round_and_again_in_the_next() -> None:
    table = roberts().answer({0: 1})
    assert [kind for _, kind in table.asked] == ["bids"] * 3
    table.bid("F0", "F2", "F2")
    assert table.answer({0: None}).asked == [(0, "take")]


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


def test_g34_liza_with_fewer_than_two_dice_is_not_offered_to_place_two() -> None:
    table = liza((0, 1, 0))
    assert table.choices(0) == [WHITE, RED, BLUE]
    assert table.view(0).placeable == 0


def test_g34_others_name_a_colour() -> None:
    table = liza(key="silvio")
    assert table.choices(0) == [WHITE, RED, BLUE]
    assert table.view(0).placeable == 0
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, (1, 1, 0))


def test_g34_liza_places_none_when_she_holds_the_investigator_or_nobody_does() -> None:
    assert {kind for _, kind in liza(holder=0).asked} == {"bids"}
    table = Table(3, cast=["liza", "don", "eddie"]).bid("F2", "F0", "F0")
    assert {kind for _, kind in table.asked} == {"bids"}


def liza_heads_up(bid: str, roll: str, stash: Any, *answers: Any, **more: Any) -> Table:
    """Liza controls Speakeasy and Streets, and wins the Investigator from seat 1 with another of them."""
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
