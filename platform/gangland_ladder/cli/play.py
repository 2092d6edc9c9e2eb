"""`gangland play`: play one game between local bots, or between a human and bots."""

import secrets
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count
from operator import attrgetter
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Final

import typer
from msgspec.structs import replace

from gangland.faults import FaultKind, IllegalDecision
from gangland.game import Decision
from gangland.replay import load
from gangland.story import tell
from gangland_ladder.cli import options, output
from gangland_ladder.cli.settings import is_given
from gangland_ladder.common import documents, runtime, texts
from gangland_ladder.documents.games import Game
from gangland_ladder.errors import fault_title, rejection
from gangland_ladder.local import single_games
from gangland_ladder.local.bots import InvalidArgument, LocalBot, game_of, paths_of, read_bot
from gangland_ladder.local.matches import SEED_LIMIT, LocalRun
from gangland_ladder.local.processes import Tables
from gangland_ladder.playing.hints import hints
from gangland_ladder.playing.questions import NOTHING, NoSuchPart, Question, parts_text
from gangland_ladder.viewer import commentary
from gangland_ladder.viewer.presentation import presentation_of
from gangland_sandbox import caps, errors, limits
from gangland_sandbox.intake import unpack

# The command, and games in which only bots play.

SAVED_OPTIONS: Final = ("bots", "game", "seed", "salt", "option", "seat")


