"""What the API says, as JSON values."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from flask import url_for
from sqlmodel import Session

from gangland_ladder.errors.catalogue import entries, titled
from gangland_ladder.matches.orders import Problem as Finding
from gangland_web.core.text import line_named, shown
from gangland_web.resources.bots.progress import Step, progress_of
from gangland_web.resources.bots.queries import VersionPage, queue_of
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import VersionStep

_CODE = re.compile(r"[EW]\d{3}\b")


def moment(at: float) -> str:
    """Return a time as RFC 3339 writes it, in UTC and whole seconds."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def finding_document(finding: Finding) -> dict[str, Any]:
    """Return a finding with what the catalogue says of its code."""
    entry = entries()[finding.code]
    return {
        "code": finding.code,
        "title": entry.title,
        "message": shown(finding.message, limit=4000),
        "line": finding.line,
        "mend": entry.mend,
        "page": entry.page,
    }


def version_document(db: Session, page: VersionPage, *, private: bool) -> dict[str, Any]:
    """Return a version: how far it has come, and to its owner why, and its trials."""
    bot, version = page.bot, page.version
    progress = progress_of(page, private=private)
    trials = [_trial(match_id, state) for match_id, state in page.trials] if private else []
    return {
        "id": version.id,
        "url": version_url(stored(version.id)),
        "bot": {"id": bot.id, "name": bot.name, "url": url_for("bots.bot", bot_id=bot.id)},
        "game": bot.game,
        "number": version.number,
        "page": url_for("bots.version", bot_id=bot.id, number=version.number),
        "filename": version.filename if private else None,
        "sha256": version.code_sha256 if private else None,
        "created_at": moment(version.created_at),
        "state": version.state,
        "terminal": progress.terminal,
        "headline": progress.headline,
        "steps": [_step(step, page.steps) for step in progress.steps],
        "findings": _findings(page) if private else [],
        "queue": None if progress.terminal else asdict(queue_of(db, page)),
        "trials": trials,
    }


def version_url(version_id: int) -> str:
    """Return where the API tells of a version."""
    return url_for("api.version", version_id=version_id)


def _trial(match_id: int, state: str) -> dict[str, Any]:
    return {"match": match_id, "state": state, "url": url_for("matches.match", match_id=match_id)}


def _step(shown_step: Step, taken: tuple[VersionStep, ...]) -> dict[str, Any]:
    """Return a step with its times; a failed one's are those of the rejection."""
    state = "rejected" if shown_step.status == "failed" else shown_step.state
    step = next((each for each in taken if each.state == state), None)
    return {
        "state": shown_step.state,
        "label": shown_step.label,
        "status": shown_step.status,
        "at": moment(step.at) if step else None,
        "seconds": round(step.seconds, 3) if step else None,
        "message": shown_step.message,
        "line": shown_step.line,
    }


def _findings(page: VersionPage) -> list[dict[str, Any]]:
    """Return why a version was rejected; the code is null if the platform was at fault."""
    failed = [step.message for step in page.steps if not step.ok]
    return [_finding(shown(message, limit=4000)) for message in failed]


def _finding(message: str) -> dict[str, Any]:
    found = _CODE.match(message)
    if found is None or not message.startswith(f"{titled(found[0])}: "):
        return dict.fromkeys(("code", "title", "mend", "page")) | {"message": message, "line": line_named(message)}
    said = message.removeprefix(f"{titled(found[0])}: ")
    line = line_named(said)
    return finding_document(Finding(found[0], said.removeprefix(f"line {line}: "), line))
