"""Search and authors' pages: what is found by which words, and that nobody is found who is listed nowhere else."""

import re
from typing import Any

from tests.kits.models import Bot, Event, Import, row_id
from tests.kits.pages_kit import Site, activate_bot, finished_match, write_standings, write_tournament

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.services import leaving, teams


def found(site: Site, query: str) -> dict[str, list[str]]:
    answer = site.stranger().client.get("/search.json", query_string={"q": query})
    assert answer.status_code == 200
    lists = {kind: rows for kind, rows in answer.get_json().items() if isinstance(rows, list)}
    return {kind: [row["name"] for row in rows] for kind, rows in lists.items() if rows}


def test_a_name_is_found_by_its_beginning_by_inner_words_in_any_spelling_and_if_imported(site: Site) -> None:
    site.person("Zoë Quick")
    for name in ("Red Quick", "Quick", "Unquick", "Quickly", "ÉCLAIR 100%"):
        activate_bot(site, None, name)
    activate_bot(site, "Zoë Quick", "mine")
    write_tournament(site, "The QUICK cup", event_id=event(site, "Quick school"))
    assert found(site, "qUICK") == {
        "bots": ["Quick", "Quickly", "Red Quick", "Unquick"], "people": ["Zoë Quick"],
        "tournaments": ["The QUICK cup"], "events": ["Quick school"],
    }  # fmt: skip
    assert found(site, "  quick   RED ")["bots"] == ["Red Quick"], "every word counts, in any order"
    assert found(site, "e\u0301clair") == {"bots": ["ÉCLAIR 100%"]}, "an accent of its own is the same letter"
    assert found(site, "eclair") == found(site, "0%") == {"bots": ["ÉCLAIR 100%"]}
    assert found(site, "ZOE")["people"] == ["Zoë Quick"], "accents count neither in names nor in what is typed"
    assert found(site, "quíck")["tournaments"] == ["The QUICK cup"]
    assert found(site, "q_ick") == {}
    assert found(site, "") == found(site, "  ") == found(site, "nobody") == {}
    assert '<a href="/bots/' in site.stranger().page("/search?q=quick")
    assert site.stranger().get(f"/search?q={'q' * 64}").status_code == 200
    refused = site.stranger().get(f"/search?q={'q' * 65}")
    assert refused.status_code == 400
    assert "A search may have at most 64 characters, not 65." in refused.text
    assert "Correct the address" in refused.text
    assert "cookie" not in refused.text, "no form was sent"
    cup = write_tournament(site, "Elsewhere", State.REVEALED, finished_at=1.0, revealed_at=2.0)
    with site.database.write() as db:
        db.add(Import(tournament_id=cup, sha256="0" * 64, header={}, imported_at=0.0))
        db.flush()
        whose: dict[str, Any] = {"import_id": cup, "foreign_owner": "Ann"}
        db.add(Bot(game="gang-of-dice", name="Fórmer", name_key="\nx", created_at=0.0, **whose))
    assert found(site, "former") == {"bots": ["Fórmer"]}
    assert "by <bdi>Ann (elsewhere)</bdi>, not on the ladders" in site.stranger().page("/search?q=former")


def event(site: Site, name: str) -> int:
    with site.database.write() as db:
        made = Event(name=name, created_at=0.0)
        db.add(made)
        db.flush()
        return row_id(made.id)


def test_nobody_and_nothing_is_found_that_is_listed_nowhere_else(site: Site) -> None:
    for name in ("Hidden Ann", "Hidden Bob", "Hidden Eve"):
        site.person(name)
    ann, eve = site.user_id("Hidden Ann"), site.user_id("Hidden Eve")
    teams.create_team(site.database, ann, "Hidden Team")
    activate_bot(site, "Hidden Eve", "eves")
    assert "People and teams appear once they have a bot." in site.stranger().page("/search?q=hidden+bob")
    assert found(site, "hidden") == {"people": ["Hidden Eve"]}, "of these only Eve has a bot, and nobody's team has"
    activate_bot(site, "Hidden Ann", "ace", team="Hidden Team")
    assert found(site, "hidden") == {"people": ["Hidden Ann", "Hidden Eve"], "teams": ["Hidden Team"]}
    leaving.delete_account(site.database, eve)
    assert found(site, "hidden") == {"people": ["Hidden Ann"], "teams": ["Hidden Team"]}
    assert found(site, "deleted") == {}
    for who in (eve, site.user_id("Hidden Bob"), 999):
        assert site.stranger().get(f"/authors/{who}").status_code == 404
        assert site.stranger().get(f"/authors/{who}.json").status_code == 404
        assert site.stranger().get(f"/api/v1/authors/{who}").status_code == 404
    bot = site.version("eves").bot_id
    assert f'href="/authors/{eve}"' not in site.stranger().page(f"/bots/{bot}")

    draft = write_tournament(
        site, "Secret draft", State.DRAFT, announced_at=None, event_id=event(site, "Secret school")
    )
    write_tournament(site, "Secret rehearsal", rehearsal_of=draft)
    write_tournament(site, "Secret before its announcement", State.ANNOUNCED, announced_at=None)
    assert found(site, "secret") == {}


