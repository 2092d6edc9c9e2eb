"""Read by every way that an upload's files are read what is not among them."""

import importlib.resources
import pkgutil

from gangland import gang_of_dice

PATHS = (
    "../helper.py", "/etc/passwd", "../../../../etc/passwd", "/usr/lib/jail", "files/../../secret", "",
    ".", "..", "helper.py/../../x", "\x00", "a" * 100_000, "/proc/self/environ", "bot_0.zip", "bot_1.zip",
)


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for path in PATHS:
            self.log(*escaped(lambda: self.data(path)))
            self.log(*escaped(lambda: pkgutil.get_data("helper", path)))
            self.log(*escaped(lambda: __loader__.get_data(path)))
            self.log(*escaped(lambda: importlib.resources.files("helper").joinpath(path).read_bytes()))
        self.log(*escaped(lambda: open(__file__).read()))
        if self.data("helper.py") != b"VALUE = 1\n":
            self.log("ESCAPED", self.data("helper.py"))
        return 1
