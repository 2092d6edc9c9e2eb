"""Schemas of the JSON that `gangland check`, `new` and `explain` print with `--json`."""

from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import asdict

from gangland_ladder.common.documents import Count, Document, GameName, Number, Options, Part, Seats
from gangland_ladder.errors import Entry, entries
from gangland_ladder.matches.match_jobs import MethodTimes, Problem

FileName = Annotated[str, Meta(description="The file's name.")]
CheckSalt = Annotated[
    str, Meta(description="The source of all dice of the check, in hexadecimal; --salt repeats them.")
]


class ExplainedProblem(Problem, frozen=True, kw_only=True):
    """A problem of a check, with the catalog's entry of its code.

    Attributes:
        fix: how to fix the problem.
        page: the documentation page, below docs/.
    """

    title: str
    fix: str
    page: str

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Return a problem with the catalog's entry of its code."""
        entry = entries()[problem.code]
        return cls(**asdict(problem), title=entry.title, fix=entry.fix, page=entry.page)


class Check(Document, tag="gangland/check/1"):
    """The result of the server's check of a bot.

    Attributes:
        game: null if it is unknown.
        bot: the bot's class; empty if there is no such class.
        stages: the stages passed, in order.
        import_s, slowest_s: CPU seconds of the import and of the slowest decision.
        bank_share: the largest share of a time bank that one process used.
        problems: why the server would reject it.
        warnings: problems that may lead to a rejection later.
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
    """A view, with all its fields as text, and the method that decides.

    Attributes:
        line: the method's line in the bot's file.
        returned: the bot's answer as text; empty without an answer.
        legal: the legal answers as text.
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
    """One view of a check: the view, the bot's answer and the legal answers.

    Attributes:
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
    """A new bot: its name, its folder and the paths of its files."""

    title = "gangland new --json"

    name: str
    game: GameName
    folder: str
    files: list[str]


class Explain(Document, tag="gangland/explain/1"):
    """Codes and their meanings: one, or all in order."""

    title = "gangland explain --json"

    codes: list[Entry]