def play(
    context: typer.Context,
    bots: Annotated[
        list[Path] | None,
        typer.Argument(metavar="BOT BOT [BOT [BOT]]", help="Files, zips or house bots, in seat order."),
    ] = None,
    game: output.Game = None,
    seed: output.Seed = None,
    salt: options.Salt = None,
    option: options.GameOptions = None,
    as_json: output.Json = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write the game with its replay to this file.")] = None,
    with_log: Annotated[bool, typer.Option("--log", help="Show the bots' logs and prints.")] = False,
    trusted: output.Trusted = False,
    profile: output.InProfile = limits.Profile.PLAIN,
    me: Annotated[bool, typer.Option("--me", help="Play yourself, in the terminal.")] = False,
    seat: Annotated[
        int | None, typer.Option("--seat", min=1, max=4, help="With --me: your seat. Random by default.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="With --me: continue a saved game.")
    ] = None,
) -> None:
    """Play one game and describe it in words.

    With --me, play yourself against 1 to 3 bots.

    Example: gangland play my_bot.py boss_gang --seed 7 --log

    Example: gangland play --me my_bot.py
    """
    if me or resume is not None or seat is not None:
        if as_json or with_log or not me:
            raise InvalidArgument("--seat and --resume need --me, and --me cannot be combined with --json and --log")
        if resume is not None and any(is_given(context, name) for name in SAVED_OPTIONS):
            raise InvalidArgument("--resume FILE continues the saved game: give no bots, seat, seed or options")
        play_with_human(HumanOptions(tuple(bots or ()), game, seed, salt, option, out, trusted, profile, seat, resume))
        return
    bots = bots or []
    if not 2 <= len(bots) <= 4:
        raise InvalidArgument(f"expected 2 to 4 bots, got {len(bots)}")
    default = options.default_game()
    local_bots = [read_bot(path) for path in paths_of(bots, game, default)]
    for bot in local_bots:
        check_file(bot, profile)
    game = game_of(local_bots, game, default)
    seed = secrets.randbelow(SEED_LIMIT) if seed is None else seed
    salt_bytes = options.salt_of(salt)
    mode = options.mode_of(trusted)
    game_options = options.options_of(game, len(local_bots), option)
    document = _play_game(LocalRun(game, local_bots, len(local_bots), seed, salt_bytes, game_options, mode, profile))
    if not with_log:
        document = single_games.without_logs(document)
    if out is not None:
        write_document(out, document)
    if as_json:
        output.print_json(document)
    else:
        print_game(document)
        output.say(options.dice_text(seed, salt_bytes))
        at_fault = [bot for bot, seat in zip(local_bots, document.seats, strict=True) if seat.fault]
        for command in dict.fromkeys(options.check_command(bot, game, game_options, profile) for bot in at_fault):
            output.say(f"details: {output.one_line(command)}")
    if any(seat.fault for seat in document.seats):
        sys.exit(runtime.FINDINGS)


def _play_game(run: LocalRun) -> Game:
    job = run.job(range(run.seats))
    with run.tables(1) as tables:
        (result,) = tables.run(single_games.play_single_game, [(job, run.sources)])
    return single_games.game_document(job, run.bots, result, run.seed, run.salt)


def print_game(document: Game) -> None:
    """Print a game's story round by round, then its places and faults."""
    names = texts.distinct_names([seat.bot for seat in document.seats])
    output.print_story(tell(load(documents.json_text(document.replay)), names))
    sys.stdout.write("\n")
    print_result(document)
    for name, seat in zip(names, document.seats, strict=True):
        if seat.log:
            sys.stdout.write(f"\nLog of {output.clean(name)}:\n{output.indent(seat.log)}\n")


# `--me`: a human plays, either in a terminal or with piped input.


WIDTH: Final = 80
MAX_LISTED: Final = 24  # Maximum number of decisions that are listed; if there are more, their parts are listed.
EXAMPLE: Final = 2  # Index of the decision that is used as an example: the third one has three dice.
PROMPT: Final = "> "
KEYS: Final = "? for help, h for a hint, q to leave."


@dataclass(frozen=True, slots=True)
class HumanOptions:
    """The arguments of the command with `--me`."""

    bots: tuple[Path, ...]
    game: str | None
    seed: int | None
    salt: str | None
    option: list[str] | None
    out: Path | None
    trusted: bool
    profile: limits.Profile
    seat: int | None
    resume: Path | None


class GameLeft(Exception):
    """The user left the game, or the input ended; `code` is the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def play_with_human(arguments: HumanOptions) -> None:
    """Play a game with a human. Raises InvalidArgument: a wrong argument; SandboxError: the jail failed twice."""
    saved, bots = _saved_or_new_game(arguments)
    mode = options.mode_of(arguments.trusted)
    codes = {bot.sha256: bot.source for bot in bots}
    try:
        with Tables(mode=mode, workers=1, profile=saved.profile) as tables:
            game = single_games.HumanGame(saved.setup, codes, tables, saved.profile, saved.rows)
            _Dialogue(game, saved).run()
    except KeyboardInterrupt:
        output.say("")
        output.say("game not saved")
        sys.exit(runtime.INTERRUPTED)
    except GameLeft as left:
        output.say(str(left))
        sys.exit(left.code)
    document = single_games.without_logs(game.document(saved.seed, bytes.fromhex(saved.salt)))
    sys.stdout.write("\n")
    print_result(document)
    path = arguments.out or _unused_path(saved.seed)
    write_document(path, document)
    file = output.one_line(shlex.quote(str(path)))
    output.say(f"written: {file}")
    output.say(f"watch: gangland replay {file}")
    output.say(f"analyze: gangland analyze {file}")
    output.say(options.dice_text(saved.seed, bytes.fromhex(saved.salt)))
    if any(seat.fault for seat in document.seats):
        sys.exit(runtime.FINDINGS)


def _saved_or_new_game(arguments: HumanOptions) -> tuple[single_games.SavedGame, list[LocalBot]]:
    if arguments.resume is not None:
        saved = single_games.SavedGame.read(arguments.resume)
        bots = [read_bot(Path(file)) for file in saved.files if file]
        for bot, seat in zip(bots, saved.setup.bots, strict=True):
            if bot.sha256 != saved.setup.seats[seat].code:
                raise InvalidArgument(f"{bot.path} has changed since the game was saved")
        return saved, bots
    if not 1 <= len(arguments.bots) <= 3:
        raise InvalidArgument(f"expected 1 to 3 bots with --me, got {len(arguments.bots)}")
    default = options.default_game()
    bots = [read_bot(path) for path in paths_of(arguments.bots, arguments.game, default)]
    for bot in bots:
        check_file(bot, arguments.profile)
    name = game_of(bots, arguments.game, default)
    seed = secrets.randbelow(SEED_LIMIT) if arguments.seed is None else arguments.seed
    salt = options.salt_of(arguments.salt)
    game_options = options.options_of(name, len(bots) + 1, arguments.option)
    setup = single_games.setup_for(
        name, bots, None if arguments.seat is None else arguments.seat - 1, seed, salt, game_options
    )
    files = [str((bot.path or Path(bot.filename)).absolute()) for bot in bots]
    files.insert(setup.humans[0], "")
    return single_games.SavedGame(setup, [], files, seed, salt.hex(), arguments.profile, hint=False, differing=[]), bots


class _Dialogue:
    def __init__(self, game: single_games.HumanGame, saved: single_games.SavedGame) -> None:
        self.game = game
        self.saved = saved
        self.hint = saved.hint
        self.names = [output.one_line(name) for name in game.setup.names]

    def run(self) -> None:
        seats = ", ".join(f"{seat + 1} {name}" for seat, name in enumerate(self.names))
        _print(f"{self.game.live_table.game.title}. Seats: {seats}. You have seat {self.game.seat + 1}. {KEYS}")
        live_table = self.game.live_table
        for line in presentation_of(live_table.game.name).abilities(live_table.scene(self.game.seat), self.names):
            _print(line, "    ")
        must_show = True
        while (question := self.game.live_table.question(self.game.seat)) is not None:
            if must_show:
                self._print_question(question)
            must_show = self._handle_input(question)
        self._print_story()

    def _handle_input(self, question: Question) -> bool:
        text = _read_line(PROMPT).strip()
        commands: dict[str, Callable[[Question], None]] = {
            "": lambda _: None,
            "?": self._print_choices,
            "h": self._print_hints,
            "q": self._ask_to_leave,
        }
        if text.lower() in commands:
            commands[text.lower()](question)
            return False
        try:
            self.game.answer(self._decision(question, text), hint=self.hint)
        except (NoSuchPart, IllegalDecision) as error:
            _print(f"{output.one_line(str(error))}. {KEYS}")
            return False
        self.hint = False
        return True

    def _decision(self, question: Question, text: str) -> Decision:
        """Return the decision that the user typed, as a number in the list such as #3, or by its parts."""
        if text.startswith("#") and question.choices:
            number = text[1:]
            if not (number.isascii() and number.isdecimal() and 0 < int(number[:6]) <= len(question.choices)):
                raise NoSuchPart(f"expected a number from #1 to #{len(question.choices)}")
            decision: Decision = question.choices[int(number[:6]) - 1].decision
            return decision
        return self.game.live_table.spelling(self.game.seat).read(text)

    def _print_question(self, question: Question) -> None:
        self._print_story()
        sys.stdout.write("\n")
        live_table = self.game.live_table
        for line in presentation_of(live_table.game.name).terminal_lines(live_table.scene(self.game.seat), self.names):
            _print(line.plain, "    ")
        sys.stdout.write("\n")
        _print(f"{self.names[self.game.seat]}, round {question.round}: {question.words}")
        if question.choices:
            example = question.choices[min(EXAMPLE, len(question.choices) - 1)]
            _print(f"For example: {example.typed} ({output.one_line(example.words)})")

    def _print_story(self) -> None:
        number = None
        for line in self.game.live_table.story(self.game.seat):
            if line.round != number:
                number = line.round
                sys.stdout.write(f"\nRound {number}\n")
            _print(f"  {output.one_line(line.text)}", "    ")

    def _print_choices(self, question: Question) -> None:
        if question.count <= MAX_LISTED:
            for number, choice in enumerate(question.choices, 1):
                _print(f"  #{number:<3} {choice.typed:<14} {output.one_line(choice.words)}", " " * 22)
        else:
            _print(f"{question.count:,} legal decisions from {parts_text(question.parts)}.")
        sections = " Put `for` before what you take." if question.sections else ""
        _print(
            f"Type the words in any order, with 3x for three of the same.{sections} "
            f"{NOTHING[0]} does nothing, if that is allowed; #2 picks number 2 from a list. {KEYS}"
        )

    def _print_hints(self, question: Question) -> None:
        best_decisions = hints(self.game.live_table, self.game.seat)
        if not best_decisions:
            _print("No hint for this decision.")
            return
        self.hint = True
        _print(f"Best decisions ({commentary.value_label(len(self.names)).lower()}); the game now counts as practice:")
        for hint in best_decisions:
            odds = "".join(f", {name} {commentary.percent(chance, 0)}" for name, chance in hint.odds.items())
            _print(f"  {commentary.percent(hint.value)}  {hint.words}{odds}", "         ")

    def _ask_to_leave(self, question: Question) -> None:
        text = _read_line("Leave? Enter to stay, y to leave, or the name of a new file to save the game: ").strip()
        if not text:
            return
        if text.lower() == "y":
            raise GameLeft(0, "game not saved")
        path = Path(text)
        rows, differing = self.game.live_table.rows, self.game.differing
        saved = replace(self.saved, rows=rows, hint=self.hint, differing=differing)
        try:
            saved.write(path)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            _print(f"cannot write {output.one_line(text)}: {reason}")
            return
        command = shlex.join([*output.PROGRAM, "play", "--me", "--resume", str(path)])
        raise GameLeft(0, f"saved; continue: {output.one_line(command)}")


def _unused_path(seed: int) -> Path:
    names = chain([f"game-{seed}.json"], (f"game-{seed}-{number}.json" for number in count(2)))
    return next(path for path in map(Path, names) if not path.exists())


def _read_line(prompt: str) -> str:
    """Return a line that the user typed. Raises GameLeft: the input ended."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return "\ufffd"
    if not line:
        sys.stdout.write("\n")
        raise GameLeft(0, "end of input: game not saved")
    if not sys.stdin.isatty():  # piped input is not echoed
        sys.stdout.write(output.one_line(line.strip()) + "\n")
    return line


def _print(text: str, indent: str = "") -> None:
    clean = output.one_line(text)
    lead = clean[: len(clean) - len(clean.lstrip())]
    lines = wrap(clean.strip(), WIDTH, initial_indent=lead, subsequent_indent=indent or lead)
    sys.stdout.write("\n".join(lines or [""]) + "\n")


# The results and files of a game, with or without a human.


LOADING_FAULTS = (FaultKind.IMPORT_ERROR, FaultKind.IMPORT_TIME)


def check_file(bot: LocalBot, profile: limits.Profile) -> None:
    """Check a bot's file before a game, as the intake does. Raises InvalidArgument: the intake rejects it."""
    try:
        unpack(bot.source, bot.filename, caps.CAPS[profile])
    except errors.UploadRejected as error:
        code = rejection(error).code
        raise InvalidArgument(f"{bot.filename}: {code}: {error.message} (gangland explain {code})") from error


def print_result(document: Game) -> None:
    """Print the places and the faults of a game."""
    output.print_table(
        ["place", "bot"],
        [[str(seat.place), seat.bot] for seat in sorted(document.seats, key=attrgetter("place"))],
        left=(1,),
    )
    for seat in document.seats:
        if fault := seat.fault:
            name = output.clean(seat.bot)
            title = fault_title(fault.kind, fault.message)
            when = f"round {fault.round}" if fault.round else "before the first round"
            when = "while loading" if fault.kind in LOADING_FAULTS else when
            explanation = f"; gangland explain {fault.code}" if fault.code else ""
            sys.stdout.write(f"\n{name} was at fault ({title}, {when}{explanation}):\n")
            sys.stdout.write(f"{output.indent(fault.message)}\n")


def write_document(path: Path, document: Game) -> None:
    """Write a game's document to a file. Raises InvalidArgument: the file cannot be written."""
    with runtime.write_errors_as(path, InvalidArgument):
        path.write_text(documents.json_text(document) + "\n")
