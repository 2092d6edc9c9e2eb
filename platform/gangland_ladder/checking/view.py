"""One view of a check, shown again: what the bot saw, what it returned and what was legal."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from gangland.faults import BotFault
from gangland_ladder.checking import words as check_words
from gangland_ladder.checking.bench import Bench
from gangland_ladder.checking.play import Asked, Examination, plan_of
from gangland_ladder.common.views import fields_shown
from gangland_ladder.errors.catalogue import rejection
from gangland_ladder.matches.orders import Problem
from gangland_sandbox.errors import UploadRejected


class ViewShown(Struct, frozen=True):
    """One view of a check, in words.

    Attributes:
        fields: every part of the view by name.
        returned: what the bot answered, in words; empty where it gave no answer.
        legal: what was allowed.
        problem: what is wrong with the answer; None if it is legal.
    """

    number: int
    seat: int
    seats: int
    round: int
    method: str
    line: int | None
    fields: dict[str, str]
    returned: str
    legal: str
    problem: Problem | None


class NoSuchView(Struct, frozen=True):
    """The check asks fewer views than that, or its bot cannot be loaded."""

    views: int
    problem: Problem | None = None


class Reached(Exception):
    """The view that was looked for has been asked."""


def shown_view(bench: Bench, number: int) -> ViewShown | NoSuchView:
    """Play the check up to a view and show that.

    Raises:
        SandboxError: the jail failed.
    """
    found: list[Asked] = []

    def saw(asked: Asked) -> None:
        if asked.number == number:
            found.append(asked)
            raise Reached

    playing = Examination(bench.game, bench.options, bench.salt, bench.opener(), saw, lambda _: None)
    try:
        playing.run(plan_of(bench.table_sizes))
    except Reached:
        return described(bench, found[0])
    except UploadRejected as refused:
        return NoSuchView(0, rejection(refused, bench.filename))
    except BotFault as fault:
        return NoSuchView(playing.views, check_words.failed(fault, bench.filename, bench.game))
    return NoSuchView(playing.views)


def described(bench: Bench, asked: Asked) -> ViewShown:
    """Return a view and what came of it in words."""
    game, problem = bench.game, None
    if asked.fault is not None:
        problem = check_words.failed(asked.fault, bench.filename, game, asked)
    elif asked.refused is not None:
        problem = check_words.illegal(game, asked)
    view = game.observe(asked.state, asked.seat)
    return ViewShown(
        number=asked.number,
        seat=asked.seat,
        seats=asked.planned.seats,
        round=game.round(asked.state),
        method=f"choose_{asked.kind}",
        line=asked.line,
        fields=dict(fields_shown(view)),
        returned="" if asked.fault is not None else check_words.shown(asked.answer),
        legal=check_words.allowed(game, asked),
        problem=problem,
    )


def plain(shown: ViewShown) -> dict[str, object]:
    """Return it as plain JSON values, what is wrong with it left out."""
    told: dict[str, object] = msgspec.to_builtins(shown)
    del told["problem"], told["number"]
    return told