def test_an_authors_page_has_ranks_and_the_results_that_everybody_may_see(site: Site) -> None:
    site.person("Ann")
    ann = site.user_id("Ann")
    bot = activate_bot(site, "Ann", "<i>ace</i>")
    match = finished_match(site, [bot, activate_bot(site, None, "other")])
    cups = {
        "Open": write_tournament(site, "Open", State.FINISHED, finished_at=2.0, event_id=event(site, "School")),
        "Embargoed": write_tournament(site, "Embargoed", State.FINISHED, finished_at=2.0, embargo_until=9e9),
    }
    for cup in cups.values():
        write_standings(site, cup, bot)
    page, told = site.stranger().page(f"/authors/{ann}"), site.stranger().get(f"/api/v1/authors/{ann}").get_json()
    assert [(each["tournament"]["name"], each["rank"], each["bots"]) for each in told["results"]] == [("Open", 2, 2)]
    assert [each["name"] for each in told["tournaments"]] == ["Embargoed", "Open"]
    assert [each["name"] for each in told["events"]] == ["School"]
    assert [row["seats"] for row in told["bots"][0]["ranks"]] == [2, 3, 4]
    assert [row["rank"] for row in told["bots"][0]["ranks"]] == [None if seats > 2 else 1 for seats in (2, 3, 4)]
    assert "Rank 2 of 2" in page
    assert "<i>ace" not in page
    assert site.stranger().get(f"/authors/{ann}.json").get_json() == {"schema": "gangland/author-page/1", **told}
    played = (f"/matches/{match}", f"/matches/{match}/games/0/0", f"/bots/{bot}/versions/1")
    for path in (f"/bots/{bot}", "/gang-of-dice/leaderboard", f"/tournaments/{cups['Embargoed']}", *played):
        assert re.search(rf'<a href="/authors/{ann}"><bdi[^>]*>Ann</bdi></a>', site.stranger().page(path)), path


def test_a_bot_its_author_and_a_team_are_followed_by_feeds_of_their_own_ladder_matches(site: Site) -> None:
    for name in ("Ann", "Bob", "Captain"):
        site.person(name)
    ann, bob = site.user_id("Ann"), site.user_id("Bob")
    teams.create_team(site.database, site.user_id("Captain"), "Aces")
    anns, bobs = activate_bot(site, "Ann", "anns"), activate_bot(site, "Bob", "bobs")
    aces = activate_bot(site, "Captain", "aces", team="Aces")
    first, second = finished_match(site, [anns, bobs]), finished_match(site, [bobs, aces])
    finished_match(site, [anns, aces], state="scheduled")
    finished_match(site, [anns, aces], purpose="trial")

    def followed(path: str) -> list[int]:
        answer = site.stranger().get(f"/feeds/{path}.atom")
        assert answer.status_code == 200
        return [int(number) for number in re.findall(r"<title>Match (\d+)", answer.text)]

    assert followed(f"bots/{anns}") == followed(f"authors/{ann}") == [first]
    assert followed(f"authors/{bob}") == [second, first]
    assert followed(f"bots/{aces}") == followed("teams/1") == [second]
    for page, feed in ((f"/authors/{ann}", f"/feeds/authors/{ann}.atom"), ("/teams/1", "/feeds/teams/1.atom")):
        assert (
            f'title="Results of this {page.split("/")[1][:-1]}" href="http://localhost{feed}"'
            in site.stranger().page(page)
        )
    leaving.delete_account(site.database, ann)
    for path in (f"authors/{ann}", "authors/999", "bots/999", "teams/999"):
        assert site.stranger().get(f"/feeds/{path}.atom").status_code == 404
