"""A version of a bot as pages' JSON and the API have it: how far it has come, and to its owner why."""

from __future__ import annotations

import re

from flask import url_for
from sqlmodel import Session

from gangland_ladder.errors.catalogue import titled
from gangland_ladder.matches.orders import Problem
from gangland_web.base.clock import timestamp
from gangland_web.base.text import line_named, shown
from gangland_web.models.bots import OPEN, PATH, VersionState
from gangland_web.models.columns import stored
from gangland_web.resources.bots.models import VersionSummary, version_summary
from gangland_web.resources.bots.queries import Checking, VersionPage, Waits, queue_of
from gangland_web.resources.fields import Game, Hex64, Model, Moment, Number, Path, model_from
from gangland_web.resources.findings import Finding, finding_of

_CODE = re.compile(r"[EW]\d{3}\b")
_LABELS = {
    VersionState.RECEIVED: "Received",
    VersionState.SCANNED: "Scanned: size, encoding, file name",
    VersionState.IMPORTED: "Imported in the sandbox, one bot class found",
    VersionState.LEGAL: "Legal: its sample decisions follow the rules",
    VersionState.TIMED: "Timed: within the time and memory limits",
    VersionState.TRIAL: "Trial matches against house bots, in every seat",
    VersionState.ACTIVE: "Active on the ladders",
}
_HEADLINES = {
    VersionState.ACTIVE: "This version plays on the ladders.",
}

_OF_HOUSE_BOTS = (VersionState.RECEIVED, VersionState.SCANNED, VersionState.ACTIVE)
"""What a house bot goes through: it comes with the site, is not checked and has no trial."""
_CHECK_HEADLINES = {
    Checking.QUEUED: "Queued for its check.",
    Checking.RUNNING: "Its check is running.",
    Checking.DONE: "Checked. Waiting for its trial matches.",
}
_STILL_CHECKED = (VersionState.RECEIVED, VersionState.SCANNED, VersionState.IMPORTED, VersionState.LEGAL)
"""The states before the end of a check. A short check of a slow bot, or on a busy machine, does not come to that."""


class VersionStepDetail(Model):
    """A step on the way; its message and line are for the bot's owner."""

    state: str
    label: str
    status: str
    at: Moment | None
    seconds: float | None
    message: str
    line: int | None


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
    bot, version, state = page.bot, page.version, VersionState(page.version.state)
    return model_from(
        VersionDetail,
        version_summary(version),
        id=stored(version.id),
        bot_id=stored(bot.id),
        bot=bot.name,
        game=bot.game,
        filename=version.filename if private else None,
        code_sha256=version.code_sha256 if private else None,
        terminal=state not in OPEN,
        headline=_headline(page, state),
        steps=_steps(page, state, private=private),
        findings=_findings(page) if private else [],
        queue=queue_of(db, page) if state in OPEN else None,
        trials=[
            Trial(match=match_id, state=match_state, url=url_for("matches.match", match_id=match_id))
            for match_id, match_state in page.trials
            if private
        ],
    )


def _headline(page: VersionPage, state: VersionState) -> str:
    headline = _progress(page, state)
    return f"{headline} House bots come with the site and are not checked." if page.bot.is_house else headline


def _progress(page: VersionPage, state: VersionState) -> str:
    if state in _HEADLINES:
        return _HEADLINES[state]
    if state == VersionState.REJECTED:
        plays_on = " Another version is on the ladders and goes on playing." if page.bot.active_version_id else ""
        return f"This version was rejected.{plays_on}"
    if state == VersionState.RETIRED:
        why = next((step.message for step in page.steps if step.state == state), "")
        return f"This version is retired: {shown(why, limit=200)}." if why else "This version is retired."
    headline = _CHECK_HEADLINES[page.checking]
    if page.trials_all and state in _STILL_CHECKED:
        headline = "Its check goes on at the start of its first trial match."
    elif page.trials_all:
        headline = f"On trial: {page.trials_done} of {page.trials_all} trial matches played."
    if page.bot.active_version_id is not None:
        headline += " The previous version plays until this one passes."
    return headline


def _steps(page: VersionPage, state: VersionState, *, private: bool) -> list[VersionStepDetail]:
    """Return the states on the way of a version, with those that it has reached; messages are for its owner."""
    taken = {VersionState(step.state): step for step in page.steps if step.ok}
    reached = set(taken)
    if VersionState.ACTIVE not in reached:  # it is on trial from its first match on; the trial is over with its last
        reached.discard(VersionState.TRIAL)
    refused = next((step for step in reversed(page.steps) if not step.ok), None)
    refused_at = next((stage for stage in PATH if stage not in reached), PATH[-1])
    steps = []
    for stage in _OF_HOUSE_BOTS if page.bot.is_house else PATH:
        status, step = "done" if stage in reached else "waiting", taken.get(stage)
        if state == VersionState.REJECTED and stage == refused_at:
            status, step = "failed", refused
        message = shown(step.message, limit=4000) if private and step is not None and status != "waiting" else ""
        steps.append(
            VersionStepDetail(
                state=stage.value,
                label=_LABELS[stage],
                status=status,
                at=timestamp(step.at) if step else None,
                seconds=round(step.seconds, 3) if step else None,
                message=message,
                line=line_named(message),
            )
        )
    return steps


def _findings(page: VersionPage) -> list[Finding]:
    """Return why a version was rejected; the code is null if the platform was at fault."""
    failed = [step.message for step in page.steps if not step.ok]
    return [_finding(shown(message, limit=4000)) for message in failed]


def _finding(message: str) -> Finding:
    found = _CODE.match(message)
    if found is None or not message.startswith(f"{titled(found[0])}: "):
        return Finding(code=None, title=None, message=message, line=line_named(message), mend=None, page=None)
    text = message.removeprefix(f"{titled(found[0])}: ")
    line = line_named(text)
    return finding_of(Problem(found[0], text.removeprefix(f"line {line}: "), line))
