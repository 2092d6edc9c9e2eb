"""What a site answers, as far as it is read here: checked before anything is believed of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Whole = Annotated[int, Meta(ge=0, le=2**53)]
Word = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=8000)]


class Finding(Struct, frozen=True):
    """Why a bot was refused or rejected; the code is None where the platform was at fault."""

    message: Text
    code: Word | None = None
    title: Text | None = None
    line: Whole | None = None
    mend: Text | None = None
    page: Text | None = None


class Problem(Struct, frozen=True):
    """An error of the site (RFC 9457)."""

    title: Text = ""
    detail: Text = ""
    code: Word | None = None
    findings: Annotated[list[Finding], Meta(max_length=50)] = []


class Step(Struct, frozen=True):
    """A state on the way to the ladders; its status is done, failed or waiting."""

    state: Word
    label: Text
    status: Word
    seconds: float | None = None


class Queue(Struct, frozen=True):
    """What a version waits for."""

    ahead: Whole
    trials_done: Whole
    trials_all: Whole
    check: Word = "done"


class Version(Struct, frozen=True):
    """How far a version has come."""

    id: Whole
    bot: Text
    game: Word
    version: Whole
    page: Text
    state: Word
    terminal: bool
    headline: Text
    steps: Annotated[list[Step], Meta(max_length=50)]
    findings: Annotated[list[Finding], Meta(max_length=50)] = []
    queue: Queue | None = None


class Token(Struct, frozen=True):
    """What the site says of the token that it was sent."""

    owner: Text
    scopes: Annotated[list[Word], Meta(max_length=50)]
    expires_at: Word
