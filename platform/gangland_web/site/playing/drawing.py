"""What is drawn of a table for its person: felt, story and question; made from a standing alone, for whoever has one.

`templates/table_parts.html` shows them; it needs no row of a table, only addresses to send answers to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from markupsafe import Markup

from gangland_ladder.playing.hints import SHOWN, Hint, HintOption, hint_in_words
from gangland_ladder.playing.questions import Choice, Narrowed, Question
from gangland_ladder.playing.standing import Standing, StoryLine
from gangland_ladder.viewer.felt import Felt
from gangland_ladder.viewer.games import presentation_of
from gangland_ladder.viewer.scenes import Scene
from gangland_ladder.viewer.verdicts import what_is_valued
from gangland_web.models.jobs import HintState
from gangland_web.site.viewer_files import viewer_file

STEPS: Final = 40
STEPS_CHARS: Final = 120_000
"""So many moments are shown one after the other at most, and so long they may be: a page has at most 200 KB."""
MOST_RADIOS: Final = 24
"""So many decisions are a list to choose from; more are put together of parts."""

AMOUNT: Final = "number"
"""The kind of a part that is a whole number, and a decision by itself."""


@dataclass(frozen=True, slots=True)
class DrawnHint:
    """What is shown of a hint at a question.

    Attributes:
        state: None where it was not asked for.
        best: what the reference would do, best first; nothing while it is not there, or where it has no word to say.
        costs: of the listed choices, by their numbers: what each loses against the best one, as far as it is known.
        parts: the ids of the parts of the best decision; valued: what a value is, as a heading.
    """

    state: HintState | None
    valued: str = ""
    best: Sequence[Hint] = ()
    costs: Mapping[int, float] = field(default_factory=dict)
    parts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question, and where the person stands who answers it.

    Attributes:
        narrowed: the parts that are chosen, and what may follow.
        choices: the decisions that have these parts, by their numbers; None where there are too many to list.
        amounts: the legal decisions where they are whole numbers, one after the other; None where they are not.
        hint: None where hints are not given.
    """

    question: Question
    narrowed: Narrowed
    choices: Sequence[tuple[int, Choice]] | None
    amounts: range | None = None
    hint: DrawnHint | None = None


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A moment since the person last decided: what is said of it, and the table after it as HTML."""

    words: str
    felt: Markup


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table as its person sees it.

    Attributes:
        felt: the scene as HTML; story: what happened since the person last decided, steps: the same moment by moment,
            as many of the latest as `STEPS` and `STEPS_CHARS` allow.
        abilities: what seats may do that others may not, in sentences.
        prompt: None while bots are asked and at the end.
    """

    felt: Markup
    story: Sequence[StoryLine]
    steps: Sequence[DrawnStep]
    abilities: Sequence[str]
    prompt: Prompt | None


def drawn(standing: Standing, seat: int, chosen: Sequence[str] = (), *, asks: bool = True) -> Drawn:
    """Return what a seat's person is shown.

    Args:
        chosen: ids of the parts of a decision that the person has chosen; asks: whether an open question is shown.

    Raises:
        NoSuchPart: those parts belong to no legal decision.
    """
    prompt = prompt_of(standing, seat, chosen) if asks else None
    steps, drawn_steps, before = standing.steps(seat)[-STEPS:], [], None
    for step in steps:
        words = " ".join(line.text for line in step.lines)
        drawn_steps.append(DrawnStep(words, felt_of(standing, seat, step.scene, before=before)))
        before = step.scene
    sizes = accumulate(len(step.felt) for step in reversed(drawn_steps))
    fitting = sum(size <= STEPS_CHARS for size in sizes)
    scene, names = standing.scene(seat), standing.names(seat)
    abilities = presentation_of(standing.game.name).abilities(scene, names)
    felt = felt_of(standing, seat, scene, prompt)
    return Drawn(felt, standing.story(seat), drawn_steps[len(drawn_steps) - fitting :], abilities, prompt)


def prompt_of(standing: Standing, seat: int, chosen: Sequence[str] = ()) -> Prompt | None:
    """Return the question that is open to a seat, None for none; raises NoSuchPart as `drawn`."""
    question = standing.question(seat)
    if question is None:
        return None
    narrowed = standing.narrowed(seat, chosen)
    listed = 0 < len(question.choices) <= MOST_RADIOS
    choices = [
        (number, choice)
        for number, choice in enumerate(question.choices)
        if listed and standing.fits(seat, chosen, choice.decision)
    ]
    return Prompt(question, narrowed, choices if listed else None, amounts_of(question))


def amounts_of(question: Question) -> range | None:
    """Return the legal decisions where they are whole numbers, one after the other; None where they are not."""
    numbers = sorted(int(part.id.partition(":")[2]) for part in question.parts if part.kind == AMOUNT)
    if not numbers or len(numbers) != question.count or numbers[-1] - numbers[0] != len(numbers) - 1:
        return None
    return range(numbers[0], numbers[-1] + 1)


def hint_of(standing: Standing, prompt: Prompt, state: HintState | None, options: Sequence[HintOption]) -> DrawnHint:
    """Return what is shown of a hint at the question of a prompt.

    Args:
        options: what the reference says, best first.
    """
    if not options:
        return DrawnHint(state)
    question, by_decision = prompt.question, {}
    for each in options:
        by_decision[standing.check(question.seat, question.number, each.decision)] = options[0].value - each.value
    costs = {
        number: by_decision[each.decision] for number, each in prompt.choices or () if each.decision in by_decision
    }
    best = [hint_in_words(standing, question.kind, each) for each in options[:SHOWN]]
    valued = what_is_valued(len(standing.setup.seats))
    return DrawnHint(state, valued, best, costs, standing.spelled(question.seat, next(iter(by_decision))))


def felt_of(
    standing: Standing, seat: int, scene: Scene, prompt: Prompt | None = None, before: Scene | None = None
) -> Markup:
    """Return a seat's scene as HTML.

    Args:
        prompt: the question whose parts can be chosen on it; before: the scene before, for dice that are new to roll.
    """
    kind, parts = "", frozenset[str]()
    if prompt is not None:
        kind, parts = prompt.question.kind, frozenset(part.id for part in prompt.question.parts)
    felt = Felt(scene, seat, standing.names(seat), viewer_file("dice.svg"), kind, parts, before)
    return Markup(presentation_of(standing.game.name).felt(felt))  # noqa: S704 - escaped where it is made
