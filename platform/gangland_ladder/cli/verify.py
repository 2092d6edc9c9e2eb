"""`gangland verify`: verify recorded games, tournament archives, and a ladder's seasons."""

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from msgspec import UNSET

from gangland.game import Outcome
from gangland.replay import ReplayError
from gangland.replay import verify as verify_replay
from gangland_ladder.cli import output
from gangland_ladder.cli.replay_files import Entry, entries, file_name, is_archive
from gangland_ladder.common.runtime import FINDINGS, INTERRUPTED
from gangland_ladder.common.texts import counted
from gangland_ladder.documents.archives import MatchCounts, ProofDocument, ProvenBot
from gangland_ladder.documents.games import Failure, Verify
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.matches.judging import check_views, verify_views
from gangland_ladder.proof.archive_files import Archive, open_archive
from gangland_ladder.proof.archives import ArchiveError
from gangland_ladder.proof.findings import Proof
from gangland_ladder.proof.ladder_archives import Season, SeasonExaminer, read_season

# The command.


MAX_LISTED = 1000  # Maximum number of a file's replays, and of failures, that a JSON document lists.
_HEX = re.compile(r"[0-9a-f]{64}")

Secret = Annotated[
    str | None, typer.Option("--secret", metavar="HEX", help="The tournament's secret, if the archive lacks it.")
]
Commitment = Annotated[
    str | None, typer.Option("--commitment", metavar="HEX", help="The SHA-256 of the secret, noted before the matches.")
]
Days = Annotated[
    Path | None,
    typer.Option("--days", metavar="FOLDER", help="FILE is a season (JSON). FOLDER has the archives of its days."),
]


def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="An archive, replays or a file written by `gangland play --out`. - is stdin."
        ),
    ],
    secret: Secret = None,
    commitment: Commitment = None,
    entries_digest: Annotated[
        str | None,
        typer.Option("--entries", metavar="HEX", help="The digest of the entries, noted after entries closed."),
    ] = None,
    days: Days = None,
    as_json: output.Json = False,
    quiet: output.Quiet = False,
) -> None:
    """Replay recorded games and check every result.

    In an archive, dice, decisions, results, ratings and standings are all checked.

    Example: gangland verify match-7.ndjson

    Example: gangland verify cup.tar --commitment 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd
    """
    if days is not None:
        verify_season(file, days, as_json=as_json, quiet=quiet)
    elif is_archive(file):
        _verify_archive(file, secret, commitment, entries_digest, as_json=as_json, quiet=quiet)
    elif not (secret is None and commitment is None and entries_digest is None):
        raise InvalidArgument(f"--secret, --commitment and --entries need an archive, which {file_name(file)} is not")
    else:
        _verify_replays(file, as_json=as_json, quiet=quiet)


def _verify_archive(
    file: Path, secret: str | None, commitment: str | None, entries_digest: str | None, *, as_json: bool, quiet: bool
) -> None:
    is_complete = True

    def on_interrupt(games: int, planned: int) -> None:
        nonlocal is_complete
        is_complete = False
        output.say_interrupted(f"after {games} of {planned} games; results are partial")

    archive, proof = examine_archive(file, secret, commitment, entries_digest, quiet=quiet, on_interrupt=on_interrupt)
    if as_json:
        output.print_json(_archive_document(archive, proof, is_complete=is_complete))
    else:
        _say_findings(file, proof)
        if archive is not None and is_complete:
            _print_archive(file, archive, proof)
        verdict = counted(proof.count, "finding")
        if not is_complete:
            so_far = f"{counted(proof.matches, 'match')} and {counted(proof.games, 'game')}"
            verdict = f"{verdict} in {so_far}; the rest was not checked"
        elif proof.is_proven:
            verdict = "verified"
        sys.stdout.write(f"{file_name(file)}: {verdict}\n")
    if not is_complete:
        sys.exit(INTERRUPTED)
    if not proof.is_proven:
        sys.exit(FINDINGS)


def examine_archive(
    file: Path,
    # secret, commitment, entries_digest: values from a source other than the archive, in hexadecimal digits
    secret: str | None = None,
    commitment: str | None = None,
    entries_digest: str | None = None,
    *,
    quiet: bool = False,
    # called after Ctrl-C with the numbers of examined games and of all games; the proof is then incomplete
    on_interrupt: Callable[[int, int], None] | None = None,
) -> tuple[Archive | None, Proof]:
    """Return an archive, or None if it cannot be opened, and the proof of its claims."""
    from gangland_ladder.proof.proving import prove

    digits = hex_digits("--secret", secret)
    announced, frozen = hex_digits("--commitment", commitment), hex_digits("--entries", entries_digest)
    proof = Proof()
    try:
        archive, damages = open_archive(file)
        planned = archive.tournament.matches * archive.tournament.blocks * archive.tournament.seats
        try:
            with output.Progress(planned, quiet=quiet) as progress:
                on_progress, revealed = progress.update, None if digits is None else bytes.fromhex(digits)
                prove(archive, secret=revealed, announced=announced, frozen=frozen, progress=on_progress, proof=proof)
        except KeyboardInterrupt:
            if on_interrupt is None:
                raise
            on_interrupt(proof.games, planned)
            return archive, proof
    except ArchiveError as error:
        proof.add_error(error)
        return None, proof
    except OSError as error:
        raise InvalidArgument(f"cannot read {file_name(file)}: {error.strerror}") from error
    for damage in damages:
        proof.add_error(damage)
    return archive, proof


