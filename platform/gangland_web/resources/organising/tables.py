"""The tables of the console, as files too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from gangland_web.models.log import Line
from gangland_web.resources.fields import Model, Moment, Number, model_from
from gangland_web.resources.tables import Column, Kind, TableData

ORGANISED: Final = (
    *(Column("id", "Number", Kind.WHOLE, quiet=True), Column("name", "Tournament"), Column("state", "State")),
    *(Column("game", "Game"), Column("seats", "Seats", Kind.WHOLE), Column("entrants", "Entered", Kind.WHOLE)),
    *(Column("matches_over", "Matches over", Kind.WHOLE), Column("matches_planned", "of", Kind.WHOLE)),
    Column("organiser", "Organiser"),
)
ORDERED: Final = (
    *(Column("ordered_at", "Time", Kind.MOMENT), Column("by", "By", of="ordered_by"), Column("what", "Action")),
    *(Column("match", "Match", Kind.WHOLE), Column("reason", "Reason"), Column("state", "State")),
    Column("message", "Result"),
)
STUCK: Final = (
    *(Column("number", "Match", Kind.WHOLE), Column("match", "Number of the match", Kind.WHOLE, quiet=True)),
    *(Column("state", "State"), Column("attempt", "Failed attempts", Kind.WHOLE)),
    Column("since", "Since", Kind.MOMENT),
)
LOG: Final = (
    *(Column("entry", "No.", Kind.WHOLE, of="id"), Column("at", "Time", Kind.MOMENT)),
    *(Column("who", "Person", of="actor"), Column("from", "Address", of="address")),
    *(Column("act", "Action"), Column("subject", "Object"), Column("details", "Details", of="given")),
)
ROLES: Final = (Column("name", "Name"), Column("role", "Role"))


class LogLine(Model):
    """An act: who, what, when and from where; the house itself has no name."""

    id: Number
    at: Moment | None
    actor: str | None
    act: str
    subject: str
    details: str
    address: str

    @property
    def given(self) -> str | None:
        """The details, None without any."""
        return self.details if self.details != "{}" else None


def log_line(line: Line) -> LogLine:
    """Return an entry of the log."""
    details = json.dumps(line.entry.details, ensure_ascii=False, sort_keys=True)
    return model_from(LogLine, line.entry, actor=line.actor, details=details)


def log_table(lines: Sequence[Line]) -> TableData:
    """Return entries of the log."""
    return TableData("audit-log", "Newest first", LOG, [log_line(line) for line in lines])
