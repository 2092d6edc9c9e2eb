"""`--option` of the command line: what an organiser may choose, told by name and value."""

import pytest

from gangland_ladder.cli.options import option_words, options_of
from gangland_ladder.local.bots import NoSuchBot


def test_options_are_told_by_name_and_value_and_neither_spaces_nor_defaults_mean_anything() -> None:
    chosen = {"characters": "chosen", "cast": ["nancy", "timmy", "don"], "round_limit": 40}
    for given in (
        ["characters=chosen", "cast=nancy,timmy,don", "round_limit=40", "spent_favor=stack"],
        ["characters = chosen", "cast= nancy , timmy,don ", " round_limit=40"],
    ):
        assert options_of("gangster-dice", 3, given) == chosen
    assert options_of("gang-of-dice", 2, ["deck=box18"]) == {"deck": "box18"}
    assert options_of("gang-of-dice", 4, None) == {}


def test_options_are_shown_as_they_are_given() -> None:
    given = ["round_limit=40", "characters=chosen", "cast=nancy,don"]
    shown = option_words(options_of("gangster-dice", 2, given))
    assert shown == " --option round_limit=40 --option characters=chosen --option cast=nancy,don"
    assert options_of("gangster-dice", 2, shown.replace(" --option ", "\n").split()) == options_of(
        "gangster-dice", 2, given
    )


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (["deck"], "NAME=VALUE, not 'deck'"),
        (["stake=1"], "has no option 'stake'; it has investigator_colour"),
        (["characters=all"], "characters is one of 'none', 'dealt', 'chosen', not 'all'"),
        (["round_limit=0"], "round_limit is a whole number of 1 to 10000, not 0"),
        (["characters=chosen"], "comes with cast"),
        (["characters=chosen", "cast=nancy,don,liza"], "is for 3 seats, not for 2"),
        (["characters=chosen", "cast=nancy,nancy"], "no two alike: .'nancy', 'nancy'.;.*such as cast=nancy,bobby$"),
        (["characters=chosen", "cast=Timmy,nancy"], "no character 'Timmy';.*such as cast=nancy,bobby$"),
        (["characters=chosen", "cast=timmy"], "is for 1 seat"),
        (["characters=chosen"], "such as cast=nancy,bobby$"),
        (["round_limit=2", "round_limit=5"], "the option 'round_limit' is given twice"),
        (["=x"], "NAME=VALUE, not '=x'"),
        ([" =x"], "NAME=VALUE, not ' =x'"),
        ([""], "NAME=VALUE, not ''"),
    ],
)
def test_a_wrong_option_says_what_is_allowed(given: list[str], output: str) -> None:
    with pytest.raises(NoSuchBot, match=output):
        options_of("gangster-dice", 2, given)
