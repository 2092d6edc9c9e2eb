"""`gangland verify SEASON --days FOLDER`: the standings of a ladder's season, from the archives of its days."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gangland_ladder.cli import report
from gangland_ladder.cli.replay_files import called
from gangland_ladder.documents.archives import MatchCounts, ProofDocument
from gangland_ladder.local.bots import NoSuchBot
from gangland_ladder.proof.archive_files import open_archive
from gangland_ladder.proof.archives import ArchiveError
from gangland_ladder.proof.findings import Proof
from gangland_ladder.proof.ladder_archives import Season, SeasonExaminer, read_season

if TYPE_CHECKING:
    from gangland_ladder.proof.archive_files import Archive


def verify_season(file: Path, folder: Path, *, as_json: bool, quiet: bool) -> None:
    """Verify each day's archive, compute the season's standings anew, and exit 1 if anything differs."""
    proof = Proof()
    season = None
    try:
        season = read_season(file)
        examiner = SeasonExaminer(season, proof)
        archives = sorted(folder.glob("*.tar"))
        for number, path in enumerate(archives, 1):
            if not quiet:
                report.say(f"{path.name} ({number} of {len(archives)})")
            archive = _examined(path, proof, quiet=quiet)
            if archive is not None:
                examiner.take(path.name, archive)
        examiner.end()
    except ArchiveError as error:
        proof.add_error(error)
    except OSError as error:
        raise NoSuchBot(f"cannot read {called(file)} or {folder}: {error.strerror}") from error
    if as_json:
        report.print_json(_document(season, proof))
    else:
        _print(file, season, proof)
    if not proof.holds:
        sys.exit(report.FINDINGS)


def _examined(path: Path, proof: Proof, *, quiet: bool) -> Archive | None:
    """Return an archive that holds; None for one that does not, whose findings are noted then."""
    from gangland_ladder.cli.progress import Progress
    from gangland_ladder.proof.proving import prove

    found = Proof()
    archive = None
    try:
        archive, damages = open_archive(path)
        for damage in damages:
            found.add_error(damage)
        planned = archive.tournament.matches * archive.tournament.blocks * archive.tournament.seats
        with Progress(planned, quiet=quiet) as progress:
            prove(archive, progress=progress.reached, proof=found)
    except ArchiveError as error:
        found.add_error(error)
    for finding in found.findings:
        proof.add(f"{path.name}, {finding.where}", finding.message)
    proof.matches += found.matches
    proof.void += found.void
    proof.games += found.games
    proof.decisions += found.decisions
    return archive if found.holds else None


def _document(season: Season | None, proof: Proof) -> ProofDocument:
    if season is None:
        return ProofDocument(verified=False, found=proof.found, findings=proof.findings)
    return ProofDocument(
        verified=proof.holds,
        tournament=f"{season.ladder}, season {season.number}",
        game=season.game,
        seats=season.seats,
        matches=MatchCounts(proof.matches, proof.void, proof.scheduled),
        games=proof.games,
        decisions=proof.decisions,
        unproven=proof.unproven,
        found=proof.found,
        findings=proof.findings,
    )


def _print(file: Path, season: Season | None, proof: Proof) -> None:
    for finding in proof.findings:
        report.say(f"gangland: {called(file)}: {finding.where}: {finding.message}")
    if proof.found > len(proof.findings):
        report.say(f"gangland: {called(file)}: and {proof.found - len(proof.findings)} more")
    if season is not None and proof.holds:
        name = report.cleaned(season.ladder)
        sys.stdout.write(f"{name}: season {season.number}, {report.counted(len(season.days), 'day')}\n")
        counts = f"{report.counted(proof.matches, 'match')} ({proof.void} void)"
        sys.stdout.write(f"{counts}, {report.counted(proof.games, 'game')}\n\n")
        rows = [[str(row.rank), row.bot, f"{row.rating:.2f}", str(row.games)] for row in season.rows]
        report.print_table(["rank", "bot", "rating", "games"], rows, left=(1,))
        sys.stdout.write("\nNot proven by the archives:\n")
        for text in proof.unproven:
            sys.stdout.write(f"  - {report.one_line(text)}\n")
        sys.stdout.write("\n")
    verdict = "verified" if proof.holds else report.counted(proof.found, "finding")
    sys.stdout.write(f"{called(file)}: {verdict}\n")
