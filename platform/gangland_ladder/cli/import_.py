"""`gangland import`: verify recorded games and write them as files for further work."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from gangland.replay import ReplayError
from gangland_ladder.analysis.columns import PART, FilesExist, Format, LoadedGame, TableFiles, rows_of
from gangland_ladder.cli import output
from gangland_ladder.cli.replay_files import STDIN, Entry, archive_entries, entries, file_name, is_archive
from gangland_ladder.cli.verify import MAX_LISTED, Commitment, Secret, examine_archive, hex_digits
from gangland_ladder.common import runtime, texts
from gangland_ladder.documents.archives import Imported
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.proof.findings import Finding
from gangland_ladder.proof.named_replays import named_replay

REPLAYS = "replays.ndjson"

FilesArgument = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", help="Archives, replays, or files written by `gangland play --out`. - is stdin."),
]
Folder = Annotated[Path, typer.Option("--into", metavar="FOLDER", help="The folder for the files. Created if needed.")]
FormOption = Annotated[Format, typer.Option("--as", help="The format of the tables. parquet needs gangland[research].")]


def import_(
    files: FilesArgument,
    into: Folder,
    form: FormOption = Format.PARQUET,
    secret: Secret = None,
    commitment: Commitment = None,
    as_json: output.Json = False,
    quiet: output.Quiet = False,
) -> None:
    """Verify recorded games and write them as replays and tables.

    An invalid replay is left out. An archive with any finding is left out entirely.

    Example: gangland import cup.tar --into cup

    Example: gangland import match-7.ndjson my_games.ndjson --into games --as ndjson
    """
    hex_digits("--secret", secret)
    hex_digits("--commitment", commitment)
    if sum(file == STDIN for file in files) > 1:
        raise InvalidArgument("- (stdin) can be given only once")
    imported = _Import(secret, commitment, quiet=quiet)
    try:
        written = imported.write(files, into, form)
    except (FilesExist, runtime.ExtraMissing) as error:
        raise InvalidArgument(str(error)) from error
    except OSError as error:
        raise InvalidArgument(f"cannot write into {into}: {error.strerror}") from error
    imported.show(written, as_json=as_json)
    if imported.count:
        sys.exit(runtime.FINDINGS)


class _NoValidReplay(Exception):
    """None of the replays in the files is valid."""


@contextmanager
def _complete_file(file: Path) -> Iterator[IO[str]]:
    part = file.with_name(file.name + PART)
    with part.open("w", encoding="utf-8") as stream:
        try:
            yield stream
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    part.replace(file)


class _Import:
    def __init__(self, secret: str | None, commitment: str | None, *, quiet: bool) -> None:
        self.secret = secret
        self.commitment = commitment
        self.quiet = quiet
        self.games = 0
        self.count = 0
        self.findings: list[Finding] = []
        self.rows: dict[str, int] = {}

    def write(self, files: Sequence[Path], into: Path, form: Format) -> list[Path]:
        tables, replays = TableFiles(into, form), into / REPLAYS
        self.rows = tables.rows
        if replays.exists():
            raise FilesExist(f"{replays} already exists: choose another folder, or remove the file")
        try:
            with tables, _complete_file(replays) as lines:
                for file in files:
                    self.add_file(file, tables, lines)
                if not self.games:
                    raise _NoValidReplay
        except _NoValidReplay:
            return []
        return [replays, *tables.files]

    def add_file(self, file: Path, tables: TableFiles, lines: IO[str]) -> None:
        with output.ProgressLine(quiet=self.quiet) as line:
            for place, game in self._games(file):
                try:
                    rows = rows_of(game, self.games + 1)
                except ReplayError as error:
                    self._add_finding(f"{file_name(file)}, {place}", str(error))
                    continue
                self.games += 1
                tables.add(rows)
                replay = game.replay.to_json()
                lines.write(f"{named_replay(replay, game.bots) if game.bots else replay}\n")
                line.show(texts.counted(self.games, "game"))

    def _add_finding(self, place: str, message: str) -> None:
        self.count += 1
        if self.count <= MAX_LISTED:
            self.findings.append(Finding(place, message))

    def _games(self, file: Path) -> Iterator[tuple[str, LoadedGame]]:
        for entry in self._entries(file):
            place = f"line {entry.line}" if entry.position is None else texts.match_game_at(*entry.position)
            try:
                yield place, loaded_game(entry)
            except ReplayError as error:
                self._add_finding(f"{file_name(file)}, {place}", str(error))

    def _entries(self, file: Path) -> Iterator[Entry]:
        if not is_archive(file):
            if self.secret is not None or self.commitment is not None:
                raise InvalidArgument(f"--secret and --commitment need an archive, which {file_name(file)} is not")
            yield from entries(file)
            return
        archive, proof = examine_archive(file, self.secret, self.commitment, quiet=self.quiet)
        for finding in proof.findings:
            self._add_finding(f"{file_name(file)}, {finding.where}", finding.message)
        self.count += proof.count - len(proof.findings)
        if archive is not None and proof.is_proven and proof.games:
            yield from archive_entries(file)

    def show(self, files: list[Path], *, as_json: bool) -> None:
        if as_json:
            output.print_json(
                Imported(
                    games=self.games,
                    seats=self.rows["seats"],
                    decisions=self.rows["decisions"],
                    files=[str(file) for file in files],
                    found=self.count,
                    findings=self.findings,
                )
            )
            return
        for finding in self.findings:
            output.say(f"gangland: {finding.where}: {finding.message}")
        if self.count > len(self.findings):
            output.say(f"gangland: and {self.count - len(self.findings)} more")
        counts = [self.games, self.rows["seats"], self.rows["decisions"]]
        for file, count, noun in zip(files, counts, ("replay", "row", "row"), strict=bool(files)):
            sys.stdout.write(f"{output.clean(str(file))}: {texts.counted(count, noun)}\n")
        if not files:
            sys.stdout.write("nothing was imported\n")


def loaded_game(entry: Entry) -> LoadedGame:
    """Return a game of a file in the form that the tables need. Raises ReplayError: the game cannot be read."""
    match, block, rotation = entry.position or (None, None, None)
    return LoadedGame(
        replay=entry.replay,
        bots=entry.names or (),
        codes=entry.codes,
        match=match,
        block=block,
        rotation=rotation,
        faults=entry.faults,
    )
