"""What `gangland diff` prints."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Final

from gangland_ladder.analysis.comparison import Comparison
from gangland_ladder.cli import report
from gangland_ladder.cli.comparison_report import print_comparison
from gangland_ladder.common.release import this_python
from gangland_ladder.documents.games import (
    Answered,
    AnswerFault,
    ComparedVersion,
    Diff,
    DifferingDecision,
    MethodCounts,
    SituationCounts,
    Unusable,
)
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.differing import START, Answer, Compared, Differing
from gangland_ladder.viewer.presentation import decision_in_words

SITUATIONS: Final = 12
"""So many kinds of situation are listed in text; a JSON document has all."""
UNUSABLE: Final = 1000
"""The most recordings that a JSON document names as unusable."""


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one game.

    Attributes:
        file: in which it is; called: what to call that; number: the game's in it.
        python: the minor version that it was recorded on; empty if that is not known.
    """

    file: str
    called: str
    number: int
    compared: Compared
    python: str = ""


class Findings:
    """Everything found so far.

    Attributes:
        games, decisions, differing: how many games were compared, decisions in them, and differences among those.
        listed: the first differences, each with its game.
        unusable: recordings that could not be compared; left_out: how many were of another game.
        partial: whether it was broken off.
        comparison: of the versions by cost, if they were analysed.
    """

    def __init__(self, game: str, new: LocalBot, old: LocalBot, first: int) -> None:
        self.game = game
        self.new = new
        self.old = old
        self.first = first
        self.games = self.decisions = self.differing = 0
        self.kinds: dict[str, Counter[str]] = {}
        self.changed: dict[str, Counter[str]] = {}
        self.listed: list[tuple[Found, Differing]] = []
        self.unusable: list[tuple[Found, str]] = []
        self.faults: dict[str, Counter[str]] = {"new": Counter(), "old": Counter()}
        self.unsteady: Counter[str] = Counter()
        self.recorded_on: set[str] = set()
        self.left_out = 0
        self.partial = False
        self.comparison: Comparison | None = None

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
        if found.python:
            self.recorded_on.add(found.python)
        for kind, counts in compared.questions.items():
            self.kinds.setdefault(kind, Counter()).update(counts)
            self.decisions += sum(counts.values())
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

    def document(self) -> Diff:
        """Return it as it is printed with --json."""
        return Diff(
            game=self.game,
            new=self._version("new", self.new),
            old=self._version("old", self.old),
            partial=self.partial,
            games=self.games,
            decisions=self.decisions,
            differing=self.differing,
            python=this_python(),
            recorded_on=sorted(self.recorded_on),
            methods=[MethodCounts(_method(kind), self._decisions(kind), self._changed(kind)) for kind in self._kinds()],
            situations=[
                SituationCounts(_method(kind), name, count, changed)
                for kind, name, count, changed in self._situations()
            ],
            unusable=[Unusable(found.file, found.number, why) for found, why in self.unusable[:UNUSABLE]],
            differences=[_differing(found, each) for found, each in self.listed],
            comparison=self.comparison,
        )

    def _version(self, name: str, bot: LocalBot) -> ComparedVersion:
        deterministic = not self.unsteady[name] if self.differing else None
        return ComparedVersion(bot.name, bot.code, dict(sorted(self.faults[name].items())), deterministic)

    def _kinds(self) -> list[str]:
        return list({**self.changed, **self.kinds})

    def _decisions(self, kind: str) -> int:
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

    @property
    def names(self) -> tuple[str, str]:
        """What to call NEW and OLD."""
        same = self.new.name == self.old.name
        return (f"new {self.new.name}", f"old {self.old.name}") if same else (self.new.name, self.old.name)

    def _print(self) -> None:
        new, old = (report.cleaned(name) for name in self.names)
        compared = f"{report.counted(self.decisions, 'decision')} in {report.counted(self.games, 'game')}"
        differ = "differs" if self.differing == 1 else "differ"
        sys.stdout.write(f"{new} against {old}: {compared}, {self.differing} {differ}\n")
        for found, why in self.unusable:
            report.say(f"gangland: {found.called}, game {found.number} is left out: {why}")
        if others := sorted(self.recorded_on - {this_python()}):
            sys.stdout.write(
                f"played on Python {' and '.join(others)}, asked on Python {this_python()}: "
                "a bot may decide differently than it did\n"
            )
        self._print_faults()
        if self.comparison is not None:
            sys.stdout.write("\n")
            print_comparison(self.comparison)
        if not self.differing:
            return
        sys.stdout.write("\n")
        rows = [
            [_method(kind), str(self._decisions(kind)), str(changed), _share(changed, self._decisions(kind))]
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
        for name, bot in zip(("new", "old"), self.names, strict=True):
            if faults := self.faults[name]:
                faulty = ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items()))
                sys.stdout.write(f"{report.cleaned(bot)} was at fault: {faulty}\n")
            if self.unsteady[name]:
                sys.stdout.write(
                    f"{report.cleaned(bot)} is not deterministic: asked again, it answered {self.unsteady[name]} of "
                    "these otherwise. Use self.rng for chance.\n"
                )

    def _print_situations(self) -> None:
        found = self._situations()
        sys.stdout.write("\n")
        rows = [
            [f"{_method(kind)}: {name}", str(count), str(changed), _share(changed, count)]
            for kind, name, count, changed in found[:SITUATIONS]
        ]
        report.print_table(["situation", "asked", "differ", "share"], rows, left=(0,))
        if len(found) > SITUATIONS:
            sys.stdout.write(f"and {len(found) - SITUATIONS} more kinds\n")

    def _print_one(self, found: Found, each: Differing) -> None:
        place = each.place
        new, old = self.names
        width = max(len(new), len(old))
        where = f"round {place.round}, seat {place.seat + 1}" if place.round else f"seat {place.seat + 1}"
        lines = [f"seen: {place.summary}", *self._answers(each, old.ljust(width), new.ljust(width))]
        sys.stdout.write(f"\ngame {found.number}, {where}: {_method(place.kind)}\n")
        sys.stdout.write("".join(f"{report.indented(line)}\n" for line in lines))
        at = f" --at {place.at}" if place.at else ""
        sys.stdout.write(f"  gangland replay {report.cleaned(shlex.quote(found.file))} --game {found.number}{at}\n")

    def _answers(self, each: Differing, old: str, new: str) -> list[str]:
        lines = []
        for name, bot, answer in (("old", old, each.old), ("new", new, each.new)):
            again = " (asked again: otherwise)" if name in each.unsteady else ""
            lines.append(f"{bot}: {self._answer(each.place.kind, answer)}{again}")
        return lines

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


def _differing(found: Found, each: Differing) -> DifferingDecision:
    place = each.place
    return DifferingDecision(
        file=found.file,
        game=found.number,
        at=place.at or None,
        round=place.round,
        seat=place.seat,
        method=_method(place.kind),
        decision=place.decision,
        situation=place.situation,
        view=place.summary,
        recorded=place.recorded,
        old=_answered(each.old),
        new=_answered(each.new),
        unsteady=list(each.unsteady),
    )


def _answered(answer: Answer) -> Answered:
    if answer.fault:
        return Answered(None, AnswerFault(answer.fault, answer.words))
    return Answered(answer.decision, None)
