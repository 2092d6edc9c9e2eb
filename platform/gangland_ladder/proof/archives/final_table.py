"""Whether the final table was the one that had to be played: who sat at it, when, and that nothing came after it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gangland_ladder.pairing.tables import Entrant
from gangland_ladder.proof.archives.archive import TOURNAMENT, FinalTable, Match
from gangland_ladder.proof.archives.findings import Proof
from gangland_ladder.rating.final_standings import BlockResult, standings
from gangland_ladder.tournaments.final_table import EFFECT, finalists, seating_order
from gangland_ladder.tournaments.official_order import FinalResult

CHANGED = "who had to sit at the final table: results were taken out or bots left, perhaps after it was scheduled"


class FinalTableExaminer:
    """Works out who the final table is for, from all blocks before it, and keeps its own blocks.

    Where a match is void, an entry disqualified or withdrawn, the order by which it was scheduled may have been
    another: other bots at it are then unproven, and no finding.
    """

    def __init__(
        self,
        announced: FinalTable,
        entries: Sequence[int],
        outside: Collection[int],
        entrants: Sequence[Entrant],
        seed: str,
        proof: Proof,
    ) -> None:
        self.announced, self.entries, self.outside, self.entrants = announced, entries, outside, entrants
        self.seed, self.proof = seed, proof
        self.match: int | None = None
        self.result: FinalResult | None = None
        self.is_sure = len(entrants) == len(entries)
        self.differs = ""
        if announced.effect != EFFECT:
            proof.add(TOURNAMENT, f"its final table is announced as {announced.effect!r}, and not as {EFFECT!r}")

    def take(self, match: Match, before: Sequence[BlockResult]) -> None:
        """Hold the final table against the order before it.

        Args:
            before: the blocks of all other matches.
        """
        self.match = match.number
        wanted = self._finalists(before)
        if sorted(wanted) != match.entries:
            first = f"the first {self.announced.seats} of the order before it are {list(wanted)!r}"
            self.differs = f"match {match.number} is the final table of {match.entries!r}, but {first}"

    def after(self, match: Match) -> None:
        """Note a match that comes after the final table."""
        self.proof.add(
            f"match {match.number}",
            f"it comes after match {self.match}, the final table, and nothing is played after that",
        )

    def end(self, blocks: Sequence[BlockResult], *, over: bool) -> str:
        """Say what is left once all matches were taken, and return what is unproven, empty if nothing is.

        Args:
            blocks: of all matches but the final table.
            over: whether the tournament is finished.
        """
        if over and self.match is None and self._finalists(blocks):
            self.differs = "a final table was announced, and none was played"
        if self.differs and not self.is_sure:
            return CHANGED
        if self.differs:
            self.proof.add(TOURNAMENT, self.differs)
        return ""

    def _finalists(self, blocks: Sequence[BlockResult]) -> tuple[int, ...]:
        ranks = {row.entry: row.rank for row in standings(blocks, self.entries, outside=self.outside).rows}
        return finalists(seating_order(ranks, self.seed), self.entrants, self.announced.seats)
