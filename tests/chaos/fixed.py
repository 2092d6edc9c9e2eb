"""The schedule that is played with and without disturbances: the same bots, tables and dice every time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from tests.kits.models import Database, Session, Tournament, migrate, select

from gangland.games import GAME_NAMES
from gangland_ladder.matches.seeds import commitment
from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox.limits import Limits
from gangland_web.services.tournaments import Rules, ensure_tournaments, make_tournament, move_tournament
from gangland_web.services.uploads import house_files, seed_house_bots, submit_version

READY = (State.ANNOUNCED, State.OPEN, State.FROZEN)
BANK_CPU_S = 60.0  # more than any bot uses: `searching_gang` changes its play in its last second


@dataclass(frozen=True)
class Size:
    """The size of a schedule; house bots beyond the real ones are copies, and `tables` are for 3 and 4 seats."""

    bots: int
    blocks: dict[int, int]
    tables: dict[int, int]


def fill(database: Database, size: Size) -> None:
    migrate(database)
    secrets = (sha256(b"chaos %d" % number).digest() for number in range(1000))
    with database.write() as session:
        ensure_tournaments(session, ladder_blocks=1, draw_secret=lambda: next(secrets))
        seed_house_bots(session)
        for game in GAME_NAMES:
            _add_bots(session, game, size.bots)
        for game in GAME_NAMES:
            for seats, blocks in size.blocks.items():
                _make(session, game, seats, blocks, size.tables.get(seats), secrets)


def start(database: Database) -> None:
    with database.write() as session:
        for tournament in session.exec(select(Tournament).where(Tournament.kind == "tournament")).all():
            move_tournament(session, tournament, State.PLAYING)


def _add_bots(session: Session, game: str, wanted: int) -> None:
    files = list(house_files(game).items())
    for number in range(len(files), wanted):
        filename, source = files[number % len(files)]
        name = f"{filename.removesuffix('.py')}_{number // len(files) + 1}"
        submit_version(session, None, game, name, f"{name}.py", source + b"\n# %d\n" % number)


def _make(session: Session, game: str, seats: int, blocks: int, tables: int | None, secrets: Iterator[bytes]) -> None:
    limits = replace(Limits.plain(blocks), bank_cpu_s=BANK_CPU_S)
    name = f"{game} at {seats}"
    rules = Rules(name=name, game=game, seats=seats, blocks=blocks, limits=limits, tables=tables, house_ranked=True)
    tournament = make_tournament(session, rules)
    tournament.secret = next(secrets)
    tournament.commitment = commitment(tournament.secret)
    for state in READY:
        move_tournament(session, tournament, state)
