"""The golden games come out as they always did, and show all that there is."""

import json
from itertools import combinations

import pytest
from tests.golden import __main__ as command
from tests.golden import cases, page, players
from tests.golden.sights import SIGHTS, Seen
from tests.golden.store import FOLDER, TRIES, missing, played, replays_file, seed_of, stored, summary, summary_file

from gangland.games import GAME_NAMES, game_named
from gangland.gangster_dice.characters import BY_KEY
from gangland.replay import expand, load, verify, with_digest


def lines(game: str) -> list[tuple[cases.Case, str]]:
    return list(zip(cases.CASES[game], replays_file(game).read_text(encoding="utf-8").splitlines(), strict=True))


def test_there_are_at_least_60_golden_games_and_30_of_each_kind() -> None:
    counts = {game: len(stored(game)) for game in GAME_NAMES}
    assert sum(counts.values()) >= 60
    assert min(counts.values()) >= 30
    assert counts == {game: len(cases.CASES[game]) for game in GAME_NAMES}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_golden_games_played_anew_are_the_same_to_the_byte(game: str) -> None:
    changed = [
        case.name
        for case, line in lines(game)
        if played(game, case, bytes.fromhex(json.loads(line)["seed"])).replay.to_json() != line
    ]
    assert changed == [], "meant? then write them anew: python -m tests.golden"


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_seeds_of_golden_games_are_those_that_the_command_tries(game: str) -> None:
    tried = {case.name: {seed_of(game, case, attempt).hex() for attempt in range(TRIES)} for case in cases.CASES[game]}
    assert [case.name for case, line in lines(game) if json.loads(line)["seed"] not in tried[case.name]] == []


@pytest.mark.parametrize("game", GAME_NAMES)
def test_golden_replays_verify_and_expand_to_the_events_of_their_digest(game: str) -> None:
    for replay in stored(game):
        assert verify(replay).places == replay.places
        assert with_digest(replay, [event for step in expand(replay) for event in step.events]) == replay
        assert load(replay.to_json()) == replay


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_golden_game_shows_what_it_is_there_for(game: str) -> None:
    lacking = {case.name: missing(game, case, load(line)) for case, line in lines(game)}
    assert {name: sights for name, sights in lacking.items() if sights} == {}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_event_question_end_option_and_moment_of_a_fault_is_in_some_golden_game(game: str) -> None:
    lacking = dict(SIGHTS[game])
    for replay in stored(game):
        observed = Seen.of(replay)
        lacking = {name: sight for name, sight in lacking.items() if not sight(observed)}
    assert sorted(lacking) == []


def test_the_list_of_what_has_to_be_shown_grows_with_the_games() -> None:
    for game in GAME_NAMES:
        assert {f"question {kind}" for kind in game_named(game).bot_class.kinds} <= set(SIGHTS[game])
    assert {f"{one} with {other}" for one, other in combinations(BY_KEY, 2)} <= set(SIGHTS["gangster-dice"])
    assert {f"event {kind}" for kind in ("round", "swapped", "emptied")} <= set(SIGHTS["gangster-dice"])
    assert {f"event {kind}" for kind in ("round", "all_bust", "ended")} <= set(SIGHTS["gang-of-dice"])


@pytest.mark.parametrize("game", GAME_NAMES)
def test_no_two_golden_games_have_one_name(game: str) -> None:
    names = [case.name for case in cases.CASES[game]]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_house_bots_and_random_seats_both_play_golden_games(game: str) -> None:
    who = {name for case in cases.CASES[game] for name in case.players}
    assert {"random", "sensible_gang", "bold_gang", "cautious_gang", "random_gang"} <= who
    assert len(who - set(players.IDEAS)) == 5


@pytest.mark.parametrize("game", GAME_NAMES)
def test_what_a_reviewer_reads_is_about_the_stored_replays(game: str) -> None:
    assert summary_file(game).read_text(encoding="utf-8") == summary(game, stored(game))


def test_the_examples_of_the_page_on_replays_are_what_the_commands_print() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.rewritten(text, stored("gang-of-dice")) == text
    assert page.rewritten(text.replace("verified, ", "unread, "), stored("gang-of-dice")) == text


def test_the_page_on_replays_names_every_field_question_and_reason() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    replay = stored("gang-of-dice")[0]
    kinds = {kind for game in GAME_NAMES for kind in game_named(game).bot_class.kinds}
    reasons = {replay.reason for game in GAME_NAMES for replay in stored(game)}
    assert [name for name in (*replay.to_dict(), *kinds, *reasons) if f"\n- `{name}`: " not in text] == []


def test_all_golden_files_together_stay_small_enough_to_review() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir() if file.suffix in (".ndjson", ".txt")) < 600_000


def test_the_command_writes_what_is_played_and_says_what_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("golden")
    (folder / "same.txt").write_text("as it was\n")
    texts = {folder / "same.txt": "as it was\n", folder / "new.ndjson": "{}\n"}
    monkeypatch.setattr(command, "regenerated", lambda: texts)
    command.main()
    assert {path: path.read_text() for path in folder.iterdir()} == texts
    assert capsys.readouterr().out == "same.txt: as before, 10 bytes\nnew.ndjson: changed, 3 bytes\n"


def test_a_game_that_no_seed_brings_about_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.golden import store

    monkeypatch.setattr(store, "TRIES", 3)
    with pytest.raises(LookupError, match="'never'"):
        store.found("gang-of-dice", cases.Case("never", ("one", "one"), shows=("end last_faultless",)))
