"""The house bots of each game: legal, repeatable, and in the order of their names."""

from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest
from tests.kits.house_bots_kit import GANG_OF_DICE, GANGSTER_DICE, House

THIRD = {GANG_OF_DICE: "closing_gang", GANGSTER_DICE: "hoarding_gang"}
SIMPLER = [
    *((house, "cautious_gang") for house in THIRD),
    *(
        pytest.param(house, name, marks=pytest.mark.long("the other two styles"))
        for house, third in THIRD.items()
        for name in ("bold_gang", third)
    ),
]
OPTIONS: dict[House, tuple[dict[str, str], ...]] = {
    GANG_OF_DICE: ({},),
    GANGSTER_DICE: (
        {},
        {"investigator_colour": "held", "win_check": "win_first", "spent_favor": "out"},
        {"spent_favor": "discards"},
    ),
}
ALLOWED_IMPORTS = {"base64", "gangland", "collections", "functools", "itertools", "math", "operator", "struct"}
of_each_game = pytest.mark.parametrize("house", THIRD, ids=lambda house: house.package)


def names_of(house: House) -> list[str]:
    solving = ["solving_gang"] if house is GANGSTER_DICE else []
    return ["random_gang", "cautious_gang", "bold_gang", THIRD[house], "sensible_gang", *solving, "boss_gang"]


@pytest.mark.parametrize(
    ("house", "name"),
    [(house, name) for house in THIRD for name in (*names_of(house), "searching_gang")],
    ids=lambda value: getattr(value, "package", value),
)
def test_each_house_bot_is_one_file_with_one_documented_class(house: House, name: str, root: Path) -> None:
    (bot_class,) = house.bot_classes(name)
    module = import_module(f"gangland_bots.{house.package}.{name}")
    assert bot_class.__doc__
    assert "Teaches:" in (module.__doc__ or "")
    source = (root / "bots/gangland_bots" / house.package / f"{name}.py").read_text()
    imported = {line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= ALLOWED_IMPORTS


@of_each_game
def test_every_house_bot_is_tested_here(house: House, root: Path) -> None:
    folder = root / "bots/gangland_bots" / house.package
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == {*names_of(house), "searching_gang"}


@of_each_game
@pytest.mark.parametrize(
    ("seats", "step"),
    [(2, 1), (3, 4), (4, 4), *(pytest.param(seats, 1, marks=pytest.mark.long("all tables")) for seats in (3, 4))],
)
def test_house_bots_are_never_at_fault_and_play_the_same_game_again(house: House, seats: int, step: int) -> None:
    for number, names in [*enumerate(combinations(names_of(house), seats))][::step]:
        options = OPTIONS[house][number % len(OPTIONS[house])]
        played = house.play(names, number, **options)
        assert played.faults == ()
        assert house.play(names, number, **options).replay == played.replay


@pytest.mark.parametrize(
    ("house", "seats", "blocks", "share"),
    [
        (GANG_OF_DICE, 2, 30, 0.85),
        (GANGSTER_DICE, 4, 20, 0.75),
        *(
            pytest.param(*case, marks=pytest.mark.long("all tables"))
            for case in (
                (GANG_OF_DICE, 3, 15, 0.85),
                (GANG_OF_DICE, 4, 12, 0.85),
                (GANGSTER_DICE, 2, 60, 0.75),
                (GANGSTER_DICE, 3, 25, 0.75),
            )
        ),
    ],
    ids=lambda value: getattr(value, "package", value),
)
def test_sensible_beats_random_beyond_doubt(house: House, seats: int, blocks: int, share: float) -> None:
    assert house.share_of_wins("sensible_gang", ["random_gang"] * (seats - 1), blocks) > share


@pytest.mark.parametrize(("house", "name"), SIMPLER, ids=lambda value: getattr(value, "package", value))
def test_sensible_beats_the_simpler_ones_and_they_beat_random(house: House, name: str) -> None:
    blocks, share = (40, 0.6) if house is GANG_OF_DICE else (120, 0.52)
    assert house.share_of_wins("sensible_gang", [name], blocks) > share
    blocks, share = (20, 0.8) if house is GANG_OF_DICE else (40, 0.7)
    assert house.share_of_wins(name, ["random_gang"], blocks) > share


@pytest.mark.parametrize(
    ("house", "other", "blocks"),
    [
        (GANG_OF_DICE, "sensible_gang", 4),
        pytest.param(GANGSTER_DICE, "cautious_gang", 6, marks=pytest.mark.long("the other game")),
        *(
            pytest.param(house, "sensible_gang", 20, marks=pytest.mark.long("searches in forty games"))
            for house in THIRD
        ),
    ],
    ids=lambda value: getattr(value, "package", value),
)
def test_searching_beats_the_others(house: House, other: str, blocks: int) -> None:
    assert house.share_of_wins("searching_gang", [other], blocks) > 0.5


@pytest.mark.parametrize("blocks", [3, pytest.param(10, marks=pytest.mark.long("searches in forty games"))])
def test_searching_beats_three_that_solve_their_bids_in_gangster_dice(blocks: int) -> None:
    assert GANGSTER_DICE.share_of_wins("searching_gang", ["solving_gang"] * 3, blocks) > 0.3


@pytest.mark.parametrize("blocks", [6, pytest.param(30, marks=pytest.mark.long("more games"))])
def test_the_boss_of_gangster_dice_beats_the_one_that_only_solves_its_bids(blocks: int) -> None:
    assert GANGSTER_DICE.share_of_wins("boss_gang", ["solving_gang"], blocks) > 0.55


@of_each_game
def test_searching_is_never_at_fault_and_plays_the_same_game_again(house: House) -> None:
    played = house.play(["searching_gang"] * 2, 7)
    assert played.faults == ()
    assert house.play(["searching_gang"] * 2, 7).replay == played.replay


@pytest.mark.parametrize(
    ("house", "seats", "blocks", "share"),
    [
        (GANG_OF_DICE, 2, 10, 0.65),
        (GANGSTER_DICE, 2, 12, 0.65),
        (GANG_OF_DICE, 4, 3, 0.3),
        (GANGSTER_DICE, 3, 5, 0.4),
        *(
            pytest.param(house, seats, blocks, share, marks=pytest.mark.long("more games"))
            for house, most in ((GANG_OF_DICE, (25, 8, 8)), (GANGSTER_DICE, (40, 10, 10)))
            for seats, blocks, share in zip((2, 3, 4), most, (0.65, 1.2 / 3, 1.2 / 4), strict=True)
        ),
    ],
    ids=lambda value: getattr(value, "package", value),
)
def test_the_boss_beats_the_sensible_bot_clearly(house: House, seats: int, blocks: int, share: float) -> None:
    assert house.share_of_wins("boss_gang", ["sensible_gang"] * (seats - 1), blocks) > share
