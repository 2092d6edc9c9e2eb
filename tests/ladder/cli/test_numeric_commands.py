"""`--profile numeric` on the command line: numpy where it is asked for, in the jail and without it."""

from pathlib import Path

import pytest
from tests.kits.bots_kit import GOOD, document
from tests.kits.command_kit import gangland

COUNTS = """
import numpy as np
from gangland import gang_of_dice

class Counts(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log("mean", np.mean([1, 2, view.pool]))
        return min(int(np.argmax(np.bincount([2, 2, 3]))), view.pool)
"""


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    file = tmp_path / "counts.py"
    file.write_text(COUNTS)
    return file


def test_numpy_is_of_the_numeric_profile_alone_and_a_library_that_no_profile_has_is_named(counts: Path) -> None:
    assert document(gangland("check", counts, "--profile", "numeric", "--json"))["accepted"]
    (problem,) = document(gangland("check", counts, "--json"), code=1)["problems"]
    assert "No module named 'numpy'" in problem["message"]
    counts.write_text(COUNTS.replace("import numpy as np", "import numpy as np, scipy"))
    (problem,) = document(gangland("check", counts, "--profile", "numeric", "--json"), code=1)["problems"]
    assert "standard library, numpy and gangland, and nothing else" in problem["message"]


@pytest.mark.parametrize(
    "trusted", [("--trusted",), pytest.param((), marks=pytest.mark.long("a ladder is in the jail"))]
)
def test_a_game_is_played_in_the_numeric_profile(counts: Path, trusted: tuple[str, ...]) -> None:
    found = document(gangland("play", counts, counts, "--seed", 3, "--profile", "numeric", "--log", "--json", *trusted))
    assert [seat["fault"] for seat in found["seats"]] == [None, None]
    assert found["seats"][0]["log"].startswith("mean ")


def test_a_ladder_says_in_which_profile_it_was_played(counts: Path, tmp_path: Path) -> None:
    other = tmp_path / "steady.py"
    other.write_text(GOOD)
    found = document(gangland("ladder", counts, other, "--blocks", 2, "--seed", 3, "--profile", "numeric", "--json"))
    assert found["profile"] == "numeric"
    assert [row["faults"] for row in found["standings"]] == [0, 0]
    assert gangland("ladder", counts, other, "--profile", "huge").code == 2
