"""Ten mistakes of newcomers, inserted into a correct bot of each game."""

from typing import NamedTuple

DICE = """from gangland import gang_of_dice


class Mine(gang_of_dice.Bot):
    def choose_dice(self, view):
        stake = min(3, view.pool)
        return stake
"""

TWO_MISTAKES = (
    DICE.replace("return stake", "return 99 if view.round > 3 else stake")
    + """
    def choose_reroll(self, view):
        return [9]
"""
)

BIDS = """from gangland import gangster_dice


class Mine(gangster_dice.Bot):
    def choose_bids(self, view):
        favors = sorted(view.hand, reverse=True)
        return list(zip(view.legal_tokens[:view.bids_required], favors))
"""
SOUND = {"gang-of-dice": DICE, "gangster-dice": BIDS}


class Mistake(NamedTuple):
    """A change to a correct bot, and the message to the author; `line` is None if it cannot be known."""

    game: str
    what: str
    old: str
    new: str
    code: str
    line: int | None
    words: tuple[str, ...]

    @property
    def source(self) -> bytes:
        sound = SOUND[self.game]
        assert sound.count(self.old) >= 1
        return sound.replace(self.old, self.new, 1).encode()


RETURN_STAKE = "        return stake"
CLASS, ASSIGNED = "\n\nclass", "        favors = sorted(view.hand, reverse=True)"
SECOND = "\n\nclass Other(Mine):\n    pass\n"
LOOP = "        while True:\n            pass\n"
FLOOD = "        for number in range(2000):\n            print('trying', number, 'of all that there is')\n"
SLOW = "\nTABLE = [number % 7 for _ in range(50) for number in range(400_000)].count(1)\n\n\nclass"


def in_both(method: str, line: str, last: str) -> tuple[tuple[str, str, str, str, int | None, tuple[str, ...]], ...]:
    """Return the same mistake for both games: in a method at a line, or after the method's last words."""
    return (
        ("infinite loop", line, LOOP + line, "E205", 5, (
            f"{method}() used more than the", "s of CPU", "Look for an endless loop",
        )),
        ("two classes", last, last + SECOND, "E223", 10, (
            "2 bot classes: Mine (line 4), Other (line 10)", "BOT = Other", "Name the one that plays",
        )),
        ("missing module", CLASS, "\nimport torch\n\n\nclass", "E221", 3, (
            "No module named 'torch'", "standard library and gangland, and nothing else", "Use the standard",
            "Put your own modules in a zip",
        )),
        ("print flood", line, FLOOD + line, "E226", 5, (
            f"{method}() printed more than 64 KiB", "Move the `print` out of the loop",
        )),
        ("slow import", CLASS, SLOW, "E202", None, (
            "was not loaded within", "Do less at the top of the file and in `__init__`",
        )),
    )  # fmt: skip


MISTAKES = (
    *(
        Mistake("gang-of-dice", *rest)
        for rest in (
            ("wrong type", "return stake", "return str(stake)", "E224", 5, (
                "choose_dice() returned '3'", "Expected a whole number of dice", "You hold 48 dice", "Return the",
            )),
            ("illegal choice", "return stake", "return view.pool + 1", "E203", 5, (
                "choose_dice() returned 49", "You hold 48 dice. Allowed: a number of dice from 1 to 48", "Choose among",
            )),
            *in_both("choose_dice", RETURN_STAKE, "return stake\n"),
            ("global state", "stake = min(3, view.pool)", "SEEN.append(view.round)\n        stake = len(SEEN)", "W302",
             8, ("choose_dice() depends on earlier games", "mine.py:8 changes the global 'SEEN'",
                 "fresh process", "Store it on `self`, and reset it in `on_game_start`")),
            ("mutated view", "stake = min(3, view.pool)", "view.pool = stake = 3", "E225", 6, (
                "choose_dice() raised AttributeError: a view cannot be changed: 'pool'", "view.pool = stake = 3",
                "Change a copy",
            )),
            ("history", RETURN_STAKE, "        self.history = []\n" + RETURN_STAKE, "E232", 7, (
                "choose_dice() raised AttributeError: `history` is a name that every bot has", "Rename yours",
            )),
            ("log", RETURN_STAKE, "        self.log = []\n        self.log('x')\n" + RETURN_STAKE, "E232", 8, (
                "'list' object is not callable", "`log` is a name that every bot has", "Rename yours",
            )),
            ("encode", RETURN_STAKE, RETURN_STAKE + "\n\n    def encode(self, view):\n        return 1", "E232", 5, (
                "choose_dice() returned 3: Mine.encode() takes 2", "`encode` is a name that every bot has",
            )),
            ("unseeded randomness", "min(3, view.pool)", "random.Random().randint(1, view.pool)", "W301", 7, (
                "choose_dice() gave different answers to the same view of the same game", "Use `self.rng`",
            )),
        )
    ),
    *(
        Mistake("gangster-dice", *rest)
        for rest in (
            ("wrong type", "list(zip(view.legal_tokens[:view.bids_required], favors))", "'Lawyer 4'", "E224", 5, (
                "choose_bids() returned 'Lawyer 4'", "Expected a list of pairs (token, favor)", "Your dice show",
            )),
            ("illegal choice", "zip(view.legal_tokens", "zip([0, 0]", "E203", 5, (
                "choose_bids() returned [[0, ", "oken 0 is bid on twice", "Your dice show",
                "Allowed: a list of 2 bids on different tokens",
            )),
            *in_both("choose_bids", ASSIGNED, "favors))\n"),
            ("class state", ASSIGNED, "        Mine.asked += 1\n        favors = view.hand[:: (-1) ** Mine.asked]",
             "W302", 8, ("choose_bids() depends on earlier games", "the class attribute 'asked'",
                         "fresh process", "Store it on `self`, and reset it in `on_game_start`")),
            ("mutated view", "sorted(view.hand, reverse=True)", "view.hand\n        favors.sort()", "E225", 7, (
                "choose_bids() raised AttributeError: 'tuple' object has no attribute 'sort'", "Change a copy",
            )),
            ("unseeded randomness", "sorted(view.hand, reverse=True)",
             "random.SystemRandom().sample(view.hand, len(view.hand))", "W301", 7,
             ("choose_bids() gave different answers to the same view of the same game", "Use `self.rng`")),
        )
    ),
)  # fmt: skip


def planted(mistake: Mistake) -> bytes:
    source = mistake.source
    if mistake.what == "unseeded randomness":
        return source.replace(b"\n\nclass", b"\nimport random\n\n\nclass", 1)
    if mistake.what == "global state":
        return source.replace(b"\n\nclass", b"\nSEEN = []\n\n\nclass", 1).replace(
            b"len(SEEN)", b"min(len(SEEN), view.pool)"
        )
    if mistake.what == "class state":
        return source.replace(b"    def choose_bids", b"    asked = 0\n\n    def choose_bids", 1)
    return source
