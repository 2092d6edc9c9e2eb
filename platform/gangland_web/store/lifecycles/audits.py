"""The states of an audit and the bounds that it keeps."""

from enum import StrEnum
from typing import Final


class AuditState(StrEnum):
    """Where an audit stands: open -> agreed, differed or lapsed."""

    OPEN = "open"
    AGREED = "agreed"
    """All that could be compared was alike."""
    DIFFERED = "differed"
    """A bot decided differently; a verdict stands with each difference."""
    LAPSED = "lapsed"
    """Nothing can be said: it could not be played, or not in time."""


ENDED: Final = (AuditState.AGREED, AuditState.DIFFERED)
LASTS_S: Final = 86_400.0
"""An audit that has not ended so long after it was drawn lapses; nothing waits longer for it."""
SUSPECTS_PERCENT: Final = 50
"""The share of a suspected host's results that is audited, if it would be less otherwise."""
GOOD_RUN: Final = 30
"""So many audits that agreed before a host's first bad one vouch for what it played before them."""
