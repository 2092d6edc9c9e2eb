"""`gangland play --me`: a game of a person against bots, typed in a terminal or piped in."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Final

from gangland.faults import IllegalDecision
from gangland.game import Decision
from gangland_ladder.cli import options, report, salts
from gangland_ladder.cli.game_report import look_at, print_result, write
from gangland_ladder.cli.runs import SEEDS
from gangland_ladder.local.bots import LocalBot, NoSuchBot, game_of, paths_of, read_bot
from gangland_ladder.local.processes import Tables
from gangland_ladder.local.single_games import PersonGame, Saved, setup_for, without_logs
from gangland_ladder.playing.hints import hints
from gangland_ladder.playing.questions import NOTHING, NoSuchPart, Question, parts_in_words
from gangland_ladder.viewer.commentary import percent, what_is_valued
from gangland_ladder.viewer.presentation import presentation_of
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile

WIDTH: Final = 80
MOST_LISTED: Final = 24
"""So many decisions are listed; of more, their parts are named."""
EXAMPLE: Final = 2
"""Which decision is the example, of as many as that: the third, so that of dice it is three."""
PROMPT: Final = "> "
KEYS: Final = "? lists what you can do, h is a hint, q leaves."


@dataclass(frozen=True, slots=True)
class Call:
    """What the command was given."""

    bots: tuple[Path, ...]
    game: str | None
    seed: int | None
    salt: str | None
    option: list[str] | None
    out: Path | None
    trusted: bool
    profile: Profile
    seat: int | None
    resume: Path | None


class Left(Exception):
    """The person leaves; the code is the command's."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def play_person(call: Call) -> None:
    """Play a game with a person in a seat; exit 1 if a bot was at fault.

    Raises:
        NoSuchBot: a mistake in the call.
        SandboxError: the jail failed, and failed again.
    """
    saved, bots = _table(call)
    if call.trusted:
        report.say(report.TRUSTED_WARNING)
    mode = Mode.TRUSTED if call.trusted else Mode.JAIL
    codes = {bot.code: bot.source for bot in bots}
    try:
        with Tables(mode=mode, workers=1, profile=saved.profile) as tables:
            game = PersonGame(saved.setup, codes, tables, saved.profile, saved.rows)
            _Dialogue(game, saved).run()
    except KeyboardInterrupt:
        report.say("")
        report.say("left; the game is not saved")
        sys.exit(report.INTERRUPTED)
    except Left as left:
        report.say(str(left))
        sys.exit(left.code)
    _end(game, saved, call.out)


def _table(call: Call) -> tuple[Saved, list[LocalBot]]:
    """Return the game to be played, a new one or one that was left, and its bots."""
    if call.resume is not None:
        if call.bots or call.option or {call.game, call.seed, call.salt, call.seat} != {None}:
            raise NoSuchBot("--resume FILE goes on with the game that is in it: without bots, seat, seed and options")
        saved = Saved.read(call.resume)
        bots = [read_bot(Path(file)) for file in saved.files if file]
        for bot, seat in zip(bots, saved.setup.bots, strict=True):
            if bot.code != saved.setup.seats[seat].code:
                raise NoSuchBot(f"{bot.path} is not the bot any more with which the game was begun")
        return saved, bots
    if not 1 <= len(call.bots) <= 3:
        raise NoSuchBot(f"you play against 1 to 3 bots; given: {len(call.bots)}")
    bots = [read_bot(path) for path in paths_of(call.bots, call.game)]
    for bot in bots:
        look_at(bot, call.profile)
    name = game_of(bots, call.game)
    seed = secrets.randbelow(SEEDS) if call.seed is None else call.seed
    salt = salts.salt_of(call.salt)
    chosen = options.options_of(name, len(bots) + 1, call.option)
    setup = setup_for(name, bots, None if call.seat is None else call.seat - 1, seed, salt, chosen)
    files = [str((bot.path or Path(bot.filename)).absolute()) for bot in bots]
    files.insert(setup.persons[0], "")
    return Saved(setup, [], files, seed, salt.hex(), call.profile, hint=False, differing=[]), bots


