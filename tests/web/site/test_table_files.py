"""Twins: whatever stands in a table on a page can be had as CSV and as JSON, by whoever may see the page."""

import re
from codecs import BOM_UTF8

from jsonschema import Draft202012Validator
from sqlalchemy import text
from tests.kits.pages_kit import Site, activate_bot, finished_match
from tests.kits.table_files_kit import check_tables, tables_of

from gangland_web.queries.documentation import DOCUMENTS, TABLES

REFERENCE = ("/on-your-machine", "/docs", "/static", "/download")  # their tables are in the documentation
GAME = "/games/"  # its page has the replay as a file; its tables change with the shown decision


def test_every_table_of_every_page_has_its_twins(site: Site) -> None:
    ann = site.person("Ann")
    bots = [activate_bot(site, "Ann", "=cmd|' /C calc'!A0"), activate_bot(site, None, "House Bot")]
    matches = [finished_match(site, bots, fails_at=2 if number == 2 else None) for number in range(3)]
    bot, ladder = f"/bots/{bots[0]}", "/gang-of-dice"
    site.execute(text("UPDATE entries SET games = 6, wins = 3, faults = 1"))
    ann.post("/account/tokens", {"name": "mine", "scopes": "read", "days": "30"})
    ann.post("/team/create", {"name": "The Dice Brothers"}, form_at="/account/team")
    ann.post("/team/invite", {"places": "2", "days": "3"}, form_at="/account/team")
    site.execute(text("UPDATE bots SET team_id = 1, owner_id = NULL WHERE owner_id IS NOT NULL"))
    paths = {
        "/account/team": 3, "/teams/1": 1, "/": 1, f"{ladder}/leaderboard": 1, f"{ladder}/watch": 1,
        f"{ladder}/leaderboard?proof=1": 1, bot: 2,
        f"{bot}/games": 2, f"{bot}/analysis": 2, f"{bot}/versions?seats=2": 4, f"/matches/{matches[0]}": 2,
        "/account": 1, "/status": 1, "/tournaments": 0,
    }  # fmt: skip
    for path, least in paths.items():
        assert check_tables(ann, path) >= least, path
    assert tables_of(ann.page("/on-your-machine"))
    for link in ("/status.csv?for=spreadsheet", "/matches.csv?for=spreadsheet"):
        assert ann.get(link).data.startswith(BOM_UTF8)
    links = {link for path in paths for link in re.findall(r'<a [^>]*href="(/[^"#?]*)', ann.page(path))}
    pages = {link for link in links if "." not in link and GAME not in link and not link.startswith(REFERENCE)}
    for path in sorted(pages - set(paths)):
        if ann.get(path).status_code == 200:
            check_tables(ann, path)


def test_a_twin_is_there_for_those_alone_who_may_see_its_page_and_its_schema_for_everybody(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    bot = activate_bot(site, "Ann", "anns")
    trial = finished_match(site, [bot, activate_bot(site, None, "House Bot")], purpose="trial")
    for what in ("bots", "games"):
        assert ann.get(f"/matches/{trial}/{what}.csv").status_code == 200
        assert bob.get(f"/matches/{trial}/{what}.csv").status_code == 404
    nothing = {"/bots/99/history.csv": 404, f"/bots/{bot}/history.csv?seats=5": 400, "/matches/99/bots.json": 404}
    assert {path: bob.get(path).status_code for path in nothing} == nothing
    for path in ("/my-bots", "/challenges", "/account/tokens"):
        for form in ("csv", "json"):
            assert site.stranger().get(f"{path}.{form}").status_code == 303
            assert "anns" not in bob.get(f"{path}.{form}").text
    for name in (*TABLES, *DOCUMENTS):
        result = site.stranger().get(f"/schemas/{name}.1.json").get_json()
        Draft202012Validator.check_schema(result)
        assert result["title"] == f"gangland/{name}/1"
    assert site.stranger().get("/schemas/nothing.1.json").status_code == 404
