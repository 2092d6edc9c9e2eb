"""What is printed of games whose decisions were judged."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from gangland_ladder.analysis.account import Mark
from gangland_ladder.analysis.comparison import Comparison
from gangland_ladder.analysis.figures import GameFigures, Share
from gangland_ladder.analysis.summary import PlayerSummary
from gangland_ladder.common.documents import Count, Document, GameName, Number, Part, Probability, Seats
from gangland_ladder.documents.games import Method, Replay, Unusable


class AnalysedGame(Document, tag="gangland/analysed-game/1"):
    """A line of the file of `--out`: what one game came to.

    Attributes:
        replay: SHA-256 of the game's replay.
        seed: of what was sampled.
    """

    title = "gangland analyse --out"

    replay: str
    seed: Count
    figures: GameFigures


class Analysed(Document, tag="gangland/analysis/1"):
    """Recorded games analysed: what each bot's decisions cost it.

    Attributes:
        seed: of what was sampled.
        partial: interrupted.
        games: how many were analysed; unfinished: how many of them only as far as there was time.
        unusable: games of no use, the first of them.
        players: by bot; of one game by seat.
        comparison: of the two bots that --compare names; null without it.
    """

    title = "gangland analyse --json"

    seed: Count
    partial: bool
    games: Count
    unfinished: Count
    unusable: list[Unusable]
    players: list[PlayerSummary]
    comparison: Comparison | None


class RankedOption(Part):
    """A legal decision.

    Attributes:
        rank: from 1.
        words: the decision as what the seat does.
        value: the seat's value after it; cost: to the best one; error: the cost's standard error.
        odds: chances by name.
        played: whether this one was.
    """

    rank: Number
    decision: Any
    words: str
    value: Share
    cost: Share
    error: Share
    mark: Mark
    odds: dict[str, Probability]
    played: bool


class AnalysedDecision(Document, tag="gangland/analysed-decision/1"):
    """Every legal decision at one place of a recorded game, best first.

    Attributes:
        at: the place in the replay, such as r7.s2.d1.
        seat: from 0.
        number: of the decision in the replay, from 0.
        view: the chief things that the seat saw.
        fault: whether the seat failed here.
    """

    title = "gangland analyse --decision --json"

    game: GameName
    seats: Seats
    at: str
    round: Count
    seat: Count
    number: Count
    method: Method
    view: str
    fault: bool
    options: Annotated[list[RankedOption], Meta(min_length=1)]


class ContinuedGame(Document, tag="gangland/continued-game/1"):
    """A recorded game played on from a decision: the best one there, then the reference player at every seat.

    Attributes:
        at: the place in the replay, such as r7.s2.d1.
        seat: from 0.
        number: of the decision in the replay, from 0.
        recorded: the decision that was played; decision: the best one.
        recorded_scores, scores: by seat, the share of the table that it finished ahead of, ties half, in the recorded
            game and in this one.
        replay: of this game.
    """

    title = "gangland analyse --from-here --json"

    at: str
    seat: Count
    number: Count
    recorded: Any
    decision: Any
    recorded_scores: list[Probability]
    scores: list[Probability]
    replay: Replay
