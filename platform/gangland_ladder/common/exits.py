"""The exit codes of every command."""

from __future__ import annotations

FINDINGS, USAGE, SERVER, NOT_SIGNED_IN, INTERRUPTED = 1, 2, 3, 4, 130

MEANINGS = {
    0: "the command succeeded and found no problem",
    FINDINGS: "findings: a bot at fault in `play` or `check`, a check that failed, a record that does not hold",
    USAGE: "the command line or the settings are wrong, or this machine cannot do it",
    SERVER: "the network or the server failed",
    NOT_SIGNED_IN: "not signed in: there is no token, or it is not valid",
    INTERRUPTED: "interrupted by Ctrl-C; what was done so far is printed",
}
"""What each code says, for people."""
