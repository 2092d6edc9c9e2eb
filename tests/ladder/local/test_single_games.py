"""A person's game outlives a jail that fails once, and loses no answer by it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.kits.playing_kit import AtRandom, any_legal, crash, setup_of

from gangland.replay import verify
from gangland_ladder.local import single_games
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.local.single_games import HumanGame, SavedGame
from gangland_ladder.matches import players
from gangland_ladder.playing.table_state import Row, Setup
from gangland_sandbox import errors, wire
from gangland_sandbox.limits import Profile


class Here:
    def run(self, job: Any, calls: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        for arguments in calls:
            yield job(None, *arguments)


def game_with(monkeypatch: pytest.MonkeyPatch, setup: Setup, rows: list[Row], *bots: AtRandom) -> HumanGame:
    left = list(bots)
    monkeypatch.setattr(players, "JailedPlayer", lambda *_: left.pop(0) if left else AtRandom())
    monkeypatch.setattr(single_games, "_hosted", [])
    codes = {each.code: b"" for each in setup.seats if each.code}
    tables: Any = Here()
    return HumanGame(setup, codes, tables, Profile.PLAIN, rows)


def jail_fails(at: int) -> AtRandom:
    def fails(_bot: AtRandom, number: int) -> object:
        if number == at:
            raise errors.SandboxError("the jail broke")
        return None

    return AtRandom(fails)


def played_on(game: HumanGame) -> HumanGame:
    rng = Random(1)
    while game.live_table.find_question(0) is not None:
        game.answer(any_legal(game.live_table.view(0), rng), hint=rng.random() < 0.3)
    return game


@pytest.mark.parametrize("name", ["gang-of-dice", "gangster-dice"])
def test_a_jail_that_fails_once_costs_nothing_and_twice_the_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = setup_of(name, 2)
    whole = played_on(game_with(monkeypatch, setup, []))
    for at in (1, 2, 5):
        once = played_on(game_with(monkeypatch, setup, [], jail_fails(at)))
        assert once.live_table.rows == whole.live_table.rows
        assert once.document(1, b"\x07") == whole.document(1, b"\x07")
    with pytest.raises(errors.SandboxError, match="the jail broke"):
        played_on(game_with(monkeypatch, setup, [], *[jail_fails(5)] * 4))


def test_the_document_names_the_person_hints_and_other_answers_of_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = setup_of("gang-of-dice", 2)
    whole = played_on(game_with(monkeypatch, setup, []))
    again = game_with(monkeypatch, setup, whole.live_table.rows, AtRandom(lambda *_: 1))
    me, bot = again.document(3, b"\x07").seats
    verify(again.live_table.played().replay)
    assert (me.person, bot.person) == (True, msgspec.UNSET)
    assert isinstance(me.hints, list)
    assert len(me.hints) == sum(row.hint for row in again.live_table.rows) > 0
    own = {stop for stop, row in zip(again.live_table.decisions, again.live_table.rows, strict=True) if row.seat == 0}
    assert set(me.hints) < own
    assert bot.differing == again.differing
    assert again.differing
    assert all(".s2." in at for at in again.differing)


def test_a_bot_that_cannot_be_brought_back_ends_the_game_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = setup_of("gang-of-dice", 2)
    rows = played_on(game_with(monkeypatch, setup, [])).live_table.rows
    with pytest.raises(InvalidArgument, match="seat1 cannot be restored") as ended:
        game_with(monkeypatch, setup, rows, AtRandom(crash))
    assert "it broke" in wire.clean(str(ended.value))


@pytest.mark.parametrize(
    "change",
    [{"salt": "x"}, {"files": []}, {"seed": "7"}, {"rows": [Row(1, [99, 99])]}, {"rows": [Row(9, 1)]}, {"more": 1}],
)
def test_a_saved_game_that_was_changed_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    saved = SavedGame(setup_of("gang-of-dice", 2), [], ["", "b.py"], 7, "07", Profile.PLAIN, hint=False, differing=[])
    saved.write(tmp_path / "right.json")
    assert SavedGame.read(tmp_path / "right.json") == saved
    (tmp_path / "wrong.json").write_bytes(msgspec.json.encode(msgspec.to_builtins(saved) | change))
    with pytest.raises(InvalidArgument, match="not an unfinished game"):
        SavedGame.read(tmp_path / "wrong.json")
