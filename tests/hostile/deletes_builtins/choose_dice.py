"""Delete the builtins that everything stands on."""

import builtins


def choose_dice(self, view):
    for name in ("len", "isinstance", "str", "type", "Exception", "BaseException", "getattr", "memoryview"):
        builtins.__dict__.pop(name, None)
    return 1
