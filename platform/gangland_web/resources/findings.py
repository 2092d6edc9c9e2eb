"""What is wrong with a bot, with what the catalogue says of it."""

from __future__ import annotations

from gangland_ladder.errors.catalogue import entries
from gangland_ladder.matches.orders import Problem
from gangland_web.base.text import shown
from gangland_web.resources.fields import Code, Model


class Finding(Model):
    """What is wrong with a bot; the code is null where the platform was at fault."""

    code: Code | None
    title: str | None
    message: str
    line: int | None
    mend: str | None
    page: str | None


def finding_of(problem: Problem, *, in_editor: bool = False) -> Finding:
    """Return a problem with what the catalogue says of its code.

    Args:
        in_editor: whether it is shown to somebody who writes in the browser, and may have no shell.
    """
    entry = entries()[problem.code]
    return Finding(
        code=problem.code,
        title=entry.title,
        message=shown(problem.message, limit=4000),
        line=problem.line,
        mend=(in_editor and entry.in_editor) or entry.mend,
        page=entry.page,
    )
