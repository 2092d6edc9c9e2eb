"""Nothing hidden reaches a browser: tables that differ only in hidden things send the same bytes and headers."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from html import unescape
from itertools import product
from operator import attrgetter
from random import Random
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import msgspec
import pytest
from tests.contract import games, variants
from tests.contract.adapter import Adapter
from tests.contract.run import Run, Table, played
from tests.kits import pages_kit, playing_kit
from werkzeug.test import TestResponse

from gangland.chance import Chance
from gangland.game import Decision
from gangland.games import GAME_NAMES
from gangland_ladder.playing.table_state import LiveTable, Row, Setup, TableSeat
from gangland_sandbox.limits import Limits
from gangland_web.models.jobs import PlayTable, TableState
from gangland_web.queries import play
from gangland_web.services import play as play_service
from gangland_web.services.play import add_rows

KEY = "the browser of this person"
_NUMBER, _STEP = (re.compile(f'name="{name}" value="([^"]+)"') for name in ("number", "part"))
_PART = re.compile(r'<button class="button quiet slim" name="part" value="([^"]+)">')
_WRONG: tuple[dict[str, Any], ...] = ({}, {"part": "nothing:9"}, {"choice": "99999"})
_BY_CHANCE = re.compile(r'(?<=name="csrf_token" value=")[^"]+')


class Twins:
    """A person at two tables with the same view; the site's dice are those of given runs."""

    def __init__(self, site: pages_kit.Site, game: str, seats: int, seat: int) -> None:
        self.site, self.seat = site, seat
        self.person, self.foreign = site.stranger(), site.stranger()
        with self.person.client.session_transaction() as session:
            session["player"] = KEY
        self.game, self.seats = game, seats
        self.chances: dict[str, Chance] = {}
        self.opened = 0
        self.compared = 0
        self.form_token = ""

    def live_table(self, setup: Setup, rows: list[Row]) -> LiveTable:
        return LiveTable(setup, rows, chance=self.chances[setup.seed])

    def open(self, run: Run, rows: list[Row], state: TableState = TableState.PERSON) -> tuple[str, Setup]:
        """Store a table after some rows, with its own seed, keys and bots."""
        self.opened += 1
        setup = playing_kit.setup_of(self.game, self.seats, (self.seat,), self.opened)
        bots = (sha256(f"{self.opened} {seat}".encode()).hexdigest() for seat in range(self.seats))
        names = (each.name for each in setup.seats)
        places = [
            TableSeat(name, None if at == self.seat else code)
            for at, (name, code) in enumerate(zip(names, bots, strict=True))
        ]
        setup = msgspec.structs.replace(setup, seats=tuple(places))
        self.chances[setup.seed] = playing_kit.AsIn(run)
        token = f"table-{self.opened:06d}"
        table = PlayTable(
            token=token,
            visitor=sha256(KEY.encode()).hexdigest(),
            setup=msgspec.to_builtins(setup),
            limits=Limits.plain(1).to_dict(),
            state=state.value,
            opened_at=float(self.opened),
            active_at=float(self.opened),
        )
        with self.site.database.write() as db:
            db.add(table)
            db.flush()
            add_rows(db, table, 0, rows)
        return token, setup

    def same(self, one: str, twin: str, path: str = "", data: dict[str, Any] | None = None) -> str:
        """Ask both tables the same, compare the raw answers, and return the text of the first."""
        first, second = (self._asked(token, path, data) for token in (one, twin))
        assert first.status_code < 500, first.text
        assert plain(first, one) == plain(second, twin), (path, data)
        self.compared += 1
        return first.text

    def refused_to_others(self, token: str) -> None:
        for path in ("/play/{}", "/play/{}?part=die:0", "/matches/{}/games/0/0"):
            answers = [self.foreign.get(path.format(each)) for each in (token, "table-999999")]
            assert [answer.status_code for answer in answers] == [404, 404]
            assert plain(answers[0], token) == plain(answers[1], "table-999999")

    def _asked(self, token: str, path: str, data: dict[str, Any] | None) -> TestResponse:
        address = f"/play/{token}{path}"
        if data is None:
            return self.person.get(address)
        self.form_token = self.form_token or self.person.token(address)
        return self.person.client.post(address, data={"csrf_token": self.form_token, **data})


def plain(answer: TestResponse, token: str) -> str:
    """Return status, headers and body without random values."""
    headers = [f"{name}: {value}" for name, value in answer.headers if name not in ("Set-Cookie", "X-Request-Id")]
    return "\n".join([answer.status, *headers, "", _BY_CHANCE.sub("", answer.text)]).replace(token, "TOKEN")


def rows_before(run: Run, ply: int) -> list[Row]:
    return [Row(seat, decisions[seat]) for decisions in run.decisions[:ply] for seat in sorted(decisions)]


