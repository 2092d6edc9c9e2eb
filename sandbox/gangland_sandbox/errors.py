"""Errors with a bot that do not count as its fault in a game."""

from __future__ import annotations


class SandboxError(Exception):
    """The jail failed, not the bot: the match is void and may be replayed."""


class UploadRejected(Exception):
    """A file that cannot become a bot.

    Attributes:
        code: one word for programs, such as `too_large`.
        message: a sentence for the author.
        line: the line in the file, from 1; None for the whole file.
    """

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line

    def __reduce__(self) -> tuple[type[UploadRejected], tuple[str, str, int | None]]:
        return UploadRejected, (self.code, self.message, self.line)
