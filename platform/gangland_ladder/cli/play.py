"""`gangland play`: one narrated game between local bots."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from gangland.replay import load
from gangland.story import tell
from gangland_ladder.cli import options, report, salts
from gangland_ladder.cli.game_report import look_at, print_result, write
from gangland_ladder.cli.runs import SEEDS, check_call
from gangland_ladder.common.documents import json_text
from gangland_ladder.common.texts import distinct
from gangland_ladder.documents.games import Game
from gangland_ladder.local.bots import LocalBot, NoSuchBot, game_of, paths_of, read_bot
from gangland_ladder.local.matches import local_order
from gangland_ladder.local.processes import Tables
from gangland_ladder.local.single_games import game_document, play_single_game, without_logs
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile


def play(
    bots: Annotated[
        list[Path] | None,
        typer.Argument(metavar="BOT BOT [BOT [BOT]]", help="Files, zips or names of house bots, first seat first."),
    ] = None,
    game: report.Game = None,
    seed: report.Seed = None,
    salt: salts.Salt = None,
    option: options.Given = None,
    as_json: report.Json = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write the game, replay included, to this file.")] = None,
    with_log: Annotated[bool, typer.Option("--log", help="Show what each bot logged and printed.")] = False,
    trusted: report.Trusted = False,
    profile: report.InProfile = Profile.PLAIN,
    me: Annotated[
        bool, typer.Option("--me", help="Play yourself, in a terminal, against the bots, of which 1 to 3 are given.")
    ] = False,
    seat: Annotated[
        int | None, typer.Option("--seat", min=1, max=4, help="With --me: your seat; by lot if left out.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="With --me, without bots: go on with a saved game.")
    ] = None,
) -> None:
    """Play one game in the jail and describe it in words; exit 1 if a bot was at fault.

    Example: gangland play my_bot.py boss_gang --seed 7 --log

    Example: gangland play --me boss_gang
    """
    if me or resume is not None or seat is not None:
        from gangland_ladder.cli.person import Call, play_person

        if as_json or with_log or not me:
            raise NoSuchBot("--seat and --resume go with --me, which goes without --json and --log")
        play_person(Call(tuple(bots or ()), game, seed, salt, option, out, trusted, profile, seat, resume))
        return
    bots = bots or []
    if not 2 <= len(bots) <= 4:
        raise NoSuchBot(f"a game has 2 to 4 seats; bots given: {len(bots)}")
    local = [read_bot(path) for path in paths_of(bots, game)]
    for bot in local:
        look_at(bot, profile)
    game = game_of(local, game)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    salted = salts.salt_of(salt)
    mode: Mode = Mode.TRUSTED if trusted else Mode.JAIL
    if trusted:
        report.say(report.TRUSTED_WARNING)
    chosen = options.options_of(game, len(local), option)
    document = play_document(game, local, seed, salted, chosen, mode, profile)
    if not with_log:
        document = without_logs(document)
    if out is not None:
        write(out, document)
    if as_json:
        report.print_json(document)
    else:
        print_game(document)
        at_fault = [bot for bot, seat in zip(local, document.seats, strict=True) if seat.fault]
        for call in dict.fromkeys(check_call(bot, game, chosen, profile) for bot in at_fault):
            report.say(f"see why: {report.one_line(call)}")
    if any(seat.fault for seat in document.seats):
        sys.exit(report.FINDINGS)


def play_document(
    game: str,
    bots: list[LocalBot],
    seed: int,
    salt: bytes,
    chosen: dict[str, object],
    mode: Mode,
    profile: Profile = Profile.PLAIN,
) -> Game:
    """Play one game and return it as a document, logs included.

    Raises:
        SandboxError: the jail failed, and no bot is to blame.
    """
    order = local_order(
        game, bots, range(len(bots)), seed=seed, salt=salt, number=1, blocks=1, options=chosen, profile=profile
    )
    codes = {bot.code: bot.source for bot in bots}
    with Tables(mode=mode, workers=1, profile=profile) as tables:
        (result,) = tables.run(play_single_game, [(order, codes)])
    return game_document(order, bots, result, seed, salt)


def print_game(document: Game) -> None:
    """Tell a game's story, round by round, then its places and faults."""
    names = distinct([seat.bot for seat in document.seats])
    shown_round = -1
    for line in tell(load(json_text(document.replay)), names):
        if line.round != shown_round:
            shown_round = line.round
            sys.stdout.write(f"\nRound {shown_round}\n" if shown_round else "")
        sys.stdout.write(f"  {report.cleaned(line.text)}\n")
    sys.stdout.write("\n")
    print_result(document)
    for name, seat in zip(names, document.seats, strict=True):
        if seat.log:
            sys.stdout.write(f"\nWhat {report.cleaned(name)} logged:\n{report.indented(seat.log)}\n")
    report.say(f"seed {document.seed}, salt {document.salt}")
