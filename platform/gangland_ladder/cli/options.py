"""Options that several commands share: the game and its options, the salt, and the options of a resumable run."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gangland.games import game_named
from gangland_ladder.cli import output
from gangland_ladder.cli.settings import read
from gangland_ladder.common.texts import counted, option_arguments
from gangland_ladder.local.bots import InvalidArgument, LocalBot, imported_games
from gangland_ladder.local.matches import SEED_LIMIT, LocalRun
from gangland_ladder.local.matches import options_of as known_options
from gangland_ladder.local.salt import SALT_BYTES, NoSalt, is_machine_salt, machine_salt, parsed_salt
from gangland_ladder.local.store import RunStore, StoreError, default_folder, delete_old, last_dice, path_of
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile

if TYPE_CHECKING:
    from gangland_ladder.documents.ladders import RunHead

# The game and its options: `--option NAME=VALUE`, which may be repeated.


def default_game() -> str | None:
    """Return the game in the settings, which is used for bots whose imports do not determine it."""
    game: str | None = read().value("game")
    return game


GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game, such as deck=box18. Repeatable; lists use commas.",
    ),
]


def options_of(game: str, seats: int, texts: Sequence[str] | None) -> dict[str, object]:
    """Return the options that differ from their defaults, as in replays. Raises InvalidArgument: invalid option."""
    try:
        return known_options(game, seats, _option_values(game, texts or []))
    except ValueError as error:
        raise InvalidArgument(str(error)) from error


def tables_of(game: str, texts: Sequence[str] | None) -> tuple[dict[str, object], list[int]]:
    """Return the options as in `options_of`, and the sizes that allow them. Raises InvalidArgument: no size does."""
    sizes = game_named(game).table_sizes
    allowed = [seats for seats in sizes if _allows(game, seats, texts)]
    return options_of(game, (allowed or sizes)[0], texts), allowed


def _allows(game: str, seats: int, texts: Sequence[str] | None) -> bool:
    try:
        options_of(game, seats, texts)
    except InvalidArgument:
        return False
    return True


def command_options(game: str, options: dict[str, object]) -> str:
    """Return the options as arguments whose meaning does not depend on the settings."""
    plain = game_named(game).options({})
    settings = _option_values(game, read().value("option") or [])
    defaults = {name: getattr(plain, name, None) for name in settings if name not in options}
    return option_arguments({**options, **{name: value for name, value in defaults.items() if value not in (None, ())}})


def command_profile(profile: Profile) -> str:
    """Return the profile as an argument whose meaning does not depend on the settings."""
    is_needed = profile is not Profile.PLAIN or read().value("profile") not in (None, str(profile))
    return f" --profile {profile}" if is_needed else ""


def _option_values(game: str, texts: Sequence[str]) -> dict[str, object]:
    choices = {choice.name: choice for choice in game_named(game).choices_of_options}
    values: dict[str, object] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if "=" not in text or not name:
            raise ValueError(f"--option expects NAME=VALUE, not {text!r}")
        if name in values:
            raise ValueError(f"--option {name} is given twice")
        values[name] = choices[name].of_text(value) if name in choices else value
    return values


def mode_of(trusted: bool, *, quiet: bool = False) -> Mode:
    """Return the mode in which bots are isolated, and print a warning if they do not run in the jail."""
    if trusted and not quiet:
        output.say(output.TRUSTED_WARNING)
    return Mode.TRUSTED if trusted else Mode.JAIL


# `--salt`, on which all dice of a local run depend; the default is this machine's own salt.


Salt = Annotated[
    str | None, typer.Option("--salt", metavar="HEX", help="Mixed into all dice. Each machine has its own by default.")
]


def given_salt(text: str | None) -> bytes | None:
    """Return the salt given on the command line, or None. Raises InvalidArgument: the salt is invalid."""
    try:
        return None if text is None else parsed_salt(text)
    except ValueError as error:
        raise InvalidArgument(str(error)) from error


def salt_of(text: str | None) -> bytes:
    """Return the salt given on the command line, or else this machine's or a temporary one. Raises InvalidArgument."""
    return given_salt(text) or own_salt()


def own_salt() -> bytes:
    """Return this machine's salt; if it cannot be read or stored, print a message and return a temporary one."""
    try:
        return machine_salt(os.environ)
    except NoSalt as error:
        salt = secrets.token_bytes(SALT_BYTES)
        output.say(f"{error}; this run uses the temporary salt {salt.hex()}")
        return salt


PRINTED_DIGITS = 8  # Number of printed digits of a salt; files and documents have all of them.


def dice_text(seed: int, salt: bytes) -> str:
    """Return a run's seed and the first digits of its salt, as text."""
    digits = salt.hex()
    return f"seed {seed}, salt {digits if len(digits) <= PRINTED_DIGITS else f'{digits[:PRINTED_DIGITS]}...'}"


