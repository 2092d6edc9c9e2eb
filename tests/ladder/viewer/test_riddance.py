"""What won games of Gangster Dice, against what a person reads in their event logs."""

import pytest
from tests.golden.store import stored

from gangland_ladder.viewer.film import film_of
from gangland_ladder.viewer.turning import turning_points

NAMES = ("Ada", "Bo", "Cy", "Di")

# Written by hand from the logs of the games: the way of each winner's dice, and how its last ones went.
READ = {
    "a5de6880": [
        "Ada's last dice went in round 22: 2 white on the Investigator, won with 10 against 3 of Bo.",
        (
            "Ada left 6 dice on the Investigator (rounds 3, 4 and 22) and 3 dice on the Streets (rounds 8, 16 and 19), "
            "and took 3 dice in (rounds 6, 17 and 18)."
        ),
    ],
    "c946558d": [
        "Ada's last die went in round 9: 1 blue on the Investigator, won with 7 in a tie with Bo.",
        (
            "Ada left 6 dice on the Investigator (rounds 3, 4, 8 and 9) and 1 die on the Streets (round 3), "
            "and took 1 die in (round 5)."
        ),
    ],
    "7cc358c8": [
        (
            "Ada's last dice went in round 8: 1 blue on the Streets, won with 6 unopposed; "
            "3 white on the Investigator, won with 4 unopposed."
        ),
        "Ada left 3 dice on the Investigator (round 8) and 3 dice on the Streets (rounds 6, 7 and 8).",
    ],
    "27e97155": [
        "Cy's last dice went in round 10: 2 red on the Investigator, won with 3 unopposed.",
        "Cy left 6 dice on the Investigator (rounds 4, 7 and 10).",
    ],
    "582e6c6c": [
        "Bo's last die went in round 12: 1 blue on the Investigator, won with 4 unopposed.",
        "Bo left 5 dice on the Investigator (rounds 6, 7 and 12) and 1 die on the Streets (round 10).",
    ],
    "e1d085bf": [  # the last round allowed: one die was left
        "Bo left 8 dice on the Investigator (rounds 44, 58, 97 and 98), and took 3 dice in (rounds 45, 47 and 63).",
    ],
    "8906e901": ["Ada left 4 dice on the Investigator (rounds 2 and 3)."],
    "3b23a9d3": [  # two winners
        "Ada's last die went in round 10: 1 red on the Streets, won with 5 unopposed.",
        "Ada left 2 dice on the Investigator (round 8) and 4 dice on the Streets (rounds 4, 5, 7 and 10).",
        "Bo's last dice went in round 10: 2 blue on the Investigator, won with 4 unopposed.",
        "Bo left 7 dice on the Investigator (rounds 4, 6 and 10), and took 1 die in (round 2).",
    ],
    "d212ba28": [
        "Ada's last dice went in round 5: 2 blue on the Investigator, won with 4 in a tie with Cy.",
        "Ada left 4 dice on the Investigator (rounds 4 and 5) and 2 dice on the Streets (rounds 2 and 3).",
    ],
    "62c9e03e": [
        "Ada's last die went in round 39: 1 red on the Streets, won with 10 against 4 of Bo.",
        "Ada left 3 dice on the Investigator (rounds 7 and 17) and 3 dice on the Streets (rounds 8, 9 and 39).",
        "Cy's last dice went in round 39: 2 white on the Investigator, won with 3 unopposed.",
        (
            "Cy left 7 dice on the Investigator (rounds 14, 21, 37 and 39) and 1 die on the Streets (round 4), "
            "and took 2 dice in (rounds 8 and 17)."
        ),
    ],
    "f8994e72": [  # Liza picks two dice of any colours
        "Ada's last dice went in round 47: 1 white and 1 blue on the Investigator, won with 12 unopposed.",
        (
            "Ada left 10 dice on the Investigator (rounds 14, 21, 28 and 47) and 3 dice on the Streets "
            "(rounds 18, 22 and 23), and took 7 dice in (rounds 7, 9, 15, 17, 23, 25 and 32)."
        ),
    ],
    "5e5a4097": [
        "Ada's last die went in round 34: 1 blue on the Streets, won with 6 against 2 of Cy.",
        "Ada left 3 dice on the Investigator (rounds 6, 10 and 33) and 3 dice on the Streets (rounds 4, 9 and 34).",
    ],
    "23ead3ba": [],  # the other seat's fault won it, no dice
}
REPLAYS = {replay.digest[:8]: replay for replay in stored("gangster-dice")}


@pytest.mark.parametrize("digest", READ)
def test_why_names_when_and_how_the_winners_got_rid_of_their_dice(digest: str) -> None:
    film = film_of(REPLAYS[digest], NAMES[: REPLAYS[digest].seats])
    points = [point for point in turning_points(film) if " left " in point.text or "'s last " in point.text]
    assert [point.text for point in points] == READ[digest]
    for point in points:
        if "'s last " in point.text:
            assert film.stops[film.index_of(point.at)].round == film.rounds
