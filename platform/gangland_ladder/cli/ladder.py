"""`gangland ladder`: a round robin between local bots."""

from __future__ import annotations

import secrets
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from gangland_ladder import archive_local
from gangland_ladder.archive import ArchiveError, PlayedMatch
from gangland_ladder.archive_files import write_archive
from gangland_ladder.cli import options, report
from gangland_ladder.cli.matches import local_order
from gangland_ladder.cli.progress import Progress
from gangland_ladder.judging import judge
from gangland_ladder.local_bots import LocalBot, NoSuchBot, find_bots, game_of, imported_games
from gangland_ladder.orders import Order
from gangland_ladder.pairing import tables
from gangland_ladder.referee import play_match
from gangland_ladder.standings import Standings
from gangland_ladder.tables import Tables
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile
from gangland_sandbox.pool import Pool

MATCH_BLOCKS = 100
"""A table's blocks are cut into matches of at most this many: the same cut on any number of cores."""
SEEDS = 1 << 32
ATTEMPTS = 3
"""So often a match is played before it is given up as void."""


def ladder(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Bots' files or zips, or folders of them.")],
    game: report.Game = None,
    seats: Annotated[int, typer.Option(min=2, max=4, help="Bots at a table.")] = 2,
    blocks: Annotated[
        int, typer.Option(min=1, max=100_000, help="Blocks a table; a block is one seed in every rotation of seats.")
    ] = 24,
    seed: report.Seed = None,
    option: options.Given = None,
    as_json: report.Json = False,
    trusted: report.Trusted = False,
    profile: report.InProfile = Profile.PLAIN,
    archive: Annotated[
        Path | None,
        typer.Option("--archive", metavar="FILE", help="Write all of it to one file, for `gangland verify`."),
    ] = None,
) -> None:
    """Play every table of the bots on mirrored dice, in the jail, and print the standings.

    Example: gangland ladder my_bot.py bots/gangland_bots/gang_of_dice --seats 4 --blocks 60 --seed 7
    """
    bots = find_bots(paths)
    if game is not None:
        bots = _of_the_game(bots, game)
    game = game_of(bots, game)
    if len(bots) < seats:
        raise NoSuchBot(f"a table of {seats} needs at least {seats} bots, but there are {len(bots)}")
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    chosen = options.options_of(game, seats, option)
    run = _Run(game, bots, seats, blocks, seed, chosen, Mode.TRUSTED if trusted else Mode.JAIL, profile)
    interrupted = False
    try:
        with ExitStack() as stack:
            if archive is not None:
                stack.callback(run.write, stack.enter_context(_archive_at(archive, blocks)))
            run.play(keep=archive is not None)
    except KeyboardInterrupt:
        interrupted = True
        report.say(f"interrupted after {run.games_played} of {run.games_planned} games; what follows is partial")
        report.say(
            f"again: gangland ladder {' '.join(map(str, paths))} --game {game} --seats {seats} "
            f"--blocks {blocks} --seed {seed}{options.words(chosen)}{_words(profile)}"
        )
    run.print(as_json=as_json)
    if interrupted:
        sys.exit(report.INTERRUPTED)
    if run.voids:
        sys.exit(report.USAGE)


def _archive_at(file: Path, blocks: int) -> IO[bytes]:
    """Open the archive to be written, before hours of play are spent on it."""
    if blocks > MATCH_BLOCKS and blocks % MATCH_BLOCKS:
        raise NoSuchBot(
            f"matches of an archive are of one length: --blocks up to {MATCH_BLOCKS}, or a multiple of it, not {blocks}"
        )
    try:
        return file.open("wb")
    except OSError as error:
        raise NoSuchBot(f"cannot write {file}: {error.strerror}") from error


def _words(profile: Profile) -> str:
    """Return the profile as it is given on a command line, with a space before it."""
    return "" if profile is Profile.PLAIN else f" --profile {profile}"


def _of_the_game(bots: list[LocalBot], game: str) -> list[LocalBot]:
    """Leave out the bots that are plainly for another game, and say so."""
    others = [bot for bot in bots if imported_games(bot.source) and game not in imported_games(bot.source)]
    if others:
        report.say(f"not for {game}, left out: {', '.join(bot.name for bot in others)}")
    return [bot for bot in bots if bot not in others]


@dataclass(frozen=True, slots=True)
class Void:
    """A match that could not be played, and why."""

    reason: str


