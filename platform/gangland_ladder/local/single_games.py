"""Play single games between local bots, or between a human and bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from gangland.faults import Fault as EngineFault
from gangland.games import game_named
from gangland_ladder.common import release, texts
from gangland_ladder.documents.games import Fault, Game, GameSeat, Logged, Replay
from gangland_ladder.errors import fault_code
from gangland_ladder.local.bots import InvalidArgument, LocalBot
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches import judging, players, referee, seeds
from gangland_ladder.matches.match_jobs import FaultRecord, Log, MatchJob, Result, log_parts
from gangland_ladder.playing.hosting import HostedTable, TableEnded
from gangland_ladder.playing.table_state import LiveTable, Row, RowError, Setup, TableSeat
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool

# Games between bots, and documents of games.


def play_single_game(pool: Pool, job: MatchJob, codes: Mapping[str, bytes]) -> Result:
    """Play one game: the first rotation of a match of one block; runs in a process of `Tables`."""
    return referee.play_match(job, codes, pool=pool, rotations=1)


def game_document(job: MatchJob, bots: Sequence[LocalBot], result: Result, seed: int, salt: bytes) -> Game:
    """Return a game as a document, with logs. Raises SandboxError: the game is void, through no bot's fault."""
    if result.void is not None:
        raise SandboxError(result.void)
    (judged,) = judging.judge(job, result, rotations=1).games
    faults = {fault.seat: fault for fault in reversed(judged.record.faults)}
    key = bytes.fromhex(job.rng_key)
    return Game(
        game=job.game,
        seed=seed,
        salt=salt.hex(),
        options=job.options,
        seats=[
            GameSeat(
                bot=bot.name,
                code=bot.sha256,
                place=judged.outcome.places[seat],
                fault=_fault(faults.get(seat)),
                log=judged.record.logs[seat],
                logged=_logged_parts(Log(judged.record.logs[seat], judged.record.log_marks[seat])),
            )
            for seat, bot in enumerate(bots)
        ],
        rounds=judged.replay.rounds,
        decisions=len(judged.replay.decisions),
        views=judged.record.views,
        rng_seeds=[seeds.rng_seed(key, 0, 0, seat).hex() for seat in range(len(bots))],
        python=release.this_python(),
        replay=Replay.of(judged.replay),
    )


def _logged_parts(log: Log) -> list[Logged]:
    return [Logged(number, text) for number, text in log_parts(*log) if number is not None]


def without_logs(document: Game) -> Game:
    """Return a game's document without its logs."""
    return replace(document, seats=[replace(seat, log=UNSET, logged=UNSET) for seat in document.seats])


def _fault(fault: FaultRecord | EngineFault | None) -> Fault | None:
    if fault is None:
        return None
    kind = str(fault.kind)
    return Fault(kind, fault_code(kind, fault.message), fault.message, fault.round, fault.decision)


# Games of a human against bots: the human plays in this process, and the bots in one with access to the jail.


PERSON: Final = "Person"  # the stored name of a human's seat
SETUP_ATTEMPTS: Final = 2  # Maximum number of attempts to set up a table if the jail fails.


def setup_for(
    game: str, bots: Sequence[LocalBot], seat: int | None, seed: int, salt: bytes, options: Mapping[str, object]
) -> Setup:
    """Return a table with a human and the bots in order; seat None is random. Raises InvalidArgument: no such seat."""
    # The dice are the same as in a game between bots with this seed and salt, and the drawn seat follows from them.
    seats = [TableSeat(bot.name, bot.sha256) for bot in bots]
    secret = seeds.local_secret(seed, salt)
    dice = seeds.block_seed(secret, b"local", 1, 0)
    count = len(seats) + 1
    if seat is not None and not 0 <= seat < count:
        raise InvalidArgument(f"expected a seat from 1 to {count}, not {seat + 1}")
    drawn = int.from_bytes(sha256(b"seat of the person|" + dice).digest()) % count
    seats.insert(drawn if seat is None else seat, TableSeat(PERSON))
    return Setup(game, dict(options), dice.hex(), seeds.rng_key(secret, 1).hex(), tuple(seats))


class SavedGame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="schema", tag="gangland/table/1"):
    """An unfinished game, in the form that `gangland play --resume` reads."""

    setup: Setup
    rows: list[Row]
    files: list[str]  # the bots' files, by seat; "" for the human
    # seed, salt: they determine the dice
    seed: int
    salt: str
    profile: Profile
    hint: bool  # whether a hint was shown for the open question
    differing: list[str]  # see `documents.games.GameSeat`

    def write(self, path: Path) -> None:
        """Write a new file. Raises OSError: the file cannot be written, or it already exists."""
        with path.open("xb") as file:
            file.write(msgspec.json.encode(self) + b"\n")

    @classmethod
    def read(cls, path: Path) -> SavedGame:
        """Read a file. Raises InvalidArgument: it cannot be read, or is invalid."""
        try:
            saved = msgspec.json.decode(texts.strip_bom(path.read_bytes()), type=cls)
            LiveTable(saved.setup, saved.rows)
            bytes.fromhex(saved.setup.rng_key + saved.salt)
        except OSError as error:
            raise InvalidArgument(f"cannot read {path}: {error.strerror}") from error
        except (msgspec.MsgspecError, RowError, ValueError) as error:
            raise InvalidArgument(f"{path} is not an unfinished game: {error}") from error
        if len(saved.files) != len(saved.setup.seats) or len(saved.setup.humans) != 1:
            problem = "expected exactly one human, and a file for each other seat"
            raise InvalidArgument(f"{path} is not an unfinished game: {problem}")
        return saved


