"""Write wherever writing might work."""

import os

from attempts import escaped


def choose_dice(self, view):
    for folder, _, files in os.walk("/"):
        self.log(*escaped(lambda folder=folder: open(os.path.join(folder, "mine"), "w").write("x")))
        for name in files[:2]:
            path = os.path.join(folder, name)
            self.log(*escaped(lambda path=path: open(path, "r+b").write(b"x")))
            self.log(*escaped(lambda path=path: os.chmod(path, 0o777)))
            self.log(*escaped(lambda path=path: os.remove(path)))
        if len(folder) > 12:
            break
    self.log(*escaped(lambda: os.open("/", os.O_TMPFILE | os.O_RDWR)))
    self.log(*escaped(lambda: os.memfd_create("x")))
    self.log(*escaped(lambda: os.symlink("/", "/mine")))
    self.log(*escaped(lambda: os.mkfifo("/fifo")))
    return 1
