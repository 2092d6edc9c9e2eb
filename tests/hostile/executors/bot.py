"""Use every pool of workers that the standard library has."""

import concurrent.futures
import importlib
import threading

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log(*escaped(lambda: concurrent.futures.ThreadPoolExecutor(2).submit(print).result(0)))
        self.log(*escaped(lambda: concurrent.futures.ProcessPoolExecutor(2).submit(print).result(0)))
        self.log(*escaped(lambda: importlib.import_module("multiprocessing").Pool(2)))
        self.log(*escaped(lambda: importlib.import_module("asyncio").run(None)))
        self.log(*escaped(lambda: threading.Timer(0.01, print).start()))
        return 1
