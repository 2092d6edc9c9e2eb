"""What people read: the answers that are allowed, and events as sentences."""

from typing import Any

import pytest
from tests.engine.gangster_dice.table import TWO_EACH, Table
from tests.engine.gangster_dice.tokens import INVESTIGATOR, LAWYER, SPEAKEASY, STREETS

from gangland.faults import IllegalDecision
from gangland.gangster_dice.rules import GAME

LOADED: dict[str, Any] = {"control": {INVESTIGATOR: 0}, "dice": {INVESTIGATOR: (1, 0, 2)}}


def at(kind: str) -> Table:
    others = ["F0", "F0"]
    if kind == "reroll":
        return Table(3, cast=["franky", "don", "eddie"], rolls=["GG/UU/C"], stashes=[(2, 2, 1), *[(2, 2, 2)] * 2])
    if kind == "swap":
        return Table(3, cast=["nancy", "don", "eddie"], rolls=[TWO_EACH], dice={SPEAKEASY: (0, 0, 1)}).bid(
            "G2", *others
        )
    if kind == "keep":
        return Table(3, cast=["timmy", "don", "eddie"], deck=[3, 1, 2, 2]).bid("F0", *others)
    if kind == "discard":
        return Table(3, cast=["roberts", "don", "eddie"], hands=[(0, 3, 3), (0, 0), (0, 0)], **LOADED).bid("F0", "", "")
    if kind == "take":
        return Table(3, **LOADED).bid("F0", *others)
    if kind == "dump":
        rolls = ["FF//F", TWO_EACH, TWO_EACH]
        stashes = [(2, 0, 1), *[(2, 2, 2)] * 2]
        table = Table(3, cast=["liza", "don", "eddie"], rolls=rolls, stashes=stashes, control={INVESTIGATOR: 1})
        return table.bid("F2", "G0", "C0")
    control = {SPEAKEASY: 0, STREETS: 0, LAWYER: 0}
    return Table(3, rolls=[TWO_EACH], control=control).bid("C2" if kind == "exchange" else "U2", *others)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (
            "exchange",
            (
                "You have 2 white, 2 red, 2 blue; the Speakeasy has 1 white, 1 red, 1 blue. Allowed: "
                "(given, taken), each three counts (white, red, blue), the same number of dice on both sides, 0 to 3."
            ),
        ),
        ("stake", "You may still give 2 white, 2 red, 2 blue. Allowed: None, 0 (white), 1 (red), 2 (blue)."),
        (
            "dump",
            (
                "You may still give 2 white, 0 red, 1 blue. Allowed: 0 (white), 1 (red), 2 (blue), "
                "(1, 0, 1) (1 white, 0 red, 1 blue), (2, 0, 0) (2 white, 0 red, 0 blue)."
            ),
        ),
        ("take", "The Investigator has 1 white, 0 red, 2 blue. Allowed: 0 (white), 2 (blue)."),
        (
            "reroll",
            (
                "You may reroll one of your dice: (color, token shown). "
                "Allowed: None, (0, 0) (white gavel), (1, 2) (red gun), (2, 1) (blue cocktail)."
            ),
        ),
        (
            "swap",
            (
                "You may swap one of 2 white, 2 red, 2 blue for one of 0 white, 0 red, 1 blue on the Speakeasy: "
                "(color given, color taken). Allowed: None, (0, 2), (1, 2), (2, 2)."
            ),
        ),
        ("keep", "You drew the favors [1, 3] and keep one. Allowed: 1, 3."),
        ("discard", ("You may discard one of your favors [1, 3, 3] instead of taking a die. Allowed: None, 1, 3.")),
    ],
)
def test_what_is_allowed_is_said_in_full(kind: str, words: str) -> None:
    table = at(kind)
    assert table.asked[0] == (0, kind)
    assert GAME.legal(table.state, 0) == words
    with pytest.raises(IllegalDecision) as refused:
        GAME.check(table.state, 0, "x")
    assert str(refused.value) == f"'x' is not legal. {words}"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (("dealt", 0, (0, 3, 3)), "Ann is dealt the favors 0, 3 and 3."),
        (("rolled", 1, ((0, 3), (), (1,))), "Bob rolls white gavel, finger; blue cocktail."),
        (("revealed", 0, ((2, 4, 6),)), "Ann bids on the Streets with a +4, scoring 6."),
        (("won", 0, 1, 5, ()), "Bob wins the Lawyer with 5."),
        (("won", 1, 1, 5, (0, 2)), "Bob ties with Ann and Cas at 5, has the last word and wins the Speakeasy."),
        (("tied", 3, (0, 2), 4), "Ann and Cas tie for the Investigator at 4: nobody wins it."),
        (("took", 2, 0, 1), "Ann takes the Streets from Bob."),
        (("moved", None, 2), "The Investigator turns up at Cas's door."),
        (
            ("exchanged", 0, (2, 1, 0), (0, 0, 3)),
            "Ann gives 2 white dice and 1 red die to the Speakeasy for 3 blue dice.",
        ),
        (("dumped", 1, 2, 2), "Bob pins 2 blue dice on the Investigator."),
        (("dumped", 1, 2, 0), "Bob names blue and pins nothing on the Investigator."),
        (("dumped", 1, None, 0), "Bob has no die to pin on the Investigator."),
        (("emptied", (0, 1)), "Ann and Bob have no dice left."),
    ],
)
def test_sentences_read_well(event: tuple[Any, ...], sentence: str) -> None:
    assert GAME.sentence(event, ("Ann", "Bob", "Cas")) == sentence
