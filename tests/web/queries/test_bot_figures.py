"""The figures of a bot's page: which games are picked, where an error is, and what its files say."""

import csv
import json
from io import StringIO
from typing import NamedTuple

from jsonschema import Draft202012Validator

from gangland.games import game_named
from gangland.match import play
from gangland.replay import load
from gangland.view import View
from gangland_ladder.viewer.film import film_of
from gangland_web.base.formats import Form
from gangland_web.queries.bot_figures import EntryGame, picks
from gangland_web.queries.matches import decision_address
from gangland_web.queries.tables import Column, Kind, Table, document_schema


class Plain:
    """A player of Gang of Dice who rolls one die and stands."""

    def decide(self, kind: str, view: View, number: int) -> object:
        return 1 if kind == "dice" else []


def game(match: int, places: tuple[int, ...], luck: tuple[float, ...], *, failed: bool = False) -> EntryGame:
    return EntryGame(match, 0, 0, 0, places, luck, failed)


def test_the_games_that_stand_out_are_won_alone_with_the_worst_dice_and_lost_with_the_best() -> None:
    found = [
        game(1, (1, 2), (-1.0, 1.0)),
        game(2, (1, 1), (-9.0, 0.0)),  # shared
        game(3, (1, 2), (-9.0, 0.0), failed=True),
        game(4, (1, 2), (2.0, 6.0)),
        game(5, (2, 1), (3.0, 0.0)),
        game(6, (2, 1), (9.0, 0.0), failed=True),
        game(7, (2, 1), (3.0, 2.0)),
    ]
    best, worst = picks(found)
    assert best is not None
    assert worst is not None
    assert (best.match, best.luck) == (4, -2.0)
    assert (worst.match, worst.luck) == (5, 1.5)
    assert picks([game(1, (1, 1), (0.0, 0.0))]) == (None, None)


def test_an_error_leads_to_the_very_decision_that_the_replay_page_shows() -> None:
    replay = play(game_named("gang-of-dice"), [Plain(), Plain(), Plain()], bytes(32)).replay.to_json()
    stops = {stop.number: stop.at for stop in film_of(load(replay)).stops}
    assert {number: decision_address(replay, number) for number in stops} == stops
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
    rows = list(csv.reader(StringIO(b"".join(SHEET.pieces(Form.CSV)).decode())))
    assert rows == [["who", "at", "odds"], ["'=1+1", "1970-01-01T00:00:00Z", "0.1"], ["\ufffdevil", "", ""]]
    result = json.loads(b"".join(SHEET.pieces(Form.JSON)))
    schema = document_schema("bets", BETS.model)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(result)
    assert result["schema"] == "gangland/bets/1"
    assert not Draft202012Validator(schema).is_valid({**result, "rows": [{"who": 3, "at": None, "odds": None}]})
