"""When differences speak against a host: a sequential test over the owners of the bots.

An owner's bots may go by the clock or by addresses on purpose, so each owner counts once, however often its bots
differ.  `BASE` bounds the share of owners whose bots would ever stand against an honest host.  The evidence is the
likelihood ratio of a host that forges to one that is honest, averaged over `ALTERNATIVES`: a martingale while the host
is honest, so the chance that it ever reaches 1/`FALSE_STOP` is `FALSE_STOP` at most (Ville), however often one looks.
It rises with each owner that stands against the host, so counting an owner's difference late only lowers it.
"""

from __future__ import annotations

from math import exp, fsum, log
from typing import Final

ALTERNATIVES: Final = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Shares of owners that may stand against a host that forges, each as likely as the others."""
BASE: Final = 0.02
"""The share of owners that may stand against an honest host."""
PRIOR: Final = 50
"""So many owners of other hosts `BASE` weighs, when that share is taken from what was seen."""
FALSE_STOP: Final = 0.001
"""The chance that an honest host is ever stopped, from its creation or its last release by the operator on."""
OWNERS: Final = 3
"""Differences of fewer owners than this stop nobody."""
SUSPICION: Final = 1.0
"""From this ratio on a host is suspected, and more of its results are audited."""


def base_share(owners: int, differing: int) -> float:
    """Return the share of owners that may stand against an honest host, `BASE` or more.

    Args:
        owners: that were compared in plays of the other hosts; differing: those that stood against one of them.
    """
    return max(BASE, (BASE * PRIOR + differing) / (PRIOR + owners))


def evidence(owners: int, differing: int, base: float = BASE) -> float:
    """Return how many times likelier what was seen is of a host that forges than of an honest one.

    Args:
        owners: that were compared in the host's plays; differing: those that stand against it.
        base: share of owners that may stand against an honest host.

    Raises:
        ValueError: not a count of owners, or more differ than were compared.
    """
    if not 0 <= differing <= owners:
        raise ValueError(f"of {owners} owners 0 to {owners} can differ, not {differing}")
    ratios = [_ratio(owners, differing, base, share) if share > base else 0.0 for share in ALTERNATIVES]
    return fsum(ratios) / len(ratios)


def is_forging(owners: int, differing: int, base: float = BASE) -> bool:
    """Tell whether a host is to be stopped."""
    return differing >= OWNERS and evidence(owners, differing, base) >= 1 / FALSE_STOP


def is_suspect(owners: int, differing: int, base: float = BASE) -> bool:
    """Tell whether more of a host's results are to be audited."""
    return differing > 0 and evidence(owners, differing, base) > SUSPICION


def _ratio(owners: int, differing: int, base: float, share: float) -> float:
    power = differing * log(share / base) + (owners - differing) * log((1 - share) / (1 - base))
    return exp(min(power, 600.0))