def hex_digits(option: str, value: str | None) -> str | None:
    """Return an option's hexadecimal digits in lower case. Raises InvalidArgument: they are not 64 digits."""
    text = None if value is None else value.strip().lower()
    if text is not None and not _HEX.fullmatch(text):
        raise InvalidArgument(f"{option} expects 64 hexadecimal digits, not {str(value)[:80]!r}")
    return text


def _archive_document(archive: Archive | None, proof: Proof, *, is_complete: bool) -> ProofDocument:
    verdict = _verdict(proof.count, is_complete=is_complete)
    if archive is None:
        return ProofDocument(verified=verdict, found=proof.count, findings=proof.findings)

    from gangland_ladder.proof.proving import digest_of

    tournament = archive.tournament
    return ProofDocument(
        verified=verdict,
        sha256=archive.sha256,
        tournament=tournament.name,
        game=tournament.game,
        seats=tournament.seats,
        commitment=tournament.commitment,
        entries_digest=digest_of(archive),
        randomness=tournament.randomness or None,
        matches=MatchCounts(proof.matches, proof.void, proof.scheduled),
        games=proof.games,
        decisions=proof.decisions,
        bots=[ProvenBot(entry.id, entry.name, entry.version, entry.code) for entry in archive.entries],
        unproven=proof.unproven,
        found=proof.count,
        findings=proof.findings,
    )


def _verdict(count: int, *, is_complete: bool) -> bool | None:
    """Return whether everything is proven; None if the examination was interrupted without any finding."""
    return False if count else True if is_complete else None


def _print_archive(file: Path, archive: Archive, proof: Proof) -> None:
    tournament = archive.tournament
    name = output.clean(tournament.name)
    sys.stdout.write(f"{name}: {output.clean(tournament.game)} at {tournament.seats} seats\n")
    sys.stdout.write(f"{counted(proof.matches, 'match')} ({proof.void} void, {proof.scheduled} not played yet), ")
    sys.stdout.write(f"{counted(proof.games, 'game')}, {counted(proof.decisions, 'decision')}\n")
    if tournament.matches:
        last = tournament.first + tournament.matches - 1
        command = f"gangland reproduce NUMBER BOT... --archive {output.one_line(shlex.quote(str(file)))}"
        sys.stdout.write(f"{output.match_numbers(tournament.first, last)}; play one again: {command}\n")
    sys.stdout.write(f"SHA-256 of the archive: {archive.sha256}\n")
    if tournament.randomness is not UNSET:
        public = tournament.randomness.announced
        value = output.one_line(tournament.randomness.value or "not entered yet")
        source = output.one_line(f"{public.source}, {public.published_at}, {public.address}")
        sys.stdout.write(f"Public value: {value} ({source})\n")
    sys.stdout.write("\n")
    rows = [
        [str(entry.id), entry.name, str(entry.version), entry.code[: output.CODE_DIGITS]] for entry in archive.entries
    ]
    output.print_table(["entry", "bot", "version", "SHA-256"], rows, left=(1, 3))
    _print_unproven("archive", proof)


def _say_findings(file: Path, proof: Proof) -> None:
    for finding in proof.findings:
        output.say(f"gangland: {file_name(file)}: {finding.where}: {finding.message}")
    if proof.count > len(proof.findings):
        output.say(f"gangland: {file_name(file)}: and {proof.count - len(proof.findings)} more")


def _print_unproven(source: str, proof: Proof) -> None:
    sys.stdout.write(f"\nNot proven by the {source}:\n")
    for text in proof.unproven:
        sys.stdout.write(f"  - {output.one_line(text)}\n")
    sys.stdout.write("\n")


def _verify_replays(file: Path, *, as_json: bool, quiet: bool) -> None:
    replays = _ReplayCheck(file, prints_failures=not as_json)
    is_complete = True
    try:
        with output.ProgressLine(quiet=quiet) as line:
            for entry in entries(file):
                replays.check(entry)
                line.show(f"{counted(replays.checked, 'replay')}, {replays.failed} failed")
    except KeyboardInterrupt:
        is_complete = False
        output.say_interrupted(f"after {counted(replays.checked, 'replay')}; results are partial")
    if as_json:
        print_verdict(replays.checked, replays.failed, replays.failures, is_complete=is_complete)
    else:
        sys.stdout.write(f"{file_name(file)}: {replays.summary(is_complete=is_complete)}\n")
    if not is_complete:
        sys.exit(INTERRUPTED)
    if replays.failed:
        sys.exit(FINDINGS)


