"""One view of a check, shown again: what the bot saw, what it returned and what was legal."""

from msgspec import Struct

from gangland.faults import BotFault
from gangland_ladder.checking.examination import Bench, CheckedView, Examination, Reached, plan_of, stopping_at
from gangland_ladder.checking.problems import allowed_answers, answer_text, problem_in, problem_of_fault
from gangland_ladder.common.texts import fields_shown
from gangland_ladder.documents.bots import ShownView
from gangland_ladder.errors import rejection
from gangland_ladder.matches.match_orders import Problem
from gangland_sandbox.errors import UploadRejected


class NumberedView(Struct, frozen=True):
    """One view of a check with its number.

    Attributes:
        problem: what is wrong with the answer; None if it is legal.
    """

    number: int
    shown: ShownView
    problem: Problem | None


class NoSuchView(Struct, frozen=True):
    """The check asks fewer views than that, or its bot cannot be loaded."""

    views: int
    problem: Problem | None = None


def shown_view(bench: Bench, number: int) -> NumberedView | NoSuchView:
    """Play the check up to a view and show that.

    Raises:
        SandboxError: the jail failed.
    """
    playing = Examination(bench, bench.opener(), stopping_at(number), lambda _: None)
    try:
        playing.run(plan_of(bench.table_sizes))
    except Reached as reached:
        return _described(bench, reached.checked)
    except UploadRejected as refused:
        return NoSuchView(0, rejection(refused, bench.filename))
    except BotFault as fault:
        return NoSuchView(playing.views, problem_of_fault(fault, bench.filename, bench.game))
    return NoSuchView(playing.views)


def _described(bench: Bench, checked: CheckedView) -> NumberedView:
    game = bench.game
    shown = ShownView(
        seat=checked.seat,
        seats=checked.planned.seats,
        round=game.round(checked.state),
        method=f"choose_{checked.kind}",
        line=checked.line,
        fields=dict(fields_shown(game.observe(checked.state, checked.seat))),
        returned="" if checked.fault is not None else answer_text(checked.answer),
        legal=allowed_answers(game, checked),
    )
    return NumberedView(checked.number, shown, problem_in(checked, bench.filename, game))
