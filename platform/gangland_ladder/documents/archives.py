"""Schemas of the JSON that `gangland verify`, `import` and `reproduce` print with `--json`."""

from gangland_ladder.common.documents import BotCode, Count, Document, GameName, Part, Seats
from gangland_ladder.matches.first_difference import Difference
from gangland_ladder.proof.findings import Finding
from gangland_ladder.proof.randomness import PlayedRandomness


class MatchCounts(Part):
    """The number of matches, by state."""

    all: Count
    void: Count
    scheduled: Count


class ProvenBot(Part):
    """An entry and its code."""

    entry: Count
    name: str
    version: Count
    sha256: BotCode


class ProofDocument(Document, tag="gangland/proof/1", kw_only=True):
    """Whether an archive or a season proves its results. If it is unreadable, all members except the findings are null.

    A season has no digests and bots; its standings are proven from its days.

    Attributes:
        verified: null if the examination was interrupted without a finding.
        sha256: the archive's SHA-256.
        entries_digest: the digest of the entries' code, hexadecimal; a tournament's page shows it after the freeze.
        randomness: the public value that the dice depend on.
        unproven: claims that the archive cannot prove.
        found: the number of findings; only the first ones are listed.
    """

    title = "gangland verify --json"

    verified: bool | None
    sha256: str | None = None
    tournament: str | None = None
    game: GameName | None = None
    seats: Seats | None = None
    commitment: str | None = None
    entries_digest: str | None = None
    randomness: PlayedRandomness | None = None
    matches: MatchCounts | None = None
    games: Count | None = None
    decisions: Count | None = None
    bots: list[ProvenBot] | None = None
    unproven: list[str] | None = None
    found: Count
    findings: list[Finding]


class Imported(Document, tag="gangland/imported/1"):
    """The tables and replays written into a folder.

    Attributes:
        games: the number of games that were replayed as recorded.
        seats, decisions: the number of rows in each table.
        files: replays, then the tables; empty if there is no game.
        found: the number of findings; only the first 1000 are listed.
    """

    title = "gangland import --json"

    games: Count
    seats: Count
    decisions: Count
    files: list[str]
    found: Count
    findings: list[Finding]


class ReproducedSeat(Part):
    """A seat of a match, and whether its bot played; if not, its recorded decisions were repeated."""

    entry: Count
    name: str
    sha256: BotCode
    played: bool


class ReproductionDocument(Document, tag="gangland/reproduction/1"):
    """A replayed match.

    Attributes:
        reproduced: null if it was interrupted.
        recorded_games: the number of games in the record.
        games: the number of games that equal the record.
        decisions: the number of decisions of the bots that played.
        deterministic: whether two replays were equal; null if there was only one.
        python: the minor version of Python here, such as 3.11; if the record is from another one, bots may decide
            differently for that reason.
        recorded_on: the Python of the record; null if unknown.
    """

    title = "gangland reproduce --json; gangland admin reproduce --json"

    match: Count
    reproduced: bool | None
    seats: list[ReproducedSeat]
    recorded_games: Count
    games: Count
    decisions: Count
    difference: Difference | None
    deterministic: bool | None
    python: str
    recorded_on: str | None
