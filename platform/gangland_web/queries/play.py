"""Build the page of a table for its player: scene, story, question and hint.

Everything is read from the live table, as far as the player may see it.  `templates/play/question.html` draws the
question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Final

from markupsafe import Markup
from sqlmodel import Session

from gangland_ladder.playing.hints import MAX_SHOWN, Hint, hint_of
from gangland_ladder.playing.questions import Choice, Narrowed, Part, Question
from gangland_ladder.playing.table_state import LiveTable, StoryLine
from gangland_ladder.viewer.commentary import value_label
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene
from gangland_ladder.viewer.table_view import TableView
from gangland_web.models.jobs import HintState, PlayTable, TableState
from gangland_web.services import play

# Limits on the moments on a page and on their characters, so that a page is at most 200 KB.
_STEPS: Final = 40
STEPS_CHARS: Final = 120_000
_MAX_RADIOS: Final = 24  # if there are more decisions, the player composes one from parts
_MAX_BUTTONS: Final = 3
AMOUNT: Final = "number"  # the kind of a part that is a whole number and a complete decision


@dataclass(frozen=True, slots=True)
class Button:
    """A decision that takes one click: its label, and its name and value in the form."""

    label: str
    name: str
    value: str = "1"
    is_primary: bool = True


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question and the state of its answer."""

    question: Question
    narrowed: Narrowed  # the chosen parts, and the parts that may follow
    buttons: Sequence[Button]  # complete decisions; all of them if there are only a few
    choices: Sequence[tuple[int, Choice]] | None  # by number, for pages without JavaScript; None if there are too many
    amounts: range | None = None  # the legal decisions if they are consecutive whole numbers
    parts_not_shown: Sequence[Part] = ()  # parts that may follow and are not in the picture of the table
    hint: DrawnHint | None = None  # None if the table gives no hints

    @property
    def labels(self) -> dict[str, str]:
        """The label of each part by its id."""
        return {part.id: part.words for part in self.question.parts}


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A moment after the player's last decision: a sentence, and the table as HTML."""

    text: str
    html: Markup


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The player's view of a table."""

    html: Markup
    story: Sequence[StoryLine]  # the events since the player's last decision
    steps: Sequence[DrawnStep]  # the same events as moments, only the latest ones
    abilities: Sequence[str]  # sentences about seats with special rights
    prompt: Prompt | None  # None while bots decide and at the end


def player_view(
    live_table: LiveTable, seat: int, sprite: str, part_ids: Sequence[str] = (), *, with_prompt: bool = True
) -> PlayerView:
    """Return the view of the table for the player in a seat; `with_prompt`: whether an open question is shown.

    `part_ids`: the chosen parts of a decision.  Raises NoSuchPart: no legal decision has these parts.
    """
    prompt = _prompt_of(live_table, seat, part_ids) if with_prompt else None
    steps, drawn_steps, before = live_table.steps(seat)[-_STEPS:], [], None
    for step in steps:
        sentences = " ".join(line.text for line in step.lines)
        drawn_steps.append(DrawnStep(sentences, table_html_of(live_table, seat, step.scene, sprite, before=before)))
        before = step.scene
    sizes = accumulate(len(step.html) for step in reversed(drawn_steps))
    shown_count = sum(size <= STEPS_CHARS for size in sizes)
    scene, names = live_table.scene(seat), live_table.names(seat)
    abilities = presentation_of(live_table.game.name).abilities(scene, names)
    html = table_html_of(live_table, seat, scene, sprite, prompt)
    if prompt is not None and prompt.amounts is None:
        parts_not_shown = [part for part in prompt.narrowed.next_parts if f'data-part="{part.id}"' not in html]
        prompt = replace(prompt, parts_not_shown=parts_not_shown)
    return PlayerView(html, live_table.story(seat), drawn_steps[len(drawn_steps) - shown_count :], abilities, prompt)


def _prompt_of(live_table: LiveTable, seat: int, part_ids: Sequence[str]) -> Prompt | None:
    question = live_table.question(seat)
    if question is None:
        return None
    narrowed, amounts = live_table.narrowed(seat, part_ids), amounts_of(question)
    buttons = [] if amounts else _buttons(live_table, seat, question, narrowed)
    listed = 0 < len(question.choices) <= _MAX_RADIOS and not amounts and len(buttons) < question.count
    choices = [
        (number, choice)
        for number, choice in enumerate(question.choices)
        if listed and live_table.spelling(seat).fits(part_ids, choice.decision)
    ]
    return Prompt(question, narrowed, buttons, choices if listed else None, amounts)


def _buttons(live_table: LiveTable, seat: int, question: Question, narrowed: Narrowed) -> list[Button]:
    def label(decision: Any) -> str:
        return presentation_of(live_table.game.name).button(question.kind, decision)

    complete = narrowed.complete
    few = 0 < len(question.choices) <= _MAX_BUTTONS
    if few and all(len(choice.parts) <= 1 for choice in question.choices):
        is_open = complete is None or not narrowed.chosen
        return [
            Button(label(choice.decision), "choice", str(number), is_open or choice == complete)
            for number, choice in enumerate(question.choices)
        ]
    nothing = live_table.spelling(seat).find_decision([])
    buttons = [Button(label(complete.decision), "made")] if complete is not None and narrowed.chosen else []
    buttons += [Button(label(nothing.decision), "nothing", is_primary=not buttons)] if nothing is not None else []
    return buttons


def amounts_of(question: Question) -> range | None:
    """Return the legal decisions if they are consecutive whole numbers, else None."""
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
    """Return a seat's scene as HTML, with the parts of `prompt` to click, and the dice that are new since `before`."""
    kind, parts = "", frozenset[str]()
    if prompt is not None:
        kind, parts = prompt.question.kind, frozenset(part.id for part in prompt.question.parts)
    table = TableView(scene, seat, live_table.names(seat), sprite, kind, parts, before)
    return Markup(presentation_of(live_table.game.name).table_html(table))  # noqa: S704 - escaped by the presentation


# Hints: the reference player's decision.


@dataclass(frozen=True, slots=True)
class DrawnHint:
    """A hint for a question."""

    state: HintState | None  # None if the player did not ask for it
    unit: str = ""  # the unit of values, for the heading
    best: Sequence[Hint] = ()  # the reference player's best decisions; empty until they are known
    costs: Mapping[int, float] = field(default_factory=dict)  # by number of the choice: the loss compared with the best
    parts: Sequence[str] = ()  # of the best decision


def hint_at(db: Session, table: PlayTable, live_table: LiveTable, prompt: Prompt) -> DrawnHint | None:
    """Return the hint for a question; None if the table gives no hints."""
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
        unit=value_label(len(live_table.setup.seats)),
        best=[hint_of(live_table, question.kind, option) for option in options[:MAX_SHOWN]],
        costs={at: losses[choice.decision] for at, choice in prompt.choices or () if choice.decision in losses},
        parts=live_table.spelling(question.seat).part_ids(next(iter(losses))),
    )


@dataclass(frozen=True, slots=True)
class TablePage:
    """The contents of a table's page."""

    table: PlayTable
    live_table: LiveTable
    seat: int
    view: PlayerView
    problem: str  # why an answer was refused

    @property
    def bots_decide(self) -> bool:
        """Whether bots are deciding now."""
        return self.table.state == TableState.BOTS

    @property
    def is_hint_pending(self) -> bool:
        """Whether a requested hint is still being computed."""
        hint = None if self.view.prompt is None else self.view.prompt.hint
        return hint is not None and hint.state is HintState.OPEN
