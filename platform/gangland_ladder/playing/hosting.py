"""Tables with running bots: ask the bots for decisions, and restore the bots if a table moves to another process.

After a fault, default decisions are played for the bot until the game ends, as in every game (G38, D31).  A human is
never at fault: an illegal answer leaves the question open.

A table ends without a winner if a bot cannot be restored: it failed while it was started or its questions were
repeated, and failed once more after a restart.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.json import encode

from gangland.bot import GameEnd
from gangland.faults import BotFault, Fault, FaultKind, IllegalDecision
from gangland.game import Outcome
from gangland.replay import FAULT
from gangland.view import View
from gangland_ladder.matches.match_jobs import Log
from gangland_ladder.matches.players import MatchPlayer
from gangland_ladder.matches.seeds import rng_seed
from gangland_ladder.playing.table_state import Failure, LiveTable, OpenQuestion, Row, Setup

MAX_STARTS = 2  # The maximum number of attempts to restore a bot.


class TableEnded(Exception):
    """The table has ended without a winner, because a bot cannot be restored."""


class _Request(NamedTuple):
    kind: str
    view: View
    number: int


@dataclass(slots=True)
class _Bot:
    player: MatchPlayer
    requests: list[_Request] = field(default_factory=list)


class HostedTable:
    """A table of people and bots."""

    def __init__(self, setup: Setup, bots: Mapping[int, MatchPlayer], rows: Sequence[Row] = ()) -> None:
        """Start the bots, and repeat to each bot the questions that it was asked so far.

        Args:
            bots: by seat; `close` ends their processes.
            rows: all rows so far.

        Raises TableEnded: a bot cannot be restored; RowError: the rows are impossible; SandboxError: a jail failed.
        """
        self.setup = setup
        # The addresses of decisions at which a restored bot's answer differs from its row.
        self.differing: list[str] = []
        self.logs: dict[int, Log] = {}  # by the bots' seats; filled in when the game ends
        self.late: list[Fault] = []  # the faults of bots after the end of the game
        self._bots = {seat: _Bot(bots[seat]) for seat in setup.bots}
        self._new_rows: list[Row] = []
        self._finished = False
        try:
            self._set_up(rows)
        except BaseException:
            self.close()
            raise

    def advance(self) -> list[Row]:
        """Ask bots until a human must decide or the game is over; return the new rows.

        Call this method once after the table is set up; `answer` calls it too.

        Raises SandboxError: a jail failed; the table can be rebuilt from its rows.
        """
        while question := self._next_question():
            self._take(self._ask(question))
        if (outcome := self.live_table.outcome) is not None and not self._finished:
            self._finished = True
            self._finish(outcome)
        new_rows, self._new_rows = self._new_rows, []
        return new_rows

    def _next_question(self) -> OpenQuestion | None:
        questions = self.live_table.open_questions()
        return next((question for question in questions if question.seat in self._bots), None)

    def answer(self, seat: int, number: int, answer: object, *, hint: bool = False) -> list[Row]:
        """Apply a human's answer, continue the game, and return the new rows, the human's row first.

        `number` is the number of the question, and `hint` is whether the human saw a hint for it.

        Raises NotOpen: the question is not open, or belongs to a bot; IllegalDecision: the answer is illegal, and the
        question stays open; SandboxError: a jail failed.
        """
        decision = self.live_table.check_human(seat, number, answer)
        self._take(Row(seat, decision, hint=hint))
        return self.advance()

    def catch_up(self, rows: Sequence[Row]) -> list[Row] | None:
        """Apply people's decisions that another process stored, continue the game, and return the rows after `rows`.

        If `rows` is only the beginning of this table's rows, return the others.  Return None if the two differ, or a
        new row is a bot's: the table must be rebuilt.

        Raises RowError: a decision is not possible at this table; SandboxError: a jail failed.
        """
        table_rows, stored_rows = [*map(encode, self.live_table.rows)], [*map(encode, rows)]
        if table_rows[: len(stored_rows)] == stored_rows and len(table_rows) > len(stored_rows):
            return self.live_table.rows[len(stored_rows) :]
        if stored_rows[: len(table_rows)] != table_rows or any(
            row.seat in self._bots for row in rows[len(table_rows) :]
        ):
            return None
        for row in rows[len(table_rows) :]:
            self.live_table.apply(row)
        return self.advance()

    def pause(self) -> None:
        """Pause the bots' processes while a human thinks, to save CPU."""
        for bot in self._bots.values():
            bot.player.pause()

    def resume(self) -> None:
        """Resume the bots' processes.  After `pause`, call it before any other method."""
        for bot in self._bots.values():
            bot.player.resume()

    def close(self) -> None:
        """End the bots' processes.  This method can be called more than once."""
        for bot in self._bots.values():
            bot.player.end_rotation()

    def _take(self, row: Row) -> None:
        self.live_table.apply(row)
        self._new_rows.append(row)

    def _set_up(self, rows: Sequence[Row]) -> None:
        opening = [row for row in rows if row.opening]
        failed = {row.seat for row in opening}
        for seat, bot in self._bots.items():
            if seat in failed:
                continue
            try:
                self._start(seat, bot)
            except BotFault as fault:
                if rows:
                    self._restore(seat, fault)
                else:
                    self._new_rows.append(Row(seat, FAULT, Failure(fault.kind.value, fault.message), opening=True))
        self.live_table = LiveTable(self.setup, opening or self._new_rows)
        for row in rows[len(opening) :]:
            if row.seat in self._bots:
                self._repeat_question(row)
            self.live_table.apply(row)

    def _start(self, seat: int, bot: _Bot) -> None:
        """Begin the game in a new process.  Raises BotFault: the bot failed."""
        bot.player.begin_rotation()
        seed = rng_seed(bytes.fromhex(self.setup.rng_key), 0, 0, seat)
        fault = bot.player.begin_game(seat, len(self.setup.seats), self.setup.options, seed, None)
        if fault is not None:
            raise fault

    def _ask(self, question: OpenQuestion) -> Row:
        bot, request = self._bots[question.seat], self._request(question)
        try:
            answer = bot.player.decide(*request)
            decision = self.live_table.check(question.seat, question.number, answer)
        except IllegalDecision as error:
            return self._fault_row(question, FaultKind.ILLEGAL, f"choose_{question.kind}(): {error}")
        except BotFault as fault:
            return self._fault_row(question, fault.kind, fault.message)
        bot.requests.append(request)
        return Row(question.seat, decision)

    def _request(self, question: OpenQuestion) -> _Request:
        return _Request(question.kind, self.live_table.view(question.seat), question.decision)

    def _fault_row(self, question: OpenQuestion, kind: FaultKind, message: str) -> Row:
        player = self._bots[question.seat].player
        fault = player.with_location(Fault(question.seat, kind, message, self.live_table.round, question.decision))
        player.record_forfeit(fault)
        return Row(question.seat, FAULT, Failure(kind.value, fault.message))

    def _repeat_question(self, row: Row) -> None:
        question = self.live_table.find_question(row.seat)
        if question is None:
            return  # the live table rejects this row
        bot, request = self._bots[row.seat], self._request(question)
        if row.fault is not None:
            bot.player.record_forfeit(
                Fault(row.seat, FaultKind(row.fault.kind), row.fault.message, self.live_table.round, question.decision)
            )
            return
        bot.requests.append(request)
        try:
            answer: object = bot.player.decide(*request)
        except BotFault as fault:
            self._restore(row.seat, fault)
            return
        is_same = False
        with suppress(IllegalDecision):
            recorded = self.live_table.check(question.seat, question.number, row.decision)
            is_same = self.live_table.check(question.seat, question.number, answer) == recorded
        if not is_same:
            self.differing.append(question.at)

    def _restore(self, seat: int, fault: BotFault) -> None:
        """Restart a bot that failed while being restored, and repeat its questions without comparing the answers."""
        bot = self._bots[seat]
        for _ in range(MAX_STARTS - 1):
            bot.player.record_forfeit(Fault(seat, fault.kind, fault.message, 0, None))
            try:
                self._start(seat, bot)
                for request in bot.requests:
                    bot.player.decide(*request)
            except BotFault as next_fault:
                fault = next_fault
            else:
                return
        name = self.setup.names[seat]
        raise TableEnded(f"{name} cannot be restored: {fault.kind.value}: {fault.message}") from fault

    def _finish(self, outcome: Outcome) -> None:
        at_fault = tuple(sorted(self.live_table.table.defaulting))
        result = GameEnd(outcome.places, at_fault, outcome.reason.value)
        for seat, bot in self._bots.items():
            # A bot that fails here keeps its place in the result.
            failure = None if seat in at_fault else bot.player.end_game(result)
            if failure is not None:
                self.late.append(Fault(seat, failure.kind, failure.message, self.live_table.round, None))
            self.logs[seat] = bot.player.take_log()
        self.close()
