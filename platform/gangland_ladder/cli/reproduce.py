"""`gangland reproduce`: replay a match from an archive with its bots."""

import json
import sys
from mmap import mmap
from pathlib import Path
from struct import Struct
from typing import Annotated, Any

import typer

from gangland.faults import PLAIN_NAMES
from gangland_ladder.cli import options, output
from gangland_ladder.cli.replay_files import file_name, is_archive, usable_archive
from gangland_ladder.common import release, runtime, texts
from gangland_ladder.documents.archives import ReproducedSeat, ReproductionDocument
from gangland_ladder.local.bots import InvalidArgument, LocalBot, is_folder_bot, paths_of, read_bot
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches import reproducing
from gangland_ladder.matches.first_difference import Difference, Stage
from gangland_ladder.matches.judging import ResultRefused, judge
from gangland_ladder.matches.match_jobs import GameRecord, MatchJob, Result
from gangland_ladder.proof import archive_files, archive_matches, archives
from gangland_sandbox import jail, limits
from gangland_sandbox.pool import Pool


def reproduce(
    number: Annotated[int, typer.Argument(metavar="MATCH", min=1, help="The number of the match.")],
    bots: Annotated[
        list[Path],
        typer.Argument(metavar="BOT...", help="Files, zips, folders of bots, or house bots. Matched by SHA-256."),
    ],
    archive: Annotated[Path, typer.Option("--archive", metavar="FILE", help="The archive with the match.")],
    as_json: output.Json = False,
    trusted: output.Trusted = False,
) -> None:
    """Play a recorded match again and compare every decision.

    Seats without a given bot repeat their recorded decisions. After a difference the match is played a second time,
    to find bots that are not deterministic. Bots may decide differently on another version of Python.

    Example: gangland reproduce 7 my_bot.py --archive cup.tar
    """
    opened_archive, played = _find_match(archive, number)
    job, records = _recorded_match(opened_archive, played, archive)
    codes = _matching_codes(job, paths_of(bots, job.game))
    mode = options.mode_of(trusted)
    names = {entry.id: entry.name for entry in opened_archive.entries}
    python = played.match.python or None
    replay_and_print(number, job, records, codes, names, python, mode=mode, as_json=as_json)


def replay_and_print(
    number: int,
    job: MatchJob,
    records: list[GameRecord],
    codes: dict[str, bytes],
    names: dict[int, str],
    python: str | None,
    *,
    mode: jail.Mode = jail.Mode.JAIL,
    as_json: bool = False,
) -> None:
    """Replay a match and print the result; exit 1 if it differs."""
    profile = limits.Limits.from_dict(job.limits).profile
    _share_progress(0, 0)
    is_complete = True
    try:
        with Tables(mode=mode, workers=1, profile=profile) as tables:
            (reproduction,) = tables.run(_play, [(job, records, codes)])
    except KeyboardInterrupt:
        is_complete, games, decisions = False, *_PROGRESS.unpack(_SHARED_PROGRESS)
        output.say_interrupted(f"after {games} of {len(records)} games; results are partial")
        entries = tuple(seat.entry for seat in job.seats if seat.code in codes)
        reproduction = reproducing.Reproduction(entries, games, decisions, None)
    document = _document(number, job, reproduction, names, python, is_complete=is_complete)
    if as_json:
        output.print_json(document)
    else:
        _print(document)
    if document.reproduced is None:
        sys.exit(runtime.INTERRUPTED)
    if not document.reproduced:
        sys.exit(runtime.FINDINGS)


_PROGRESS = Struct("QQ")
_SHARED_PROGRESS = mmap(-1, _PROGRESS.size)  # Numbers of equal games and decisions, which the playing process writes.


def _share_progress(games: int, decisions: int) -> None:
    _PROGRESS.pack_into(_SHARED_PROGRESS, 0, games, decisions)


def _play(pool: Pool, job: MatchJob, records: list[GameRecord], codes: dict[str, bytes]) -> Any:
    return reproducing.reproduce(job, records, codes, pool, _share_progress)


def _find_match(file: Path, number: int) -> tuple[archive_files.Archive, archives.PlayedMatch]:
    if not is_archive(file):
        raise InvalidArgument(f"{file_name(file)} is not an archive")
    with usable_archive(file):
        archive = archive_files.read_archive(file)
        for played in archive.matches():
            if played.match.number == number:
                break
        else:
            first, matches = archive.tournament.first, archive.tournament.matches
            numbers = output.match_numbers(first, first + matches - 1) if matches else "no matches"
            raise InvalidArgument(f"no match {number} in {file_name(file)}: it has {numbers}")
    if played.match.state != "done":
        raise InvalidArgument(f"match {number} is {played.match.state}: expected a match that was played")
    return archive, played


