"""A ladder is rated in the order in which its matches were first sent: live, computed again, exported and archived."""

import json
from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
import time_machine
from tests.kits import core_kit, ladder_kit
from tests.kits.models import Entry, Match, Tournament, col, select

from gangland_ladder.proof import archive_files, archives, proving
from gangland_ladder.rating import result_files, trueskill
from gangland_web.queries import exports, ladders
from gangland_web.services.archives import import_archive
from gangland_web.services.ladder_days import today

platform = pytest.fixture(core_kit.a_small_platform, params=core_kit.KINDS)


def sizes(platform: core_kit.Platform, seats: int) -> list[core_kit.Sent]:
    return [order for _, order in platform.post.sent if len(order.seats) == seats]


def finish(platform: core_kit.Platform, order: core_kit.Sent) -> None:
    platform.post.sent = [each for each in platform.post.sent if each[1].id != order.id]
    platform.finish(order)


def sigma_of(platform: core_kit.Platform, entry: int) -> float:
    return platform.get(Entry, entry).sigma


def test_a_newcomer_is_rated_when_what_was_sent_before_is_over_though_a_backlog_waits(
    platform: core_kit.Platform,
) -> None:
    ladder_kit.crowd(platform, ladder_kit.FORTY, 2)
    platform.recorder.schedule()
    before = {order.id for _, order in platform.post.sent}
    [newcomer] = ladder_kit.crowd(platform, ["late"], 2)
    platform.recorder.schedule()
    finish(platform, sizes(platform, 2)[0])
    platform.recorder.schedule()
    [first] = [order for order in sizes(platform, 2) if newcomer in [seat.entry for seat in order.seats]][:1]
    assert first.id > max(match.id or 0 for match in platform.matches(state="done"))
    finish(platform, first)
    assert sigma_of(platform, newcomer) == trueskill.SIGMA
    for order in sizes(platform, 2):
        if order.id in before:
            finish(platform, order)
    assert sigma_of(platform, newcomer) < trueskill.SIGMA
    state = platform.read(ladders.ladder_state, core_kit.GAME, 2)
    assert state is not None
    assert state.scheduled - state.over > 200
    assert not any(one.differed for one in ladder_kit.rebuilt(platform))


def test_a_match_that_is_played_again_keeps_its_place_and_is_sent_first(platform: core_kit.Platform) -> None:
    ladder_kit.crowd(platform, ladder_kit.FORTY, 2)
    platform.recorder.schedule()
    first, second, *_ = sizes(platform, 2)
    platform.post.sent = [each for each in platform.post.sent if each[1].id != first.id]
    assert platform.match(first.id).rating_order == 1
    platform.finish(first, core_kit.void(first))
    assert platform.match(first.id).rating_order == 1
    assert [platform.match(order.id).rating_order for order in sizes(platform, 2)].count(1) == 1
    finish(platform, second)
    assert ladder_kit.a_ladder(platform).cursor == 1
    again = next(order for order in sizes(platform, 2) if order.id == first.id)
    finish(platform, again)
    assert ladder_kit.a_ladder(platform).cursor == 3


def played(seed: int) -> dict[str, Any]:
    """Play rounds and newcomers' tables, sent at the same times and finished in random order."""
    chance = Random(seed)
    with TemporaryDirectory() as folder, time_machine.travel(1_800_000_000, tick=False):
        platform = core_kit.open_platform("sqlite", Path(folder), slots=6, rounds=3, stage=core_kit.with_small_tables)
        for step in range(8):
            if step in (1, 3):
                ladder_kit.crowd(platform, [f"late{step}{number}" for number in range(2)], 2)
            platform.recorder.schedule()
            sent = [order for _, order in platform.post.sent]
            platform.post.sent.clear()
            platform.post.slot_count = 0  # or more is sent as soon as one is over
            for order in chance.sample(sent, len(sent)):
                platform.finish(order)
            platform.post.slot_count = 6
        result = ladder_kit.all_rounds_and_ratings(platform)
        platform.database.close()
    return result


def test_rounds_and_ratings_hang_on_the_order_of_sending_and_not_on_who_finished_first() -> None:
    first = played(1)
    assert [(one["first"], one["last"]) for one in first["rounds"] if one["placement"]]
    assert any(one["number"] > 3 for one in first["rounds"])
    assert played(2) == first


# What leaves the site.


def two_days(platform: core_kit.Platform, clock: Any) -> Tournament:
    """Play two days of a ladder; the rest of the first is played after the second's newcomers."""
    platform.post.slot_count = 1
    ladder_kit.crowd(platform, [f"old{number}" for number in range(9)], 2)
    platform.recorder.schedule()
    for _ in range(12):
        platform.finish(platform.take())
    clock.shift(timedelta(days=1))
    ladder_kit.crowd(platform, ["late1", "late2"], 2)
    platform.recorder.schedule()
    platform.play_all()
    clock.shift(timedelta(days=1))
    platform.recorder.schedule()
    return ladder_kit.a_ladder(platform)