class HumanGame:
    """A human's game, with the bots in another process; `live_table` must only be shown through the view of `seat`."""

    def __init__(
        self, setup: Setup, codes: Mapping[str, bytes], tables: Tables, profile: Profile, rows: Sequence[Row] = ()
    ) -> None:
        """Play until the first question. Raises SandboxError: a jail failed; InvalidArgument: a bot cannot resume."""
        self.setup = setup
        (self.seat,) = setup.humans
        self.differing: list[str] = []
        self._tables = tables
        self._setup_arguments = (setup, dict(codes), profile)
        self._logs: dict[int, Log] = {}
        self._late_faults: list[EngineFault] = []
        self._rows = list(rows)
        self._apply(self._set_up())
        self.live_table = LiveTable(setup, self._rows)

    def answer(self, decision: object, *, hint: bool) -> None:
        """Answer the open question, and play until the next one or the end of the game.

        Raises IllegalDecision: the answer is illegal; SandboxError, InvalidArgument: as in `__init__`.
        """
        question = self.live_table.open_question(self.seat)
        checked = self.live_table.check(self.seat, question.number, decision)
        before = len(self._rows)
        result = self._run(answer_table, self.seat, question.number, checked, hint)
        if result.failure is not None:
            self._apply(self._set_up())
            result = self._run(answer_table, self.seat, question.number, checked, hint)
        self._apply(result)
        for row in self._rows[before:]:
            self.live_table.apply(row)

    def document(self, seed: int, salt: bytes) -> Game:
        """Return the finished game as a document, with logs."""
        played, setup = self.live_table.played(), self.setup
        faults = {fault.seat: fault for fault in [*self._late_faults, *played.faults]}
        numbered = zip(self.live_table.rows, self.live_table.decisions, strict=True)
        hints = [number for row, number in numbered if row.hint and number is not None]
        seats = []
        for seat, player in enumerate(setup.seats):
            log = self._logs.get(seat, Log("", []))
            seats.append(
                GameSeat(
                    bot=setup.names[seat] if player.code is None else player.name,
                    code=player.code or UNSET,
                    place=played.outcome.places[seat],
                    fault=_fault(faults.get(seat)),
                    log=log.text,
                    logged=_logged_parts(log),
                    person=True if player.code is None else UNSET,
                    hints=hints if player.code is None else UNSET,
                    differing=[at for at in self.differing if f".s{seat + 1}." in at] or UNSET,
                )
            )
        key = bytes.fromhex(setup.rng_key)
        return Game(
            game=setup.game,
            seed=seed,
            salt=salt.hex(),
            options=setup.options,
            seats=seats,
            rounds=played.rounds,
            decisions=len(played.replay.decisions),
            views=judging.views_digest(played.replay),
            rng_seeds=[seeds.rng_seed(key, 0, 0, seat).hex() for seat in range(len(setup.seats))],
            replay=Replay.of(played.replay),
        )

    def _set_up(self) -> JobResult:
        result = self._run(begin_table, *self._setup_arguments, self._rows)
        for _ in range(SETUP_ATTEMPTS - 1):
            if result.failure is not None:
                result = self._run(begin_table, *self._setup_arguments, self._rows)
        return result

    def _run(self, job: Callable[..., JobResult], *arguments: Any) -> JobResult:
        (result,) = self._tables.run(job, [arguments])
        return result  # type: ignore[no-any-return]

    def _apply(self, result: JobResult) -> None:
        if result.end_reason is not None:
            raise InvalidArgument(result.end_reason)
        if result.failure is not None:
            raise SandboxError(result.failure)
        self._rows += result.rows
        self.differing += [at for at in result.differing if at not in self.differing]
        self._logs |= result.logs
        self._late_faults += result.late_faults


class JobResult(NamedTuple):
    """The result of a job: the new rows and remaining fields of a `HostedTable`, or the reason for a failure."""

    rows: list[Row] = []  # noqa: RUF012 (never changed)
    differing: list[str] = []  # noqa: RUF012
    logs: dict[int, Log] = {}  # noqa: RUF012
    late_faults: list[EngineFault] = []  # noqa: RUF012
    end_reason: str | None = None
    failure: str | None = None


# The table that a process of `Tables` hosts.
_hosted: list[HostedTable] = []


def begin_table(
    pool: Pool, setup: Setup, codes: Mapping[str, bytes], profile: Profile, rows: Sequence[Row]
) -> JobResult:
    """Set up a table, restore its bots, and play until the human must decide; this runs in a process of `Tables`."""
    while _hosted:
        _hosted.pop().close()
    game, limits = game_named(setup.game), Limits.of(profile, 1)
    bots = {
        seat: players.JailedPlayer(player.name, codes[player.code], game, limits, pool, None)
        for seat, player in enumerate(setup.seats)
        if player.code is not None
    }
    try:
        _hosted.append(HostedTable(setup, bots, rows))
        return _job_result(_hosted[0], _hosted[0].advance())
    except TableEnded as end:
        return JobResult(end_reason=str(end))
    except SandboxError as error:
        return JobResult(failure=str(error))


def answer_table(_pool: Pool, seat: int, number: int, answer: object, hint: bool) -> JobResult:
    """Pass a human's answer to this process's table and continue the game."""
    try:
        return _job_result(_hosted[0], _hosted[0].answer(seat, number, answer, hint=hint))
    except SandboxError as error:
        return JobResult(failure=str(error))


def _job_result(table: HostedTable, rows: list[Row]) -> JobResult:
    return JobResult(rows, list(table.differing), table.logs, table.late)
