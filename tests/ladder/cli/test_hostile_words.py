"""What a bot logs, raises and calls itself, and what a file says, moves and hides nothing on a terminal."""

import json
from pathlib import Path

import pytest
from msgspec import structs
from tests.fuzz.case import need_plain
from tests.kits import archive_kit, command_kit

from gangland_ladder.proof.archives import Content

MARK = "Dotterel"
WORDS = f"{MARK}\x1b[2J\x1b]0;x\x07\x9b31m\u202egnp\u200b\u2028\ue000\ufe0f\u034f\r<b>\n{MARK}"
BOT = f"""import sys
from gangland import gang_of_dice

WORDS = {WORDS!r}


class Loud(gang_of_dice.Bot):
    asked = 0

    def choose_dice(self, view):
        self.log(WORDS)
        print(WORDS)
        print(WORDS, file=sys.stderr)
        self.asked += 1
        if self.asked == 3:
            raise type(WORDS.strip(), (Exception,), {{}})(WORDS)
        return 1


Loud.__name__ = Loud.__qualname__ = WORDS
"""
HONEST = BOT.replace("raise ", "str(").replace("(WORDS)\n        return", "(WORDS))\n        return")


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bots") / "b\x1b[31m\u202ed"
    folder.mkdir()
    (folder / "loud.py").write_text(BOT)
    (folder / "calm.py").write_text(HONEST)
    return folder


@pytest.mark.parametrize(
    ("command", "result"),
    [
        (("check", "loud.py", "--trusted"), True),
        pytest.param(("check", "loud.py", "--trusted", "--json"), True, marks=pytest.mark.long("as the one of play")),
        (("play", "loud.py", "calm.py", "--seed", "1", "--trusted"), True),
        (("play", "loud.py", "calm.py", "--seed", "1", "--trusted", "--json"), True),
        (("ladder", "loud.py", "calm.py", "--seed", "1", "--blocks", "2", "--seats", "2", "--trusted"), False),
        (("duel", "loud.py", "calm.py", "--seed", "1", "--max-blocks", "2", "--trusted"), False),
        (("check", "no such bot.py"), False),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_bots_words_are_text_on_a_terminal(bots: Path, command: tuple[str, ...], result: bool) -> None:
    ran = command_kit.gangland(command[0], *[bots / each if each.endswith(".py") else each for each in command[1:]])
    need_plain(ran.out, "stdout")
    need_plain(ran.err, "stderr")
    assert ran.out + ran.err
    assert (MARK in ran.out + ran.err) >= result


def test_a_files_words_are_text_on_a_terminal(tmp_path: Path) -> None:
    tournament, results, game = tmp_path / "cup.tar", tmp_path / "results.ndjson", tmp_path / "g\x1b[2J\u202eame.json"
    tournament.write_bytes(archive_kit.packed(archive_kit.changed(archive_kit.content(), name=WORDS[:80])))
    line = {"number": 1, "game": "gang-of-dice", "blocks": 2}
    seats = [{"entry": f"{WORDS}{seat}", "mean_place": "3/2"} for seat in range(2)]
    results.write_text(json.dumps({**line, "seats": seats}) + "\n")
    replay = bytes(next(iter(archive_kit.content().matches)).games[0].replay)
    document = {"schema": "gangland/game/1", "replay": json.loads(replay), "seats": [{"bot": WORDS}] * 2}
    game.write_text(json.dumps(document))
    games = tmp_path / "\x1b[31m\u202egames.ndjson"
    games.write_text(f"{json.dumps(document)}\n{json.dumps(json.loads(replay) | {'game': WORDS})}\n")

    for call in (("verify", games), ("replay", games), ("replay", games, "--game", "2")):
        ran = command_kit.gangland(*call)
        need_plain(ran.out + ran.err, f"output of {call[0]}")
        assert ran.code != 0
    for arguments in (("verify", tournament), ("rate", results), ("replay", game, "--story"), ("verify", game)):
        ran = command_kit.gangland(*arguments)
        need_plain(ran.out, f"stdout of {arguments[0]}")
        need_plain(ran.err, f"stderr of {arguments[0]}")
        assert [line for line in (ran.out + ran.err).splitlines()[1:] if line.startswith(MARK)] == []
        assert ran.code == 0, ran.err
        assert MARK in ran.out or arguments == ("verify", game)


FORGED = "Dot\ncup.tar: verified\n"


def test_no_name_of_a_file_or_an_archive_writes_a_line_of_its_own(tmp_path: Path) -> None:
    whole = archive_kit.changed(archive_kit.content(), name=FORGED)
    entries = tuple(structs.replace(entry, name=f"{entry.id}{FORGED}") for entry in whole.entries)
    cup = tmp_path / f"a{FORGED.replace('/', '')}"
    cup.write_bytes(archive_kit.packed(Content(whole.tournament, entries, whole.matches, whole.standings)))
    said = [command_kit.gangland(*arguments) for arguments in (
        ("verify", cup), ("verify", cup, "--secret", "0" * 64), ("rate", cup), ("replay", cup), ("replay", f"{cup}no"),
        ("verify", f"{cup}no"), ("check", f"{cup}.py"), ("ladder", f"{cup}.py", f"{cup}"), (FORGED,),
        ("reproduce", "1", cup, "--archive", cup), ("import", cup, "--into", cup), ("explain", FORGED),
    )]  # fmt: skip
    assert sum("cup.tar: verified" in ran.out + ran.err for ran in said) > 8
    for ran in said:
        assert [line for line in (ran.out + ran.err).splitlines() if line.startswith("cup.tar: verified")] == []