def lines_of(rows: Sequence[Any], ladder: Tournament) -> list[dict[str, Any]]:
    """Return a table of matches as `gangland rate` reads them."""
    found: dict[int, dict[str, Any]] = {}
    for row in rows:
        line = found.setdefault(row["number"], {"number": row["number"], "rating_order": row["rating_order"]})
        if row["state"] == "done":
            place = str(Fraction(row["mean_place_num"], row["mean_place_den"]))
            line |= {"game": ladder.game, "blocks": ladder.blocks}
            line.setdefault("seats", []).append({"entry": row["entry"], "mean_place": place})
        else:
            line["void"] = True
    return list(found.values())


def rated(lines: Sequence[dict[str, Any]]) -> dict[Any, tuple[float, float]]:
    results = result_files.Results()
    for at, line in enumerate(lines, 1):
        results.read(at, json.dumps(line).encode())
    return {row.entry: (row.rating.mu, row.rating.sigma) for row in results.ratings().rows}


def test_a_ladders_export_is_rated_as_on_the_site_and_its_days_are_proven(
    platform: core_kit.Platform, tmp_path: Path
) -> None:
    with time_machine.travel(core_kit.NOON, tick=True) as clock:
        ladder = two_days(platform, clock)
        ladder_id = ladder.id or 0
        span = platform.read(exports.numbers, ladder_id, exports.Span())
        chosen = select(Match).where(Match.tournament_id == ladder_id).order_by(col(Match.number))
        orders = [match.rating_order for match in platform.rows(chosen)]
        site = {
            entry.id: (entry.mu, entry.sigma)
            for entry in platform.rows(select(Entry).where(Entry.tournament_id == ladder_id))
        }
        assert orders != sorted(orders, key=lambda order: order or 0)
        lines = lines_of(list(exports.matches(platform.database, ladder_id, span)), ladder)
        assert rated(lines) == site
        assert rated(Random(1).sample(lines, len(lines))) == site
        assert rated([{**line, "rating_order": None} for line in lines]) != site
        with pytest.raises(result_files.ResultsRefused, match="has no rating_order, but other matches have one"):
            rated([{**lines[0], "rating_order": None}, *lines[1:]])
        with pytest.raises(result_files.ResultsRefused, match="another match has the rating_order"):
            rated([{**lines[0], "rating_order": lines[1]["rating_order"]}, *lines[1:]])
        assert not any(one.differed for one in ladder_kit.rebuilt(platform))
        assert not proven(platform, ladder, today() - 2, tmp_path), "the other day's matches lie between"
        assert proven(platform, ladder, today() - 1, tmp_path)


def place_of(played: archives.PlayedMatch) -> int:
    place = played.match.rating_order
    assert place is not msgspec.UNSET
    return place


def proven(platform: core_kit.Platform, ladder: Tournament, day: int, folder: Path) -> bool:
    """Check that a day's archive verifies and imports; return whether it is complete."""
    file = folder / f"{day}.tar"
    with platform.database.read() as session, file.open("wb") as stream:
        archive_files.write_archive(stream, exports.day_content(session, ladder, day))
    archive = archive_files.read_archive(file)
    proof = proving.prove(archive)
    assert (proof.count, proof.findings) == (0, [])
    played = list(archive.matches())
    last = max(played, key=place_of)
    score = last.match.scores[0]
    assert score.after is not None
    wrong = msgspec.structs.replace(score, after=(score.after[0] + 1e-9, score.after[1]))
    changed = msgspec.structs.replace(last.match, scores=[wrong, *last.match.scores[1:]])
    content = [archives.PlayedMatch(changed, one.games) if one is last else one for one in played]
    with platform.database.read() as session, file.with_suffix(".2").open("wb") as stream:
        whole = exports.day_content(session, ladder, day)
        archive_files.write_archive(stream, type(whole)(whole.tournament, whole.entries, content))
    found = proving.prove(archive_files.read_archive(file.with_suffix(".2"))).findings
    assert [finding.where for finding in found] == [f"match {last.match.number}, entry {last.match.entries[0]}"]
    with TemporaryDirectory() as elsewhere:
        other = core_kit.open_platform("sqlite", Path(elsewhere))
        came = import_archive(other.database, file)
        assert len(other.matches(tournament_id=came.tournament_id)) == len(played)
        other.database.close()
    return place_of(last) - min(map(place_of, played)) + 1 == len(played)
