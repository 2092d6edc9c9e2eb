"""What services refuse, as problems with the codes of the catalogue."""

from __future__ import annotations

from math import ceil
from typing import Final

from gangland_ladder.catalogue import rejection
from gangland_ladder.lifecycle import MoveRefused
from gangland_ladder.pairing import NoTables
from gangland_sandbox.errors import UploadRejected
from gangland_web.api.documents import finding_document
from gangland_web.challenges.services import ChallengeRefused, TooMany
from gangland_web.organising.results import DirectiveRefused
from gangland_web.teams.services import TeamRefused
from gangland_web.tournaments.public_values import ValueRefused
from gangland_web.tournaments.running import EntryRefused
from gangland_web.web.problems import Problem
from gangland_web.web.text import shown

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
        return Problem(422, finding.code, finding.message, more={"findings": [finding_document(finding)]})
    if isinstance(refusal, TooMany):
        headers = {} if refusal.wait_s is None else {"Retry-After": str(ceil(refusal.wait_s))}
        return Problem(429, "E307", shown(str(refusal)), headers=headers)
    text = shown(str(refusal))
    return Problem(422, "E312", text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))
