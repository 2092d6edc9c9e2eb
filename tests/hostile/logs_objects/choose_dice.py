"""Log an object whose words are endless."""


class Endless:
    def __str__(self):
        return "x" * 20_000_000


def choose_dice(self, view):
    self.log(Endless())
    return 1