def _recorded_match(
    archive: archive_files.Archive, played: archives.PlayedMatch, file: Path
) -> tuple[MatchJob, list[GameRecord]]:
    secret = archive.tournament.secret
    try:
        job = archive_matches.match_job_of(archive, played, bytes.fromhex(secret) if secret is not None else None)
        records = archive_matches.records_of(played)
        judge(job, Result(records))
        limits.Limits.from_dict(job.limits)
    except (archives.ArchiveError, ResultRefused, ValueError) as error:
        message = f"{file_name(file)} is not valid: {error}. `gangland verify` lists all errors."
        raise InvalidArgument(message) from error
    return job, records


def _matching_codes(job: MatchJob, paths: list[Path]) -> dict[str, bytes]:
    candidates = [bot for path in paths for bot in _bots(path)]
    names_by_code = {seat.code: seat.name for seat in job.seats}
    if others := [bot.filename for bot in candidates if bot.sha256 not in names_by_code]:
        output.say(f"left out, not in this match: {', '.join(others)}")
    codes = {bot.sha256: bot.source for bot in candidates if bot.sha256 in names_by_code}
    if not codes:
        expected = ", ".join(f"{name} ({code[: output.CODE_DIGITS]})" for code, name in names_by_code.items())
        raise InvalidArgument(f"none of these bots played in the match: expected {expected}")
    return codes


def _bots(path: Path) -> list[LocalBot]:
    if not path.is_dir():
        return [read_bot(path)]
    files = [file for file in sorted([*path.glob("*.py"), *path.glob("*.zip")]) if not file.name.startswith("_")]
    return [read_bot(file) for file in (*files, *filter(is_folder_bot, (path, *sorted(path.iterdir()))))]


def _document(
    number: int,
    job: MatchJob,
    reproduction: reproducing.Reproduction,
    names: dict[int, str],
    python: str | None,
    *,
    is_complete: bool,
) -> ReproductionDocument:
    return ReproductionDocument(
        match=number,
        reproduced=reproduction.difference is None if is_complete else None,
        seats=[
            ReproducedSeat(seat.entry, names[seat.entry], seat.code, seat.entry in reproduction.entries_with_code)
            for seat in job.seats
        ],
        recorded_games=len(job.blocks) * len(job.seats),
        games=reproduction.games,
        decisions=reproduction.decisions,
        difference=reproduction.difference,
        deterministic=reproduction.deterministic,
        python=release.this_python(),
        recorded_on=python,
    )


def _print(document: ReproductionDocument) -> None:
    match, difference = f"match {document.match}", document.difference
    games = f"{document.games} of {document.recorded_games} games as recorded"
    if document.reproduced is None:
        sys.stdout.write(f"{match}: {games} so far\n")
        return
    if difference is None:
        games, decisions = texts.counted(document.games, "game"), texts.counted(document.decisions, "decision")
        played = " and ".join(output.clean(seat.name) for seat in document.seats if seat.played)
        sys.stdout.write(f"{match}: {games} as recorded, {decisions} of {played}\n")
        return
    sys.stdout.write(f"{match}: {games}, then\n")
    names = {seat.entry: seat.name for seat in document.seats}
    sys.stdout.write(f"{output.indent(_location(difference, names))}\n")
    recorded = _answer(difference, difference.recorded, difference.recorded_fault)
    replayed = _answer(difference, difference.again, difference.again_fault)
    sys.stdout.write(f"{output.indent(f'recorded:     {recorded}')}\n")
    sys.stdout.write(f"{output.indent(f'played again: {replayed}')}\n")
    sys.stdout.write(f"{_verdict(difference, document)}\n")


def _location(difference: Difference, names: dict[int, str]) -> str:
    place = texts.game_at(difference.block, difference.rotation)
    if difference.seat is None or difference.entry is None:
        return f"{place}: the decisions are as recorded, but the views are not"
    seat_text = f"{place}, seat {difference.seat + 1} ({names[difference.entry]})"
    if difference.when is Stage.START:
        return f"{seat_text}: at the start of the game"
    if difference.when is Stage.END:
        return f"{seat_text}: at the end of the game"
    return f"{seat_text}, round {difference.round}: choose_{difference.kind}(), decision {difference.decision}"


def _answer(difference: Difference, answer: object, fault: str) -> str:
    if fault:
        return fault
    if difference.when in (Stage.START, Stage.END):
        return "no fault"
    return str(answer) if difference.when is Stage.VIEWS else json.dumps(answer)


def _verdict(difference: Difference, document: ReproductionDocument) -> str:
    if not document.deterministic:
        return "The bot is not deterministic: two runs differ, so this proves nothing."
    kinds = {fault.partition(":")[0] for fault in (difference.recorded_fault, difference.again_fault)}
    if kinds & {kind.value for kind, word in PLAIN_NAMES.items() if word == "out of time"}:
        return "Two runs agree. But time also depends on the machine."
    if version := release.other_python(document.recorded_on):
        expected = f"Python {document.recorded_on}" if document.recorded_on else "the same Python"
        return f"Two runs agree. But {version}. Compare on {expected}."
    return "Two runs agree: the record does not come from this code."
