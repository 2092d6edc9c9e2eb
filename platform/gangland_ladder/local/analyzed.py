"""Analyze recorded games on all cores, and store the figures so that an interrupted analysis can continue."""

import os
import time
from dataclasses import dataclass
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Final, Self

import msgspec

from gangland.games import game_named
from gangland.replay import Replay, ReplayError, load, verify
from gangland_ladder.analysis.account import Analysis, GameFigures, figures_of
from gangland_ladder.analysis.analyzer import AnalysisUnavailable, analyze, reference_for
from gangland_ladder.common import documents, runtime
from gangland_ladder.documents.games import AnalyzedGame
from gangland_ladder.local.store import StoreError
from gangland_sandbox.pool import Pool

_LINE_START: Final = b'{"schema": "gangland/analyzed-game/1",'


@dataclass(frozen=True, slots=True)
class NoFigures:
    """The reason why a game was not analyzed."""

    message: str
    is_invalid: bool  # whether its replay is invalid


Figures = GameFigures | NoFigures


def analyze_game(_: Pool, replay: str | Figures, seed: int, seconds: float | None) -> Figures:
    """Return a game's figures; without `seconds`, there is no time limit. Runs in a process of `Tables`."""
    if not isinstance(replay, str):  # the figures or the reason are already known
        return replay
    try:
        game = load(replay)
        verify(game)
        reference_for(game, seed)  # read once per process, and not within this game's time limit
        return figures_of(analyze_within(game, seed, seconds))
    except AnalysisUnavailable as error:
        return NoFigures(str(error), is_invalid=False)
    except ReplayError as error:
        return NoFigures(str(error), is_invalid=True)


def analyze_within(replay: Replay, seed: int, seconds: float | None) -> Analysis:
    """Return the analysis of a game, as far as the time limit allows."""
    until = inf if seconds is None else time.monotonic() + seconds
    return analyze(replay, seed=seed, has_time=lambda: time.monotonic() < until)


def replay_key(replay: str) -> str:
    """Return the key of a game in a file: the SHA-256 of its replay."""
    return sha256(replay.encode()).hexdigest()


class AnalyzedFile:
    """A file of analyzed games, one `AnalyzedGame` per line, as a context manager.

    Raises StoreError: the file cannot be written, has other contents, or has another seed.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        self.seed = seed
        self._offsets: dict[str, int] = {}
        self._is_current: dict[tuple[str, int, str], bool] = {}
        with runtime.write_errors_as(path, StoreError):
            self._file = path.open("a+b")
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> None:
        offset = self._file.seek(0)
        for line in self._file:
            if not line.endswith(b"\n") and _LINE_START.startswith(line[: len(_LINE_START)]):
                break
            known = self._decoded(line)
            if known.seed != self.seed:
                seeds = f"--seed {known.seed}, not {self.seed}"
                raise StoreError(f"{self.path} was made with {seeds}: use another file or that seed")
            self._offsets[known.replay] = offset
            offset += len(line)
        self._file.truncate(offset)  # removes an incomplete last line, left by a killed process

    def _decoded(self, line: bytes) -> AnalyzedGame:
        try:
            return msgspec.json.decode(line, type=AnalyzedGame)
        except msgspec.MsgspecError as error:
            raise StoreError(f"{self.path} is not a file written by `gangland analyze --out`: {error}") from error

    def find(self, key: str, replay: Replay) -> GameFigures | None:
        """Return a game's figures, or None. Raises StoreError: they are from another version of the reference."""
        if key not in self._offsets:
            return None
        self._file.seek(self._offsets[key])
        figures = self._decoded(self._file.readline()).figures
        version = figures.version
        key_of_version = (figures.game, figures.seats, version)
        if key_of_version not in self._is_current:
            self._is_current[key_of_version] = reference_for(replay, self.seed).version == version
        if not self._is_current[key_of_version]:
            title = game_named(figures.game).title
            raise StoreError(
                f"{self.path} was made with version {version} of the reference player of {title}, which has changed: "
                "use another file"
            )
        return figures

    def put(self, key: str, figures: GameFigures) -> None:
        """Store the figures of a game. Raises StoreError: the file cannot be written."""
        with runtime.write_errors_as(self.path, StoreError):
            offset = self._file.seek(0, os.SEEK_END)
            self._file.write(f"{documents.json_text(AnalyzedGame(key, self.seed, figures))}\n".encode())
            self._file.flush()
        self._offsets[key] = offset

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._file.close()
