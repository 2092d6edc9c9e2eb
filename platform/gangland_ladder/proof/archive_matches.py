"""Convert an archive's matches to jobs and records, and check that the right matches were played."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from gangland_ladder.matches.match_jobs import GameRecord, MatchJob, Seat
from gangland_ladder.matches.seeds import block_seed, dice_secret, entries_digest, rng_key
from gangland_ladder.pairing.permitted_tables import Entrant, Table
from gangland_ladder.proof.archive_files import Archive
from gangland_ladder.proof.archives import TOURNAMENT, ArchiveError, Match, PlayedMatch
from gangland_ladder.proof.findings import Proof
from gangland_ladder.rating.bradley_terry import BlockResult
from gangland_ladder.rating.final_standings import standings
from gangland_ladder.tournaments import final_table, official_order
from gangland_ladder.tournaments.settling_rounds import Terms, next_tables

# Jobs and records, with which an archive's matches can be judged and replayed like any other match.


LOCAL_DIGEST: Final = b"local"  # Used in place of the entries' digest if the dice come from a local `--seed`.
_ANY_KEY: Final = "0" * 64


def digest_for(dice: str, entries: Sequence[str], seated: Sequence[str]) -> bytes:
    """Return the digest that block seeds depend on: of all entries, or of the seated ones, in the order of the entries.

    `entries` and `seated` have the SHA-256 of each bot's code.
    """
    if dice == "seed":
        return LOCAL_DIGEST
    return entries_digest(list(entries if dice == "frozen" else seated))


def match_job_of(archive: Archive, played: PlayedMatch, secret: bytes | None = None) -> MatchJob:
    """Return a match's job, with dice from the secret or the replays. Raises ArchiveError: no entry or no seed."""
    tournament, match, final = archive.tournament, played.match, archive.tournament.final_table
    where, entries = f"match {match.number}", {entry.id: entry for entry in archive.entries}
    if missing := [entry for entry in match.entries if entry not in entries]:
        raise ArchiveError(where, f"there are no entries {missing!r}")
    match_entries = [entries[entry] for entry in match.entries]
    if secret is None:
        seeds = [seed_of(where, bytes(game.replay)) for game in played.games if game.rotation == 0]
        key = match.rng_key
    else:
        codes = [entry.code for entry in archive.entries]
        digest = digest_for(tournament.dice, codes, [entry.code for entry in match_entries])
        secret = dice_secret(secret, tournament.public_value)
        blocks, _ = tournament.size_of(match)
        seeds = [block_seed(secret, digest, match.number, block).hex() for block in range(blocks)]
        key = rng_key(secret, match.number).hex()
    return MatchJob(
        id=match.number,
        game=tournament.game,
        options=tournament.options,
        blocks=seeds,
        rng_key=key or _ANY_KEY,
        seats=[Seat(entry.id, entry.file, entry.code) for entry in match_entries],
        limits=final.limits(tournament.limits) if match.is_final and final else tournament.limits,
    )


def records_of(played: PlayedMatch) -> list[GameRecord]:
    """Return the games of a match in the form that a referee records, but without logs, which archives do not have."""
    return [
        GameRecord(
            block=game.block,
            rotation=game.rotation,
            seating=game.seating,
            replay=bytes(game.replay).decode("utf-8", "replace"),
            views=game.views,
            faults=game.faults,
            logs=[],
        )
        for game in played.games
    ]


def block_results(entries: Sequence[int], places: Sequence[Sequence[Fraction]]) -> list[BlockResult]:
    """Return the blocks of a finished match in the form that the final standings need."""
    return [BlockResult(tuple(entries), block) for block in zip(*places, strict=True)]


class _ReplaySeed(msgspec.Struct):
    seed: str


def seed_of(where: str, replay: bytes) -> str:
    """Return the seed in a replay's JSON without decoding the rest. Raises ArchiveError: there is no seed."""
    try:
        return _SEED_DECODER.decode(replay).seed
    except (ValueError, RecursionError) as error:
        raise ArchiveError(where, f"a replay has no seed: {error}") from error


_SEED_DECODER = msgspec.json.Decoder(_ReplaySeed)


# Settling rounds: matches that follow the schedule, as announced (docs/proof.md).


CHANGED_SCHEDULE = (
    "the pairings of the settling rounds: results were removed or bots left, either before or after these rounds"
)
NOT_PLAYED = "that the first places are settled: settling was announced, but no match was played for it"


