"""Open files until there are no more."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    kept = []

    def choose_dice(self, view):
        while len(self.kept) < 10_000:
            try:
                self.kept.append(open("/usr/bin/python3", "rb"))
            except OSError:
                break
        if len(self.kept) > 64:
            self.log("ESCAPED", len(self.kept))
        return 1
