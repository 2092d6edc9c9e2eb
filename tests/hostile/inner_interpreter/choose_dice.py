"""Think for ever in an interpreter within the interpreter."""

import _xxsubinterpreters


def choose_dice(self, view):
    inner = _xxsubinterpreters.create()
    _xxsubinterpreters.run_string(inner, "while True: pass")
    return 1
