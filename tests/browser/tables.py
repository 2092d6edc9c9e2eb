"""Tables at which the world's owner plays: a question at every size, and every other state of a table's page."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
from tests.kits import models, playing_kit

from gangland.games import GAME_NAMES
from gangland_sandbox.limits import Limits
from gangland_web.models.jobs import TableState
from gangland_web.services.play import IDLE_REASON, add_rows, store_game

MANY_ROUNDS = 200


@dataclass(frozen=True)
class Played:
    """A table at `/play/NAME` that is left when this round has begun."""

    name: str
    game: str
    seats: int
    round: int
    state: models.TableState = models.TableState.PERSON
    more: dict[str, Any] = field(default_factory=dict)
    fails: bool = False


TABLES = (
    *(Played(f"table-{game}-{seats}", game, seats, 2 + seats) for game in GAME_NAMES for seats in (2, 4)),
    Played("table-bots", "gangster-dice", 3, 3, models.TableState.BOTS),
    Played("table-fault", "gangster-dice", 3, 2, fails=True),
    Played("table-idle", "gang-of-dice", 3, 2, models.TableState.ENDED, {"ended_for": IDLE_REASON}),
    Played("table-over", "gang-of-dice", 2, MANY_ROUNDS, models.TableState.OVER, {"differing": ["r1.s2.d1"]}),
    Played("table-shared", "gangster-dice", 2, MANY_ROUNDS, models.TableState.OVER, {"shared_at": 1.0}),
)


def put_tables(session: models.Session, owner_id: int, now_s: float) -> None:
    for number, each in enumerate(TABLES):
        setup = playing_kit.setup_of(each.game, each.seats, (0,), number)
        hosted = playing_kit.host(setup, seat1=playing_kit.AtRandom(playing_kit.crash if each.fails else None))
        rows, rng = hosted.advance(), Random(number)
        live_table = hosted.live_table
        while live_table.outcome is None and live_table.round < each.round:
            asked = live_table.open_question(0)
            rows += hosted.answer(0, asked.number, playing_kit.any_legal(live_table.view(0), rng))
        table = models.PlayTable(
            token=each.name,
            owner_id=owner_id,
            setup=msgspec.to_builtins(setup),
            limits=Limits.plain(1).to_dict(),
            opened_at=now_s,
            active_at=now_s,
        )
        session.add(table)
        session.flush()
        if each.state is TableState.OVER:
            store_game(session, table, live_table)
        else:
            add_rows(session, table, 0, rows)
            table.state = each.state.value
        for name, value in each.more.items():
            setattr(table, name, value)
