"""Crash the interpreter itself."""

from gangland import gang_of_dice


def broken():
    return None


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        code = broken.__code__
        broken.__code__ = code.replace(co_consts=(), co_code=bytes([100, 255, 83, 0]) * 20)
        return broken()
