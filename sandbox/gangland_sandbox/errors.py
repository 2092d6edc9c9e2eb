"""Errors that are not a bot's fault in a game."""

from __future__ import annotations


class SandboxError(Exception):
    """The jail failed, not the bot: the match is void and may be replayed."""


class UploadRejected(Exception):
    """A file is not a valid bot."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code = code  # one word for programs, such as `too_large`
        self.message = message  # a sentence for the author
        self.line = line  # the line in the file, from 1; None for the whole file

    def __reduce__(self) -> tuple[type[UploadRejected], tuple[str, str, int | None]]:
        return UploadRejected, (self.code, self.message, self.line)
