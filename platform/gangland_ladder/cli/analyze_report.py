"""Print the results of `gangland analyze` and of `gangland diff --analyze`."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec.structs import astuple

from gangland.games import game_named
from gangland.replay import Replay, Step, StepAnswer
from gangland_ladder.analysis.account import Account, GameFigures, Option, mark_of, recorded_form
from gangland_ladder.analysis.analyzer import Continuation
from gangland_ladder.analysis.comparison import Comparison, ComparisonBuilder, NotComparable, Side
from gangland_ladder.analysis.summary import GamePlace, PlacedDecision, PlayerSummary, Summary, name_with_code
from gangland_ladder.cli import output
from gangland_ladder.cli.replay import names_of, write_text
from gangland_ladder.cli.replay_files import Entry, file_name
from gangland_ladder.common.texts import counted, match_game_at
from gangland_ladder.documents import games as documents
from gangland_ladder.local.analyzed import Figures, NoFigures
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.viewer.commentary import what_if_text
from gangland_ladder.viewer.page import Original, replay_page
from gangland_ladder.viewer.presentation import decision_text, presentation_of
from gangland_ladder.viewer.timeline import Frame, timeline_of

# Reports on games: summaries, decisions and options.


MAX_DECISIONS: Final = 20  # Maximum number of decisions that text lists, best first; a JSON document has all of them.
MAX_THEMES: Final = 6  # Maximum number of themes per bot in text; a JSON document has all of them.
MAX_UNUSABLE: Final = 1000  # Maximum number of unusable games in a JSON document.


@dataclass(frozen=True, slots=True)
class LocatedGame:
    """A game, with its file and its position in the file."""

    file: Path
    entry: Entry

    @property
    def place(self) -> GamePlace:
        """The position of the recorded game."""
        match, block, rotation = self.entry.position or (None, None, None)
        return GamePlace(str(self.file), self.entry.number, match, block, rotation)


class Versions:
    """The two bots to compare, by name; a name that bots share must include the first digits of the bot's code."""

    def __init__(self, new: str, old: str) -> None:
        self.names = {Side.NEW: new, Side.OLD: old}
        self.comparing = ComparisonBuilder()
        self._codes: dict[Side, set[str]] = {Side.NEW: set(), Side.OLD: set()}

    def add(self, entry: Entry, figures: GameFigures) -> None:
        """Add a game for each seat of the two bots. Raises InvalidArgument: it cannot be compared."""
        for seat, name in enumerate(entry.names or ()):
            code = entry.codes[seat] if entry.codes else ""
            for side, wanted_name in self.names.items():
                if wanted_name in (name, name_with_code(name, code)):
                    self._codes[side].add(code)
                    try:
                        self.comparing.add(side, figures, seat, entry.replay.seed)
                    except NotComparable as error:
                        raise InvalidArgument(str(error)) from error

    def comparison(self) -> Comparison:
        """Return the comparison. Raises InvalidArgument: a bot has no game, or shares its name with another bot."""
        for side, name in self.names.items():
            codes = sorted(self._codes[side])
            if not codes:
                raise InvalidArgument(f"--compare: there is no game of {name!r}")
            if len(codes) > 1:
                alternatives = " or ".join(repr(name_with_code(name, code)) for code in codes)
                raise InvalidArgument(f"--compare: several bots are called {name!r}; give {alternatives}")
        return self.comparing.comparison(self.names[Side.OLD], self.names[Side.NEW])


