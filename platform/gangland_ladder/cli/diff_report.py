"""What `gangland diff` prints."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from gangland_ladder.cli import report
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.differing import START, Answer, Compared, Differing
from gangland_ladder.viewer.words import decision_in_words

SITUATIONS: Final = 12
"""So many kinds of situation are listed in text; a JSON document has all."""
UNUSABLE: Final = 1000
"""The most recordings that a JSON document names as unusable."""


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one game: its file, what to call that, the game's number in it."""

    file: str
    called: str
    number: int
    compared: Compared


class Findings:
    """Everything found so far.

    Attributes:
        games, asked, differing: how many games were compared, decisions in them, and differences among those.
        listed: the first differences, each with its game.
        unusable: recordings that could not be compared; left_out: how many were of another game.
        partial: whether it was broken off.
    """

    def __init__(self, game: str, new: LocalBot, old: LocalBot, first: int) -> None:
        self.game = game
        self.new = new
        self.old = old
        self.first = first
        self.games = self.asked = self.differing = 0
        self.kinds: dict[str, Counter[str]] = {}
        self.changed: dict[str, Counter[str]] = {}
        self.listed: list[tuple[Found, Differing]] = []
        self.unusable: list[tuple[Found, str]] = []
        self.faults: dict[str, Counter[str]] = {"new": Counter(), "old": Counter()}
        self.unsteady: Counter[str] = Counter()
        self.left_out = 0
        self.partial = False

    @property
    def taken(self) -> int:
        """How many recordings were taken, those of no use and those of another game among them."""
        return self.games + len(self.unusable) + self.left_out

    def add(self, found: Found) -> None:
        """Take in what came of a game."""
        compared = found.compared
        if compared.left_out:
            self.left_out += 1
            return
        if compared.error:
            self.unusable.append((found, compared.error))
            return
        self.games += 1
        for kind, counts in compared.asked.items():
            self.kinds.setdefault(kind, Counter()).update(counts)
            self.asked += sum(counts.values())
        for each in compared.differing:
            self.differing += 1
            self.changed.setdefault(each.place.kind, Counter())[each.place.situation] += 1
            self.unsteady.update(each.unsteady)
            if len(self.listed) < self.first:
                self.listed.append((found, each))
        for each in (*compared.differing, *compared.faults):
            for name, answer in (("new", each.new), ("old", each.old)):
                if answer.fault:
                    self.faults[name][answer.fault] += 1

    def show(self, *, as_json: bool) -> None:
        """Print it."""
        if as_json:
            report.print_json(self.document())
        else:
            self._print()

    def document(self) -> dict[str, Any]:
        """Return it as a document of the schema gangland/diff/1."""
        sides = {
            name: {
                "bot": bot.name,
                "code": bot.code,
                "faults": dict(sorted(self.faults[name].items())),
                "deterministic": not self.unsteady[name] if self.differing else None,
            }
            for name, bot in (("new", self.new), ("old", self.old))
        }
        return {
            "schema": "gangland/diff/1",
            "game": self.game,
            **sides,
            "partial": self.partial,
            "games": self.games,
            "asked": self.asked,
            "differing": self.differing,
            "methods": [
                {"method": _method(kind), "asked": self._asked(kind), "differing": self._changed(kind)}
                for kind in self._kinds()
            ],
            "situations": [
                {"method": _method(kind), "situation": name, "asked": asked, "differing": changed}
                for kind, name, asked, changed in self._situations()
            ],
            "unusable": [
                {"file": found.file, "game": found.number, "message": why} for found, why in self.unusable[:UNUSABLE]
            ],
            "differences": [_document(found, each) for found, each in self.listed],
        }

    def _kinds(self) -> list[str]:
        return list({**self.changed, **self.kinds})

    def _asked(self, kind: str) -> int:
        return sum(self.kinds.get(kind, Counter()).values())

    def _changed(self, kind: str) -> int:
        return sum(self.changed.get(kind, Counter()).values())

    def _situations(self) -> list[tuple[str, str, int, int]]:
        """Return the kinds of situation in which something differs, the most frequent first."""
        found = [
            (kind, name, self.kinds.get(kind, Counter())[name], changed)
            for kind, counts in self.changed.items()
            for name, changed in counts.items()
        ]
        return sorted(found, key=lambda row: (-row[3], row[0], row[1]))

    def _names(self) -> tuple[str, str]:
        same = self.new.name == self.old.name
        return (f"new {self.new.name}", f"old {self.old.name}") if same else (self.new.name, self.old.name)

    def _print(self) -> None:
        new, old = (report.cleaned(name) for name in self._names())
        seen = f"{report.counted(self.asked, 'decision')} in {report.counted(self.games, 'game')}"
        differ = "differs" if self.differing == 1 else "differ"
        sys.stdout.write(f"{new} against {old}: {seen}, {self.differing} {differ}\n")
        for found, why in self.unusable:
            report.say(f"gangland: {found.called}, game {found.number} is left out: {why}")
        self._print_faults()
        if not self.differing:
            return
        sys.stdout.write("\n")
        rows = [
            [_method(kind), str(self._asked(kind)), str(changed), _share(changed, self._asked(kind))]
            for kind in self._kinds()
            if (changed := self._changed(kind))
        ]
        report.print_table(["method", "asked", "differ", "share"], rows, left=(0,))
        self._print_situations()
        for found, each in self.listed:
            self._print_one(found, each)
        if self.differing > len(self.listed):
            sys.stdout.write(f"\nand {self.differing - len(self.listed)} more; --first says how many are listed\n")

    def _print_faults(self) -> None:
        for name, said in zip(("new", "old"), self._names(), strict=True):
            if faults := self.faults[name]:
                told = ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items()))
                sys.stdout.write(f"{report.cleaned(said)} was at fault: {told}\n")
            if self.unsteady[name]:
                sys.stdout.write(
                    f"{report.cleaned(said)} is not deterministic: asked again, it answered {self.unsteady[name]} of "
                    "these otherwise. Use self.rng for chance.\n"
                )

    def _print_situations(self) -> None:
        found = self._situations()
        sys.stdout.write("\n")
        rows = [
            [f"{_method(kind)}: {name}", str(asked), str(changed), _share(changed, asked)]
            for kind, name, asked, changed in found[:SITUATIONS]
        ]
        report.print_table(["situation", "asked", "differ", "share"], rows, left=(0,))
        if len(found) > SITUATIONS:
            sys.stdout.write(f"and {len(found) - SITUATIONS} more kinds\n")

    def _print_one(self, found: Found, each: Differing) -> None:
        place = each.place
        new, old = self._names()
        width = max(len(new), len(old))
        where = f"round {place.round}, seat {place.seat + 1}" if place.round else f"seat {place.seat + 1}"
        lines = [f"seen: {place.seen}", *self._told(each, old.ljust(width), new.ljust(width))]
        sys.stdout.write(f"\ngame {found.number}, {where}: {_method(place.kind)}\n")
        sys.stdout.write("".join(f"{report.indented(line)}\n" for line in lines))
        at = f" --at {place.at}" if place.at else ""
        sys.stdout.write(f"  gangland replay {report.cleaned(shlex.quote(found.file))} --game {found.number}{at}\n")

    def _told(self, each: Differing, old: str, new: str) -> list[str]:
        told = []
        for name, said, answer in (("old", old, each.old), ("new", new, each.new)):
            again = " (asked again: otherwise)" if name in each.unsteady else ""
            told.append(f"{said}: {self._answer(each.place.kind, answer)}{again}")
        return told

    def _answer(self, kind: str, answer: Answer) -> str:
        if answer.fault:
            return f"{answer.fault}: {answer.words}"
        if kind == START:
            return "starts"
        return f"{json.dumps(answer.decision)}, {decision_in_words(self.game, kind, answer.decision)}"


def _method(kind: str) -> str:
    return "start of the game" if kind == START else f"choose_{kind}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else ""


def _document(found: Found, each: Differing) -> dict[str, object]:
    place = each.place
    return {
        "file": found.file,
        "game": found.number,
        "at": place.at or None,
        "round": place.round,
        "seat": place.seat,
        "method": _method(place.kind),
        "decision": place.decision,
        "situation": place.situation,
        "seen": place.seen,
        "recorded": place.recorded,
        "old": each.old.to_json(),
        "new": each.new.to_json(),
        "unsteady": list(each.unsteady),
    }
