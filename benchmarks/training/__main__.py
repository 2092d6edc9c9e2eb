"""Rebuild the tables of analysis: `python -m benchmarks.training [GAME] [--refine]`.

Each game's module of this folder describes its method.  The files are written into `gangland_ladder`; errors are
printed.
"""

import argparse
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from gangland.games import GAME_NAMES, package_of
from gangland_ladder.analysis.games import analysis_of

SEED: Final = 1


def main() -> None:
    """Train a game that is named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("game", nargs="?", default="all", choices=["all", *sorted(GAME_NAMES)])
    parser.add_argument("--refine", action="store_true", help="begin with the present tables; takes less than an hour")
    options = parser.parse_args()
    game = options.game
    for name in sorted(GAME_NAMES) if game == "all" else [game]:
        folder = Path(str(getattr(analysis_of(name), "__file__", None))).parent
        import_module(f"benchmarks.training.{package_of(name)}").train(
            SEED, folder, partial(print, flush=True), refines=options.refine
        )


if __name__ == "__main__":
    main()
