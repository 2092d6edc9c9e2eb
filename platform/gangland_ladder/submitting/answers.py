"""What a site answers, as far as it is read here: checked before anything is believed of it; and what is printed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from gangland_ladder.common.documents import Document, one_of

Whole = Annotated[int, Meta(ge=0, le=2**53)]
Word = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=8000)]


class Finding(Struct, frozen=True):
    """Why a bot was refused or rejected.

    Attributes:
        message: the first line says what is wrong.
        code: of the error catalogue; null where the platform was at fault.
        title: what the code is called.
        line: in the bot's file.
        mend: what to do about it.
        page: where to read on, below docs/.
    """

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
    """A state on the way to the ladders.

    Attributes:
        state: that it reaches.
        label: the same in words.
        status: done, failed or waiting.
        seconds: how long it took; null until then.
    """

    state: Word
    label: Text
    status: Word
    seconds: float | None = None


class Queue(Struct, frozen=True):
    """What a version waits for.

    Attributes:
        ahead: checks or trials of others before its next one.
        trials_done: of its own, those played.
        trials_all: all of its own.
        check: its own check: queued, running or done; checks of others count for `ahead` while it is queued.
    """

    ahead: Whole
    trials_done: Whole
    trials_all: Whole
    check: Word = "done"


class SubmittedVersion(Struct, frozen=True):
    """How far a version has come, as it is printed too.

    Attributes:
        id: for --follow.
        bot: the bot's name.
        version: of the bot's versions, from 1.
        state: received, scanned, imported, legal, timed, trial, active, rejected or retired.
        headline: the same in a sentence.
        page: its page's address.
        steps: the way to the ladders.
        queue: what it waits for; null after the verdict.
    """

    id: Whole
    bot: Text
    game: Annotated[Word, Meta(description="Name of the game.")]
    version: Whole
    state: Word
    headline: Text
    page: Text
    steps: Annotated[list[Step], Meta(max_length=50)]
    queue: Queue | None = None


class Version(SubmittedVersion, frozen=True, kw_only=True):
    """The same with what decides how the command goes on."""

    terminal: bool
    findings: Annotated[list[Finding], Meta(max_length=50)] = []


class Token(Struct, frozen=True):
    """What the site says of the token that it was sent."""

    owner: Text
    scopes: Annotated[list[Word], Meta(max_length=50)]
    expires_at: Word


class Submit(Document, tag="gangland/submit/1"):
    """How far a bot has come at a site.

    Attributes:
        site: its address.
        file: the file's name; null if a version is only followed.
        outcome: refused: it was not taken in. waiting: there is no verdict yet. retired: another one took its place.
        version: as it was read last; null if it was refused.
        problems: why it was refused or rejected.
        follow: the command that goes on from here; null if there is nothing to wait for.
    """

    title = "gangland submit --json"

    site: str
    file: str | None
    outcome: Annotated[str, one_of("refused", "waiting", "active", "rejected", "retired")]
    version: SubmittedVersion | None
    problems: list[Finding]
    follow: str | None