class _ReplayCheck:
    def __init__(self, file: Path, *, prints_failures: bool) -> None:
        self.file = file
        self.prints_failures = prints_failures
        self.checked = self.failed = 0
        self.failures: list[Failure] = []
        self.verdict = ""

    def check(self, entry: Entry) -> None:
        try:
            outcome = _outcome(entry)
        except ReplayError as error:
            self.failed += 1
            if self.prints_failures:
                output.say(failure_line(self.file, entry, error))
            elif self.failed <= MAX_LISTED:
                self.failures.append(Failure(entry.number, entry.line, str(error)))
        else:
            decisions = counted(len(entry.replay.decisions), "decision")
            self.verdict = f"verified, {decisions}, places {list(outcome.places)}"
        self.checked += 1

    def summary(self, *, is_complete: bool) -> str:
        if self.failed:
            return f"{self.failed} of {counted(self.checked, 'replay')} failed"
        return self.verdict if self.checked == 1 and is_complete else f"{counted(self.checked, 'replay')} verified"


def _outcome(entry: Entry) -> Outcome:
    if entry.views is None:
        return verify_replay(entry.replay)
    outcome, views, _ = verify_views(entry.replay)
    check_views(views, entry.views)
    return outcome


def failure_line(file: Path, entry: Entry, error: ReplayError) -> str:
    """Return the message about a replay that failed."""
    return f"gangland: {file_name(file)}, line {entry.line}: {error}"


def print_verdict(checked: int, failed: int, failures: list[Failure], *, is_complete: bool = True) -> None:
    """Print the verdict on replays as a JSON document."""
    output.print_json(Verify(_verdict(failed, is_complete=is_complete), checked, failed, failures))


# `--days FOLDER`: verifying the standings of a ladder's season with the archives of its days.


def verify_season(file: Path, folder: Path, *, as_json: bool, quiet: bool) -> None:
    """Verify each day's archive, recompute the season's standings, and exit 1 if anything differs."""
    proof = Proof()
    season = None
    try:
        season = read_season(file)
        examiner = SeasonExaminer(season, proof)
        archives = sorted(folder.glob("*.tar"))
        for number, path in enumerate(archives, 1):
            if not quiet:
                output.say(f"{path.name} ({number} of {len(archives)})")
            archive = _season_day(path, proof, quiet=quiet)
            if archive is not None:
                examiner.add_day(path.name, archive)
        examiner.finish()
    except ArchiveError as error:
        proof.add_error(error)
    except OSError as error:
        raise InvalidArgument(f"cannot read {file_name(file)} or {folder}: {error.strerror}") from error
    if as_json:
        output.print_json(_season_document(season, proof))
    else:
        _say_findings(file, proof)
        if season is not None and proof.is_proven:
            name = output.clean(season.ladder)
            sys.stdout.write(f"{name}: season {season.number}, {counted(len(season.days), 'day')}\n")
            counts = f"{counted(proof.matches, 'match')} ({proof.void} void)"
            sys.stdout.write(f"{counts}, {counted(proof.games, 'game')}\n\n")
            rows = [[str(row.rank), row.bot, f"{row.rating:.2f}", str(row.games)] for row in season.rows]
            output.print_table(["rank", "bot", "rating", "games"], rows, left=(1,))
            _print_unproven("archives", proof)
        verdict = "verified" if proof.is_proven else counted(proof.count, "finding")
        sys.stdout.write(f"{file_name(file)}: {verdict}\n")
    if not proof.is_proven:
        sys.exit(FINDINGS)


def _season_day(path: Path, proof: Proof, *, quiet: bool) -> Archive | None:
    archive, day_proof = examine_archive(path, quiet=quiet)
    for finding in day_proof.findings:
        proof.add(f"{path.name}, {finding.where}", finding.message)
    proof.matches += day_proof.matches
    proof.void += day_proof.void
    proof.games += day_proof.games
    proof.decisions += day_proof.decisions
    return archive if day_proof.is_proven else None


def _season_document(season: Season | None, proof: Proof) -> ProofDocument:
    if season is None:
        return ProofDocument(verified=False, found=proof.count, findings=proof.findings)
    return ProofDocument(
        verified=proof.is_proven,
        tournament=f"{season.ladder}, season {season.number}",
        game=season.game,
        seats=season.seats,
        matches=MatchCounts(proof.matches, proof.void, proof.scheduled),
        games=proof.games,
        decisions=proof.decisions,
        unproven=proof.unproven,
        found=proof.count,
        findings=proof.findings,
    )
