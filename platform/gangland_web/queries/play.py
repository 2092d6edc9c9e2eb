"""A table as its player sees it: scene, story, question and hint, made only from the live table.

`templates/play/question.html` shows the question, of a table and of a lesson.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Final

from markupsafe import Markup
from sqlmodel import Session

from gangland_ladder.playing.hints import SHOWN, Hint, hint_in_words
from gangland_ladder.playing.questions import Choice, Narrowed, Part, Question
from gangland_ladder.playing.table_state import LiveTable, StoryLine
from gangland_ladder.viewer.commentary import value_label
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene
from gangland_ladder.viewer.table_view import TableView
from gangland_web.models.jobs import HintState, PlayTable, TableState
from gangland_web.services import play

_STEPS: Final = 40
# The maximum number of moments on a page, and their length: a page has at most 200 KB.
STEPS_CHARS: Final = 120_000
_MOST_RADIOS: Final = 24  # more decisions are composed of parts
_MOST_BUTTONS: Final = 3
AMOUNT: Final = "number"  # the kind of a part that is a whole number, and a decision by itself


@dataclass(frozen=True, slots=True)
class Button:
    """A decision made by one click: its words, and the name and value in its form."""

    words: str
    name: str
    value: str = "1"
    is_chosen: bool = True


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question, and the state of its answer.

    Attributes:
        narrowed: the parts that are chosen, and those that may follow.
        buttons: complete decisions; all decisions where they are few.
        loose: the parts that may follow and are not on the table's picture.
        choices: for a page without script, the decisions that have these parts, by their numbers; None where there are
            too many to list, or each has a button.
        amounts: the legal decisions where they are consecutive whole numbers; else None.
        hint: None where hints are not given.
    """

    question: Question
    narrowed: Narrowed
    buttons: Sequence[Button]
    choices: Sequence[tuple[int, Choice]] | None
    amounts: range | None = None
    loose: Sequence[Part] = ()
    hint: DrawnHint | None = None

    @property
    def words(self) -> dict[str, str]:
        """The words of each part, by its id."""
        return {part.id: part.words for part in self.question.parts}


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A moment since the player last decided: its sentence, and the table after it as HTML."""

    words: str
    html: Markup


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table as its player sees it.

    Attributes:
        html: the scene as HTML.
        story: the events since the player last decided; steps: the same by moment, the latest that `_STEPS` and
            `STEPS_CHARS` allow.
        abilities: of seats with special rights, in sentences.
        prompt: None while bots are asked and at the end.
    """

    html: Markup
    story: Sequence[StoryLine]
    steps: Sequence[DrawnStep]
    abilities: Sequence[str]
    prompt: Prompt | None


def drawn(live_table: LiveTable, seat: int, sprite: str, part_ids: Sequence[str] = (), *, asks: bool = True) -> Drawn:
    """Return the table for a seat's player.

    `sprite`: the address of the dice.  `part_ids`: the parts of a decision that the player has chosen.  `asks`: whether
    an open question is shown.  Raises NoSuchPart: those parts belong to no legal decision.
    """
    prompt = _prompt_of(live_table, seat, part_ids) if asks else None
    steps, drawn_steps, before = live_table.steps(seat)[-_STEPS:], [], None
    for step in steps:
        words = " ".join(line.text for line in step.lines)
        drawn_steps.append(DrawnStep(words, table_html_of(live_table, seat, step.scene, sprite, before=before)))
        before = step.scene
    sizes = accumulate(len(step.html) for step in reversed(drawn_steps))
    fitting = sum(size <= STEPS_CHARS for size in sizes)
    scene, names = live_table.scene(seat), live_table.names(seat)
    abilities = presentation_of(live_table.game.name).abilities(scene, names)
    html = table_html_of(live_table, seat, scene, sprite, prompt)
    if prompt is not None and prompt.amounts is None:
        loose = [part for part in prompt.narrowed.more if f'data-part="{part.id}"' not in html]
        prompt = replace(prompt, loose=loose)
    return Drawn(html, live_table.story(seat), drawn_steps[len(drawn_steps) - fitting :], abilities, prompt)


