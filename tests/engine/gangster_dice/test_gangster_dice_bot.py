"""The bot's base class: what it understands, and what it does unless told otherwise."""

from random import Random
from typing import Any

import pytest
from tests.engine.gangster_dice.table import Table, random_game
from tests.engine.gangster_dice.tokens import INVESTIGATOR, SPEAKEASY

from gangland.bot import DecisionRequest
from gangland.gangster_dice import NO_EXCHANGE, Bid, Bot, Colour, Die, Exchange, Token, rules


class Plain(Bot):
    def choose_bids(self, view: Any) -> list[Bid]:
        tokens = sorted(view.legal_tokens, key=view.strength, reverse=True)
        favors = sorted(view.hand, reverse=True)
        return [Bid(token, favor) for token, favor in zip(tokens[: view.bids_required], favors, strict=False)]


@pytest.mark.parametrize(
    ("kind", "answer", "plain"),
    [
        ("bids", [Bid(Token.STREETS, 3)], [[2, 3]]), ("bids", Bid(Token.STREETS, 3), [[2, 3]]),
        ("bids", ((Token.LAWYER, 0), [1, 2]), [[0, 0], [1, 2]]), ("bids", [], []),
        ("exchange", None, [[0, 0, 0], [0, 0, 0]]), ("exchange", NO_EXCHANGE, [[0, 0, 0], [0, 0, 0]]),
        ("exchange", Exchange.of([Colour.RED, 0], [Colour.BLUE] * 2), [[1, 1, 0], [0, 0, 2]]),
        ("exchange", [(1, 0, 0), [0, 1, 0]], [[1, 0, 0], [0, 1, 0]]), ("stake", Colour.BLUE, 2),
        ("stake", None, None), ("dump", 7, 7), ("take", Colour.WHITE, 0), ("take", None, None),
        ("dump", (1, 0, 1), [1, 0, 1]), ("reroll", Die(Colour.RED, Token.STREETS), [1, 2]), ("reroll", None, None),
        ("swap", (Colour.BLUE, Colour.BLUE), [2, 2]), ("swap", None, None), ("keep", 3, 3), ("discard", 0, 0),
        ("discard", None, None),
    ],
)  # fmt: skip
def test_answers_become_plain_values(kind: str, answer: object, plain: object) -> None:
    encoded = Bot.encode(kind, answer)
    assert encoded == plain
    assert "Colour" not in repr(encoded)
    assert "Token" not in repr(encoded)


@pytest.mark.parametrize(
    ("kind", "answer", "expected"),
    [
        ("bids", None, r"expected a list of pairs \(token, favor\), got None"),
        ("bids", [3], r"expected a list of pairs \(token, favor\), got \[3\]"),
        ("bids", [(Token.LAWYER, True)], "expected a list of pairs"),
        ("bids", [("Lawyer", 1)], "expected a list of pairs"), ("bids", [(0, 1.0)], "expected a list of pairs"),
        ("bids", {0: 1}, "expected a list of pairs"), ("exchange", [1, 2], r"expected None or \(given, taken\)"),
        ("exchange", [[1, 0], [0, 1]], r"three counts \(white, red, blue\)"), ("exchange", False, "expected None or"),
        ("stake", "white", r"expected None or a color \(0 to 2\), got 'white'"),
        ("dump", None, r"expected a color \(0 to 2\) or three counts .*, got None"),
        ("dump", True, r"expected a color \(0 to 2\) or three counts .*, got True"),
        ("take", [0], "expected None or a color"),
        ("dump", [1, 2], r"three counts \(white, red, blue\), got \[1, 2\]"),
        ("reroll", 1, r"expected None or \(color, token shown\), got 1"),
        ("reroll", [1, None], "expected None or .color, token"),
        ("swap", [1], r"expected None or \(color given, color taken\), got \[1\]"),
        ("keep", None, "expected one favor of the pair, got None"),
        ("discard", "none", "expected None or a favor, got 'none'"), ("juggle", 1, "no decision of kind 'juggle'"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_a_type_error_in_words(kind: str, answer: object, expected: str) -> None:
    with pytest.raises(TypeError, match=expected):
        Bot.encode(kind, answer)


def test_a_long_answer_is_cut_in_the_message() -> None:
    with pytest.raises(TypeError) as refused:
        Bot.encode("bids", ["x" * 1000])
    assert len(str(refused.value)) < 200


DEALT: dict[str, Any] = {"characters": "dealt"}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"investigator_colour": "held", "win_check": "win_first"}, DEALT])
def test_a_bot_that_only_bids_answers_every_other_question_legally(seats: int, options: dict[str, Any]) -> None:
    bot = Plain()
    bot.rng = Random(1)
    requested = set()
    for seed in range(25):
        for state, _ in random_game(seats, seed, **options):
            for question in rules.GAME.pending(state):
                view = rules.GAME.observe(state, question.seat)
                answer = Bot.encode(question.kind, bot.act(DecisionRequest(question.kind, view)))
                assert rules.GAME.check(state, question.seat, answer) in rules.GAME.choices(state, question.seat)
                requested.add(question.kind)
    assert requested == (set(Bot.kinds) if options is DEALT else {"bids", "exchange", "stake", "dump", "take"})