def compare(twins: Twins, adapter: Adapter, run: Run, ply: int, rng: Random) -> None:
    seat, game = twins.seat, run.game
    twin = variants.hidden_otherwise(adapter, run, ply, seat, rng)
    others = [each.seat for each in game.pending(run.states[ply]) if each.seat != seat]
    theirs = [each.seat for each in game.pending(twin.state) if each.seat != seat]
    decided: dict[int, Decision] = {each: run.decisions[ply][each] for each in others}
    meanwhile = {each: rng.choice(game.choices(twin.state, each)) for each in theirs}
    rows, twin_rows = rows_before(run, ply), rows_before(twin, len(twin.decisions))
    one, setup = twins.open(run, [*rows, *(Row(each, decided[each]) for each in others)])
    two, twin_setup = twins.open(twin, [*twin_rows, *(Row(each, meanwhile[each]) for each in theirs)])
    page = twins.same(one, two)
    assert "data-question" in page
    pages = [page]
    parts: list[str] = []
    while not _NUMBER.search(page) and (more := _PART.findall(page)):
        parts.append(unescape(more[rng.randrange(len(more))]))
        pages.append(page := twins.same(one, two, f"?{urlencode({'part': parts}, doseq=True)}"))
    number = _NUMBER.search(page)
    assert number is not None, page
    refused = ({"number": "99", "choice": "0"}, *({"number": number[1], **one} for one in _WRONG))
    pages += [twins.same(one, two, data=data) for data in refused]
    pages.append(twins.same(one, two, "?part=no:such"))
    if others and theirs:  # answered, and the last of the others still decides
        own = Row(seat, run.decisions[ply][seat])
        one, _ = twins.open(run, [*rows, *(Row(each, decided[each]) for each in others[:-1]), own], TableState.BOTS)
        two, _ = twins.open(
            twin, [*twin_rows, *(Row(each, meanwhile[each]) for each in theirs[:-1]), own], TableState.BOTS
        )
        pages.append(twins.same(one, two))
    everything = "".join(pages).lower()
    for each in (setup, twin_setup):
        for secret in (each.seed, each.rng_key, *(bot.code for bot in each.seats if bot.code is not None)):
            assert secret not in everything
            assert sha256(bytes.fromhex(secret)).hexdigest() not in everything


def first_and_last_of_each_kind(run: Run, seat: int, asked: list[int]) -> list[int]:
    kinds = {ply: next(each.kind for each in run.game.pending(run.states[ply]) if each.seat == seat) for ply in asked}
    by_kind = [[ply for ply in asked if kinds[ply] == kind] for kind in set(kinds.values())]
    return sorted({ply for plies in by_kind for ply in (plies[0], plies[-1])})


@contextmanager
def standings_by(twins: Twins) -> Iterator[None]:
    kept = play_service.LiveTables()
    with patch.object(play_service, "LiveTable", twins.live_table), patch.object(play_service, "live_tables", kept):
        yield


@pytest.mark.parametrize(
    ("game", "seats", "every"),
    [
        ("gang-of-dice", 4, False),
        ("gangster-dice", 2, False),
        *(pytest.param(*each, True, marks=pytest.mark.long("every question")) for each in product(GAME_NAMES, (2, 4))),
    ],
)
def test_no_byte_sent_depends_on_what_is_hidden(site: pages_kit.Site, game: str, seats: int, every: bool) -> None:
    number = 0  # a timid game, which takes all its rounds
    run, rng = played(Table(game, seats, {}), number), Random(seats)
    seat = max(range(seats), key=lambda each: sum(each in decisions for decisions in run.decisions))
    twins = Twins(site, game, seats, seat)
    asked = [ply for ply, decisions in enumerate(run.decisions) if seat in decisions]
    asked = asked if every else first_and_last_of_each_kind(run, seat, asked)
    with standings_by(twins):
        for ply in asked:
            compare(twins, games.adapter_of(game), run, ply, rng)
        twins.refused_to_others(f"table-{twins.opened:06d}")
    assert twins.compared >= 6 * len(asked)


@pytest.mark.parametrize(("game", "hidden"), [("gang-of-dice", "round.deck"), ("gangster-dice", "hands")])
def test_a_page_that_gave_a_hidden_card_away_would_be_found(site: pages_kit.Site, game: str, hidden: str) -> None:
    """The comparison above can fail."""
    run, rng = played(Table(game, 2, {}), 0), Random(0)
    twins = Twins(site, game, 2, 0)
    ply = next(ply for ply, decisions in enumerate(run.decisions) if 0 in decisions)
    table_html_of: Any = play.table_html_of

    def leaking(live_table: LiveTable, *given: Any, **more: Any) -> Any:
        return table_html_of(live_table, *given, **more) + str(attrgetter(hidden)(live_table.table.state))

    with (
        standings_by(twins),
        patch.object(play, "table_html_of", leaking),
        pytest.raises(AssertionError, match="200 OK"),
    ):
        compare(twins, games.adapter_of(game), run, ply, rng)
