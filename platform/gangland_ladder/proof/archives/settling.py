"""Whether matches after the schedule's were played as the announced settling has it (docs/proof.md)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gangland_ladder.pairing.tables import Entrant, Table
from gangland_ladder.proof.archives.archive import TOURNAMENT, Match, Settling
from gangland_ladder.proof.archives.findings import Proof
from gangland_ladder.rating.final_standings import BlockResult, standings
from gangland_ladder.tournaments.settling_rounds import Terms, next_tables

CHANGED = "who met whom in the settling: results were taken out or bots left, which may have been before or after it"
NOT_PLAYED = "that the first places are settled: it was announced, and no match was played for it"


class SettlingExaminer:
    """Follows the matches after the schedule's, and works out each round anew from all blocks before it.

    Where a match is void or an entry disqualified, the standings by which a round was planned are not known: it is
    said then that this is unproven, and nothing is found.
    """

    def __init__(
        self,
        terms: Settling,
        entrants: Sequence[Entrant],
        outside: Collection[int],
        blocks: int,
        seats: int,
        proof: Proof,
    ) -> None:
        self.terms = Terms(terms.first, terms.percent, terms.blocks)
        self.entrants, self.outside = entrants, outside
        self.blocks, self.seats, self.proof = blocks, seats, proof
        self.rounds = 0
        self.due: list[Table] = []
        self.differs = ""
        self.is_sure = True

    def take(self, match: Match, before: Sequence[BlockResult]) -> None:
        """Hold one match against the round that is due.

        Args:
            before: the blocks of all matches before it.
        """
        if self.differs:
            return  # what comes after cannot be told
        if not self.due:
            self.due = list(self._next(before))
            self.rounds += 1
        table = tuple(match.entries)
        if self.due and self.due[0] == table:
            self.due.pop(0)
            return
        wanted = f"{list(self.due[0])!r}" if self.due else "nobody"
        self._differ(
            f"match {match.number} of the settling is between {list(table)!r}, but by its terms {wanted} meets"
        )

    def end(self, after: Sequence[BlockResult], *, over: bool, by_itself: bool) -> str:
        """Say what is left once all matches were taken, and return what is unproven, empty if nothing is.

        Args:
            over: whether the tournament is finished, or its final table scheduled.
            by_itself: whether it is nobody's choice to settle, as where a final table follows.
        """
        if not self.rounds and not by_itself:
            return NOT_PLAYED
        if self.due or (over and self._next(after)):
            self._differ("the settling stopped before it was over by its terms")
        if not self.is_sure:
            return CHANGED
        if self.differs:
            self.proof.add(TOURNAMENT, self.differs)
        return ""

    def _next(self, blocks: Sequence[BlockResult]) -> tuple[Table, ...]:
        found = standings(blocks, [each.entry for each in self.entrants], outside=self.outside)
        rest = {"blocks": self.blocks, "seats": self.seats, "played": self.rounds}
        return next_tables(found, self.terms, entrants=self.entrants, **rest)

    def _differ(self, words: str) -> None:
        self.differs = self.differs or words
