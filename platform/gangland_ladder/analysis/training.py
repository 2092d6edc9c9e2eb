"""Makes the tables of analysis anew: `python -m gangland_ladder.analysis.training [GAME...]`.

Each game's module `training` says how.  The files are written where the package has them; their errors are printed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from gangland.games import GAME_NAMES, package_of
from gangland_ladder.analysis import games

SEED: Final = 1


def main(names: Sequence[str]) -> None:
    """Train the games of these names, all if there are none."""
    for name in names or sorted(GAME_NAMES):
        training = import_module(f"{games.__name__}.{package_of(name)}.training")
        training.train(SEED, Path(str(training.__file__)).parent, partial(print, flush=True))


if __name__ == "__main__":
    main(sys.argv[1:])
