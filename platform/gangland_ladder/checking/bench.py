"""What the check of one bot depends on: the bot, its game and limits, and where its processes come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gangland.game import Game
from gangland_ladder.common.texts import unmarked
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.caps import CAPS
from gangland_sandbox.clock import Banks
from gangland_sandbox.intake import unpack
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool


@dataclass(frozen=True, slots=True)
class Bench:
    """A bot and all that its check depends on.

    Attributes:
        options: of the games that it plays, as the game's `options` returns them.
        table_sizes: at which it plays.
        salt: all dice and views of the check come from it; a bot must not know it beforehand.
        pool: where the bot's processes come from; if None, jails of their own in this mode.
    """

    source: bytes
    filename: str
    game: Game[Any]
    limits: Limits
    options: Any
    table_sizes: Sequence[int]
    salt: bytes
    pool: Pool | None = None
    mode: Mode = Mode.JAIL
    tick: Callable[[], None] | None = None

    def main_source(self) -> str:
        """Return the file that holds the bot, as text.

        Raises:
            UploadRejected: the source cannot become a bot.
        """
        bundle = unpack(self.source, self.filename, CAPS[self.limits.profile])
        return unmarked(bundle.files[bundle.main]).decode()

    def opener(self) -> Callable[[], BotProcess]:
        """Return what starts the bot, again and again, on the time of one process."""
        return partial(
            BotProcess.open,
            self.source,
            filename=self.filename,
            game=self.game.name,
            limits=self.limits,
            pool=self.pool,
            mode=self.mode,
            tick=self.tick,
            banks=Banks.full(self.limits),
        )
