"""Who sits where, and the characters that are asked nothing: Bobby, Eddie, Silvio, Don (ruling G34)."""

from typing import Any

import pytest
from tests.engine.gangster_dice.table import TWO_EACH, ChosenChance, Table, random_game
from tests.engine.gangster_dice.tokens import INVESTIGATOR, LAWYER, SPEAKEASY, STREETS

from gangland.chance import SeededChance
from gangland.gangster_dice.characters import HOUSE_SET
from gangland.gangster_dice.rules import GAME

KEYS = ["nancy", "bobby", "eddie", "franky", "roberts", "silvio", "timmy", "don", "liza"]
ASKED_ALONE = {"reroll": "franky", "swap": "nancy", "keep": "timmy", "discard": "roberts"}
EACH = pytest.mark.parametrize("key", KEYS)


def with_others(key: str, seats: int = 3) -> list[str]:
    return [key, *[other for other in ("eddie", "silvio", "bobby") if other != key][: seats - 1]]


def seated(options: dict[str, object], seed: int, seats: int = 4) -> list[str | None]:
    state, _ = GAME.start(seats, GAME.options(options), SeededChance(bytes([seed]) * 32))
    return [player.character.key if player.character else None for player in GAME.observe(state, 0).players]


def test_g34_without_the_option_nobody_has_a_character_and_hands_are_of_three() -> None:
    state, events = GAME.start(4, GAME.options({}), SeededChance(bytes(32)))
    view = GAME.observe(state, 2)
    assert view.character is None
    assert [player.character for player in view.players] == [None] * 4
    assert [player.hand_limit for player in view.players] == [3] * 4
    assert [event for event in events if event[0] == "seated"] == []


def test_g34_characters_are_dealt_off_the_front_of_their_own_shuffle_in_seat_order() -> None:
    chance = ChosenChance([3, 3, 3, 3, 2, 2, 0, 1, 1], characters=[8, 0, 3])
    state, events = GAME.start(3, GAME.options({"characters": "dealt"}), chance)
    assert chance.shuffled[0] == ("characters", 0, tuple(range(9)))
    assert events[:3] == (("seated", 0, "liza"), ("seated", 1, "nancy"), ("seated", 2, "franky"))
    assert state.hands == ((3, 3, 3, 3), (2, 2), (0, 1, 1))
    assert GAME.observe(state, 1).character == HOUSE_SET[0]
    assert [each.character for each in GAME.observe(state, 1).players] == [HOUSE_SET[number] for number in (8, 0, 3)]


def test_g34_the_seed_deals_any_of_the_nine_and_no_two_alike() -> None:
    deals = [seated({"characters": "dealt"}, seed) for seed in range(40)]
    assert all(len(set(deal)) == 4 for deal in deals)
    assert {key for deal in deals for key in deal} == set(KEYS)
    assert deals[:5] == [seated({"characters": "dealt"}, seed) for seed in range(5)]
    assert seated({"characters": "dealt"}, 7)[:2] == seated({"characters": "dealt"}, 7, seats=2)


def test_g34_the_organizer_chooses_who_sits_where() -> None:
    cast = ["don", "timmy", "liza", "roberts"]
    for seed in range(3):
        assert seated({"characters": "chosen", "cast": cast}, seed) == cast


def test_g34_the_characters_stand_in_the_order_of_the_table_with_their_printed_names_and_hands() -> None:
    assert [(character.key, character.name, character.hand_limit) for character in HOUSE_SET] == [
        ("nancy", "Nancy Hughs", 2), ("bobby", "Bobby Washington", 3), ("eddie", "Eddie Vandenburg", 3),
        ("franky", "Franky", 3), ("roberts", "Roberts", 5), ("silvio", "Silvio", 2), ("timmy", "Timmy Green", 2),
        ("don", "Don Ciaperinelli", 3), ("liza", "Liza Bruno", 4),
    ]  # fmt: skip


@EACH
def test_g34_each_begins_with_its_own_hand_and_draws_back_up_to_it(key: str) -> None:
    hand = {character.key: character.hand_limit for character in HOUSE_SET}[key]
    for seats in (2, 3):
        for state, _ in random_game(seats, seed=3, characters="chosen", cast=with_others(key, seats)):
            bidding = state.questions and state.questions[0].kind == "bids"
            if bidding and (key != "roberts" or state.opening.round == 1):
                assert len(state.hands[0]) == state.public.hand_limits[0] == hand


