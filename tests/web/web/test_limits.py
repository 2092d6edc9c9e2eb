"""Limits go by visitor first, then by an address that a class shares; what is refused costs nobody a turn."""

import re
from pathlib import Path

import pytest
from limits import parse
from tests.kits import pages_kit, play_site_kit

from gangland_web.web.limits import Rates, client_key

GAME = "gang-of-dice"


def test_a_table_that_is_refused_costs_no_turn_and_another_browser_has_its_own(tmp_path: Path) -> None:
    with play_site_kit.opened_hall(
        tmp_path, rates=Rates(tables="2 per hour", tables_address="5 per hour")
    ) as play_site:
        bot = play_site_kit.add_bot(play_site.site, GAME)
        people = [play_site.site.stranger(), play_site.site.stranger(), play_site.site.person("ann")]

        def ask(person: pages_kit.Person, opponent: int = bot) -> int:
            given = {"game": GAME, "opponent": str(opponent)}
            return person.post("/play", given, form_at=f"/{GAME}").status_code

        for _ in range(4):
            assert [ask(person, 99) for person in people] == [422] * 3
        assert [[ask(person) for _ in range(3)] for person in people[:2]] == [[303, 303, 429]] * 2
        assert [ask(people[2]) for _ in range(2)] == [303, 429]  # the fifth of this address was the last
        told = people[2].post("/play", {"game": GAME, "opponent": str(bot)}, form_at=f"/{GAME}").text
        assert re.search(
            r"People on your network have started 5 games this hour\. You can play again in (60|59) minutes\.", told
        )


def test_a_class_behind_one_address_has_room_for_a_lesson() -> None:
    """By rate: what each of 25 pupils behind one address may do in a lesson."""
    rates, pupils = Rates(), 25
    for rate, least in (
        *((rates.sign_up, 4), (rates.sign_in, 4), (rates.tables_address, 30), (rates.runs_address, 120)),
        *((rates.analyses_address, 30), (rates.opened_address, 30), (rates.decisions_address, 120)),
        *((rates.forms_address, 600),),
    ):
        assert parse(rate).amount >= pupils * least, rate


def test_an_open_page_gives_signs_of_life_that_cost_no_page(tmp_path: Path) -> None:
    with play_site_kit.opened_hall(tmp_path) as play_site:
        person, bot = play_site.site.stranger(), play_site_kit.add_bot(play_site.site, GAME)
        address = play_site_kit.begin(person, GAME, bot)
        with play_site.site.database.write() as db:
            db.get_one(type(play_site.table()), play_site.table().id).active_at -= 100
        before = play_site.table().active_at
        assert person.client.head(address).status_code == 204
        assert play_site.table().active_at >= before + 100
        assert play_site.site.stranger().client.head(address).status_code == 404
        person.post(f"{address}/leave", {}, form_at=address)
        assert person.client.head(address).status_code == 200
        assert "data-open" not in person.page(address)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unknown", "unknown"),
    ],
)  # fmt: skip
def test_a_network_of_ipv6_counts_as_one_address(tmp_path: Path, address: str, counted: str) -> None:
    for site in pages_kit.open_site(tmp_path):
        with site.app.test_request_context(environ_base={"REMOTE_ADDR": address}):
            assert client_key() == counted
