"""What is printed of one bot: its check, a view of that, a new bot, and the codes of the catalogue."""

from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import asdict

from gangland_ladder.common.documents import Count, Document, GameName, Number, Options, Part, Seats
from gangland_ladder.errors import Entry, entries
from gangland_ladder.matches.match_orders import MethodTimes, Problem

FileName = Annotated[str, Meta(description="The file's name.")]
CheckSalt = Annotated[
    str, Meta(description="What all dice of the check come from, in hexadecimal; --salt gives the same again.")
]


class ExplainedProblem(Problem, frozen=True, kw_only=True):
    """A problem that a check found, with what the catalogue says of its code.

    Attributes:
        title: what the code is called.
        mend: what to do about it.
        page: where to read on, below docs/.
    """

    title: str
    mend: str
    page: str

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Return a problem with what the catalogue says of it."""
        entry = entries()[problem.code]
        return cls(**asdict(problem), title=entry.title, mend=entry.mend, page=entry.page)


class Check(Document, tag="gangland/check/1"):
    """What the server's validator says of a bot.

    Attributes:
        game: null if it is not known.
        bot: the bot's class; empty if it was not found.
        stages: what it passed, in order.
        decisions: decisions that it made.
        import_s: seconds.
        slowest_s: the slowest decision, in seconds.
        bank_share: of the CPU time that one process has for so many games.
        methods: CPU times by kind of decision.
        problems: why the server would not take it.
        warnings: legal, but in danger.
    """

    title = "gangland check --json"

    file: FileName
    game: GameName | None
    options: Options
    salt: CheckSalt
    bot: str
    accepted: bool
    stages: list[str]
    decisions: Count
    import_s: float
    slowest_s: float
    bank_share: Annotated[float, Meta(ge=0)]
    methods: list[MethodTimes]
    problems: list[ExplainedProblem]
    warnings: list[ExplainedProblem]


class ShownView(Part):
    """A view in words.

    Attributes:
        method: the method that was asked.
        line: of the method, in the bot's file.
        fields: every part of the view by name, in words.
        returned: what the bot answered, in words; empty where it gave no answer.
        legal: what was allowed, in words.
    """

    seat: Count
    seats: Seats
    round: Number
    method: str
    line: Number | None
    fields: dict[str, str]
    returned: str
    legal: str


class CheckView(Document, tag="gangland/check-view/1"):
    """One view of a check: what the bot saw, what it returned and what was legal.

    Attributes:
        view: its number.
        shown: null if the bot could not be loaded.
        problem: null if the answer is legal.
    """

    title = "gangland check --view --json"

    file: FileName
    game: GameName
    options: Options
    salt: CheckSalt
    view: Number
    shown: ShownView | None
    problem: ExplainedProblem | None


class New(Document, tag="gangland/new/1"):
    """What was made.

    Attributes:
        name: the bot's name.
        folder: where it lies.
        files: their paths.
    """

    title = "gangland new --json"

    name: str
    game: GameName
    folder: str
    files: list[str]


class Explain(Document, tag="gangland/explain/1"):
    """Codes and what they mean: one, or all in their order."""

    title = "gangland explain --json"

    codes: list[Entry]
