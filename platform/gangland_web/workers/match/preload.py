"""Importing all that playing can ever need, while the host's Python can still be read."""

import importlib
import pkgutil
import traceback

from gangland.games import GAME_NAMES, game_named

PACKAGES = ("gangland", "gangland_sandbox", "celery.worker", "redis._parsers")
"""Imported whole, with all modules below them."""

MODULES = ("_sha2", "celery.concurrency.solo", "encodings.idna", "encodings.utf_8_sig", "importlib.readers")
"""Found by watching what a worker imports late (a test watches on)."""

NEVER = ("gangland_sandbox.inside_code", "gangland_sandbox.probes")
"""Modules that are programs of the jail, never of the worker."""


def preload() -> int:
    """Import everything in PACKAGES that can be imported here; return how many modules those are.

    Once root is dropped, the Python that runs this may lie in a folder that can no longer be
    read, so that nothing can be imported late.
    """
    for game in GAME_NAMES:
        game_named(game)
    traceback.format_exc()
    names = [*MODULES, *(name for package in PACKAGES for name in _below(package))]
    return sum(_imported(name) for name in names)


def _below(package: str) -> list[str]:
    paths = importlib.import_module(package).__path__
    found = [module.name for module in pkgutil.walk_packages(paths, f"{package}.", onerror=lambda _package: None)]
    return [name for name in found if name not in NEVER and not name.endswith("__main__")]


def _imported(name: str) -> bool:
    """Whether a module can be imported; a part that lacks an optional library cannot."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True