def salt_argument(salt: bytes) -> str:
    """Return the salt as an argument with a leading space; "" for this machine's own salt, which is the default."""
    return "" if is_machine_salt(salt, os.environ) else f" --salt {salt.hex()}"


# Runs: the bots and their settings, and the store from which `--resume` continues.


Resume = Annotated[bool, typer.Option("--resume", help="Continue the last run of these bots and settings.")]


class Run(LocalRun):
    """A run that was started from the command line; it is stored so that `--resume` can continue it."""

    @classmethod
    def open(
        cls,
        command: str,
        game: str,
        bots: Sequence[LocalBot],
        seats: int,
        seed: int | None,
        salt: bytes | None,
        options: dict[str, object],
        mode: Mode,
        profile: Profile,
        *,
        resume: bool,
    ) -> Run:
        """Return a run, with an open store if possible. Raises InvalidArgument: it cannot be resumed with this salt."""
        parts: dict[str, Any] = {
            "command": command,
            "game": game,
            "rules": game_named(game).rules_version,
            "seats": seats,
            "options": options,
            "profile": str(profile),
            "mode": mode.value,
            "bots": [[bot.name, bot.sha256] for bot in bots],
        }
        seed, salt, store = _open_store(parts, seed, salt, resume=resume)
        return cls(game, bots, seats, seed, salt, options, mode, profile, store)

    @property
    def head(self) -> RunHead:
        """The settings of the run, in the form that documents use."""
        from gangland_ladder.documents.ladders import RunHead

        return RunHead(
            game=self.game,
            seats=self.seats,
            options=self.options,
            profile=self.profile,
            seed=self.seed,
            salt=self.salt.hex(),
        )

    def arguments(self, *, for_file: bool = False) -> str:
        """Return the run as arguments with a leading space; with `for_file`, the salt is always included."""
        salt = f" --salt {self.salt.hex()}" if for_file else salt_argument(self.salt)
        table = f" --game {self.game} --seats {self.seats} --seed {self.seed}{salt}"
        trusted = " --trusted" if self.mode is Mode.TRUSTED else ""
        return f"{table}{command_options(self.game, self.options)}{command_profile(self.profile)}{trusted}"

    def close(self) -> None:
        """Close the store."""
        if self.store is not None:
            self.store.close()


def say_faults(run: LocalRun, names: Sequence[str], faults: Sequence[Mapping[str, int]]) -> None:
    """Print to stderr which bots were at fault and how to see why; `faults` has the faults of each bot by kind."""
    for bot, name, kinds in zip(run.bots, names, faults, strict=True):
        if kinds:
            text = ", ".join(f"{kind} in {counted(number, 'game')}" for kind, number in sorted(kinds.items()))
            command = check_command(bot, run.game, run.options, run.profile)
            output.say(f"{output.one_line(name)} was at fault: {text}. Details: {output.one_line(command)}")


def check_command(bot: LocalBot, game: str, options: Mapping[str, object], profile: Profile) -> str:
    """Return the command that checks a bot with the settings of a run."""
    file = shlex.quote(str(bot.path or bot.filename))
    game_argument = f" --game {game}" if imported_games(bot.source) != {game} else ""
    return f"gangland check {file}{game_argument}{command_options(game, dict(options))}{command_profile(profile)}"


def _open_store(
    parts: dict[str, Any], seed: int | None, salt: bytes | None, *, resume: bool
) -> tuple[int, bytes, RunStore | None]:
    """Return a run's seed, salt and store; if it is resumed, they are those of the last run with the same settings."""
    try:
        folder = default_folder(os.environ)
        last = last_dice(folder, parts, seed, salt) if resume else None
        if resume and last is None and salt is not None and last_dice(folder, parts, seed, None) is not None:
            advice = "leave out --salt to continue it, or --resume to start over"
            raise InvalidArgument(f"the stored run has another salt: {advice}")
        if last is None:
            last = (secrets.randbelow(SEED_LIMIT) if seed is None else seed), salt or own_salt()
            if resume:
                output.say("no stored run of these bots and settings: starting a new one")
        seed, salt = last
        dice = {"seed": seed, "salt": salt.hex()}
        store = RunStore(path_of(folder, {**parts, **dice}), {**parts, **dice}, resume=resume)
    except StoreError as error:
        if resume:
            raise InvalidArgument(str(error)) from error
        output.say(f"{error}. This run cannot be resumed.")
        seed = secrets.randbelow(SEED_LIMIT) if seed is None else seed
        return seed, salt or own_salt(), None
    with suppress(OSError):
        delete_old(folder)
    return seed, salt, store
