"""Run bytecode that takes constants from beyond its own, as whatever lies in memory there."""


def victim():
    return None


def choose_dice(self, view):
    wide = b"".join(bytes((144, byte)) for byte in (0, 127, 255))
    for size in range(1, 60):
        code = victim.__code__.replace(co_consts=(), co_stacksize=100, co_code=(wide + bytes((100, size))) * 4 + bytes((83, 0)))
        victim.__code__ = code
        found = victim()
        self.log(type(found))
    return 1
