"""Versions of bots: how far they have come and, for their owners, why; and the findings of checks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from flask import url_for
from sqlmodel import Session, col, func, select

from gangland_ladder.errors import entries, titled
from gangland_ladder.matches.match_orders import Problem
from gangland_web.base.formats import timestamp
from gangland_web.base.text import line_named, shown
from gangland_web.models.accounts import User
from gangland_web.models.bots import OPEN, PATH, Bot, Code, Version, VersionState, VersionStep, owner_shown
from gangland_web.models.columns import stored
from gangland_web.models.jobs import Job
from gangland_web.models.matches import Match, MatchState, Purpose
from gangland_web.queries.bots import OfBot, VersionSummary, version_summary
from gangland_web.queries.tables import Code as FindingCode
from gangland_web.queries.tables import Count, Game, Hex64, Model, Moment, Number, Path, model_from
from gangland_web.services.results import job_of

# A version with its steps, checks and trials.


class Checking(StrEnum):
    """How far the check of a version is, before its trials."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


_CHECKING = {MatchState.SCHEDULED.value: Checking.QUEUED, MatchState.LEASED.value: Checking.RUNNING}


@dataclass(frozen=True, slots=True)
class VersionPage(OfBot):
    """One version of a bot, the steps it took and its trial matches as (id, state), in order; `by`: who sent it in.

    `check` is the latest check of it, as (id, state); None for a version that was never checked apart from its trials.
    """

    bot: Bot
    owner: str | None
    version: Version
    steps: tuple[VersionStep, ...]
    trials: tuple[tuple[int, str], ...]
    by: str | None = None
    check: tuple[int, str] | None = None

    @property
    def checking(self) -> Checking:
        """How far its check is."""
        if self.trials or self.check is None:
            return Checking.DONE
        return _CHECKING.get(self.check[1], Checking.DONE)

    @property
    def trials_all(self) -> int:
        """How many trial matches there are that still count."""
        return sum(state != MatchState.VOID for _, state in self.trials)

    @property
    def trials_done(self) -> int:
        """How many of them are played."""
        return sum(state == MatchState.DONE for _, state in self.trials)


def version_page(db: Session, bot_id: int, number: int) -> VersionPage | None:
    """Return one version of a bot with its steps in order, or None if there is none."""
    by = select(User.name).where(col(User.id) == Version.uploaded_by).correlate(Version).scalar_subquery()
    row = db.exec(
        select(Version, Bot, owner_shown(), by)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Version.bot_id == bot_id, Version.number == number)
    ).one_or_none()
    if row is None:
        return None
    version, bot, owner, by_name = row
    steps = db.exec(select(VersionStep).where(VersionStep.version_id == version.id).order_by(col(VersionStep.id)))
    query = select(Match.id, Match.state, Match.purpose).where(Match.trial_version_id == version.id)
    matches = [(stored(each), state, purpose) for each, state, purpose in db.exec(query.order_by(col(Match.id)))]
    trials = tuple((each, state) for each, state, purpose in matches if purpose == Purpose.TRIAL)
    checks = [(each, state) for each, state, purpose in matches if purpose == Purpose.CHECK]
    return VersionPage(bot, owner, version, tuple(steps), trials, by_name, checks[-1] if checks else None)


class Waits(Model):
    """How many checks or trials of others come before its next, and how many of its own trials are played.

    `check` is "queued", "running" or "done".
    """

    ahead: Count
    trials_done: Count
    trials_all: Count
    check: str


def queue_of(db: Session, page: VersionPage) -> Waits:
    """Return where a version that is not through yet waits."""
    waiting = [match_id for match_id, state in page.trials if state == MatchState.SCHEDULED]
    purpose = Purpose.TRIAL
    if page.checking is Checking.QUEUED and page.check is not None:
        waiting, purpose = [page.check[0]], Purpose.CHECK
    ahead = 0
    if waiting:
        queued = select(func.count()).select_from(Match)
        queued = queued.where(Match.state == MatchState.SCHEDULED.value, Match.purpose == purpose.value)
        ahead = db.exec(queued.where(col(Match.id) < min(waiting))).one()
    return model_from(Waits, page, ahead=ahead, check=page.checking)


def under_way(db: Session, page: VersionPage) -> Job | None:
    """Return the job of a version's trial that a worker has now, None if none has."""
    leased = [match_id for match_id, state in page.trials if state == MatchState.LEASED]
    return job_of(db, db.get_one(Match, min(leased))) if leased else None


def version_before(db: Session, version: Version) -> Version | None:
    """Return the version of the same bot that came before, None for the first."""
    earlier = select(Version).where(Version.bot_id == version.bot_id, col(Version.number) < version.number)
    return db.exec(earlier.order_by(col(Version.number).desc(), col(Version.id)).limit(1)).first()


def source_of(db: Session, version: Version) -> bytes:
    """Return a version's source as it was uploaded.

    Raises:
        LookupError: it only played elsewhere, and only its SHA-256 is known.
    """
    source = db.get_one(Code, version.code_sha256).source
    if source is None:
        raise LookupError(f"the source of {version.code_sha256} is not here")
    return source


# Findings of checks, with what the catalog says of their codes.


class Finding(Model):
    """What is wrong with a bot; the code is null where the platform was at fault."""

    code: FindingCode | None
    title: str | None
    message: str
    line: int | None
    mend: str | None
    page: str | None


def finding_of(problem: Problem, *, in_editor: bool = False) -> Finding:
    """Return a problem with what the catalog says of its code.

    Args:
        in_editor: whether the reader writes in the browser, and may have no shell.
    """
    entry = entries()[problem.code]
    return Finding(
        code=problem.code,
        title=entry.title,
        message=shown(problem.message, limit=4000),
        line=problem.line,
        mend=(in_editor and entry.in_editor) or entry.mend,
        page=entry.page,
    )


# The model of a version: how far it has come and, for its owner, why.


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
    if state == VersionState.ACTIVE:
        return "This version plays on the ladders."
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
    code = _CODE.match(message)
    if code is None or not message.startswith(f"{titled(code[0])}: "):
        return Finding(code=None, title=None, message=message, line=line_named(message), mend=None, page=None)
    text = message.removeprefix(f"{titled(code[0])}: ")
    line = line_named(text)
    return finding_of(Problem(code[0], text.removeprefix(f"line {line}: "), line))
