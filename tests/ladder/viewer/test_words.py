"""Decisions of the games in words."""

import pytest

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.viewer.games import decision_in_words, presentation_of


@pytest.mark.parametrize(
    ("kind", "decision", "words"),
    [
        ("bids", ((0, 4), (1, 2)), "bids the favor +4 on the Lawyer and the favor 2 on the Speakeasy"),
        ("keep", 4, "keeps the favor +4"),
        ("discard", 4, "discards the favor +4"),
        ("discard", 0, "discards the favor 0"),
        ("dump", 2, "names blue for the Investigator"),
        ("dump", (1, 1, 0), "puts 1 white and 1 red on the Investigator"),
    ],
)
def test_a_decision_says_what_was_chosen_and_calls_a_special_favor_as_the_card_does(
    kind: str, decision: object, words: str
) -> None:
    assert decision_in_words("gangster-dice", kind, decision) == words


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_script_knows_whether_more_is_better(game: str) -> None:
    assert presentation_of(game).words()["more"] is game_named(game).unit.more
