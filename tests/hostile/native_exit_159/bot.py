"""End by the C library's own _exit, with the status of one whom the filter has killed."""

from native import native

from gangland import gang_of_dice

NUMBER = 159


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        native("_exit", NUMBER)(b"")
        self.log("ESCAPED: the call came back")
        return 1