ALLOWED = "cast is a list of characters, a different one for each seat, from nancy, bobby, eddie, franky, roberts"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"characters": "all"}, "characters must be one of 'none', 'dealt', 'chosen', not 'all'"),
        ({"characters": None}, "characters must be one of"),
        ({"characters": ["dealt"]}, "characters must be one of"),
        ({"characters": "chosen", "cast": ["nancy", "al", "don"]}, rf"^unknown character 'al'; {ALLOWED}"),
        (
            {"characters": "chosen", "cast": ["nancy", "don", "nancy"]},
            rf"^a character appears twice: \['nancy', .*; {ALLOWED}",
        ),
        ({"characters": "chosen", "cast": "don"}, f"^not a list: 'don'; {ALLOWED}.*, such as cast=nancy,bobby$"),
        ({"characters": "chosen", "cast": {"nancy": 0, "don": 1}}, ALLOWED),
        ({"characters": "chosen", "cast": ["nancy", 7]}, ALLOWED),
        ({"characters": "chosen", "cast": ["nancy", ["don"]]}, ALLOWED),
        ({"characters": "chosen", "cast": None}, ALLOWED),
        ({"characters": "chosen"}, "'chosen' needs cast.*got characters='chosen' and cast="),
        ({"characters": "chosen", "cast": []}, "'chosen' needs cast"),
        ({"characters": "dealt", "cast": ["nancy", "don"]}, "'chosen' needs cast.*cast needs characters="),
        ({"cast": ["nancy", "don"]}, "'chosen' needs cast.*got characters='none' and cast=.'nancy', 'don'."),
    ],
)
def test_g34_what_is_no_cast_is_refused_with_what_is_allowed(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.options(given)


@pytest.mark.parametrize("seats", [2, 4])
def test_g34_a_cast_is_for_exactly_as_many_seats(seats: int) -> None:
    options = GAME.options({"characters": "chosen", "cast": ["nancy", "don", "liza"]})
    message = rf"^the cast \['nancy', 'don', 'liza'\] is for 3 seats, not for {seats}$"
    with pytest.raises(ValueError, match=message):
        GAME.start(seats, options, SeededChance(bytes(32)))


@pytest.mark.parametrize("given", [{"characters": "dealt"}, {"characters": "chosen", "cast": ["liza", "don"]}])
def test_g34_the_options_of_characters_are_recorded_and_read_again(given: dict[str, object]) -> None:
    recorded = GAME.options_dict(GAME.options(given))
    assert recorded == given
    assert GAME.options(recorded) == GAME.options(given)
    assert GAME.options({**given, "cast": tuple(given.get("cast", ()))}) == GAME.options(given)  # type: ignore[arg-type]


def test_g34_a_question_of_a_character_is_asked_of_that_character_alone() -> None:
    requested: dict[str, set[str | None]] = {kind: set() for kind in ASKED_ALONE}
    for seed in range(60):
        for state, _ in random_game(2 + seed % 3, seed, characters="dealt"):
            for question in state.questions:
                character = GAME.observe(state, question.seat).character
                if question.kind in requested:
                    requested[question.kind].add(character.key if character else None)
    assert requested == {kind: {key} for kind, key in ASKED_ALONE.items()}


# Bobby and Don


def scored(key: str, bid: str, **more: Any) -> int:
    table = Table(3, cast=with_others(key), rolls=[TWO_EACH], hands=[(0, 1), (0, 1), (0, 1)], **more)
    strength = table.view(0).strength("GCUF".index(bid[0]))
    table.bid(bid, "F0", "F0")
    ((_, _, score),) = table.of("revealed")[0][1]
    assert strength == score - int(bid[1])
    return int(score)


@EACH
def test_g34_only_bobby_scores_one_more_on_streets_that_he_does_not_control(key: str) -> None:
    more = 1 if key == "bobby" else 0
    assert scored(key, "U1") == 3 + more
    assert scored(key, "U1", control={STREETS: 1}, dice={STREETS: (1, 1, 0)}) == 3 + more
    assert scored(key, "G1") == scored(key, "C1") == 3


def test_g34_bobby_scores_no_more_on_streets_that_he_controls() -> None:
    assert scored("bobby", "U1", control={STREETS: 0}) == 3
    assert scored("bobby", "U1", control={STREETS: 0}, dice={STREETS: (0, 2, 0)}) == 5


@EACH
@pytest.mark.parametrize(("bid", "token"), [("G1", LAWYER), ("C1", SPEAKEASY), ("U1", STREETS)])
def test_g34_only_don_scores_one_more_on_a_token_that_he_controls(key: str, bid: str, token: int) -> None:
    assert scored(key, bid, control={token: 0}) == (4 if key == "don" else 3)


def test_g34_don_scores_one_more_on_the_investigator_in_front_of_him() -> None:
    for holder, score in ((0, 8), (1, 7)):
        table = Table(3, cast=with_others("don"), control={INVESTIGATOR: holder}, hands=[(0, 1)] * 3)
        table.bid("F1", "F0", "F0")
        assert table.of("revealed")[0] == (0, ((INVESTIGATOR, 1, score),))


def test_g34_don_scores_no_more_on_tokens_of_others_and_of_nobody() -> None:
    assert scored("don", "G1", control={STREETS: 0, SPEAKEASY: 0, LAWYER: 1}) == 3
    assert scored("don", "C1") == 3


def test_g34_don_has_his_bonus_beside_that_of_the_streets_and_on_both_bids_heads_up() -> None:
    assert scored("don", "U1", control={STREETS: 0}, dice={STREETS: (2, 0, 0)}) == 6
    table = Table(2, cast=["don", "bobby"], rolls=[TWO_EACH] * 2, control={STREETS: 0, LAWYER: 0})
    table.bid("G0 U1", "C0 U1")
    assert table.of("revealed") == [(0, ((LAWYER, 0, 3), (STREETS, 1, 4))), (1, ((SPEAKEASY, 0, 2), (STREETS, 1, 4)))]


def test_g34_a_bonus_is_part_of_the_score_before_ties() -> None:
    behind = Table(3, cast=["bobby", "don", "eddie"], rolls=[TWO_EACH] * 3, control={LAWYER: 1}).bid("U0", "G0", "U1")
    assert behind.of("tied") == [(STREETS, (0, 2), 3)]
    ahead = Table(3, cast=["bobby", "don", "eddie"], rolls=[TWO_EACH] * 3, control={LAWYER: 1}).bid("U0", "G0", "G0")
    assert ahead.of("won") == [(LAWYER, 1, 3, ()), (STREETS, 0, 3, ())]


# Eddie


@EACH
@pytest.mark.parametrize("owner", [None, 1])
def test_g34_only_eddie_takes_the_plus_four_at_a_lawyer_that_he_did_not_control(key: str, owner: int | None) -> None:
    control = {} if owner is None else {LAWYER: owner}
    table = Table(3, cast=with_others(key), rolls=[TWO_EACH], control=control, deck=[3] * 6).bid("G2", "F0", "F0")
    assert table.of("special") == ([(0,)] if key == "eddie" else [])
    if key == "eddie":
        assert table.of("drew")[0] == (0, (4,))
        assert table.state.public.specials == 5
        assert table.view(1).players[0].specials == 1


def test_g34_eddie_takes_the_plus_four_at_a_lawyer_that_he_controls_too() -> None:
    table = Table(3, cast=["eddie", "bobby", "don"], rolls=[TWO_EACH], control={LAWYER: 0}).bid("G2", "F0", "F0")
    assert table.of("special") == [(0,)]


def test_g34_eddie_draws_a_normal_card_where_he_does_not_win_or_the_stack_is_empty() -> None:
    cast = ["eddie", "bobby", "don"]
    empty = Table(3, cast=cast, rolls=[TWO_EACH], specials=0, deck=[3, 2, 1]).bid("G2", "F0", "F0")
    assert empty.of("drew")[0] == (0, (3,))
    beaten = Table(3, cast=cast, rolls=[TWO_EACH] * 2, control={LAWYER: 0}, deck=[3, 2, 1]).bid("G0", "G2", "F0")
    assert beaten.of("special") == []
    elsewhere = Table(3, cast=cast, rolls=[TWO_EACH] * 2, control={LAWYER: 0}, deck=[3, 2, 1]).bid("C0", "U2", "F0")
    assert elsewhere.of("special") == []


def test_g34_eddie_heads_up_takes_the_plus_four_first_and_then_a_normal_card() -> None:
    table = Table(2, cast=["eddie", "don"], rolls=[TWO_EACH, None], deck=[3, 2, 1]).bid("G2 U0", "F0")
    assert table.of("drew") == [(0, (4, 3)), (1, (2,))]


# Silvio


def tie(*bids: str, streets: int | None = None, cast: Any = ("silvio", "eddie", "liza", "timmy")) -> Table:
    control = {} if streets is None else {STREETS: streets}
    return Table(4, cast=cast, rolls=[TWO_EACH] * 4, control=control, hands=[(0, 1, 1)] * 4).bid(*bids)


@pytest.mark.parametrize(
    ("streets", "third", "won"),
    [
        (None, "C0", (0, 3, (1,))),
        (3, "C0", (0, 3, (1,))),
        (3, "G1", (0, 3, (1, 2))),
        (0, "C0", (0, 3, (1,))),
        (1, "C0", (1, 3, (0,))),
        (2, "G1", (2, 3, (0, 1))),
    ],
)
def test_g34_silvio_wins_a_tie_in_which_he_is_unless_another_controls_the_streets_and_is_in_it(
    streets: int | None, third: str, won: tuple[object, ...]
) -> None:
    table = tie("G1", "G1", third, "U0", streets=streets)
    assert (LAWYER, *won) in table.of("won")
    assert table.state.control[LAWYER] == won[0]


def test_g34_silvio_gains_nothing_by_a_tie_in_which_he_is_not_or_is_behind() -> None:
    assert tie("C0", "G1", "G1", "U0").of("tied") == [(LAWYER, (1, 2), 3)]
    assert tie("G0", "G1", "G1", "U0").of("tied") == [(LAWYER, (1, 2), 3)]


@EACH
def test_g34_nobody_but_silvio_wins_a_tie_without_the_streets(key: str) -> None:
    others = [other for other in ("eddie", "bobby", "don", "liza") if other != key][:3]
    table = tie("G1", "G1", "C0", "U0", cast=[key, *others])
    assert table.of("tied") == ([] if key == "silvio" else [(LAWYER, (0, 1), 3)])
