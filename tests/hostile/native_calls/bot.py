"""Look for a way to call the C library: by import, by path, by what is loaded already."""

import gc
import importlib
import importlib.util
import os
import sys

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for name in ("ctypes", "_ctypes", "cffi", "_cffi_backend", "_testcapi", "_testinternalcapi"):
            self.log(*escaped(lambda: importlib.import_module(name)))
        for path in ("/usr/lib/jail/_ctypes.so", *sorted(os.listdir("/usr/lib/jail"))):
            if "ctypes" in path:
                spec = importlib.util.spec_from_file_location("_ctypes", os.path.join("/usr/lib/jail", path))
                self.log(*escaped(lambda: importlib.util.module_from_spec(spec)))
        frame = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                for cell in getattr(value, "__closure__", None) or ():
                    if "ctypes" in repr(cell.cell_contents):
                        self.log("ESCAPED", cell.cell_contents)
            frame = frame.f_back
        for found in gc.get_objects():
            if type(found).__name__ in ("PyCFuncPtr", "CDLL") or getattr(found, "__name__", "") == "_ctypes":
                self.log("ESCAPED", found)
        return 1
