"""`gangland duel`: test, by a sequential test, whether a new bot is better than an old one."""

import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from gangland_ladder.cli import options, output
from gangland_ladder.common import documents, runtime, texts
from gangland_ladder.documents.ladders import DuelDocument, DuelSide, SequentialTest
from gangland_ladder.local.bots import InvalidArgument, game_of, paths_of, read_bot
from gangland_ladder.local.duel import DUEL_BLOCKS, LocalDuel
from gangland_ladder.rating.duel_scores import DuelScore, duel_score
from gangland_ladder.rating.duels import DuelVerdict, Hypotheses
from gangland_sandbox import jail, limits
from gangland_sandbox.errors import SandboxError

DEFAULTS = Hypotheses()


def duel(
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new bot.")],
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The bot to beat.")],
    game: output.Game = None,
    seats: Annotated[
        int, typer.Option(min=2, max=4, help="Seats per table. Above 2, copies of the bots fill them.")
    ] = 2,
    seed: output.Seed = None,
    salt: options.Salt = None,
    option: options.GameOptions = None,
    elo0: Annotated[float, typer.Option(metavar="ELO", help="Reject NEW at this gain in Elo or less.")] = 0.0,
    elo1: Annotated[float, typer.Option(metavar="ELO", help="Accept NEW at this gain in Elo or more.")] = 20.0,
    alpha: Annotated[float, typer.Option(help="Probability of accepting NEW by mistake.")] = DEFAULTS.alpha,
    beta: Annotated[float, typer.Option(help="Probability of rejecting NEW by mistake.")] = DEFAULTS.beta,
    max_blocks: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Stop undecided after this many blocks.")
    ] = DUEL_BLOCKS,
    as_json: output.Json = False,
    resume: options.Resume = False,
    quiet: output.Quiet = False,
    trusted: output.Trusted = False,
    profile: output.InProfile = limits.Profile.PLAIN,
) -> None:
    """Play NEW against OLD until it is clear which is better.

    Each block plays the same dice in every rotation of seats. Bots are files, zips or house bots.

    Example: gangland duel my_bot.py my_bot_before.py --seed 7
    """
    default = options.default_game()
    bots = [read_bot(path) for path in paths_of([new, old], game, default)]
    game = game_of(bots, game, default)
    try:
        hypotheses = Hypotheses(elo0, elo1, alpha, beta)
    except ValueError as error:
        raise InvalidArgument(str(error)) from error
    game_options = options.options_of(game, seats, option)
    mode: jail.Mode = jail.Mode.TRUSTED if trusted else jail.Mode.JAIL
    run = options.Run.open(
        "duel", game, bots, seats, seed, options.given_salt(salt), game_options, mode, profile, resume=resume
    )
    duel_run = CommandDuel(run, hypotheses, max_blocks)
    is_interrupted = False
    try:
        duel_run.play_with_progress(quiet=quiet)
    except (KeyboardInterrupt, SandboxError) as stopped:
        is_interrupted = isinstance(stopped, KeyboardInterrupt)
        if duel_run.verdict is DuelVerdict.OPEN:
            output.say(f"{'interrupted' if is_interrupted else stopped}; results are partial")
            bounds = f" --elo0 {elo0:g} --elo1 {elo1:g} --alpha {alpha:g} --beta {beta:g} --max-blocks {max_blocks}"
            output.say(f"continue: gangland duel {shlex.join(map(str, (new, old)))}{run.arguments()}{bounds} --resume")
        else:
            output.say(f"{'interrupted' if is_interrupted else stopped}; the duel was already decided")
        if not is_interrupted:
            duel_run.show(as_json=as_json, quiet=quiet)
            raise
    finally:
        run.close()
    duel_run.show(as_json=as_json, quiet=quiet)
    if is_interrupted:
        sys.exit(runtime.INTERRUPTED)


