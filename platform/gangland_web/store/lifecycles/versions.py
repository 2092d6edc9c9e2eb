"""What a version of a bot goes through, and which moves are allowed."""

from enum import StrEnum


class VersionState(StrEnum):
    """Where a version stands on its way from upload to ladder."""

    RECEIVED = "received"
    SCANNED = "scanned"
    IMPORTED = "imported"
    LEGAL = "legal"
    TIMED = "timed"
    TRIAL = "trial"
    ACTIVE = "active"
    REJECTED = "rejected"
    RETIRED = "retired"


PATH = (
    VersionState.RECEIVED,
    VersionState.SCANNED,
    VersionState.IMPORTED,
    VersionState.LEGAL,
    VersionState.TIMED,
    VersionState.TRIAL,
    VersionState.ACTIVE,
)
"""The states of a version that passes everything, in their order."""

OPEN = PATH[:-1]
"""States in which a version still waits for its verdict."""


class ForbiddenMove(ValueError):
    """A version was to move where its lifecycle has no way."""


def move(before: VersionState, after: VersionState) -> VersionState:
    """Return `after` if a version may go there from `before`.

    A version goes forward along PATH, may be rejected or retired (withdrawn for a newer one)
    before it is active, and once active can only be retired.

    Raises:
        ForbiddenMove: there is no such way.
    """
    forward = before in OPEN and after in PATH and PATH.index(after) == PATH.index(before) + 1
    refused = before in OPEN and after in (VersionState.REJECTED, VersionState.RETIRED)
    retired = before == VersionState.ACTIVE and after == VersionState.RETIRED
    if not (forward or refused or retired):
        raise ForbiddenMove(f"a version goes from {before.value!r} to no {after.value!r}")
    return after