class AnalysisReport:
    """The results of all games."""

    def __init__(self, seed: int, versions: Versions | None = None) -> None:
        self.seed = seed
        self.versions = versions
        self.unfinished = 0  # number of games whose analysis was cut short by the time limit
        self.invalid_replays = 0
        self.unusable: list[tuple[LocatedGame, NoFigures]] = []
        self.partial = False
        self._by_bot, self._by_seat = Summary(), Summary(by_seat=True)

    @property
    def games(self) -> int:
        """The number of games analyzed."""
        return self._by_bot.games

    @property
    def first_problem(self) -> str:
        """The problem of the first unusable game; "" if all games are usable."""
        return self.unusable[0][1].message if self.unusable else ""

    def add(self, game: LocatedGame, figures: Figures) -> None:
        """Record the figures of a game."""
        if isinstance(figures, NoFigures):
            self.invalid_replays += figures.is_invalid
            self.unusable.append((game, figures))
            return
        self.unfinished += not figures.complete
        for summary in (self._by_bot, self._by_seat) if not self.games else (self._by_bot,):
            summary.add(figures, game.place, game.entry.names, game.entry.codes)
        if self.versions is not None:
            self.versions.add(game.entry, figures)

    def show(self, *, as_json: bool) -> None:
        """Print the report."""
        players = (self._by_seat if self.games == 1 else self._by_bot).players()
        compared = None if self.versions is None else self.versions.comparison()
        if as_json:
            listed = [
                documents.Unusable(str(game.file), game.entry.number, failure.message)
                for game, failure in self.unusable[:MAX_UNUSABLE]
            ]
            output.print_json(
                documents.Analyzed(self.seed, self.partial, self.games, self.unfinished, listed, players, compared)
            )
            return
        self._say_unusable()
        if compared is not None:
            print_comparison(compared)
        elif players:
            _print_players(players, unfinished=self.unfinished > 0)
            for player in players:
                _print_player(player)

    def _say_unusable(self) -> None:
        for game, failure in self.unusable[:MAX_DECISIONS]:
            output.say(f"gangland: left out {file_name(game.file)}, game {game.entry.number}: {failure.message}")
        if len(self.unusable) > MAX_DECISIONS:
            output.say(f"gangland: and {len(self.unusable) - MAX_DECISIONS} more")
        if self.unfinished:
            output.say(f"{counted(self.unfinished, 'game')} not fully analyzed because of --seconds")


def _name(player: PlayerSummary) -> str:
    if player.seat is None:
        return player.bot or ""
    seat = f"seat {player.seat + 1}"
    return seat if player.bot is None else f"{player.bot} ({seat})"


def _print_players(players: Sequence[PlayerSummary], *, unfinished: bool) -> None:
    rows = [
        [
            _name(player),
            str(player.games),
            output.percent(player.accuracy),
            *_cost_texts(player.cost, player.error),
            output.percent(player.account.result),
        ]
        for player in players
    ]
    output.print_table(["bot", "games", "best or good", "cost per game", "+-", "result"], rows, left=(0,))
    sys.stdout.write("\n")
    heads = ["start", "luck", "own", "others", "hidden", "error", "left out", "result"]
    columns = [number for number, head in enumerate(heads) if unfinished or head != "left out"]
    table = [[_name(player), *_account(player.account)] for player in players]
    output.print_table(
        ["bot", *(heads[number] for number in columns)],
        [[name, *(cells[number] for number in columns)] for name, *cells in table],
        left=(0,),
    )


def _account(account: Account) -> list[str]:
    start, *changes, result = astuple(account)
    return [output.percent(start), *(output.signed_percent(change) for change in changes), output.percent(result)]


def _print_player(player: PlayerSummary) -> None:
    sys.stdout.write(f"\n{output.one_line(_weakness(player))}\n")
    marks = ", ".join(f"{mark} {count}" for mark, count in player.marks.items())
    sys.stdout.write(f"{counted(player.decisions, 'decision')}: {marks}\n\n")
    costs = _parts(player, [f", {counted(table.games, 'game')}" for table in player.tables], MAX_THEMES)
    rows = [
        [label, str(part.decisions), str(part.marked), *_cost_texts(part.cost, part.error)] for label, part in costs
    ]
    output.print_table(["by", "decisions", "marked", "cost per game", "+-"], rows, left=(0,))
    if len(player.themes) > MAX_THEMES:
        sys.stdout.write(f"and {counted(len(player.themes) - MAX_THEMES, 'more theme')}\n")
    for placed in player.worst:
        _print_worst(player, placed)


def _weakness(player: PlayerSummary) -> str:
    if not player.themes:
        return f"{_name(player)} lost nothing by its decisions"
    worst = player.themes[0]
    verb = "loses {} of a win per game" if player.games > 1 else "lost {} of a win"
    text = f"{_name(player)} {verb.format(output.percent(worst.cost))} by {worst.theme}"
    if worst.chosen is not None and worst.best is not None:
        text += f" ({worst.chosen:.1f} on average, {worst.best:.1f} was best)"
    part = worst.phases[0]
    first, last = part.rounds
    rounds = f"round {first}" if first == last else f"rounds {first} to {last}"
    if len(worst.phases) == 1:
        return f"{text} in {rounds}"
    return f"{text}, mostly in {rounds} ({output.percent(part.cost)})"