def _prompt_of(live_table: LiveTable, seat: int, part_ids: Sequence[str]) -> Prompt | None:
    """Return the open question of a seat, None without one; raises NoSuchPart as `drawn`."""
    question = live_table.question(seat)
    if question is None:
        return None
    narrowed, amounts = live_table.narrowed(seat, part_ids), amounts_of(question)
    buttons = [] if amounts else _buttons(live_table, seat, question, narrowed)
    listed = 0 < len(question.choices) <= _MOST_RADIOS and not amounts and len(buttons) < question.count
    choices = [
        (number, choice)
        for number, choice in enumerate(question.choices)
        if listed and live_table.spelling(seat).fits(part_ids, choice.decision)
    ]
    return Prompt(question, narrowed, buttons, choices if listed else None, amounts)


def _buttons(live_table: LiveTable, seat: int, question: Question, narrowed: Narrowed) -> list[Button]:
    def words(decision: Any) -> str:
        return presentation_of(live_table.game.name).button(question.kind, decision)

    complete = narrowed.made
    few = 0 < len(question.choices) <= _MOST_BUTTONS
    if few and all(len(choice.parts) <= 1 for choice in question.choices):
        is_open = complete is None or not narrowed.chosen
        return [
            Button(words(choice.decision), "choice", str(number), is_open or choice == complete)
            for number, choice in enumerate(question.choices)
        ]
    nothing = live_table.spelling(seat).made([])
    buttons = [Button(words(complete.decision), "made")] if complete is not None and narrowed.chosen else []
    buttons += [Button(words(nothing.decision), "nothing", is_chosen=not buttons)] if nothing is not None else []
    return buttons


def amounts_of(question: Question) -> range | None:
    """Return the legal decisions where they are consecutive whole numbers; else None."""
    numbers = sorted(int(part.id.partition(":")[2]) for part in question.parts if part.kind == AMOUNT)
    if not numbers or len(numbers) != question.count or numbers[-1] - numbers[0] != len(numbers) - 1:
        return None
    return range(numbers[0], numbers[-1] + 1)


def table_html_of(
    live_table: LiveTable,
    seat: int,
    scene: Scene,
    sprite: str,
    prompt: Prompt | None = None,
    before: Scene | None = None,
) -> Markup:
    """Return a seat's scene as HTML.

    `prompt`: the question whose parts can be chosen on it; `before`: the scene before, for dice that are new to roll.
    """
    kind, parts = "", frozenset[str]()
    if prompt is not None:
        kind, parts = prompt.question.kind, frozenset(part.id for part in prompt.question.parts)
    table = TableView(scene, seat, live_table.names(seat), sprite, kind, parts, before)
    return Markup(presentation_of(live_table.game.name).table_html(table))  # noqa: S704 - escaped where it is made


# Hints: what the reference would do.


@dataclass(frozen=True, slots=True)
class DrawnHint:
    """A hint at a question.

    Attributes:
        state: None where it was not requested.
        best: the decisions of the reference, best first; empty while they are not known or have no words.
        costs: of the listed choices, by their numbers: the loss against the best one, as far as it is known.
        parts: the ids of the parts of the best decision; valued: the unit of a value, as a heading.
    """

    state: HintState | None
    valued: str = ""
    best: Sequence[Hint] = ()
    costs: Mapping[int, float] = field(default_factory=dict)
    parts: Sequence[str] = ()


def hint_at(db: Session, table: PlayTable, live_table: LiveTable, prompt: Prompt) -> DrawnHint | None:
    """Return the hint at a question, None where none is given."""
    if not table.practice:
        return None
    question = prompt.question
    hint = play.find_hint(db, table, question.number)
    if hint is None:
        return DrawnHint(None)
    options = play.options_of(hint)
    if not options:
        return DrawnHint(HintState(hint.state))
    losses = {
        live_table.check(question.seat, question.number, option.decision): options[0].value - option.value
        for option in options
    }
    return DrawnHint(
        HintState(hint.state),
        valued=value_label(len(live_table.setup.seats)),
        best=[hint_in_words(live_table, question.kind, option) for option in options[:SHOWN]],
        costs={at: losses[choice.decision] for at, choice in prompt.choices or () if choice.decision in losses},
        parts=live_table.spelling(question.seat).spelled(next(iter(losses))),
    )


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table as its player sees it; `problem`: why an answer was refused."""

    table: PlayTable
    live_table: LiveTable
    seat: int
    drawn: Drawn
    problem: str

    @property
    def bots_decide(self) -> bool:
        """Whether bots are asked at the moment."""
        return self.table.state == TableState.BOTS

    @property
    def hint_waits(self) -> bool:
        """Whether a requested hint is not known yet."""
        hint = None if self.drawn.prompt is None else self.drawn.prompt.hint
        return hint is not None and hint.state is HintState.OPEN
