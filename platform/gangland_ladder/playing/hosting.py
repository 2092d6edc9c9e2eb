"""A table with its bots: it asks them, and brings them back where the table was set up again.

A bot at fault is played by default from there on, as in every game (G38, D31), and the game goes on while the rules let
it.  A person is never at fault: what the rules refuse is asked again.

Two failures of one bot in a row end the table, nobody's win: it failed at a question that its row says it had answered,
was restarted, asked everything again, and failed again.
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
from gangland_ladder.matches.match_orders import Log
from gangland_ladder.matches.players import MatchPlayer
from gangland_ladder.matches.seeds import rng_seed
from gangland_ladder.playing.table_state import Failure, LiveTable, OpenQuestion, Row, Setup

STARTS = 2
"""How often a bot is started that has to be brought back to where it was."""


class TableEnded(Exception):
    """A bot cannot be brought back to where it was: the table ends, and nobody has won."""


class _Request(NamedTuple):
    kind: str
    view: View
    decision: int


@dataclass(slots=True)
class _Bot:
    player: MatchPlayer
    requests: list[_Request] = field(default_factory=list)


class HostedTable:
    """A table of persons and bots; at `differing` addresses an asked bot left its row, `late` are faults at the end."""

    def __init__(self, setup: Setup, bots: Mapping[int, MatchPlayer], rows: Sequence[Row] = ()) -> None:
        """Seat the bots, and bring each back to where it was by asking it all that it was asked, in that order.

        Args:
            bots: by seat; they are ended by `close`.
            rows: those made so far.  Of a table without rows, `begin` returns the first ones.

        Raises TableEnded: a bot cannot be brought back; RowError: rows that do not fit; SandboxError: a jail failed.
        """
        self.setup = setup
        self.differing: list[str] = []
        self.logs: dict[int, Log] = {}
        self.late: list[Fault] = []
        self._bots = {seat: _Bot(bots[seat]) for seat in setup.bots}
        self._new: list[Row] = []
        self._finished = False
        try:
            self._seat(rows)
        except BaseException:
            self.close()
            raise

    def advance(self) -> list[Row]:
        """Ask bots until a person is asked or the game is over; return the new rows.

        To be called once after the table was set up; `answer` does it by itself.

        Raises SandboxError: a jail failed; nothing is lost, for the table can be set up again from its rows.
        """
        while bot := next((each for each in self.live_table.open_questions() if each.seat in self._bots), None):
            self._take(self._ask(bot))
        if (outcome := self.live_table.outcome) is not None and not self._finished:
            self._finished = True
            self._finish(outcome)
        new, self._new = self._new, []
        return new

    def answer(self, seat: int, number: int, answer: object, *, hint: bool = False) -> list[Row]:
        """Take a person's answer, play on, and return the new rows, the person's first.

        Args:
            number: of the question; hint: whether the person had a hint for it.

        Raises NotOpen: that question is not open, or it is a bot's; IllegalDecision: the rules refuse the answer; the
        question stays open; SandboxError: as `advance`.
        """
        decision = self.live_table.check_person(seat, number, answer)
        self._take(Row(seat, decision, hint=hint))
        return self.advance()

    def catch_up(self, rows: Sequence[Row]) -> list[Row] | None:
        """Take what persons decided elsewhere, play on, and return the rows that follow those given.

        Args:
            rows: all that are kept of the table.  If they are fewer than were made here, the others are returned.

        Returns:
            None if this is not how the table went here: it has to be set up again from these rows.

        Raises RowError, SandboxError: as `answer`.
        """
        own, given = [*map(encode, self.live_table.rows)], [*map(encode, rows)]
        if own[: len(given)] == given and len(own) > len(given):
            return self.live_table.rows[len(given) :]
        if given[: len(own)] != own or any(row.seat in self._bots for row in rows[len(own) :]):
            return None
        for row in rows[len(own) :]:
            self.live_table.take(row)
        return self.advance()

    def pause(self) -> None:
        """Stop the bots' processes while a person thinks, so that they cost no CPU."""
        for bot in self._bots.values():
            bot.player.pause()

    def resume(self) -> None:
        """Let the bots' processes go on, before anything else is done with this table."""
        for bot in self._bots.values():
            bot.player.resume()

    def close(self) -> None:
        """End the bots' processes; may be called twice."""
        for bot in self._bots.values():
            bot.player.end_rotation()

    def _take(self, row: Row) -> None:
        self.live_table.take(row)
        self._new.append(row)

    def _seat(self, rows: Sequence[Row]) -> None:
        opening = [row for row in rows if row.opening]
        failed = {row.seat for row in opening}
        for seat, bot in self._bots.items():
            if seat in failed:
                continue
            try:
                self._start(seat, bot)
            except BotFault as fault:
                if rows:
                    self._bring_back(seat, fault)
                else:
                    self._new.append(Row(seat, FAULT, Failure(fault.kind.value, fault.message), opening=True))
        self.live_table = LiveTable(self.setup, opening or self._new)
        for row in rows[len(opening) :]:
            if row.seat in self._bots:
                self._ask_again(row)
            self.live_table.take(row)

    def _start(self, seat: int, bot: _Bot) -> None:
        """Begin the game in a process of its own.  Raises BotFault if the bot fails at that."""
        bot.player.begin_rotation()
        own = rng_seed(bytes.fromhex(self.setup.rng_key), 0, 0, seat)
        fault = bot.player.begin_game(seat, len(self.setup.seats), self.setup.options, own, None)
        if fault is not None:
            raise fault

    def _ask(self, question: OpenQuestion) -> Row:
        bot, request = self._bots[question.seat], self._request(question)
        try:
            answer = bot.player.decide(*request)
            decision = self.live_table.check(question.seat, question.number, answer)
        except IllegalDecision as refused:
            return self._failed(question, FaultKind.ILLEGAL, f"choose_{question.kind}(): {refused}")
        except BotFault as fault:
            return self._failed(question, fault.kind, fault.message)
        bot.requests.append(request)
        return Row(question.seat, decision)

    def _request(self, question: OpenQuestion) -> _Request:
        return _Request(question.kind, self.live_table.view(question.seat), question.decision)

    def _failed(self, question: OpenQuestion, kind: FaultKind, message: str) -> Row:
        player = self._bots[question.seat].player
        fault = player.located(Fault(question.seat, kind, message, self.live_table.round, question.decision))
        player.forfeited(fault)
        return Row(question.seat, FAULT, Failure(kind.value, fault.message))

    def _ask_again(self, row: Row) -> None:
        question = self.live_table.find_question(row.seat)
        if question is None:
            return  # the row does not fit, as the live table will say
        bot, request = self._bots[row.seat], self._request(question)
        if row.fault is not None:
            bot.player.forfeited(
                Fault(row.seat, FaultKind(row.fault.kind), row.fault.message, self.live_table.round, question.decision)
            )
            return
        bot.requests.append(request)
        try:
            answer: object = bot.player.decide(*request)
        except BotFault as fault:
            self._bring_back(row.seat, fault)
            return
        same = False
        with suppress(IllegalDecision):
            recorded = self.live_table.check(question.seat, question.number, row.decision)
            same = self.live_table.check(question.seat, question.number, answer) == recorded
        if not same:
            self.differing.append(question.at)

    def _bring_back(self, seat: int, fault: BotFault) -> None:
        """Start a bot again that failed on its way back, and ask it all once more; what it answers is not compared."""
        bot = self._bots[seat]
        for _ in range(STARTS - 1):
            bot.player.forfeited(Fault(seat, fault.kind, fault.message, 0, None))
            try:
                self._start(seat, bot)
                for request in bot.requests:
                    bot.player.decide(*request)
            except BotFault as again:
                fault = again
            else:
                return
        name = self.setup.names[seat]
        raise TableEnded(
            f"{name} cannot be brought back to where it was: {fault.kind.value}: {fault.message}"
        ) from fault

    def _finish(self, outcome: Outcome) -> None:
        """Let the bots know how the game ended; a bot that fails at that keeps its place."""
        at_fault = tuple(sorted(self.live_table.table.defaulting))
        result = GameEnd(outcome.places, at_fault, outcome.reason.value)
        for seat, bot in self._bots.items():
            failure = None if seat in at_fault else bot.player.end_game(result)
            if failure is not None:
                self.late.append(Fault(seat, failure.kind, failure.message, self.live_table.round, None))
            self.logs[seat] = bot.player.take_log()
        self.close()
