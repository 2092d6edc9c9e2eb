"""The engine and the house bots with a third game in them, as packages that come before the project's own."""

import os
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def with_bust(folder: Path) -> dict[str, str]:
    for source, package, game in (("engine", "gangland", "bust"), ("bots", "gangland_bots", "bots")):
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / source / package, folder / package, ignore=left_out)
        shutil.copytree(HERE / game, folder / package / "bust", ignore=left_out)
    bust = folder / "gangland" / "bust"
    (bust / "package.py").rename(bust / "__init__.py")  # no package of ours lies in tests
    registry = folder / "gangland" / "games.py"
    text, begins = registry.read_text(encoding="utf-8"), "GAME_NAMES = ("
    assert text.count(begins) == 1
    registry.write_text(text.replace(begins, f'{begins}"bust", '), encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder)}
