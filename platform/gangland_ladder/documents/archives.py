"""What is printed of an archive that was examined or taken in, and of its matches that are played again."""

from gangland_ladder.common.documents import BotCode, Count, Document, GameName, Part, Seats
from gangland_ladder.matches.first_difference import Difference
from gangland_ladder.proof.findings import Finding
from gangland_ladder.proof.randomness import PlayedRandomness


class MatchCounts(Part):
    """How many matches there are."""

    all: Count
    void: Count
    scheduled: Count


class ProvenBot(Part):
    """An entry, and the code that it played with."""

    entry: Count
    name: str
    version: Count
    sha256: BotCode


class ProofDocument(Document, tag="gangland/proof/1", kw_only=True):
    """Of an archive: whether a tournament's archive proves itself. All but the findings is null if it cannot be read.

    Of a season of a ladder: whether its standings follow from its days, without digests and bots.

    Attributes:
        verified: null if nothing was found, but it was interrupted.
        sha256: of the archive.
        entries_digest: of the entries' code, hexadecimal; a tournament's page shows it from the freeze on.
        randomness: the public value that goes into the dice.
        unproven: what an archive cannot prove.
        found: how many findings.
        findings: the first of them.
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
    """What was written into a folder, and what was left out.

    Attributes:
        games: how many came out as recorded.
        seats: rows of the table of games and seats.
        decisions: rows of the table of decisions.
        files: what was written: replays, then the tables; none if no game was left.
        found: how many findings there are.
        findings: the first 1000.
    """

    title = "gangland import --json"

    games: Count
    seats: Count
    decisions: Count
    files: list[str]
    found: Count
    findings: list[Finding]


class ReproducedSeat(Part):
    """Who sat in a match.

    Attributes:
        played: else it gave what is recorded.
    """

    entry: Count
    name: str
    sha256: BotCode
    played: bool


class ReproductionDocument(Document, tag="gangland/reproduction/1"):
    """A match played again.

    Attributes:
        reproduced: null if it was interrupted.
        games: as recorded.
        decisions: of those who played.
        difference: the first thing that differs.
        deterministic: whether it came out the same when played twice; null if it was not.
        python: the minor version of the Python that the bots ran on here, such as 3.11; where it differs from
            `recorded_on`, a bot may decide differently for that reason alone.
        recorded_on: the one that the match was recorded on; null where that is not known.
    """

    title = "gangland reproduce --json; gangland admin reproduce --json"

    match: Count
    reproduced: bool | None
    seats: list[ReproducedSeat]
    games: Count
    decisions: Count
    difference: Difference | None
    deterministic: bool | None
    python: str
    recorded_on: str | None
