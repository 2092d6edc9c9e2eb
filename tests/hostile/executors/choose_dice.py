"""Use every pool of workers that the standard library has."""

import concurrent.futures
import importlib
import threading

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(lambda: concurrent.futures.ThreadPoolExecutor(2).submit(print).result(0)))
    self.log(*escaped(lambda: concurrent.futures.ProcessPoolExecutor(2).submit(print).result(0)))
    self.log(*escaped(lambda: importlib.import_module("multiprocessing").Pool(2)))
    self.log(*escaped(lambda: importlib.import_module("asyncio").run(None)))
    self.log(*escaped(lambda: threading.Timer(0.01, print).start()))
    return 1