def _print_worst(player: PlayerSummary, placed: PlacedDecision) -> None:
    place, judged = placed.place, placed.decision
    label = f"game {place.game}"
    if place.match is not None and place.block is not None and place.rotation is not None:
        label += f" ({match_game_at(place.match, place.block, place.rotation)})"
    played, best = (decision_text(player.game, judged.kind, decision) for decision in (judged.chosen, judged.best))
    error = f" +- {output.percent(judged.error)}" if judged.error > 0 else ""
    sys.stdout.write(
        f"\n{judged.mark} in {label}, round {judged.round}: {output.percent(judged.cost)}{error} of a win\n"
    )
    sys.stdout.write(f"  | {output.one_line(f'{played}; best: {best}')}\n")
    if judged.at is not None:
        file = output.one_line(shlex.quote(place.file))
        sys.stdout.write(f"  gangland analyze {file} --game {place.game} --decision {judged.at}\n")


def decision_document(
    replay: Replay, frame: Frame, step: Step, answer: StepAnswer, options: Sequence[Option]
) -> documents.AnalyzedDecision:
    """Return a document with every legal decision at a frame of a game, best first."""
    game = game_named(replay.game)
    view = game.observe(step.before, answer.seat, step.defaulting)
    return documents.AnalyzedDecision(
        game=replay.game,
        seats=replay.seats,
        at=frame.at,
        round=frame.round,
        seat=answer.seat,
        number=frame.number,
        method=f"choose_{answer.kind}",
        view=presentation_of(replay.game).view_summary(view),
        fault=answer.by_default,
        options=[
            _ranked_option(replay.game, answer, rank, option, options[0].value)
            for rank, option in enumerate(options, 1)
        ],
    )


def _ranked_option(game: str, answer: StepAnswer, rank: int, option: Option, best: float) -> documents.RankedOption:
    cost = max(0.0, best - option.value)
    return documents.RankedOption(
        rank=rank,
        decision=recorded_form(option.decision),
        words=decision_text(game, answer.kind, recorded_form(option.decision)),
        value=option.value,
        cost=cost,
        error=option.error,
        mark=mark_of(cost, option.error),
        odds={name: min(1.0, max(0.0, chance)) for name, chance in (option.odds or {}).items()},
        played=option.decision == answer.decision,
    )


def print_decision(document: documents.AnalyzedDecision, name: str, file: Path, number: int, *, show_all: bool) -> None:
    """Print the legal decisions at a frame: all of them if `show_all` is set, else the best ones and the played one."""
    sys.stdout.write(f"{output.one_line(name)} at {document.at}, {document.method}\n")
    sys.stdout.write(f"  | {output.one_line(f'view: {document.view}')}\n")
    if document.fault:
        sys.stdout.write("  the seat was at fault, so > marks the default decision\n")
    options = [option for option in document.options if show_all or option.rank <= MAX_DECISIONS or option.played]
    odds = list(dict.fromkeys(name for option in options for name in option.odds))
    is_sampled = any(option.error for option in options)
    rows = [
        [
            ">" if option.played else "",
            str(option.rank),
            option.words,
            output.percent(option.value, 2),
            output.percent(option.cost, 2),
            *([output.percent(option.error, 2)] if is_sampled else []),
            option.mark.value,
            *(output.percent(option.odds.get(name)) for name in odds),
        ]
        for option in options
    ]
    heads = ["", "#", "decision", "value", "cost", *(["+-"] if is_sampled else []), "mark", *odds]
    sys.stdout.write("\n")
    output.print_table(heads, rows, left=(0, 2, heads.index("mark")))
    if len(options) < len(document.options):
        sys.stdout.write(f"and {len(document.options) - len(options)} more; --all lists them\n")
    sys.stdout.write(
        f"\ngangland replay {output.one_line(shlex.quote(str(file)))} --game {number} --at {document.at}\n"
    )


def _cost_texts(cost: float, error: float | None) -> list[str]:
    return [output.percent(cost), output.error_percent(error)]


# Continuations: how a game changes if it is continued from one decision, as text, document and page.


def continuation_document(continuation: Continuation, frame: Frame) -> documents.ContinuedGame:
    """Return a continuation as a document for --json."""
    return documents.ContinuedGame(
        at=frame.at,
        seat=continuation.seat,
        number=continuation.number,
        recorded=frame.decision,
        decision=recorded_form(continuation.decision),
        recorded_scores=list(continuation.recorded),
        scores=list(continuation.scores),
        replay=documents.Replay.of(continuation.replay),
    )


