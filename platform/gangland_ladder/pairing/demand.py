"""Decide how many tables each entry gets in a ladder's round, and reduce that number after faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import isfinite

# Demand: the number of tables of each entry in a round.


SHARE = Fraction(1, 4)  # Maximum share of a round's tables for one entry, except on small rosters.
SMALL_ROSTER = 50  # With fewer playing entries, a larger share is unavoidable, or takes no table from another entry.
APPEARANCES = 4  # Tables per round for an entry of mean uncertainty; an entry gets at most three times this number.
PLACEMENT = 12  # Number of tables that a new version plays as soon as possible.
IDLE_ROUNDS = 5  # Every active entry plays at least one table in this number of rounds.
PROBATION_ROUNDS = 4  # Rounds per table for an entry on probation; at most `IDLE_ROUNDS`, because it is active.


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveEntry:
    """An active entry of a ladder; a house bot has no owner and counts as its own owner."""

    entry: int
    owner: int | None
    mu: float
    sigma: float
    appearances: int = 0
    last_round: int | None = None
    probation: bool = False

    def __post_init__(self) -> None:
        if not (isfinite(self.mu) and isfinite(self.sigma) and self.sigma > 0):
            raise ValueError(f"entry {self.entry} has no rating: mu {self.mu!r}, sigma {self.sigma!r}")

    @property
    def owner_key(self) -> tuple[str, int]:
        """The owner, or for a house bot the entry itself; two entries with the same owner never meet."""
        return ("house", self.entry) if self.owner is None else ("owner", self.owner)


@dataclass(frozen=True, slots=True)
class Demand:
    """The number of tables of each entry in a round."""

    tables: Mapping[int, int]
    due: frozenset[int]  # entries that must play in this round
    newcomers: frozenset[int]  # new entries, which meet opponents of all ratings
    limit: int  # maximum number of tables of one entry


def demand(entries: Sequence[ActiveEntry], *, seats: int, number: int, lots: Mapping[int, int]) -> Demand:
    """Return the number of tables of each entry in round `number`.

    New entries play all their placement tables at once. Entries on probation rarely play, and all others
    share `APPEARANCES` tables per entry by uncertainty, the square of sigma.
    """
    idle = {active.entry for active in entries if _rounds_since(active, number) >= IDLE_ROUNDS}
    newcomers = {active.entry for active in entries if not active.probation and active.appearances < PLACEMENT}
    steady = [active for active in entries if not active.probation and active.entry not in newcomers]
    tables = _by_uncertainty(steady, lots)
    for active in entries:
        if active.entry in newcomers:
            tables[active.entry] = PLACEMENT - active.appearances
        elif active.probation:
            tables[active.entry] = int(_rounds_since(active, number) >= PROBATION_ROUNDS)
        if active.entry in idle:
            tables[active.entry] = max(1, tables[active.entry])
    due = idle | {active.entry for active in entries if active.probation and tables[active.entry]}
    while tables != (bounded := {entry: min(count, _limit(tables, seats)) for entry, count in tables.items()}):
        tables = bounded
    return Demand(tables, frozenset(due), frozenset(newcomers), _limit(tables, seats))


def lot(seed: str, number: int, entry: int) -> int:
    """Return an entry's random number in a round, which breaks ties."""
    return int.from_bytes(sha256(f"{seed}|{number}|{entry}".encode()).digest()[:8], "big")


def _limit(tables: Mapping[int, int], seats: int) -> int:
    planned = -(-sum(tables.values()) // seats)
    share = planned * SHARE.numerator // SHARE.denominator
    players = sum(count > 0 for count in tables.values())
    if players < SMALL_ROSTER:
        share = max(share, PLACEMENT, 2 * -(-planned * seats // max(1, players)))
    return max(1, share)


def _rounds_since(active: ActiveEntry, number: int) -> float:
    return float("inf") if active.last_round is None else number - active.last_round


def _by_uncertainty(steady: Sequence[ActiveEntry], lots: Mapping[int, int]) -> dict[int, int]:
    """Distribute a round's tables by uncertainty, exactly and in whole numbers (by largest remainders)."""
    # Tables above the limit go to other entries: an uncertain entry must not get half of a ladder's tables.
    limit, budget = 3 * APPEARANCES, APPEARANCES * len(steady)
    weights, tables = {active.entry: Fraction(active.sigma) ** 2 for active in steady}, dict[int, int]()
    while capped := [entry for entry, share in _shares(weights, budget).items() if share >= limit]:
        tables |= dict.fromkeys(capped, limit)
        weights = {entry: weight for entry, weight in weights.items() if entry not in tables}
        budget -= limit * len(capped)
    shares = _shares(weights, budget)
    tables |= {entry: int(share) for entry, share in shares.items()}
    order = sorted(shares, key=lambda entry: (tables[entry] - shares[entry], lots[entry], entry))
    for entry in order[: budget - sum(tables[entry] for entry in shares)]:
        tables[entry] += 1
    return tables


def _shares(weights: Mapping[int, Fraction], budget: int) -> dict[int, Fraction]:
    total = sum(weights.values(), Fraction(0))
    return {entry: budget * weight / total for entry, weight in weights.items()}


# Conduct: strikes for faults, and probation.


FAULT_STRIKES = 2
PROBATION_STRIKES = 6


@dataclass(frozen=True, slots=True)
class Conduct:
    """An entry's strikes: each match adds two if the entry had a fault in it, and otherwise removes one."""

    strikes: int = 0
    probation: bool = False

    def after_match(self, had_fault: bool) -> Conduct:
        """Return the conduct after one more match; matches count in the order of their numbers."""
        if not had_fault:
            strikes = max(0, self.strikes - 1)
            return Conduct(strikes, self.probation and strikes > 0)
        # A fault on probation resets strikes to six, so an entry needs six clean matches in a row to leave probation.
        strikes = PROBATION_STRIKES if self.probation else min(PROBATION_STRIKES, self.strikes + FAULT_STRIKES)
        return Conduct(strikes, strikes == PROBATION_STRIKES)
