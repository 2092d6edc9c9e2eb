"""What services refuse, as problems with the codes of the catalogue."""

from __future__ import annotations

from math import ceil
from typing import Final

import msgspec

from gangland_ladder.errors.catalogue import rejection
from gangland_ladder.pairing.tables import NoTables
from gangland_ladder.tournaments.lifecycle import MoveRefused
from gangland_sandbox.errors import UploadRejected
from gangland_web.base.text import shown
from gangland_web.queries.bots import finding_of
from gangland_web.services.challenges import ChallengeRefused, TooMany
from gangland_web.services.corrections import DirectiveRefused
from gangland_web.services.ladder_days import ValueRefused
from gangland_web.services.teams import TeamRefused
from gangland_web.services.tournaments import EntryRefused
from gangland_web.web.requests import Problem

REFUSALS: Final = (
    *(UploadRejected, EntryRefused, DirectiveRefused, ChallengeRefused, MoveRefused, NoTables, TeamRefused),
    *(ValueRefused, Problem),
)
"""What a handler may end in."""


def refused(refusal: Exception) -> Problem:
    """Return a refusal as the problem that the caller reads."""
    if isinstance(refusal, Problem):
        return refusal
    if isinstance(refusal, UploadRejected):
        finding = rejection(refusal)
        return Problem(
            422, finding.code, finding.message, more={"findings": [msgspec.to_builtins(finding_of(finding))]}
        )
    if isinstance(refusal, TooMany):
        headers = {} if refusal.wait_s is None else {"Retry-After": str(ceil(refusal.wait_s))}
        return Problem(429, "E307", shown(str(refusal)), headers=headers)
    text = shown(str(refusal))
    return Problem(422, "E312", text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))