class CommandDuel(LocalDuel):
    """A duel that is run from the command line."""

    def __init__(self, run: options.Run, hypotheses: Hypotheses, max_blocks: int) -> None:
        super().__init__(run, hypotheses, max_blocks)
        self.head = run.head
        self.start_s = time.monotonic()

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two bots, made distinct if they are equal."""
        new, old = (bot.name for bot in self.run.bots)
        return (new, old) if new != old else (f"new {new}", f"old {old}")

    def play_with_progress(self, *, quiet: bool) -> None:
        """Play and show the progress. Raises the same errors as `play`."""
        with output.ProgressLine(quiet=quiet) as line:
            self.play(
                lambda: self._warn(quiet),
                lambda: line.show(self._progress_text(self.games)),
                on_poll=lambda games: line.show(self._progress_text(games)),
            )

    def _warn(self, quiet: bool) -> None:
        if self.run.mode is jail.Mode.TRUSTED and not quiet:
            output.say(output.TRUSTED_WARNING)

    def _progress_text(self, games: int) -> str:
        test, bounds = self.test, self.test.hypotheses
        rate = games / max(time.monotonic() - self.start_s, 1e-9)
        if not test.blocks:
            return f"{texts.counted(games, 'game')}  {rate:.0f} games/s"
        mean = sum(score * times for score, times in test.scores.items()) / test.blocks
        return (
            f"{games} games, {test.blocks} blocks  score {100 * float(mean):.1f}%  "
            f"{test.ratio:+.2f} between {bounds.lower:.2f} and {bounds.upper:.2f}  {rate:.0f} games/s"
        )

    def show(self, *, as_json: bool, quiet: bool) -> None:
        """Print the result."""
        score = duel_score(self.blocks)
        if as_json:
            output.print_json(self._document(score))
        else:
            for line in self._lines(score):
                sys.stdout.write(output.clean(line) + "\n")
        if not quiet:
            options.say_faults(self.run, self.names, self.faults)
        if not quiet and not as_json:
            games = f"{texts.counted(self.games, 'game')} of {self.run.game}"
            output.say(
                f"{games}, {options.dice_text(self.run.seed, self.run.salt)}{texts.option_arguments(self.run.options)}"
            )

    def _lines(self, result: DuelScore | None) -> Iterator[str]:
        new, old = self.names
        seats = self.run.seats
        table_text = "" if seats == 2 else f", {seats} seats"
        yield f"{new} against {old}, from {new}'s side; mirrored seeds{table_text}"
        if result is not None and result.new_alone is not None and result.old_alone is not None:
            yield f"{new} alone among {old}: mean place {_range_text(result.new_alone)}"
            yield f"{old} alone among {new}: mean place {_range_text(result.old_alone)}"
        if result is not None:
            score, (elo, low, high) = result.score, result.elo
            yield (
                f"score {100 * score.value:.1f}% +- {50 * (score.high - score.low):.1f}   "
                f"Elo {elo:+.1f} +- {(high - low) / 2:.1f}   {new} is better: {100 * result.better:.1f}%   "
                f"blocks {result.blocks}"
            )
        yield f"sequential test {self._test_text(new, old)}"
        for name, faults in zip((new, old), self.faults, strict=True):
            if faults:
                yield f"{name} was at fault: {', '.join(f'{kind} {n}' for kind, n in sorted(faults.items()))}"

    def _test_text(self, new: str, old: str) -> str:
        bounds, ratio = self.test.hypotheses, round(self.test.ratio, 2) + 0.0
        text = f"[{_elo(bounds.elo0)}, {_elo(bounds.elo1)}]: {ratio:.2f}"
        match self.verdict:
            case DuelVerdict.ACCEPTED:
                better = f"{new} is better" if bounds.elo0 >= 0 else f"{new} is no more than {-bounds.elo0:g} Elo worse"
                return f"{text} of {bounds.upper:.2f} -> accepted, {better}"
            case DuelVerdict.REJECTED:
                worse = f"not {bounds.elo1:g} Elo better" if bounds.elo1 > 0 else f"at least {-bounds.elo1:g} Elo worse"
                return f"{text} of {bounds.lower:.2f} -> rejected, {new} is {worse}"
            case DuelVerdict.UNDECIDED:
                return f"{text}, between {bounds.lower:.2f} and {bounds.upper:.2f} -> undecided at --max-blocks"
            case DuelVerdict.OPEN:
                return f"{text}, between {bounds.lower:.2f} and {bounds.upper:.2f} -> not decided yet"

    def _document(self, result: DuelScore | None) -> DuelDocument:
        test, bounds = self.test, self.test.hypotheses
        new, old = (
            DuelSide(bot.name, bot.sha256, faults.total(), dict(sorted(faults.items())))
            for bot, faults in zip(self.run.bots, self.faults, strict=True)
        )
        return DuelDocument(
            **asdict(self.head),
            new=new,
            old=old,
            verdict=self.verdict,
            test=SequentialTest(
                elo0=bounds.elo0,
                elo1=bounds.elo1,
                alpha=bounds.alpha,
                beta=bounds.beta,
                lower=round(bounds.lower, 6),
                upper=round(bounds.upper, 6),
                ratio=round(test.ratio, 6),
            ),
            max_blocks=self.max_blocks,
            blocks=test.blocks,
            games=self.games,
            block_scores=[(round(float(score), 6), test.scores[score]) for score in sorted(test.scores)],
            score=result.score.interval if result else None,
            elo=documents.Interval.rounded(*result.elo) if result else None,
            better=round(result.better, 6) if result else None,
            new_alone=documents.Interval.rounded(*result.new_alone) if result and result.new_alone else None,
            old_alone=documents.Interval.rounded(*result.old_alone) if result and result.old_alone else None,
            seconds=round(time.monotonic() - self.start_s, 3),
        )


def _range_text(place: tuple[float, float, float]) -> str:
    return f"{place[0]:.2f} ({place[1]:.2f} to {place[2]:.2f})"


def _elo(elo: float) -> str:
    return f"{elo:+g}" if elo else "0"
