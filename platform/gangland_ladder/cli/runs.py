"""Runs on the command line: which bots play what, and where it is kept so that `--resume` goes on."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gangland.games import game_named
from gangland_ladder.cli import options, report, salts
from gangland_ladder.local.bots import LocalBot, NoSuchBot, imported_games
from gangland_ladder.local.store import RunStore, StoreError, default_folder, forget_old, last_dice, path_of
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile

if TYPE_CHECKING:
    from gangland_ladder.documents.ladders import RunHead
    from gangland_ladder.local.duel import Setting

SEEDS = 1 << 32

Resume = Annotated[
    bool,
    typer.Option("--resume", help="Go on where the last run of these bots and settings ended."),
]


class Run:
    """What all matches of a run have in common.

    Attributes:
        store: what is known of its matches; None where nothing can be kept.
        sources: of all bots, by SHA-256.
    """

    def __init__(
        self,
        command: str,
        game: str,
        bots: Sequence[LocalBot],
        seats: int,
        seed: int | None,
        salt: bytes | None,
        chosen: Mapping[str, object],
        mode: Mode,
        profile: Profile,
        *,
        resume: bool,
    ) -> None:
        """Find out seed and salt and open the store.

        Raises:
            NoSuchBot: the run cannot be resumed, was played with another salt, or is being played by another process.
        """
        self.game = game
        self.bots = list(bots)
        self.seats = seats
        self.options = dict(chosen)
        self.mode = mode
        self.profile = profile
        self.sources = {bot.code: bot.source for bot in bots}
        what: dict[str, Any] = {
            "command": command,
            "game": game,
            "rules": game_named(game).rules_version,
            "seats": seats,
            "options": self.options,
            "profile": str(profile),
            "mode": mode.value,
            "bots": [[bot.name, bot.code] for bot in bots],
        }
        self.seed, self.salt, self.store = _opened(what, seed, salt, resume=resume)

    @property
    def head(self) -> RunHead:
        """What documents say of it."""
        from gangland_ladder.documents.ladders import RunHead

        return RunHead(
            game=self.game,
            seats=self.seats,
            options=self.options,
            profile=self.profile,
            seed=self.seed,
            salt=self.salt.hex(),
        )

    def words(self) -> str:
        """Return what a command line says of it, with a space before it."""
        profile = options.called_profile(self.profile)
        trusted = " --trusted" if self.mode is Mode.TRUSTED else ""
        chosen = options.called(self.game, self.options)
        dice = f" --seed {self.seed}{salts.words(self.salt)}"
        return f" --game {self.game} --seats {self.seats}{dice}{chosen}{profile}{trusted}"

    def close(self) -> None:
        """Let go of the store."""
        if self.store is not None:
            self.store.close()


def say_faults(run: Setting, names: Sequence[str], faults: Sequence[Mapping[str, int]]) -> None:
    """Say on stderr which of the bots were at fault, and how to see why; faults by kind, one mapping a bot."""
    for bot, name, kinds in zip(run.bots, names, faults, strict=True):
        if kinds:
            text = ", ".join(f"{kind} in {report.counted(number, 'game')}" for kind, number in sorted(kinds.items()))
            why = check_call(bot, run.game, run.options, run.profile)
            report.say(f"{report.one_line(name)} was at fault: {text}; see why: {report.one_line(why)}")


def check_call(bot: LocalBot, game: str, chosen: Mapping[str, object], profile: Profile) -> str:
    """Return the call that checks a bot as it was played."""
    file = shlex.quote(str(bot.path or bot.filename))
    named = f" --game {game}" if imported_games(bot.source) != {game} else ""
    return f"gangland check {file}{named}{options.called(game, dict(chosen))}{options.called_profile(profile)}"


def _opened(
    what: dict[str, Any], seed: int | None, salt: bytes | None, *, resume: bool
) -> tuple[int, bytes, RunStore | None]:
    """Return the seed, the salt and the store of a run: those of the last run like it, if it is to be resumed."""
    try:
        folder = default_folder(os.environ)
        last = last_dice(folder, what, seed, salt) if resume else None
        if resume and last is None and (others := last_dice(folder, what, seed, None)) is not None and salt is not None:
            raise NoSuchBot(
                f"the run that is kept was played with salt {others[1].hex()}, not {salt.hex()}: "
                "resume it with that salt, or begin a run of this one without --resume"
            )
        if last is None:
            last = (secrets.randbelow(SEEDS) if seed is None else seed), salt or salts.own_salt()
            if resume:
                report.say("no run with the same bots and settings is stored, so this one starts from the beginning")
        seed, salt = last
        dice = {"seed": seed, "salt": salt.hex()}
        store = RunStore(path_of(folder, {**what, **dice}), {**what, **dice}, resume=resume)
    except StoreError as error:
        if resume:
            raise NoSuchBot(str(error)) from error
        report.say(f"{error}; this run cannot be resumed")
        seed = secrets.randbelow(SEEDS) if seed is None else seed
        return seed, salt or salts.own_salt(), None
    with suppress(OSError):
        forget_old(folder)
    return seed, salt, store