def test_a_bot_without_bids_is_told_what_is_missing() -> None:
    class Empty(Bot):
        pass

    state = next(random_game(2, 0))[0]
    with pytest.raises(NotImplementedError, match=r"Empty has to define choose_bids\(self, view\)"):
        Empty().act(DecisionRequest("bids", rules.GAME.observe(state, 0)))


def test_the_default_exchange_gathers_one_colour() -> None:
    class Found:
        dice = (3, 1, 0)
        speakeasy = type("Speakeasy", (), {"dice": (2, 0, 1)})

    assert Plain().choose_exchange(Found()) == ((0, 1, 0), (1, 0, 0))  # type: ignore[arg-type]


def unless_defined(table: Table, kind: str) -> object:
    assert table.asked[0] == (0, kind)
    return Plain().act(DecisionRequest(kind, table.view(0)))


@pytest.mark.parametrize(
    ("roll", "answer"), [("GG/UU/CF", Die(Colour.BLUE, Token.SPEAKEASY)), ("FF/FF/FG", (2, 0)), ("FF/FF/FF", None)]
)
def test_by_default_a_die_of_the_rarest_symbol_is_rolled_again_unless_all_are_alike(roll: str, answer: object) -> None:
    assert unless_defined(Table(3, cast=["franky", "don", "eddie"], rolls=[roll]), "reroll") == answer


@pytest.mark.parametrize(
    ("lying", "answer"), [((1, 1, 1), (Colour.RED, Colour.BLUE)), ((1, 0, 0), (1, 0)), ((0, 1, 0), None)]
)
def test_by_default_a_swap_goes_from_the_rarest_colour_to_a_more_frequent_one(lying: Any, answer: object) -> None:
    stashes = [(2, 1, 3), (2, 2, 2), (2, 2, 2)]
    table = Table(3, cast=["nancy", "don", "eddie"], stashes=stashes, rolls=["GG/U/CCC"], dice={SPEAKEASY: lying})
    assert unless_defined(table.bid("G2", "F0", "F0"), "swap") == answer


def test_by_default_the_higher_favor_is_kept_and_none_is_discarded() -> None:
    timmy = Table(3, cast=["timmy", "don", "eddie"], deck=[3, 1, 2, 2]).bid("F0", "F0", "F0")
    assert unless_defined(timmy, "keep") == 3
    held: dict[str, Any] = {"control": {INVESTIGATOR: 0}, "dice": {INVESTIGATOR: (1, 1, 1)}}
    roberts = Table(3, cast=["roberts", "don", "eddie"], **held).bid("F0", "F0", "F0")
    assert unless_defined(roberts, "discard") is None


def test_by_default_liza_names_the_colour_that_she_has_most_of() -> None:
    stashes = [(1, 3, 2), (2, 2, 2), (2, 2, 2)]
    rolls = [None, "GG/UU/CC", "GG/UU/CC"]
    table = Table(3, cast=["liza", "don", "eddie"], stashes=stashes, rolls=rolls, control={INVESTIGATOR: 1})
    assert unless_defined(table.bid("F2", "G0", "C0"), "dump") == Colour.RED
