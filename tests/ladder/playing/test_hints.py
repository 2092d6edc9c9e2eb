"""A hint comes from what the seat may know alone, and what a worker says of it passes only if it can be right."""

from random import Random

import msgspec
import pytest
from tests.kits.playing_kit import any_legal, host, setup_of

from gangland.games import GAME_NAMES
from gangland_ladder.analysis.account import DIGITS
from gangland_ladder.playing import hints
from gangland_ladder.playing.hosting import HostedTable
from gangland_ladder.viewer.presentation import decision_text


def after(game: str, questions: int, seats: int = 2) -> HostedTable:
    table, rng = host(setup_of(game, seats)), Random(6)
    table.advance()
    for _ in range(questions):
        table.answer(0, table.live_table.open_question(0).number, any_legal(table.live_table.view(0), rng))
    return table


def carried(table: HostedTable) -> hints.HintJob:
    job = hints.hint_job(table.live_table, 0)
    return msgspec.json.decode(msgspec.json.encode(job), type=hints.HintJob)


@pytest.mark.parametrize("questions", [2, pytest.param(0, marks=pytest.mark.long("the first question too"))])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_another_process_that_has_the_view_alone_says_what_the_reference_says_here(game: str, questions: int) -> None:
    table = after(game, questions)
    job = carried(table)
    text = msgspec.json.encode(job).decode()
    assert table.setup.seed not in text
    assert table.setup.rng_key not in text
    answer = hints.decode_answer(msgspec.json.encode(hints.answer_job(job)))
    number = table.live_table.open_question(0).number
    options = hints.checked_options(table.live_table, 0, number, answer)
    own = hints.hints(table.live_table, 0)
    assert [each.value for each in options[: hints.MAX_SHOWN]] == pytest.approx([each.value for each in own], abs=1e-5)
    assert [{name: round(odds, DIGITS) for name, odds in each.odds.items()} for each in own] == [
        each.odds for each in options[: hints.MAX_SHOWN]
    ]
    assert [decision_text(game, job.kind, each.decision) for each in options[: hints.MAX_SHOWN]] == [
        x.words for x in own
    ]
    question = table.live_table.question(0)
    assert question is not None
    assert len(options) in (0, min(question.count, hints.MAX_LISTED))


def test_what_cannot_be_a_hint_is_refused() -> None:
    table = after("gangster-dice", 1)
    answer, number = hints.answer_job(carried(table)), table.live_table.open_question(0).number
    first, *rest = answer.options
    assert rest
    for options in (
        [hints.HintOption("everything", 0.5)], [first, first], [*rest, hints.HintOption(first.decision, 1.4)],
        [hints.HintOption(first.decision, first.value, {"bust\n": 0.5})],
    ):  # fmt: skip
        with pytest.raises(hints.HintRefused):
            hints.checked_options(table.live_table, 0, number, msgspec.structs.replace(answer, options=options))
    with pytest.raises(hints.HintRefused, match="question"):
        hints.checked_options(table.live_table, 0, number + 1, answer)
    for text in (
        b"[]", b"x" * 70_000,
        msgspec.json.encode(msgspec.structs.replace(answer, options=[hints.HintOption(first.decision, 7.0)])),
        msgspec.json.encode(msgspec.structs.replace(answer, options=[first] * (hints.MAX_LISTED + 1))),
    ):  # fmt: skip
        with pytest.raises(hints.HintRefused):
            hints.decode_answer(text)
