"""The referee: plays one match with every bot in jails of its own.

A bot's memory outlives a game and the games of a block share their dice, so no process may
meet a seed twice: all first rotations are played in one set of jails, all second ones in the
next, and so on.  A seat at fault forfeits the game and is restarted in a fresh jail for the
next; after three forfeits in a match it forfeits the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gangland.blocks import seating
from gangland.bot import GameEnd
from gangland.faults import BotFault, Fault, FaultKind
from gangland.game import Game
from gangland.games import game_named
from gangland.match import Played, play
from gangland.view import View
from gangland_ladder.orders import FaultRecord, GameRecord, Order, Result
from gangland_ladder.seeds import rng_seed
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.clock import Banks
from gangland_sandbox.errors import SandboxError, UploadRejected
from gangland_sandbox.intake import filename_of, main_of
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import RESTARTS, Limits
from gangland_sandbox.pool import Pool

FORFEITS_A_MATCH = RESTARTS + 1
MESSAGE_CHARS = 3000

Tick = Callable[[], None]


def play_match(
    order: Order,
    codes: Mapping[str, bytes],
    *,
    pool: Pool | None = None,
    mode: Mode = Mode.JAIL,
    rotations: int | None = None,
    tick: Tick | None = None,
) -> Result:
    """Play a match and return its record; the caller has to judge it before it counts.

    Args:
        codes: the source of every bot, by the SHA-256 that the order names.
        pool: where the bots' processes come from; if None, a pool of its own in this mode.
        rotations: how many rotations of each block to play; all of them if None.
        tick: called about once a second while the match is played.

    Raises:
        KeyError: a code is missing.
        ValueError: the order asks for what there is not (a game, a table size, an option).
    """
    began = time.monotonic()
    lender = pool or Pool(mode)
    match = _Match(order, codes, lender, tick)
    void = None
    try:
        with lender.match():
            seats = len(order.seats)
            wanted = rotations or seats
            for rotation in range(wanted):
                lender.fill(seats * min(2, wanted - rotation), match.limits.profile)  # the next get ready meanwhile
                match.play_rotation(rotation)
    except SandboxError as failure:
        void = str(failure)[:MESSAGE_CHARS]
    finally:
        match.close()
        if pool is None:
            lender.close()
    games = [] if void is not None else sorted(match.games, key=lambda game: (game.block, game.rotation))
    return Result(
        id=order.id,
        token=order.token,
        games=games,
        void=void,
        cpu_s=[round(contender.cpu_s, 6) for contender in match.contenders],
        wall_s=[round(contender.wall_s, 6) for contender in match.contenders],
        seconds=round(time.monotonic() - began, 6),
    )


class _Match:
    def __init__(self, order: Order, codes: Mapping[str, bytes], pool: Pool, tick: Tick | None) -> None:
        self.order = order
        self.game = game_named(order.game)
        self.options = self.game.options_dict(self.game.options(order.options))
        self.limits = Limits.from_dict(order.limits)
        self.contenders = [
            _Contender(seat.name, codes[seat.code], self.game, self.limits, pool, tick) for seat in order.seats
        ]
        self.games: list[GameRecord] = []

    def play_rotation(self, rotation: int) -> None:
        for contender in self.contenders:
            contender.begin_rotation()
        for block in range(len(self.order.blocks)):
            self.games.append(self._play(block, rotation))
        self.close()

    def close(self) -> None:
        for contender in self.contenders:
            contender.end_rotation()

    def _play(self, block: int, rotation: int) -> GameRecord:
        sitting = seating(block, rotation, len(self.contenders))
        at_table = [self.contenders[index] for index in sitting]
        key = bytes.fromhex(self.order.rng_key)
        failed = {}
        for seat, contender in enumerate(at_table):
            fault = contender.begin_game(seat, len(at_table), self.options, rng_seed(key, block, rotation, seat))
            if fault is not None:
                failed[seat] = fault
        played = play(self.game, at_table, bytes.fromhex(self.order.blocks[block]), options=self.options, failed=failed)
        named = [at_table[fault.seat].located(fault) for fault in played.faults]
        faults = [*named, *self._finish(at_table, played)]
        return GameRecord(
            block=block,
            rotation=rotation,
            seating=list(sitting),
            replay=played.replay.to_json(),
            faults=[_record(fault) for fault in faults],
            logs=[contender.take_log() for contender in at_table],
        )

    @staticmethod
    def _finish(at_table: Sequence[_Contender], played: Played) -> list[Fault]:
        """Tell the bots how the game ended; whoever fails at that keeps its place and is named all the same."""
        at_fault = {fault.seat: fault for fault in played.faults}
        result = GameEnd(played.outcome.places, tuple(sorted(at_fault)), played.outcome.reason.value)
        late = []
        for seat, contender in enumerate(at_table):
            if seat in at_fault:
                contender.forfeited(at_fault[seat])
            elif (failure := contender.end_game(result)) is not None:
                late.append(Fault(seat, failure.kind, failure.message, played.rounds, None))
        return late


class _Contender:
    """One bot through a match: its jail of this rotation, its banks and its forfeits."""

    def __init__(
        self, name: str, source: bytes, game: Game[Any], limits: Limits, pool: Pool, tick: Tick | None
    ) -> None:
        self.name = name
        self.filename = filename_of(name, source)
        self.source = source
        self.game = game
        self.limits = limits
        self.pool = pool
        self.tick = tick
        self.process: BotProcess | None = None
        self.banks = Banks.full(limits)
        self.forfeits = 0
        self.last_fault: BotFault | None = None
        self.cpu_s = 0.0
        self.wall_s = 0.0
        self._asked = ""
        self._log = ""

    def begin_rotation(self) -> None:
        self.banks = Banks.full(self.limits)

    def end_rotation(self) -> None:
        self._close()
        self.cpu_s += self.limits.bank_cpu_s - self.banks.cpu_left_s
        self.wall_s += self.limits.bank_wall_s - self.banks.wall_left_s
        self.banks = Banks.full(self.limits)

    def begin_game(self, seat: int, seats: int, options: dict[str, object], seed: bytes) -> BotFault | None:
        """Have a living bot that knows of the game; return its fault if there is none to be had."""
        if self.forfeits >= FORFEITS_A_MATCH and self.last_fault is not None:
            return BotFault(
                self.last_fault.kind,
                f"forfeits the rest of the match after {FORFEITS_A_MATCH} forfeits: {self.last_fault.message}",
            )
        try:
            if self.process is None:
                self.process = BotProcess.open(
                    self.source,
                    filename=self.filename,
                    game=self.game.name,
                    limits=self.limits,
                    pool=self.pool,
                    tick=self.tick,
                    banks=self.banks,
                )
            self.process.start_game(seat=seat, seats=seats, options=options, rng_seed=seed)
        except UploadRejected as refused:
            return BotFault(FaultKind.IMPORT_ERROR, f"{self.filename}: {refused.message}")
        except BotFault as fault:
            return fault
        return None

    def decide(self, kind: str, view: View, number: int) -> object:
        self._asked = kind
        if self.process is None:
            raise SandboxError(f"{self.name} was asked without a process")
        return self.process.ask(kind, view.wire, number)

    def end_game(self, result: GameEnd) -> BotFault | None:
        try:
            if self.process is not None:
                self.process.end_game(result)
        except BotFault as fault:
            self.forfeits += 1
            self.last_fault = fault
            self._close()
            return fault
        return None

    def forfeited(self, fault: Fault) -> None:
        self.forfeits += 1
        if self.forfeits <= FORFEITS_A_MATCH:
            self.last_fault = BotFault(fault.kind, fault.message)
        self._close()

    def located(self, fault: Fault) -> Fault:
        """Return the fault with the file and line of the method whose answer was illegal."""
        line = self.process.method_line(self._asked) if self.process is not None else None
        if fault.kind is not FaultKind.ILLEGAL or line is None or fault.message.startswith(main_of(self.filename)):
            return fault
        return replace(fault, message=f"{main_of(self.filename)}:{line} {fault.message}")

    def take_log(self) -> str:
        if self.process is not None:
            self._log += self.process.take_log()
        log, self._log = self._log, ""
        return log

    def _close(self) -> None:
        if self.process is not None:
            self._log += self.process.take_log()
            self.process.close()
            self.process = None


def _record(fault: Fault) -> FaultRecord:
    return FaultRecord(
        seat=fault.seat,
        kind=fault.kind.value,
        message=fault.message[:MESSAGE_CHARS],
        round=fault.round,
        decision=fault.decision,
    )
