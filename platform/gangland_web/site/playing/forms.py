"""The form by which a person opens a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gangland.games import game_named
from gangland_web.base.text import whole_number
from gangland_web.services.rules import read_options, sentence

FIELD_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class TableForm:
    """What a person chose.

    Attributes:
        given: every field as it was sent, cut at `FIELD_CHARS`.
        errors: by field what is wrong with it; under "table" why the table is not opened.
    """

    game: str
    given: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def most(self) -> int:
        """How many opponents there can be."""
        return max(game_named(self.game).table_sizes) - 1

    @property
    def bots(self) -> list[int]:
        """The ids of the opponents, in order; 0 for what is none."""
        given = [self.given.get(f"opponent{number + 1}", "") for number in range(self.most)]
        return [whole_number(each) or 0 for each in given if each]

    @property
    def practice(self) -> bool:
        """Whether hints are wanted."""
        return bool(self.given.get("practice"))

    def options(self) -> dict[str, object] | None:
        """Return the options that differ from their defaults; None with the reason if they do not go together."""
        try:
            return read_options(self.game, len(self.bots) + 1, self.given)
        except ValueError as mistake:
            self.errors["options"] = sentence(mistake)
            return None


def read_form(game: str, sent: Mapping[str, str]) -> TableForm:
    """Return a form as it was sent."""
    return TableForm(game, {name: value[:FIELD_CHARS] for name, value in sent.items() if name != "csrf_token"})
