"""A module with as many names as fit under the cap on files of Python."""

NAMES = 18000


def build() -> bytes:
    """Return the source."""
    names = "".join(f"n{number} = {number}\n" for number in range(NAMES))
    played = "class Subject(gang_of_dice.Bot):\n    def choose_dice(self, view):\n        return 1\n"
    return f"from gangland import gang_of_dice\n{names}\n\n{played}".encode()
