"""Old addresses: each leads to the page that has taken its place, and keeps its query."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.kits.pages_kit import Site, activate_bot, finished_match
from tests.kits.routes_kit import addresses

from gangland_web.site.moved import MOVED


def test_every_old_address_leads_to_a_page_that_is_there(site: Site) -> None:
    ann = site.person("Ann")
    finished_match(site, [activate_bot(site, "Ann", "anns"), activate_bot(site, None, "house")])
    rules = [rule for rule in site.app.url_map.iter_rules() if rule.rule in MOVED and "GET" in (rule.methods or ())]
    for rule in rules:
        (old,) = addresses(site.app, rule, {})
        answer = ann.get(f"{old}?kept=1")
        assert answer.status_code == 301, old
        assert ("kept", "1") in parse_qsl(urlsplit(answer.location).query), old
        missing = "season=" in answer.location  # the site has no season
        assert ann.get(answer.location).status_code == (404 if missing else 200), answer.location
    assert len(rules) == len(MOVED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/play", "/gang-of-dice"),
        ("/play?game=gang-of-dice&left=1", "/gang-of-dice?left=1"),
        ("/ladders/gang-of-dice/days?seats=3", "/gang-of-dice/leaderboard?proof=1&seats=3"),
        ("/ladders/gang-of-dice/4/seasons/2", "/gang-of-dice/leaderboard?seats=4&season=2"),
        ("/ladders/gang-of-dice?seats=2", "/gang-of-dice/leaderboard?seats=2"),
    ],
)
def test_what_an_old_address_named_its_new_one_names(site: Site, old: str, new: str) -> None:
    assert site.stranger().get(old).location == new
    for unknown in ("/ladders/poker", "/rules/poker", "/play?game=poker"):
        assert site.stranger().get(unknown).status_code == 404
