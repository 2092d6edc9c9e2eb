"""Call io_uring_setup itself, through objects made by hand."""

from native import native

from gangland import gang_of_dice

NUMBER = 425


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        native("syscall", NUMBER)(b"")
        self.log("ESCAPED: the call came back")
        return 1
