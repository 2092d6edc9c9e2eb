"""Whatever a bot says, what an honest worker sends of it is taken in; `python -m tests.fuzz.words` is the long form."""

import json
from base64 import b64encode

import pytest
from tests.fuzz.words import bot_of, run

from gangland import faults
from gangland_ladder.matches import match_jobs
from gangland_web.broker.gate import ITEM_BYTES

SHORT, LONG = 8, 20  # bots
MORE = ("\\", "\U0001f600", "a")
TOO_MUCH = 58  # the number of a bot whose words must be cut


@pytest.mark.parametrize("cases", [SHORT, pytest.param(LONG, marks=pytest.mark.long("twenty bots in jails"))])
def test_whatever_a_bot_says_the_recorder_takes_in_what_its_worker_sends(cases: int) -> None:
    found = run(seed=3, first=0, cases=cases)
    assert found.findings == []
    assert sum(found.verdicts.values()) == cases + cases // 2
    assert len(found.verdicts) > 4


def test_the_fuzzer_finds_a_worker_that_does_not_cut_a_bots_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_jobs, "to_message", lambda text: text)
    monkeypatch.setattr(faults, "MESSAGE_CHARS", 1_000_000)
    assert run(seed=1, first=TOO_MUCH, cases=2).findings


def test_a_bot_comes_again_by_its_number() -> None:
    assert bot_of(1, 5) == bot_of(1, 5) != bot_of(1, 6)


@pytest.mark.parametrize(
    "char", ['"', "é", *(pytest.param(char, marks=pytest.mark.long("more characters")) for char in MORE)]
)
def test_a_match_with_more_logs_than_a_result_has_room_for_goes_without_the_last_ones(char: str) -> None:
    log = (char * 16_384).encode()[:16_384].decode("utf-8", "ignore")
    fault = match_jobs.FaultRecord(0, "crashed", '"' * 300, 0, None)
    games = [
        match_jobs.GameRecord(at, 0, [0, 1, 2, 3], '{"x":1}' * 200, "ab" * 32, [fault], [log] * 4, [[(0, 0, 9)]] * 4)
        for at in range(700)
    ]
    sent = match_jobs.shrink(match_jobs.Result(games))
    assert match_jobs.queued_bytes(sent) <= match_jobs.RESULT_BYTES < ITEM_BYTES
    assert len(b64encode(json.dumps([[match_jobs.encode(sent).decode()], {}, {}]).encode())) < ITEM_BYTES
    kept = [game.logs == [log] * 4 for game in sent.games]
    assert kept == sorted(kept, reverse=True)
    assert 0 < sum(kept) < len(kept)
    assert (sent.games[-1].logs, sent.games[-1].log_marks) == ([match_jobs.REMOVED_LOG] * 4, [])
    small = match_jobs.Result(games[:2])
    assert match_jobs.shrink(small) is small
