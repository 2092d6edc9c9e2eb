"""Several worker hosts on the record side of a platform, some of which are not to be trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from sqlmodel import Session, col, select
from tests.web.core_kit import Dicer, Platform, play_order

from gangland.blocks import seating
from gangland.faults import BotFault
from gangland.games import game_named
from gangland.match import play
from gangland.view import View
from gangland_ladder.orders import FaultRecord, GameRecord, Order, Result, encode
from gangland_ladder.views import views_digest
from gangland_web.audits.models import Audit, AuditDifference
from gangland_web.audits.routing import ranks
from gangland_web.columns import stored
from gangland_web.hosts.models import WorkerHost
from gangland_web.matches.models import Match

Plays = Callable[[Order], Result]
"""What a host makes of an order."""


class Reroller:
    """Always takes one die and rerolls nothing, whoever it is put in place of."""

    def decide(self, kind: str, view: View, number: int) -> object:
        return 1 if kind == "dice" else []


class Greedy:
    """Takes all the dice that there are."""

    def decide(self, kind: str, view: View, number: int) -> object:
        return view.pool if kind == "dice" else []  # type: ignore[attr-defined]


def honest(order: Order) -> Result:
    """Play an order with its own bots."""
    return play_order(order)


def forging(order: Order) -> Result:
    """Play an order with another bot in every seat but the first: greedy ones, which lose."""
    return play_with(order, lambda entry: Greedy() if entry != order.seats[0].entry else None)


def play_with(
    order: Order, player: Callable[[int], object | None], told: Mapping[int, BotFault] | None = None
) -> Result:
    """Play an order with other players for some of its entries, and with faults before each game for others."""
    true = play_order(order)
    games = [_game(order, game, player, told or {}) for game in true.games]
    return msgspec.structs.replace(true, games=games)


def _game(order: Order, game: GameRecord, player: Callable[[int], object | None], told: Mapping[int, BotFault]) -> GameRecord:
    sitting = seating(game.block, game.rotation, len(order.seats))
    entries = [order.seats[index].entry for index in sitting]
    players = [player(entry) or Dicer(entry) for entry in entries]
    failed = {seat: told[entry] for seat, entry in enumerate(entries) if entry in told}
    played = play(game_named(order.game), players, bytes.fromhex(order.blocks[game.block]), failed=failed)  # type: ignore[arg-type]
    faults = [FaultRecord(f.seat, f.kind.value, f.message, f.round, f.decision) for f in played.faults]
    return msgspec.structs.replace(
        game, replay=played.replay.to_json(), views=views_digest(played.replay), faults=faults
    )


def add_hosts(platform: Platform, *names: str) -> list[int]:
    """Make worker hosts, and return their ids."""
    with platform.database.write() as session:
        hosts = [WorkerHost(name=name, password_sha256="ab" * 32, created_at=0.0) for name in names]
        session.add_all(hosts)
        session.flush()
        return [stored(host.id) for host in hosts]


def play_on(platform: Platform, hosts: Mapping[int, Plays], rounds: int = 100) -> int:
    """Play until nothing is sent any more, each match by the host that it is given to; return how many that were."""
    played = 0
    for _ in range(rounds):
        platform.recorder.sweep()
        platform.recorder.schedule()
        if not platform.post.sent:
            return played
        while platform.post.sent:
            order = platform.take()
            host = _given_to(platform, order, hosts)
            if host is not None:
                platform.recorder.begun(order.id, order.token)
                platform.recorder.result(encode(hosts[host](order)).decode())
                played += 1
    raise AssertionError("it never ends")


def _given_to(platform: Platform, order: Order, hosts: Mapping[int, Plays]) -> int | None:
    with platform.database.write() as session:
        match = session.get_one(Match, order.id)
        if match.lease_token != order.token:
            return None
        going = session.exec(select(WorkerHost).where(col(WorkerHost.stopped_at).is_(None))).all()
        able = [stored(host.id) for host in going if host.id in hosts]
        later = ranks(session, match)
        match.host_id = min(able, key=lambda host: (later.get(host, 0), (order.id + host) % len(able), host))
        session.add(match)
        return match.host_id


def audits(platform: Platform) -> list[Audit]:
    with platform.database.read() as session:
        return list(session.exec(select(Audit).order_by(col(Audit.id))).all())


def differences(platform: Platform) -> list[AuditDifference]:
    with platform.database.read() as session:
        return list(session.exec(select(AuditDifference).order_by(col(AuditDifference.id))).all())


def host(platform: Platform, number: int) -> WorkerHost:
    with platform.database.read() as session:
        return session.get_one(WorkerHost, number)
