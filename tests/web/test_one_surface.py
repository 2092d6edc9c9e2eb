"""A bot, match, ladder or tournament is one model: page `.json`, API, tables and exports render it alike."""

import csv
import json
from io import StringIO
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.kits.api_kit import Program, World, a_world

LADDER = "gang-of-dice"
EXPORTS = "/ladders/gang-of-dice/2"


world = pytest.fixture(a_world, scope="module")


class Reader:
    def __init__(self, world: World) -> None:
        self.world, self.program, self.browser = world, Program(world.site, None), world.site.stranger()

    def call(self, path: str) -> Any:
        return self.program.read(path.format(**self.world.named))

    def text(self, path: str) -> str:
        answer = self.browser.get(path.format(**self.world.named))
        assert answer.status_code == 200, path
        return str(answer.get_data(as_text=True))

    def lines(self, path: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.program.get(path.format(**self.world.named)).text.splitlines()]

    def document(self, path: str, schema: str) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.text(path))
        Draft202012Validator(json.loads(self.text(f"/schemas/{schema}.1.json"))).validate(result)
        assert result.pop("schema") == f"gangland/{schema}/1", path
        return result


@pytest.fixture(scope="module")
def read(world: World) -> Reader:
    return Reader(world)


def cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline="")))


def in_csv(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def in_cells(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{name: in_csv(value) for name, value in row.items()} for row in rows]


def local(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the surface's own address of its next page."""
    return {name: value for name, value in answer.items() if name != "next"}


PAGES = {
    "bot-page": ("/bots/{ANNS_BOT}.json", "/bots/{ANNS_BOT}"),
    "version-page": ("/bots/{ANNS_BOT}/versions/1.json", "/bots/{ANNS_BOT}/versions/1"),
    "match-page": ("/matches/{MATCH}.json", "/matches/{MATCH}"),
    "tournament-page": ("/tournaments/{TOURNAMENT}.json", "/tournaments/{TOURNAMENT}"),
    "tournament-list": ("/tournaments.json", "/tournaments"),
    "tournament-standings": ("/tournaments/{TOURNAMENT}/standings.json", "/tournaments/{TOURNAMENT}/standings"),
    "author-page": ("/authors/{AUTHOR}.json", "/authors/{AUTHOR}"),
    "search-results": ("/search.json?q=an", "/search?q=an"),
    "ladder-season": ("/ladders/gang-of-dice/4/seasons/1.json", "/ladders/gang-of-dice/4/seasons/1"),
}


@pytest.mark.parametrize("schema", PAGES)
def test_a_pages_json_is_what_the_api_answers(read: Reader, schema: str) -> None:
    page, call = PAGES[schema]
    assert local(read.document(page, schema)) == local(read.call(call))


TABLES = {
    "leaderboard": ("/ladders/gang-of-dice{}?seats=2", "/ladders/gang-of-dice/2"),
    "match-list": ("/ladders/gang-of-dice/matches{}?seats=2", "/ladders/gang-of-dice/2/matches"),
    "match-bots": ("/matches/{{MATCH}}/bots{}", None),
    "match-games": ("/matches/{{MATCH}}/games{}", "/matches/{MATCH}/games"),
    "bot-versions": ("/bots/{{ANNS_BOT}}/versions{}", None),
    **{
        f"bot-{what}": (f"/bots/{{{{ANNS_BOT}}}}/{what}{{}}", f"/bots/{{ANNS_BOT}}/{what}")
        for what in ("history", "rivals", "places", "luck", "thinking", "faults", "ratings", "errors")
    },
    **{
        f"tournament-{what}": (
            f"/tournaments/{{{{TOURNAMENT}}}}/{what}{{}}",
            None if what == "interim" else f"/tournaments/{{TOURNAMENT}}/{what}",
        )
        for what in ("entries", "cross", "progress", "schedule", "interim", "amendments", "freeze")
    },
    "tournament-standings": ("/tournaments/{{TOURNAMENT}}/standings{}", "/tournaments/{TOURNAMENT}/standings"),
}


@pytest.mark.parametrize("schema", TABLES)
def test_a_table_is_the_same_as_json_as_csv_and_from_the_api(read: Reader, schema: str) -> None:
    page, call = TABLES[schema]
    result = read.document(page.format(".json"), schema)
    text = read.text(page.format(".csv"))
    assert cells(text) == in_cells(result["rows"])
    if result["rows"]:
        assert text.splitlines()[0].split(",") == list(result["rows"][0]), "the same columns in the same order"
    if call is not None:
        answer = read.call(call)
        assert local(answer) == local(result)
        assert ("next" in answer) == ("next" in result)


STREAMS = {
    "/tournaments/{TOURNAMENT}/matches": "/tournaments/{TOURNAMENT}/results.ndjson",
    "/tournaments/{TOURNAMENT}/games": "/tournaments/{TOURNAMENT}/games.ndjson",
    f"{EXPORTS}/matches": "/ladders/gang-of-dice/2/days/{DAY}/results.ndjson",
}


@pytest.mark.parametrize("export", STREAMS)
def test_a_stream_of_the_api_is_the_export_in_its_three_forms(read: Reader, export: str) -> None:
    requested = "?day={DAY}" if export.startswith("/ladders") else ""
    rows = read.lines(STREAMS[export])
    assert rows
    assert read.document(f"{export}.json{requested}", export.rpartition("/")[2]) == {"rows": rows}
    assert [json.loads(line) for line in read.text(f"{export}.ndjson{requested}").splitlines()] == rows
    assert cells(read.text(f"{export}.csv{requested}")) == in_cells(rows)


def test_the_contract_of_the_ladders_document_is_kept_and_days_and_embargo_are_those_of_the_api(read: Reader) -> None:
    assert read.document(f"{EXPORTS}/days.json", "days")["rows"] == read.call("/ladders/gang-of-dice/2/days")["rows"]
    hidden = read.document("/tournaments/{HIDDEN}.json", "tournament-page")
    assert hidden == read.call("/tournaments/{HIDDEN}")
    assert (hidden["results_shown"], hidden["secret"], hidden["archive"]) == (False, None, None)
    for game in (LADDER, "gangster-dice"):
        result = json.loads(read.text(f"/ladders/{game}.json?seats=2"))
        assert result["schema"] == "gangland/leaderboard/1"
        assert set(result) == {"schema", "rows", "next"}
    result = json.loads(read.text(f"/ladders/{LADDER}.json"))
    kept = {"rank": int, "bot": str, "version": int, "owner": str, "mu": float, "sigma": float, "rating": float}
    for row in result["rows"]:
        assert all(isinstance(row[name], kind) for name, kind in {**kept, "games": int, "faults": int}.items())
    assert "house" in {row["owner"] for row in result["rows"]}


def test_what_is_said_of_a_match_is_said_alike_wherever_it_is_said(read: Reader) -> None:
    match = read.call("/matches/{MATCH}")
    rows = [row for row in read.lines("/ladders/gang-of-dice/2/results.ndjson") if row["match"] == match["id"]]
    bots = read.document("/matches/{MATCH}/bots.json", "match-bots")["rows"]
    assert [{**match, **row} for row in rows] == [{**match, **bot, "match": match["id"]} for bot in match["bots"]]
    assert bots == match["bots"]
    listed = read.call("/ladders/gang-of-dice/2/matches?limit=100")["rows"]
    of_match = sorted((row for row in listed if row["match"] == match["id"]), key=lambda row: row["position"])
    assert [{**whole, **row} for whole, row in zip(rows, of_match, strict=True)] == rows
    games = read.document("/matches/{MATCH}/games.json", "match-games")["rows"]
    for game in games:
        result = read.call(f"/matches/{{MATCH}}/games/{game['block']}/{game['rotation']}")
        assert (result["places"][game["seat"]], result["luck"][game["seat"]]) == (game["place"], game["luck"])
        assert (result["rounds"], result["reason"], result["match"]) == (game["rounds"], game["reason"], game["match"])
        bot = bots[game["position"]]
        assert {name: game[name] for name in WHO} == {name: bot[name] for name in WHO}


def test_what_is_said_of_an_entry_a_bot_or_a_tournament_is_said_alike_wherever_it_is_said(read: Reader) -> None:
    """Two surfaces' rows about one entry agree in every common member."""
    entries = {row["entry"]: row for row in read.call("/tournaments/{TOURNAMENT}/entries")["rows"]}
    ratings = read.document("/tournaments/{TOURNAMENT}/ratings.json", "ratings")["rows"]
    for rating in ratings:
        same = rating.keys() & entries[rating["entry"]].keys()
        assert same >= {*WHO, "code_sha256", "active", "games", "wins", "faults"}
        assert {name: rating[name] for name in same} == {name: entries[rating["entry"]][name] for name in same}
    for row in read.call("/tournaments/{TOURNAMENT}/standings")["rows"]:
        assert {name: row[name] for name in WHO} == {name: entries[row["entry"]][name] for name in WHO}
    board = read.call("/ladders/gang-of-dice/2")["rows"]
    exported = {row["entry"]: row for row in read.document(f"{EXPORTS}/ratings.json", "ratings")["rows"]}
    for row in board:
        same = row.keys() & exported[row["entry"]].keys()
        assert same >= {*WHO, "rank", "mu", "sigma", "rating", "games", "wins", "faults"}
        assert {name: row[name] for name in same} == {name: exported[row["entry"]][name] for name in same}
    of_bot = [row for row in read.call("/bots/{ANNS_BOT}/ratings")["rows"] if row["seats"] == 2]
    (on_board,) = [row for row in board if str(row["bot_id"]) == read.world.named["ANNS_BOT"]]
    (of_bot,) = of_bot
    assert {name: of_bot[name] for name in of_bot.keys() & on_board.keys()} == {
        name: on_board[name] for name in of_bot.keys() & on_board.keys()
    }
    for page, member in (("/bots?limit=100", "bots"), ("/tournaments?limit=100", "tournaments")):
        for short in read.call(page)[member]:
            whole = read.call(f"/{member}/{short['id']}")
            assert {name: whole[name] for name in short} == short
    tournaments = read.call("/tournaments")["tournaments"]
    assert cells(read.text("/tournaments.csv")) == in_cells(tournaments)
    whole = read.call("/bots/{ANNS_BOT}")
    (version,) = whole["versions"]
    detail = read.call("/bots/{ANNS_BOT}/versions/1")
    assert {name: detail[name] for name in version} == version
    assert (detail["bot"], detail["bot_id"], detail["game"]) == (whole["name"], whole["id"], whole["game"])


WHO = ("entry", "bot_id", "bot", "version", "owner")
SUMMARY = """id url page name event state note game seats matches_planned matches_over opens_at freezes_at starts_at
    reveals_at embargo_until"""
BOT = "id url page name game owner is_house active created_at"
VERSION = "version url page state uploaded_at"
IN_MATCH = f"""position {" ".join(WHO)} mean_place_num mean_place_den mean_place wins faults luck adjusted_place
    mu_before sigma_before mu_after sigma_after"""
MEMBERS = {
    "/tournaments/{TOURNAMENT}": f"""{SUMMARY} blocks options limits tables entry_rule house_bots house_ranked
        browser_only commitment roster_digest secret randomness final_table archive command results_shown left_out""",
    "/tournaments tournaments": SUMMARY,
    "/tournaments/{TOURNAMENT}/standings rows": f"""rank rank_before rank_low rank_high holds best next_below next_above
        {" ".join(WHO)} blocks won tied lost block_score against_all against_all_low against_all_high strength error""",
    "/ladders ladders": "game seats url page blocks matches_planned matches_over matches_waiting",
    "/ladders/gang-of-dice/2/days rows": """day commitment committed_at late over revealed_at secret first_number
        last_number matches results archive""",
    "/bots/{ANNS_BOT}": f"{BOT} active_version versions", "/bots bots": BOT, "/bots/{ANNS_BOT} versions": VERSION,
    "/bots/{ANNS_BOT}/versions/1": f"""{VERSION} id bot_id bot game filename code_sha256 terminal headline steps
        findings queue trials""",
    "/matches/{MATCH}": """id number url page game seats blocks is_final purpose tournament state waits void_reason
        rating_order day created_at over_at digest commitment secret host bots""",
    "/matches/{MATCH} bots": IN_MATCH,
}  # fmt: skip


@pytest.mark.parametrize("of", MEMBERS)
def test_the_members_are_these(read: Reader, of: str) -> None:
    path, _, member = of.partition(" ")
    answer = read.call(path)
    assert " ".join(answer[member][0] if member else answer) == " ".join(MEMBERS[of].split())
