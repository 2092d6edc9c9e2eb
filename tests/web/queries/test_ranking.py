"""A class's own ranking: without house bots, over all games of an event, by the rule that its page states."""

from collections.abc import Sequence
from typing import Any

from gangland_web.models.tournaments import Entry
from gangland_web.queries.tournament_tables import Played, ranking, ranking_table
from gangland_web.queries.tournaments import Part

HOUSE = None
NOT_RATED: Any = dict.fromkeys(("mu", "sigma", "rating", "round_mu", "round_sigma"), 0.0)


def game(*stood: tuple[int, int | None]) -> Played:
    """Return a game in which owners (None: the house) came to these ranks."""
    parts, rows = [], []
    for entry, (rank, owner) in enumerate(stood, 1):
        kept = Entry(id=entry, tournament_id=1, version_id=entry, created_at=0.0, **NOT_RATED)
        name = None if owner is None else f"person {owner}"
        parts.append(Part(entry, f"bot {entry}", owner, None, name, 1, "", kept))
        rows.append({"entry": entry, "rank": rank})
    return Played(parts, rows)


def told(games: Sequence[Played]) -> list[tuple[int, str, float]]:
    return [(line.rank, line.who, float(line.total)) for line in ranking(games)]


def test_house_bots_are_left_out_and_the_file_says_what_the_page_says() -> None:
    lines = ranking([game((1, HOUSE), (2, 7), (3, HOUSE), (4, 8))])
    assert [(each.rank, each.who, float(each.total)) for each in lines] == [(1, "person 7", 1), (2, "person 8", 0)]
    assert [stand.place for each in lines for stand in each.stands if stand] == [1, 2]
    ranked = ranking([game((1, 1), (2, 2)), game((1, 2))])
    rows = ranking_table(ranked, [(4, "gang-of-dice"), (5, "gangster-dice")]).plain
    assert [(row["rank"], row["who"], row["game"], row["place"], row["of"], row["points"]) for row in rows] == [
        (1, "person 1", "gang-of-dice", 1, 2, 1.0),
        (1, "person 2", "gang-of-dice", 2, 2, 0.0),
        (1, "person 2", "gangster-dice", 1, 1, 1.0),
    ]


def test_points_are_the_share_of_the_class_that_ones_best_bot_stands_before_in_both_games() -> None:
    assert told([game((1, 1), (2, 2), (2, 3), (4, HOUSE), (5, 4), (6, 5))]) == [  # a tie is shared
        (1, "person 1", 1),
        (2, "person 2", 5 / 8),
        (2, "person 3", 5 / 8),
        (4, "person 4", 1 / 4),
        (5, "person 5", 0),
    ]
    one, other = game((1, 1), (2, 2), (3, 3)), game((1, 3), (2, 1))  # who is missing has nothing there
    assert told([one, other]) == [(1, "person 1", 1), (1, "person 3", 1), (3, "person 2", 1 / 2)]
    assert told([game((1, 1))]) == [(1, "person 1", 1)]
    assert told([]) == []
    assert told([game((1, 1), (2, 1), (3, 2))]) == [(1, "person 1", 1), (2, "person 2", 0)]