class SettlingExaminer:
    """Compares the matches after the schedule with the rounds; each round is derived from all blocks before it."""

    def __init__(
        self, terms: Terms, entrants: Sequence[Entrant], outside: Collection[int], blocks: int, seats: int, proof: Proof
    ) -> None:
        self.terms, self.entrants, self.outside = terms, entrants, outside
        self.blocks, self.seats, self.proof = blocks, seats, proof
        self.rounds = 0
        self.due: list[Table] = []
        self.difference = ""
        self.is_certain = True

    def add_match(self, match: Match, before: Sequence[BlockResult]) -> None:
        """Compare one match with the expected round."""
        if self.difference:
            return  # after a difference, the expected matches are unknown
        if not self.due:
            self.due = list(self._next(before))
            self.rounds += 1
        table = tuple(match.entries)
        if self.due and self.due[0] == table:
            self.due.pop(0)
            return
        expected = f"require {list(self.due[0])!r}" if self.due else "allow no further match"
        self._report(f"match {match.number}, a settling match, is between {list(table)!r}, but the terms {expected}")

    def end(self, blocks: Sequence[BlockResult], *, over: bool, is_automatic: bool) -> str:
        """Check the end of settling, which is automatic before a final table; return the unproven claim, or ""."""
        if not self.rounds and not is_automatic:
            return NOT_PLAYED
        if self.due or (over and self._next(blocks)):
            self._report("settling stopped earlier than its terms allow")
        if not self.is_certain:  # the standings at that time are unknown, so this is only unproven
            return CHANGED_SCHEDULE
        if self.difference:
            self.proof.add(TOURNAMENT, self.difference)
        return ""

    def _next(self, blocks: Sequence[BlockResult]) -> tuple[Table, ...]:
        order = standings(blocks, [entrant.entry for entrant in self.entrants], outside=self.outside)
        rest = {"blocks": self.blocks, "seats": self.seats, "played": self.rounds}
        return next_tables(order, self.terms, entrants=self.entrants, **rest)

    def _report(self, message: str) -> None:
        self.difference = self.difference or message


# The final table: checking its entries, its position, and that no match follows it.


CHANGED_TABLE = "the seats at the final table: results were removed or bots left, perhaps after it was scheduled"


class FinalTableExaminer:
    """Derives the finalists from all blocks before the final table, and stores its result."""

    def __init__(
        self,
        announced: final_table.FinalTerms,
        entries: Sequence[int],
        outside: Collection[int],
        entrants: Sequence[Entrant],
        seed: str,
        proof: Proof,
    ) -> None:
        self.announced, self.entries, self.outside, self.entrants = announced, entries, outside, entrants
        self.seed, self.proof = seed, proof
        self.match: int | None = None
        self.result: official_order.FinalResult | None = None
        self.is_certain = len(entrants) == len(entries)
        self.difference = ""
        if announced.effect != final_table.EFFECT:
            proof.add(
                TOURNAMENT, f"its final table must be announced as {final_table.EFFECT!r}, not as {announced.effect!r}"
            )

    def add_match(self, match: Match, before: Sequence[BlockResult]) -> None:
        """Compare the final table with the order before it."""
        self.match = match.number
        expected = self._finalists(before)
        if sorted(expected) != match.entries:
            first = f"the first {self.announced.seats} of the order before it are {list(expected)!r}"
            self.difference = f"match {match.number} is the final table of {match.entries!r}, but {first}"

    def add_later_match(self, match: Match) -> None:
        """Add a finding for a match after the final table."""
        message = f"it comes after match {self.match}, the final table, which must be the last match"
        self.proof.add(f"match {match.number}", message)

    def end(self, blocks: Sequence[BlockResult], *, over: bool) -> str:
        """Check the end of the matches; return the unproven claim, or ""."""
        if over and self.match is None and self._finalists(blocks):
            self.difference = "a final table was announced, but none was played"
        if self.difference and not self.is_certain:  # the order at that time is unknown, so this is only unproven
            return CHANGED_TABLE
        if self.difference:
            self.proof.add(TOURNAMENT, self.difference)
        return ""

    def _finalists(self, blocks: Sequence[BlockResult]) -> tuple[int, ...]:
        ranks = {row.entry: row.rank for row in standings(blocks, self.entries, outside=self.outside).rows}
        return final_table.finalists(final_table.seating_order(ranks, self.seed), self.entrants, self.announced.seats)
