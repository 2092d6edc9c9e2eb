"""Make a system call of the 32-bit world's numbers."""

from native import native

from gangland import gang_of_dice

NUMBER = 0x40000000 + 39


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        native("syscall", NUMBER)(b"")
        self.log("ESCAPED: the call came back")
        return 1
