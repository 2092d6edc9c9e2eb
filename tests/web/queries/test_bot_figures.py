"""The figures of a bot's page: is a version better than the last, where an error is, and what its files say."""

import csv
import json
from io import StringIO
from typing import NamedTuple

from jsonschema import Draft202012Validator

from gangland import games, match
from gangland.replay import load
from gangland.view import View
from gangland_ladder.viewer.timeline import timeline_of
from gangland_web.base.formats import Format
from gangland_web.models import bots, tournaments
from gangland_web.queries import bot_figures, bot_overview
from gangland_web.queries.bots import RatingRow
from gangland_web.queries.matches import decision_address
from gangland_web.queries.tables import Column, Kind, Table, document_schema


class Plain:
    def decide(self, kind: str, view: View, number: int) -> object:
        return 1 if kind == "dice" else []


def rated(version: int, mu: float, sigma: float, *, matches: int = 100, period: int = 0) -> RatingRow:
    entry = tournaments.Entry(
        mu=mu,
        sigma=sigma,
        round_mu=mu,
        round_sigma=sigma,
        rating=mu - 3 * sigma,
        tournament_id=1,
        version_id=version,
        created_at=0.0,
        games=matches * 4,
        period=period,
    )
    return RatingRow(2, version, entry, 2, rated=True, rank=None)


def progress(*rows: RatingRow) -> str:
    bot = bots.Bot(game="gang-of-dice", name="mine", name_key="mine", created_at=0.0)
    return bot_overview.progress_of(bot_figures.Subject(bot, 2, 2, rows, rows[0]))


def test_a_version_is_compared_with_the_one_before_and_too_few_games_say_so() -> None:
    old = rated(2, 25.0, 1.0)
    assert progress(old) == "No earlier version has played at 2 seats."
    judged = {
        26.3: "Version 3 is probably better than version 2: +1.3 strength (82% sure).",
        23.7: "Version 3 is probably weaker than version 2: −1.3 strength (82% sure).",
        30.0: "Version 3 is better than version 2: +5.0 strength (99% sure).",
        25.1: "Too close to call with version 2: +0.1 strength (53% sure).",
    }
    assert {mu: progress(rated(3, mu, 1.0), old) for mu in judged} == judged
    few = "Too few games to compare with version 2: version 3 has 23 of 24 matches."
    assert progress(rated(3, 30.0, 1.0, matches=23), old) == few
    short = rated(3, 25.0, 1.0, matches=5)
    assert progress(rated(4, 30.0, 1.0), short, old).startswith("Version 4 is better than version 2")
    short.entry.active = False
    assert progress(rated(4, 30.0, 1.0), short).endswith("version 3 stopped at 5 of 24 matches.")


def test_a_new_version_without_games_is_named_beside_the_one_that_is_shown() -> None:
    new = rated(3, 25.0, 8.0, matches=0)
    bot = bots.Bot(game="gang-of-dice", name="mine", name_key="mine", created_at=0.0)
    old = rated(2, 25.0, 1.0)
    said = bot_overview.progress_of(bot_figures.Subject(bot, 2, 2, (new, old), old))
    assert said == "Version 3 has not played at 2 seats yet; this is version 2."


def test_versions_are_compared_in_a_season_in_which_both_have_played() -> None:
    rows = rated(3, 40.0, 1.0, period=2), rated(3, 25.0, 1.0, period=1), rated(2, 24.9, 1.0, period=1)
    assert progress(*rows).startswith("Too close to call")


def test_an_error_leads_to_the_very_decision_that_the_replay_page_shows() -> None:
    replay = match.play(games.game_named("gang-of-dice"), [Plain(), Plain(), Plain()], bytes(32)).replay.to_json()
    frames = {frame.number: frame.at for frame in timeline_of(load(replay)).frames}
    assert {number: decision_address(replay, number) for number in frames} == frames
    assert decision_address(replay, None) is None


class Bet(NamedTuple):
    who: str
    at: float | None
    odds: float | None


BETS = Table(
    "bets", Bet, (Column("who", "Who"), Column("at", "When", Kind.MOMENT), Column("odds", "Odds", Kind.NUMBER))
)
SHEET = BETS.of([Bet("=1+1", 0.0, 0.1), Bet("\u202eevil", None, None)])


def test_a_table_of_a_page_is_safe_to_open_in_a_spreadsheet_and_is_as_its_schema_says() -> None:
    rows = list(csv.reader(StringIO(b"".join(SHEET.pieces(Format.CSV)).decode())))
    assert rows == [["who", "at", "odds"], ["'=1+1", "1970-01-01T00:00:00Z", "0.1"], ["\ufffdevil", "", ""]]
    result = json.loads(b"".join(SHEET.pieces(Format.JSON)))
    schema = document_schema("bets", BETS.model)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(result)
    assert result["schema"] == "gangland/bets/1"
    assert not Draft202012Validator(schema).is_valid({**result, "rows": [{"who": 3, "at": None, "odds": None}]})
