"""What the documentation says of characters is so."""

import re
from pathlib import Path
from random import Random
from typing import Any

from tests.engine.gangster_dice.table import Table
from tests.engine.gangster_dice.tokens import INVESTIGATOR

from gangland import gangster_dice, match
from gangland.bot import DecisionRequest
from gangland.gangster_dice import characters, rules

ROLLS = ["GG/UU/CC", "GG/UU/CC"]
FENCE = re.compile(r"^```python ensemble\.py\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


class Asked:
    def __init__(self, bot: gangster_dice.Bot) -> None:
        self.bot, self.kinds = bot, set[str]()

    def decide(self, kind: str, view: Any, number: int) -> object:
        self.kinds.add(kind)
        return gangster_dice.Bot.encode(kind, self.bot.act(DecisionRequest(kind, view)))


def ensemble(root: Path) -> gangster_dice.Bot:
    found = FENCE.search((root / "docs" / "write-a-bot.md").read_text(encoding="utf-8"))
    assert found
    names: dict[str, Any] = {}
    exec(compile(found["code"], "ensemble.py", "exec"), names)
    bot = names["Ensemble"]()
    assert isinstance(bot, gangster_dice.Bot)
    return bot


def test_the_bot_for_every_character_plays_them_all_without_fault(root: Path) -> None:
    requested: set[str] = set()
    for number in range(40):
        seats = [Asked(ensemble(root)) for _ in range(2 + number % 3)]
        for seat in seats:
            seat.bot.rng = Random(number)
        played = match.play(rules.GAME, seats, Random(number).randbytes(32), options={"characters": "dealt"})
        assert played.faults == ()
        requested = requested.union(*(seat.kinds for seat in seats))
    assert requested == set(gangster_dice.Bot.kinds)


def test_the_bot_for_every_character_places_two_dice_as_liza(root: Path) -> None:
    stashes = [(1, 1, 1), (2, 2, 2), (2, 2, 2)]
    table = Table(3, cast=["liza", "don", "eddie"], stashes=stashes, rolls=[None, *ROLLS], control={INVESTIGATOR: 1})
    table.bid("F2", "G0", "C0")
    answer = gangster_dice.Bot.encode("dump", ensemble(root).act(DecisionRequest("dump", table.view(0))))
    assert table.answer({0: answer}).of("placed") == [(0, (1, 1, 0))]


def test_g34_the_rules_page_lists_every_character_with_its_hand(root: Path) -> None:
    page = (root / "docs" / "rules-gangster-dice.md").read_text(encoding="utf-8")
    rows = [f"| {character.name} | {character.hand_limit} | " for character in characters.HOUSE_SET]
    assert [row for row in rows if row not in page] == []
