"""`gangland rate` takes every export that has matches, and says of the others why they have none."""

from pathlib import Path

import pytest
from tests.kits.command_kit import gangland

from gangland_ladder.proof.result_forms import lines_of
from gangland_ladder.rating.result_files import FileRatings, Results, ResultsRefused

BOT = """
from gangland import gang_of_dice

class Thrower(gang_of_dice.Bot):
    def choose_dice(self, view):
        return min({most}, view.pool)
"""
CSV = (
    "match,number,rating_order,state,seat,entry,bot,mean_place_num,mean_place_den,mu_before,sigma_before,game,blocks\r\n"
    "91,{one},{one_order},done,0,3,Al,1,1,{mu},8.0,gang-of-dice,12\r\n"
    "91,{one},{one_order},done,1,4,'=Bo,2,1,20.0,8.0,gang-of-dice,12\r\n"
    "92,{two},{two_order},{state},0,3,Al,2,1,{mu},8.0,gang-of-dice,12\r\n"
    "92,{two},{two_order},{state},1,4,'=Bo,1,1,20.0,8.0,gang-of-dice,12\r\n"
)
FULL = {"one": 1, "two": 2, "one_order": "", "two_order": "", "state": "done", "mu": "25.0"}


def rated(text: str) -> FileRatings:
    results = Results()
    for at, line in lines_of(text.encode().splitlines(keepends=True)):
        results.add(at, line)
    return results.ratings()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladder")
    for most in (1, 2, 5):
        (folder / f"thrower_{most}.py").write_text(BOT.format(most=most))
    call = ("ladder", folder, "--seats", 3, "--blocks", 4, "--seed", 7, "--salt", "07", "--trusted", "--quiet")
    stream = gangland(*call, "--ndjson", "--archive", folder / "l.tar")
    document = gangland(*call, "--json", "--resume")
    (folder / "l.ndjson").write_text(stream.out)
    (folder / "l.json").write_text(document.out)
    return folder


def test_a_local_ladder_is_rated_from_each_of_its_forms(folder: Path) -> None:
    ran = [gangland("rate", folder / file, "--json") for file in ("l.ndjson", "l.json", "l.tar")]
    standings = gangland(
        "ladder", folder, "--seats", 3, "--blocks", 4, "--seed", 7, "--salt", "07", "--trusted", "--json"
    )
    assert [each.code for each in ran] == [0, 0, 0], [each.err for each in ran]
    found = [[(row["mu"], row["sigma"], row["matches"]) for row in each.document["ratings"]] for each in ran]
    assert found[0] == found[1] == found[2]
    assert sorted(round(mu, 6) for mu, _, _ in found[0]) == sorted(
        round(row["mu"], 6) for row in standings.document["standings"]
    )
    assert [row["bot"] for row in ran[2].document["ratings"]] == [row["entry"] for row in ran[0].document["ratings"]]


def test_a_table_of_matches_is_rated_in_its_rating_order() -> None:
    by_number, turned = rated(CSV.format(**FULL)), rated(CSV.format(**{**FULL, "one_order": 2, "two_order": 1}))
    assert (by_number.rated_matches, turned.rated_matches, by_number.bots) == (2, 2, {3: "Al", 4: "'=Bo"})
    ratings = [{row.entry: row.rating for row in each.rows} for each in (by_number, turned)]
    assert ratings[0] != ratings[1]


def test_a_part_of_a_ladder_begins_with_the_ratings_that_it_says() -> None:
    part = {**FULL, "one": 41, "two": 43}
    whole = rated(CSV.format(**part))
    again = rated(CSV.format(**{**part, "two": 42, "mu": "25.0"}))
    assert (whole.rated_matches, whole.waiting, whole.cursor) == (2, 0, 44)
    assert {row.entry: row.rating for row in again.rows} != {row.entry: row.rating for row in whole.rows}


def test_a_match_that_is_not_over_lets_later_ones_wait_and_a_void_one_does_not() -> None:
    waits = {**FULL, "one": 2, "two": 1, "mu": ""}
    with pytest.raises(ResultsRefused, match="the file has no match that counts"):
        rated(CSV.format(**{**FULL, "state": "void"}).replace("91,1,,done", "91,1,,void"))
    assert (rated(CSV.format(**{**waits, "state": "leased"})).waiting, rated(CSV.format(**waits)).waiting) == (1, 0)
    assert rated(CSV.format(**{**waits, "state": "void"})).void == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("match,number,block,rotation,seat,entry\r\n1,1,0,0,0,3\r\n", "not a table of matches"),
        ('{"schema":"gangland/games/1","rows":[\n{"match":1,"number":1,"seat":0}\n]}\n', "the file has no matches"),
        ('{"match":1,"number":1,"block":0,"seat":0,"entry":3}\n', "lacks state"),
        ('{"schema":"gangland/duel/1"}\n', "a duel has no ratings"),
        ('{"schema":"gangland/game/1"}\n', "a single game is not a match"),
        ('{"schema":"gangland/run/1","run":{}}\n', "--resume --ndjson"),
        ('{"schema":"gangland/ladder/1","game":"gang-of-dice"}\n', "older version"),
        ("hello\n", "expected JSON"),
        (CSV.format(**{**FULL, "one": "x"}), "number must be a whole number from 1, not 'x'"),
        (CSV.format(**{**FULL, "mu": "much"}), "not a number"),
        (CSV.format(**FULL).replace(",gang-of-dice,12", ",,"), "give --game and --blocks"),
    ],
)
def test_what_has_no_matches_says_why(text: str, why: str) -> None:
    with pytest.raises(ResultsRefused, match=why):
        rated(text)


def test_a_table_that_says_no_game_is_rated_with_the_one_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "matches.csv").write_text(CSV.format(**FULL).replace(",gang-of-dice,12", ",,"), newline="")
    settings = {"GANGLAND_CLI_GAME": "gang-of-dice", "GANGLAND_CLI_BLOCKS": "12"}  # blocks of a ladder, not of a match
    assert "--blocks" in gangland("rate", tmp_path / "matches.csv", env=settings).err
    ran = gangland("rate", tmp_path / "matches.csv", "--game", "gang-of-dice", "--blocks", 12)
    assert (ran.code, ran.out.splitlines()[0].split()[:3]) == (0, ["#", "entry", "bot"])
