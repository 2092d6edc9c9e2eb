"""Look for secrets in the environment and in the arguments."""

import os


def choose_dice(self, view):
    known = {"LD_LIBRARY_PATH", "LC_CTYPE", "PWD"}
    for name, value in os.environ.items():
        if name not in known and not name.startswith("PYTHON") and not name.endswith("_NUM_THREADS"):
            self.log("ESCAPED", name, value)
    if os.uname().nodename != "jail":
        self.log("ESCAPED", os.uname())
    return 1
