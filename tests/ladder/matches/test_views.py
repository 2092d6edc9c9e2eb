"""What the bots were shown is kept as a digest, and views expanded later have to match it."""

from dataclasses import replace
from hashlib import sha256
from marshal import dumps
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.golden.store import stored
from tests.kits.judging_kit import JOB, played, result
from tests.kits.local_match import match_job_of

from gangland import games, match
from gangland.replay import Replay, ReplayError, digest_of, load, verify_events
from gangland_ladder.matches import match_jobs, referee
from gangland_ladder.matches.judging import ResultRefused, ViewsMismatch, check_views, judge, verify_views, views_digest
from gangland_sandbox import jail, limits

BOTS = {
    "gang-of-dice": b"""
from gangland import gang_of_dice
class Clocked(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1 + (view.clock.cpu_left_s < 0)
    def choose_reroll(self, view):
        return [face for face in view.dice if self.rng.random() < 0.3]
""",
    "gangster-dice": b"""
from gangland import gangster_dice
class Plain(gangster_dice.Bot):
    pass
""",
}
FAILING = b"""
from gangland import gang_of_dice
class Failing(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
    def choose_reroll(self, view):
        raise RuntimeError("on purpose")
"""


class Watched:
    def __init__(self, game: str, seat: int, kept: list[tuple[int, str, Any]]) -> None:
        self.game, self.seat, self.kept = game, seat, kept

    def decide(self, kind: str, view: Any, number: int) -> object:
        self.kept.append((self.seat, kind, view.wire))
        return min(2, view.pool) if kind == "dice" else []


def watched() -> tuple[Replay, list[tuple[int, str, Any]]]:
    kept: list[tuple[int, str, Any]] = []
    players = [Watched("gang-of-dice", seat, kept) for seat in range(3)]
    return match.play(games.game_named("gang-of-dice"), players, bytes(32)).replay, kept


@pytest.mark.parametrize(
    "game", ["gang-of-dice", pytest.param("gangster-dice", marks=pytest.mark.long("the referee knows no game"))]
)
def test_the_views_that_a_referee_sends_are_those_that_the_replay_gives_whatever_the_clocks_say(game: str) -> None:
    job = match_job_of(game, 2, 1, limits.Limits.plain(1), seed=4)
    whole = msgspec.structs.replace(job, limits={"bank_cpu_s": 20, "bank_wall_s": 60, "decision_cpu_s": 1})
    codes = {seat.code: BOTS[game] for seat in job.seats}
    came = [referee.play_match(wanted, codes, mode=jail.Mode.TRUSTED) for wanted in (job, whole)]
    digests = [[record.views for record in result.games] for result in came]
    assert digests[0] == digests[1]
    assert digests[0] == [views_digest(load(record.replay)) for record in came[0].games]
    assert len(judge(job, match_jobs.decode_result(match_jobs.encode(came[0]))).games) == 2


def test_a_question_that_a_bot_failed_at_was_shown_too() -> None:
    job = match_job_of("gang-of-dice", 2, 1, limits.Limits.plain(1), seed=4)
    codes = {job.seats[0].code: BOTS["gang-of-dice"], job.seats[1].code: FAILING}
    came = referee.play_match(job, codes, mode=jail.Mode.TRUSTED)
    assert any("fault" in load(record.replay).decisions for record in came.games)
    judge(job, came)


def test_the_digest_is_the_sha256_of_seat_kind_and_wire_of_every_question_in_order() -> None:
    replay, kept = watched()
    by_hand = sha256(b"".join(bytes([seat]) + dumps(kind, 2) + dumps(wire, 2) for seat, kind, wire in kept))
    assert len(kept) == len(replay.decisions) > 0
    assert views_digest(replay) == by_hand.hexdigest()


def test_views_that_are_not_those_that_were_sent_do_not_agree() -> None:
    replay, _ = watched()
    with pytest.raises(ViewsMismatch, match="the views sent have the digest 0000"):
        check_views(views_digest(replay), "0" * 64)
    with pytest.raises(ReplayError, match="places"):
        views_digest(replace(replay, places=(1, 1, 1)))


def test_a_result_whose_views_are_not_those_of_its_game_or_are_missing_is_refused() -> None:
    good = result()
    other = views_digest(played(JOB, 1).replay)
    forged = msgspec.structs.replace(good.games[0], views=other)
    text = msgspec.json.decode(match_jobs.encode(good))
    del text["games"][2]["views"]
    with pytest.raises(ResultRefused, match=f"block 1, rotation 1: the views sent have the digest {other}"):
        judge(JOB, msgspec.structs.replace(good, games=[forged, *good.games[1:]]))
    with pytest.raises(ValueError, match="views"):
        match_jobs.decode_result(msgspec.json.encode(text))


def test_the_golden_games_keep_their_views(root: Path) -> None:
    """If views change, old games no longer verify: raise the rules' version.  If only games change, update this."""
    digest = sha256()
    for game in sorted(games.GAME_NAMES):
        for line in (root / "tests" / "golden" / f"{game}.ndjson").read_bytes().splitlines():
            digest.update(views_digest(load(line)).encode())
    assert digest.hexdigest() == "250c65939a80aef9254cdde0b73f96d264e9d1afb34e3640e2d018f511af3d3b"


@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_a_replay_has_one_digest_whatever_writes_the_text_that_it_is_of(game: str) -> None:
    for replay in stored(game)[::6]:
        assert verify_views(replay).outcome.places == replay.places
        events = verify_events(replay)[1]
        assert digest_of(replay, events) == digest_of(replay, events, msgspec.json.encode) == replay.digest
