"""A version of a bot as pages' JSON and the API have it: how far it has come, and to its owner why."""

from __future__ import annotations

import re
from dataclasses import asdict

import msgspec
from flask import url_for
from sqlmodel import Session

from gangland_ladder.errors.catalogue import titled
from gangland_ladder.matches.orders import Problem
from gangland_web.core.clock import timestamp
from gangland_web.core.text import line_named, shown
from gangland_web.resources.bots.models import VersionSummary, version_summary
from gangland_web.resources.bots.progress import Step, progress_of
from gangland_web.resources.bots.queries import VersionPage, queue_of
from gangland_web.resources.fields import Count, Game, Hex64, Model, Moment, Number, Path
from gangland_web.resources.findings import Finding, finding_of
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import VersionStep

_CODE = re.compile(r"[EW]\d{3}\b")


class VersionStepDetail(Model):
    """A step on the way; its message and line are for the bot's owner."""

    state: str
    label: str
    status: str
    at: Moment | None
    seconds: float | None
    message: str
    line: int | None


class Waits(Model):
    """How many checks or trials of others come before its next, and how many of its own trials are played.

    `check` is "queued", "running" or "done".
    """

    ahead: Count
    trials_done: Count
    trials_all: Count
    check: str


class Trial(Model):
    """A trial match, with its page."""

    match: Number
    state: str
    url: Path


class VersionDetail(VersionSummary):
    """A version: how far it has come and, to its owner, why."""

    id: Number
    bot_id: Number
    bot: str
    game: Game
    filename: str | None
    code_sha256: Hex64 | None
    terminal: bool
    headline: str
    steps: list[VersionStepDetail]
    findings: list[Finding]
    queue: Waits | None
    trials: list[Trial]


def version_detail(db: Session, page: VersionPage, *, private: bool) -> VersionDetail:
    """Return a version; `private` is for who may act for its bot, and adds why, its source's SHA-256 and its trials."""
    bot, version = page.bot, page.version
    progress, summary = progress_of(page, private=private), version_summary(version)
    return VersionDetail(
        **msgspec.structs.asdict(summary),
        id=stored(version.id),
        bot_id=stored(bot.id),
        bot=bot.name,
        game=bot.game,
        filename=version.filename if private else None,
        code_sha256=version.code_sha256 if private else None,
        terminal=progress.terminal,
        headline=progress.headline,
        steps=[_step(step, page.steps) for step in progress.steps],
        findings=_findings(page) if private else [],
        queue=None if progress.terminal else Waits(**asdict(queue_of(db, page))),
        trials=[_trial(match_id, state) for match_id, state in page.trials] if private else [],
    )


def _trial(match_id: int, state: str) -> Trial:
    return Trial(match=match_id, state=state, url=url_for("matches.match", match_id=match_id))


def _step(shown_step: Step, taken: tuple[VersionStep, ...]) -> VersionStepDetail:
    """Return a step with its times; a failed one's are those of the rejection."""
    state = "rejected" if shown_step.status == "failed" else shown_step.state
    step = next((each for each in taken if each.state == state), None)
    return VersionStepDetail(
        state=shown_step.state,
        label=shown_step.label,
        status=shown_step.status,
        at=timestamp(step.at) if step else None,
        seconds=round(step.seconds, 3) if step else None,
        message=shown_step.message,
        line=shown_step.line,
    )


def _findings(page: VersionPage) -> list[Finding]:
    """Return why a version was rejected; the code is null if the platform was at fault."""
    failed = [step.message for step in page.steps if not step.ok]
    return [_finding(shown(message, limit=4000)) for message in failed]


def _finding(message: str) -> Finding:
    found = _CODE.match(message)
    if found is None or not message.startswith(f"{titled(found[0])}: "):
        return Finding(code=None, title=None, message=message, line=line_named(message), mend=None, page=None)
    said = message.removeprefix(f"{titled(found[0])}: ")
    line = line_named(said)
    return finding_of(Problem(found[0], said.removeprefix(f"line {line}: "), line))