def print_continuation(continuation: Continuation, frame: Frame, entry: Entry) -> None:
    """Print the effect of a continuation."""
    names = _names(entry)
    sys.stdout.write(f"{output.one_line(what_if_text(continuation, frame, names))}\n\n")
    rows = [
        [names[seat], output.percent(before, 0), output.percent(after, 0), output.signed_percent(after - before)]
        for seat, (before, after) in enumerate(zip(continuation.recorded, continuation.scores, strict=True))
    ]
    output.print_table(["result", "recorded", "from here", "change"], rows, left=(0,))
    sys.stdout.write(
        f"\n{counted(continuation.replay.rounds, 'round')}, recorded: {entry.replay.rounds}. "
        "This is one game; the analysis has the average cost.\n"
    )


def write_continuation(html: Path, entry: Entry, continuation: Continuation, frame: Frame, page: str) -> None:
    """Write the continuation as a page; `page` is the recorded game's page, to which it links unless it is ""."""
    names = _names(entry)
    timeline = timeline_of(continuation.replay, names)
    href = f"{page}#{frame.at}" if page else ""
    write_text(html, replay_page(timeline, frame.at, recorded=Original(href, what_if_text(continuation, frame, names))))


def _names(entry: Entry) -> list[str]:
    return names_of(entry) or [f"Seat {seat + 1}" for seat in range(entry.replay.seats)]


# Comparing two versions of a bot by cost.


MAX_ROWS: Final = 12  # Maximum number of differences in text, largest first; a JSON document has all of them.


def print_comparison(comparison: Comparison) -> None:
    """Print the differences between two versions, overall and in parts, largest first."""
    sys.stdout.write(f"{output.one_line(_verdict(comparison))}\n{_dice(comparison)}\n\n")
    parts = sorted(_parts(comparison, [""] * len(comparison.tables)), key=lambda part: -abs(part[1].difference))
    rows = [
        [
            label,
            output.percent(difference.old),
            output.percent(difference.new),
            output.signed_percent(difference.difference),
            output.error_percent(difference.error),
            "" if difference.verdict.is_clear else difference.verdict.value,
        ]
        for label, difference in [("all decisions", comparison.whole), *parts[:MAX_ROWS]]
    ]
    heads = [
        "lost per game by",
        output.one_line(comparison.old),
        output.one_line(comparison.new),
        "difference",
        "+-",
        "",
    ]
    output.print_table(heads, rows, left=(0, 5))
    if len(parts) > MAX_ROWS:
        sys.stdout.write(f"and {len(parts) - MAX_ROWS} smaller ones\n")


def _verdict(comparison: Comparison) -> str:
    whole = comparison.whole
    old, new = output.percent(whole.old), output.percent(whole.new)
    if not whole.verdict.is_clear:
        return f"{whole.verdict.value}: {comparison.new} loses {new} of a win per game, {comparison.old} {old}"
    difference = output.percent(abs(whole.difference))
    return (
        f"{comparison.new} loses {difference} of a win per game {whole.verdict} than {comparison.old}: {new}, not {old}"
    )


def _dice(comparison: Comparison) -> str:
    games = f"{counted(comparison.new_games, 'game')} against {comparison.old_games}"
    error = f"standard error {output.percent(comparison.whole.error)}"
    if not comparison.paired:
        return f"{games}, on different dice; {error}"
    unpaired = f" (unpaired: {output.percent(comparison.unpaired_error)})"
    blocks = f"{comparison.paired} of {counted(comparison.blocks, 'block')}"
    return f"{games}, both on the same dice in {blocks}; {error}{unpaired}"


def _parts(summary: Any, of_tables: Sequence[str], themes: int | None = None) -> Iterator[tuple[str, Any]]:
    """Yield the name and the costs of each part of a bot's summary or of a comparison."""
    for kind in summary.kinds:
        yield f"choose_{kind.kind}", kind
    for phase in summary.phases:
        yield f"{phase.phase} third, rounds {phase.rounds[0]} to {phase.rounds[1]}", phase
    if len(summary.tables) > 1:
        for table, games in zip(summary.tables, of_tables, strict=True):
            yield f"tables of {table.seats}{games}", table
    for theme in summary.themes[:themes]:
        yield theme.theme, theme
