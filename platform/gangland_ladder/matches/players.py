"""The bots of a match as the referee uses them: jails for each rotation, time banks and forfeits."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gangland.bot import GameEnd
from gangland.faults import BotFault, Fault, FaultKind
from gangland.game import Game
from gangland.view import View
from gangland_ladder.matches.match_jobs import Log, LogMark
from gangland_sandbox import asking, clock, errors, intake
from gangland_sandbox.limits import RESTARTS, Limits
from gangland_sandbox.pool import Pool

MAX_FORFEITS = RESTARTS + 1
# The last fault's message is repeated in each game that a bot forfeits without playing; if longer, only its last line.
MAX_RECALLED_CHARS = 200

Tick = Callable[[], None]
# Receives the bytes of each observation sent; see `gangland_ladder.matches.judging`.
OnView = Callable[[bytes], None]


class MatchPlayer:
    """The player for one entry of a match, in any seat; a base class whose methods do nothing, except `decide`."""

    def __init__(self) -> None:
        self.cpu_s = self.wall_s = 0.0
        self.decision_s: list[float] = []

    def begin_rotation(self) -> None:
        """Prepare for one game of each block, in a process that has not seen these blocks' seeds."""

    def end_rotation(self) -> None:
        """Release all resources of the rotation; may be called twice."""

    def begin_game(
        self, seat: int, seats: int, options: Mapping[str, object], seed: bytes, on_view: OnView | None
    ) -> BotFault | None:
        """Begin a game; return the bot's fault if it fails."""
        return None

    def decide(self, kind: str, view: View, number: int) -> object:
        """Answer a question; see `gangland.match.Player`."""
        raise NotImplementedError

    def end_game(self, result: GameEnd) -> BotFault | None:
        """Send the result of the game; return the bot's fault if it fails."""
        return None

    def record_forfeit(self, fault: Fault) -> None:
        """Record a forfeited game; called instead of `end_game`."""

    def pause(self) -> None:
        """Use no CPU time until `resume`; the bot gets no question until then."""

    def resume(self) -> None:
        """Continue after `pause`."""

    def with_location(self, fault: Fault) -> Fault:
        """Return the fault, with its place in the bot's file if that is known."""
        return fault

    def take_log(self) -> Log:
        """Return the log since the previous call, which is the log of one game."""
        return Log("", [])


class JailedPlayer(MatchPlayer):
    """A bot with a new jail in each rotation; after `MAX_FORFEITS` forfeits it forfeits the rest of the match."""

    def __init__(
        self, name: str, source: bytes, game: Game[Any], limits: Limits, pool: Pool, tick: Tick | None
    ) -> None:
        super().__init__()
        self.name = name
        self.filename = intake.filename_of(name, source)
        self.source = source
        self.game = game
        self.limits = limits
        self.pool = pool
        self.tick = tick
        self.process: asking.BotProcess | None = None
        self.banks = clock.Banks.full(limits)
        self.forfeits = 0
        self.last_fault: BotFault | None = None
        self._last_kind = ""
        self._log = ""
        self._marks: list[LogMark] = []
        self._on_view: OnView | None = None

    def begin_rotation(self) -> None:
        """Refill the time banks."""
        self.banks = clock.Banks.full(self.limits)

    def end_rotation(self) -> None:
        """Close the jail, and add the time that was used to the totals."""
        self._close()
        self.cpu_s += self.limits.bank_cpu_s - self.banks.cpu_left_s
        self.wall_s += self.limits.bank_wall_s - self.banks.wall_left_s
        self.banks = clock.Banks.full(self.limits)

    def begin_game(
        self, seat: int, seats: int, options: Mapping[str, object], seed: bytes, on_view: OnView | None
    ) -> BotFault | None:
        """Begin a game, in a new jail if necessary; return the bot's fault if it fails."""
        self._on_view = on_view
        if self.forfeits >= MAX_FORFEITS and self.last_fault is not None:
            message = self.last_fault.message
            if len(message) > MAX_RECALLED_CHARS:
                message = message.rpartition("\n")[2][:MAX_RECALLED_CHARS]
            text = f"forfeits the rest of the match after {MAX_FORFEITS} forfeits: {message}"
            return BotFault(self.last_fault.kind, text)
        try:
            if self.process is None:
                self.process = asking.BotProcess.open(
                    self.source,
                    filename=self.filename,
                    game=self.game.name,
                    limits=self.limits,
                    pool=self.pool,
                    tick=self.tick,
                    banks=self.banks,
                )
            self.process.start_game(seat=seat, seats=seats, options=options, rng_seed=seed)
        except errors.UploadRejected as error:
            return BotFault(FaultKind.IMPORT_ERROR, f"{self.filename}: {error.message}")
        except BotFault as fault:
            return fault
        return None

    def decide(self, kind: str, view: View, number: int) -> object:
        """Ask the bot. Raises BotFault: the bot failed; SandboxError: the jail failed."""
        self._last_kind = kind
        if self.process is None:
            raise errors.SandboxError(f"{self.name} was asked for a decision, but has no process")
        process, log = self.process, self.process.log
        begin = log.position
        try:
            answer = process.ask(kind, view.wire, number, self._on_view)
        finally:
            if log.position > begin:
                self._marks.append((number, begin, log.position - 1))
        self.decision_s.append(process.used_s)
        return answer

    def end_game(self, result: GameEnd) -> BotFault | None:
        """Send the result to the bot; a fault does not change the bot's place, but counts as a forfeit."""
        try:
            if self.process is not None:
                self.process.end_game(result)
        except BotFault as fault:
            self.forfeits += 1
            self.last_fault = fault
            self._close()
            return fault
        return None

    def record_forfeit(self, fault: Fault) -> None:
        """Count the forfeit and close the jail, so that the next game begins in a new one."""
        self.forfeits += 1
        if self.forfeits <= MAX_FORFEITS:
            self.last_fault = BotFault(fault.kind, fault.message)
        self._close()

    def pause(self) -> None:
        """Stop the bot's process, if there is one."""
        if self.process is not None:
            self.process.pause()

    def resume(self) -> None:
        """Resume the bot's process."""
        if self.process is not None:
            self.process.resume()

    def with_location(self, fault: Fault) -> Fault:
        """Return an illegal answer's fault with the file and line of the method, and any other fault unchanged."""
        line = self.process.method_line(self._last_kind) if self.process is not None else None
        main = intake.main_of(self.filename)
        if fault.kind is not FaultKind.ILLEGAL or line is None or fault.message.startswith(main):
            return fault
        return replace(fault, message=f"{main}:{line} {fault.message}")

    def take_log(self) -> Log:
        """Return and clear the bot's log and output of this game, with a mark for each decision."""
        if self.process is not None:
            self._log += self.process.take_log()
        log, self._log, self._marks = Log(self._log, self._marks), "", []
        return log

    def _close(self) -> None:
        if self.process is not None:
            self._log += self.process.take_log()
            self.process.close()
            self.process = None
