"""The examples in the engine's docstrings run as they stand."""

import doctest

from gangland import chance


def test_a_game_is_driven_as_the_docstring_of_chance_shows() -> None:
    tried = doctest.testmod(chance)
    assert tried.attempted > 4
    assert tried.failed == 0
