"""The terms of the site, as its glossary page explains them."""

from __future__ import annotations

from dataclasses import dataclass

from gangland.games import GAME_NAMES, game_named
from gangland_web.queries.ladders import PROVISIONAL_MATCHES


@dataclass(frozen=True, slots=True)
class Term:
    """One term: what it means in a sentence or two, and the page of the documentation that says more."""

    name: str
    meaning: str
    more: str = ""

    @property
    def anchor(self) -> str:
        """Its place on the page, for links to it."""
        return self.name.lower().replace(" ", "-")


_GAMES = [game_named(name) for name in GAME_NAMES]
_WHO_IS_ASKED = ", ".join(f"{game.title}{' asks' * (game is _GAMES[0])} {game.asks}" for game in _GAMES)
GLOSSARY = {
    "Play": (
        Term("Game", "One play from the first round to the end, with a place for each seat."),
        Term("Seat", "A place at the table. Seats are numbered from 1 on pages and from 0 in code and data."),
        Term("Round", f"One turn of the table. {_WHO_IS_ASKED}."),
        Term("Decision", "One answer of a bot. The address #r7.s2.d1 means round 7, seat 2, its first decision."),
        Term(
            "Rotation",
            "The same dice with every bot moved to another seat. A table has as many rotations as seats.",
            "fairness",
        ),
        Term(
            "Block",
            "The same dice played in every rotation, so that over a block no bot has better dice than another.",
            "fairness",
        ),
        Term(
            "Match", "Some blocks between the same bots, usually 12. A match is scheduled, played and rated as a whole."
        ),
        Term(
            "Mean place",
            "A bot's average place over the games of a block or match; 1 is best, ties share their places.",
        ),
        Term(
            "Channel",
            "Recorded games in an order of their own, each played back at its time as if live, for all screens alike.",
            "sharing",
        ),
        Term("Luck", "How much better a bot's dice were than it could expect when it rolled them.", "luck"),
    ),
    "Bots": (
        Term("Version", "One uploaded file of a bot. Each version starts with a new rating.", "write-a-bot"),
        Term("Trial", "An unrated match against house bots that a new version must finish without a fault."),
        Term(
            "Sandbox",
            "Where a bot runs: without network and files, with limited time and memory. The command line says jail.",
            "security",
        ),
        Term(
            "House bot",
            "A bot that belongs to the site: an opponent for trials, and a measure of strength.",
            "house-bots",
        ),
        Term(
            "Fault",
            "A bot's own failure: a bot error, an illegal decision, or running out of time. The bot comes last in that "
            "game, and defaults are played for its seat.",
            "errors",
        ),
        Term(
            "Platform fault", "A failure that no bot caused. It never costs a bot anything: the match is played again."
        ),
        Term(
            "Probation",
            "After repeated faults a bot plays only one ladder match in four rounds until it plays cleanly.",
        ),
        Term("Quarantine", "A bot whose match could not be played waits for a new trial before it plays again."),
        Term("Challenge", "An unrated match that you start between your bot and any others.", "challenges"),
    ),
    "Competitions": (
        Term("Ladder", "A competition without end: active bots play rated matches around the clock.", "ladder"),
        Term(
            "Season",
            "Announced days of a ladder: every rating begins anew with it, and its standings are fixed at its end.",
            "ratings",
        ),
        Term("Tournament", "A competition with entries, a fixed schedule and final standings.", "tournaments"),
        Term(
            "Final table",
            "A last match of a tournament's first two to four bots, which decides their places.",
            "standings",
        ),
        Term("Event", "Tournaments of both games that people enter together."),
        Term("Freeze", "The moment when entries close: who plays, with which version, and the schedule are fixed."),
        Term("Embargo", "A time until which the results of a tournament are not shown."),
        Term("Void", "A void match does not count. Its dice and replays stay, and no bot gains or loses by it."),
        Term(
            "Owner",
            "A person, or a team with all its members. Two bots of one owner never meet in a rated match. "
            "Each house bot counts as an owner of its own.",
            "teams",
        ),
    ),
    "Figures": (
        Term("Mu and sigma", "The estimated strength of a bot, and how uncertain the estimate is.", "ratings"),
        Term("Rating", "Mu − 3 sigma: a strength that the bot almost surely has. Ladders rank by it.", "ratings"),
        Term(
            "Range",
            "On a ladder mu ± 2 sigma. In final standings the ranks that a bot may really deserve.",
            "standings",
        ),
        Term("Provisional", f"A rating from fewer than {PROVISIONAL_MATCHES} matches; its rank is still too low."),
        Term("Block score", "The share of the other bots at its tables that a bot finished ahead of, a tie as half."),
    ),
    "Proof": (
        Term("Seed", "The number from which all dice and cards of a game follow.", "proof"),
        Term("Secret", "The random number from which all seeds of a tournament or ladder day follow.", "proof"),
        Term(
            "Commitment",
            "The SHA-256 of a secret, published before play, so that the secret cannot be changed afterwards.",
            "proof",
        ),
        Term("Replay", "A game as a file: its seed and all decisions. The engine plays it again exactly.", "replays"),
        Term("Digest", "A SHA-256 over a game or match. Equal digests mean equal games."),
        Term("Audit", "A rated match that is played a second time and compared decision by decision.", "audits"),
    ),
}
"""By heading, the terms in the order in which a reader meets them."""