class _Run:
    def __init__(
        self,
        game: str,
        bots: list[LocalBot],
        seats: int,
        blocks: int,
        seed: int,
        chosen: dict[str, object],
        mode: Mode,
        profile: Profile,
    ) -> None:
        self.game = game
        self.bots = bots
        self.seats = seats
        self.blocks = blocks
        self.seed = seed
        self.options = chosen
        self.mode: Mode = mode
        self.profile = profile
        self.standings = Standings(game, [bot.name for bot in bots])
        self.orders = self._orders()
        self.games_planned = sum(len(order.blocks) * seats for order in self.orders)
        self.games_played = 0
        self.voids: list[tuple[Order, Void]] = []
        self.kept: dict[int, PlayedMatch] = {}
        self.began = time.monotonic()

    def _orders(self) -> list[Order]:
        orders: list[Order] = []
        for first in range(0, self.blocks, MATCH_BLOCKS):
            for table in tables(range(len(self.bots)), self.seats):
                orders.append(
                    local_order(
                        self.game,
                        self.bots,
                        table,
                        seed=self.seed,
                        number=len(orders) + 1,
                        blocks=min(MATCH_BLOCKS, self.blocks - first),
                        options=self.options,
                        profile=self.profile,
                    )
                )
        return orders

    def play(self, *, keep: bool) -> None:
        """Play all matches; keep their games, if an archive is to be written."""
        if self.mode is Mode.TRUSTED:
            report.say(report.TRUSTED_WARNING)
        calls = [(order, {seat.code: self._source(seat.entry) for seat in order.seats}, keep) for order in self.orders]
        with Tables(mode=self.mode, profile=self.profile) as at_tables, Progress(self.games_planned) as progress:
            for order, came in zip(self.orders, at_tables.run(_play_and_judge, calls), strict=True):
                if isinstance(came, Void):
                    self.voids.append((order, came))
                    continue
                scores, kept = came
                self.standings.add(scores)
                if kept is not None:
                    self.kept[order.id] = kept
                self.games_played += len(order.blocks) * self.seats
                progress.reached(self.games_played)
        for order, void in self.voids:
            names = ", ".join(seat.name for seat in order.seats)
            report.say(f"match {order.id} ({names}) was void {ATTEMPTS} times and does not count: {void.reason}")
            report.say("no bot is to blame; `gangland doctor` says whether the jail holds")

    def _source(self, entry: int) -> bytes:
        return self.bots[entry].source

    def write(self, stream: IO[bytes]) -> None:
        """Write the archive, of what was played so far if play was interrupted."""
        voids = {order.id: void.reason for order, void in self.voids}
        try:
            write_archive(stream, archive_local.content(self.bots, self.orders, self.kept, voids, self.seed))
        except ArchiveError as error:
            raise NoSuchBot(f"the archive cannot be written: {error}") from error

    def print(self, *, as_json: bool) -> None:
        if as_json:
            report.print_json(
                {
                    "schema": "gangland/ladder/1",
                    "game": self.game,
                    "seats": self.seats,
                    "options": self.options,
                    "profile": self.profile,
                    "seed": self.seed,
                    "blocks": self.blocks,
                    "games": self.games_played,
                    "seconds": round(time.monotonic() - self.began, 3),
                    "standings": self.standings.to_json(),
                }
            )
            return
        print_standings(self.standings)
        played = f"{self.games_played} games of {self.game} at {self.seats} seats"
        report.say(f"{played}, seed {self.seed}{options.words(self.options)}")


def print_standings(standings: Standings) -> None:
    """Print the table of a ladder."""
    rows = [
        [
            str(rank),
            row.bot,
            f"{100 * float(row.win_share):.1f}%",
            f"{float(row.mean_place):.3f}",
            f"{row.rating.mu:.2f}",
            f"{row.rating.sigma:.2f}",
            str(row.games),
            ", ".join(f"{kind} {count}" for kind, count in sorted(row.faults.items())) or "0",
        ]
        for rank, row in standings.ranked()
    ]
    report.print_table(["#", "bot", "wins", "mean place", "mu", "sigma", "games", "faults"], rows, left=(1,))


def _play_and_judge(pool: Pool, order: Order, codes: dict[str, bytes], keep: bool) -> Any:
    """Play a match, again if it is void, and judge it where it was played; a job for a table.

    Returns its scores and, if it is to be kept, the match; or that it is void.
    """
    reason = ""
    for _ in range(ATTEMPTS):
        result = play_match(order, codes, pool=pool)
        if result.void is None:
            judged = judge(order, result)
            return judged.scores, archive_local.kept(order, judged) if keep else None
        reason = result.void
    return Void(reason)
