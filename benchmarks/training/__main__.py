"""Makes the tables of analysis anew: `python -m benchmarks.training [GAME...]`.

Each game's module of this folder says how.  The files are written where `gangland_ladder` has them; errors are printed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from gangland.games import GAME_NAMES, package_of
from gangland_ladder.analysis.games import analysis_of

SEED: Final = 1


def main(names: Sequence[str]) -> None:
    """Train the games of these names, all if there are none."""
    for name in names or sorted(GAME_NAMES):
        folder = Path(str(getattr(analysis_of(name), "__file__", None))).parent
        import_module(f"benchmarks.training.{package_of(name)}").train(SEED, folder, partial(print, flush=True))


if __name__ == "__main__":
    main(sys.argv[1:])