class _Dialogue:
    """Shows the person what its seat sees, and asks until the game is over."""

    def __init__(self, game: PersonGame, saved: Saved) -> None:
        self.game = game
        self.saved = saved
        self.hint = saved.hint
        self.names = [report.one_line(name) for name in game.setup.names]

    def run(self) -> None:
        """Play to the end; Left, KeyboardInterrupt: the person leaves before."""
        seats = ", ".join(f"{seat + 1} {name}" for seat, name in enumerate(self.names))
        _say(f"{self.game.standing.game.title}. Seats: {seats}. You sit in seat {self.game.seat + 1}. {KEYS}")
        standing = self.game.standing
        for line in presentation_of(standing.game.name).abilities(standing.scene(self.game.seat), self.names):
            _say(line, "    ")
        shown = True
        while (question := self.game.standing.question(self.game.seat)) is not None:
            if shown:
                self._show(question)
            shown = self._turn(question)
        self._story()

    def _turn(self, question: Question) -> bool:
        """Read a line and do what it says; return whether the question was answered."""
        text = _read(PROMPT).strip()
        commands: dict[str, Callable[[Question], None]] = {
            "": lambda _: None,
            "?": self._explain,
            "h": self._hint,
            "q": self._leave,
        }
        if text.lower() in commands:
            commands[text.lower()](question)
            return False
        try:
            self.game.answer(self._decision(question, text), hint=self.hint)
        except (NoSuchPart, IllegalDecision) as refused:
            _say(f"{report.one_line(str(refused))}. {KEYS}")
            return False
        self.hint = False
        return True

    def _decision(self, question: Question, text: str) -> Decision:
        """Return the decision of a number of the list, such as #3, or of its parts as they are typed."""
        if text.startswith("#") and question.choices:
            number = text[1:]
            if not (number.isascii() and number.isdecimal() and 0 < int(number[:6]) <= len(question.choices)):
                raise NoSuchPart(f"the list has #1 to #{len(question.choices)}")
            decision: Decision = question.choices[int(number[:6]) - 1].decision
            return decision
        return self.game.standing.spelling(self.game.seat).read(text)

    def _show(self, question: Question) -> None:
        self._story()
        sys.stdout.write("\n")
        standing = self.game.standing
        for line in presentation_of(standing.game.name).frame(standing.scene(self.game.seat), self.names):
            _say(line.plain, "    ")
        sys.stdout.write("\n")
        _say(f"{self.names[self.game.seat]}, round {question.round}: {question.words}")
        if question.choices:
            example = question.choices[min(EXAMPLE, len(question.choices) - 1)]
            _say(f"For example: {example.typed} ({report.one_line(example.words)})")

    def _story(self) -> None:
        number = None
        for line in self.game.standing.story(self.game.seat):
            if line.round != number:
                number = line.round
                sys.stdout.write(f"\nRound {number}\n")
            _say(f"  {report.one_line(line.text)}", "    ")

    def _explain(self, question: Question) -> None:
        """List the decisions, or of what they consist, and the keys."""
        if question.count <= MOST_LISTED:
            for number, choice in enumerate(question.choices, 1):
                _say(f"  #{number:<3} {choice.typed:<14} {report.one_line(choice.words)}", " " * 22)
        else:
            _say(f"{question.count:,} decisions are legal, put together of {parts_in_words(question.parts)}.")
        _say(
            f"Type the words in any order, 3x in front of one for three of it{_for(question)}, "
            f"{NOTHING[0]} to do nothing where you may, or #2 for the second of a list. {KEYS}"
        )

    def _hint(self, question: Question) -> None:
        """Say what the reference would do, and remember that it was said."""
        found = hints(self.game.standing, self.game.seat)
        if not found:
            _say("The reference has nothing to say here.")
            return
        self.hint = True
        _say(f"The reference would do this ({what_is_valued(len(self.names)).lower()}); the game counts as practice:")
        for hint in found:
            odds = "".join(f", {name} {percent(chance, 0)}" for name, chance in hint.odds.items())
            _say(f"  {percent(hint.value)}  {hint.words}{odds}", "         ")

    def _leave(self, question: Question) -> None:
        """Ask whether to leave, and save the game if it is to be gone on with."""
        text = _read("Leave? Enter goes on, y leaves; the name of a new file saves the game in it: ").strip()
        if not text:
            return
        if text.lower() == "y":
            raise Left(0, "left; the game is not saved")
        path = Path(text)
        standing, old = self.game.standing, self.saved
        saved = Saved(
            old.setup,
            standing.rows,
            old.files,
            old.seed,
            old.salt,
            old.profile,
            hint=self.hint,
            differing=self.game.differing,
        )
        try:
            saved.write(path)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            _say(f"cannot write {report.one_line(text)}: {why}")
            return
        again = shlex.join([*report.PROGRAM, "play", "--me", "--resume", str(path)])
        raise Left(0, f"saved; go on with: {report.one_line(again)}")


def _for(question: Question) -> str:
    return ", for before what you take" if question.sections else ""


def _end(game: PersonGame, saved: Saved, out: Path | None) -> None:
    """Print how the game ended, write it, and say how to look at it."""
    document = without_logs(game.document(saved.seed, bytes.fromhex(saved.salt)))
    sys.stdout.write("\n")
    print_result(document)
    path = out or next(_free(saved.seed))
    write(path, document)
    file = report.one_line(shlex.quote(str(path)))
    report.say(f"written: {file}")
    report.say(f"watch it: gangland replay {file}")
    report.say(f"what it cost: gangland analyse {file}")
    report.say(salts.in_words(saved.seed, bytes.fromhex(saved.salt)))
    if any(seat.fault for seat in document.seats):
        sys.exit(report.FINDINGS)


def _free(seed: int) -> Iterator[Path]:
    """Yield names of files that are not there yet, for a game whose call names none."""
    number = 1
    while True:
        path = Path(f"game-{seed}.json" if number == 1 else f"game-{seed}-{number}.json")
        if not path.exists():
            yield path
        number += 1


def _read(prompt: str) -> str:
    """Return a line that the person types; Left at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return "\ufffd"
    if not line:
        sys.stdout.write("\n")
        raise Left(0, "left at the end of the input; the game is not saved")
    if not sys.stdin.isatty():  # nobody has seen it typed
        sys.stdout.write(report.one_line(line.strip()) + "\n")
    return line


def _say(text: str, indent: str = "") -> None:
    """Print a paragraph, in lines no longer than the terminal is taken to be."""
    clean = report.one_line(text)
    lead = clean[: len(clean) - len(clean.lstrip())]
    lines = wrap(clean.strip(), WIDTH, initial_indent=lead, subsequent_indent=indent or lead)
    sys.stdout.write("\n".join(lines or [""]) + "\n")
