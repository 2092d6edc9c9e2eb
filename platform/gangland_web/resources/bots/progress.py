"""How far a version has come, as its page and the page's JSON twin show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from gangland_web.core.formats import seconds
from gangland_web.core.text import line_named, shown
from gangland_web.resources.bots.queries import Checking, VersionPage
from gangland_web.store.lifecycles.versions import OPEN, PATH, VersionState
from gangland_web.store.models.bots import VersionStep

_LABELS = {
    VersionState.RECEIVED: "Received",
    VersionState.SCANNED: "Scanned: size, encoding, file name",
    VersionState.IMPORTED: "Imported in the sandbox, one bot class found",
    VersionState.LEGAL: "Legal: its sample decisions follow the rules",
    VersionState.TIMED: "Timed: within the time and memory limits",
    VersionState.TRIAL: "Trial matches against house bots, in every seat",
    VersionState.ACTIVE: "Active on the ladders",
}
_MARKS = {"done": "✓", "failed": "✕", "waiting": "○"}
_HEADLINES = {
    VersionState.ACTIVE: "This version plays on the ladders.",
    VersionState.REJECTED: "This version was rejected. If another version is on the ladders, it goes on playing.",
}

_CHECK_HEADLINES = {
    Checking.QUEUED: "Queued for its check.",
    Checking.RUNNING: "Its check is running.",
    Checking.DONE: "Checked. Waiting for its trial matches.",
}
_STILL_CHECKED = (VersionState.RECEIVED, VersionState.SCANNED, VersionState.IMPORTED, VersionState.LEGAL)
"""The states before the end of a check. A short check of a slow bot, or on a busy machine, does not come to that."""


@dataclass(frozen=True, slots=True)
class Step:
    """One state on the way; `message` is for the owner alone."""

    state: str
    label: str
    status: str
    mark: str
    at: str | None
    took: str
    message: str
    line: int | None = None
    at_s: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """The whole way of a version."""

    state: str
    terminal: bool
    headline: str
    steps: tuple[Step, ...]


def progress_of(page: VersionPage, *, private: bool) -> Progress:
    """Return a version's way; without `private` the messages are left out."""
    state = VersionState(page.version.state)
    taken = {VersionState(step.state): step for step in page.steps if step.ok}
    if VersionState.ACTIVE not in taken:  # it is on trial from its first match on; the trial is over with its last
        taken.pop(VersionState.TRIAL, None)
    failed = [step for step in page.steps if not step.ok]
    steps = [_taken(stage, taken.get(stage), private=private) for stage in PATH]
    if state == VersionState.REJECTED:
        at = next((index for index, step in enumerate(steps) if step.status == "waiting"), len(steps) - 1)
        steps[at] = _refused(PATH[at], failed[-1] if failed else None, private=private)
    return Progress(state.value, state not in OPEN, _headline(page, state), tuple(steps))


def _headline(page: VersionPage, state: VersionState) -> str:
    if state in _HEADLINES:
        return _HEADLINES[state]
    if state == VersionState.RETIRED:
        return _farewell(page)
    said = _CHECK_HEADLINES[page.checking]
    if page.trials_all and state in _STILL_CHECKED:
        said = "Its check goes on at the start of its first trial match."
    elif page.trials_all:
        said = f"On trial: {page.trials_done} of {page.trials_all} trial matches played."
    if page.bot.active_version_id is not None:
        said += " The previous version plays until this one passes."
    return said


def _farewell(page: VersionPage) -> str:
    """Say what took the place of a retired version; this much everybody may know."""
    why = next((step.message for step in page.steps if step.state == VersionState.RETIRED), "")
    return f"This version is retired: {shown(why, limit=200)}." if why else "This version is retired."


def _taken(stage: VersionState, step: VersionStep | None, *, private: bool) -> Step:
    if step is None:
        return Step(stage.value, _LABELS[stage], "waiting", _MARKS["waiting"], None, "", "")
    return _step(stage, step, "done", private=private)


def _refused(stage: VersionState, step: VersionStep | None, *, private: bool) -> Step:
    if step is None:
        return Step(stage.value, _LABELS[stage], "failed", _MARKS["failed"], None, "", "")
    return _step(stage, step, "failed", private=private)


def _step(stage: VersionState, step: VersionStep, status: str, *, private: bool) -> Step:
    at = datetime.fromtimestamp(step.at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    took = seconds(step.seconds) if step.seconds > 0 else ""
    message = shown(step.message, limit=4000) if private else ""
    return Step(stage.value, _LABELS[stage], status, _MARKS[status], at, took, message, line_named(message), step.at)
