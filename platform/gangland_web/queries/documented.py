"""The files that pages offer: every table and JSON document, with a sentence on it and its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from gangland_web.queries.authors import SIGN_INS, TOKENS, AuthorDetail, SearchResults
from gangland_web.queries.bot_analysis import ANALYSIS_ROWS, BotAnalysis
from gangland_web.queries.bot_figures import TABLES_AT_A_SIZE
from gangland_web.queries.bots import BOT_TABLES, OWN_BOTS, BotDetail, VersionDetail
from gangland_web.queries.challenges import CHALLENGES
from gangland_web.queries.comparison import SCORES, Against
from gangland_web.queries.following import Following
from gangland_web.queries.hall_of_fame import RECORD_ROWS, Records
from gangland_web.queries.ladders import BOARD
from gangland_web.queries.match_analysis import SEAT_ROWS
from gangland_web.queries.match_lists import MATCH_TABLES, MATCHES, MatchDetail
from gangland_web.queries.organising import LOG, ORDERED, ORGANISED, ROLES, STUCK, WATCHED
from gangland_web.queries.seasons import SEASON_STANDINGS, SeasonDetail
from gangland_web.queries.standings import Standings
from gangland_web.queries.status import QUEUES
from gangland_web.queries.tables import Column, table_model
from gangland_web.queries.teams import INVITATIONS, MEMBERS, TEAM_BOTS, TEAM_UPLOADS
from gangland_web.queries.tournament_tables import RANKING, TOURNAMENT_LIST, TOURNAMENT_TABLES
from gangland_web.queries.tournaments import TournamentDetail, Tournaments


class Documented(NamedTuple):
    """A table of a page: where its files are (without the ending), a sentence on its rows, and its columns.

    `paged`: it is a list by the page, and JSON has the address of the next one as `next`.
    """

    address: str
    about: str
    columns: tuple[Column, ...]
    paged: bool = False

    def model(self, name: str) -> Any:
        """Return the model of the table as its JSON and the API have it."""
        about = self.about.partition(" (`?")[0]
        return table_model(name.title().replace("-", ""), about, self.columns, paged=self.paged)


_BOT: Final = {
    "history": "Ratings after matches spread over the life of each of its latest eight versions.",
    "rivals": "The results of its version on the ladder against each opponent of its latest 1,000 matches.",
    "places": "How often it came in each place in its latest games (about 1,200), by seat.",
    "luck": "Its latest 200 matches, one a row.",
    "thinking": "Its decisions in its latest 200 matches by CPU time; each class is twice the one before.",
    "faults": "In how many of its games each version failed.",
    "ratings": "The ratings of all its versions at all table sizes.",
    "versions": "Its versions, newest first.",
    "errors": "The first fault in each of the latest twelve matches with one, of the version on the ladder.",
}
_TOURNAMENT: Final = {
    "entries": "Who takes part; results only where they are shown.",
    "amendments": "The organiser's corrections of results: played again, taken out (void), disqualified, and why.",
    "freeze": "Bots that the freeze left out or took in an older version than their newest, and why.",
    "cross": "The results of each bot against each other bot: a row for each pair in each direction.",
    "progress": "How many matches were over at each time.",
    "interim": "The standings from the matches that are over, until the final standings are there.",
    "schedule": "Matches in order of their numbers (`?after=`, `?entry=`), a row for each bot in each.",
}
_MATCH: Final = {
    "bots": "The bots of a match, and how it changed their ratings.",
    "games": "Every game of a match, a row for each seat.",
}
PAGES: Final[Mapping[str, Any]] = {
    "bot-page": BotDetail,
    "bot-analysis": BotAnalysis,
    "bot-against": Against,
    "version-page": VersionDetail,
    "match-page": MatchDetail,
    "tournament-page": TournamentDetail,
    "tournament-list": Tournaments,
    "tournament-standings": Standings,
    "author-page": AuthorDetail,
    "following": Following,
    "records": Records,
    "search-results": SearchResults,
    "ladder-season": SeasonDetail,
}
"""The models of pages' JSON documents that are no tables."""
DOCUMENTED: Final[Mapping[str, Documented]] = {
    "leaderboard": Documented(
        "/ladders/GAME", "The bots of a ladder, the best first (`?seats=`, `?after=`, `?before=`).", BOARD, paged=True
    ),
    "season-standings": Documented(
        "/ladders/GAME/SEATS/seasons/N", "A season's fixed standings; only the CSV has these rows.", SEASON_STANDINGS
    ),
    **{f"bot-{what}": Documented(f"/bots/N/{what}", _BOT[what], columns) for what, columns in BOT_TABLES.items()},
    **{
        f"bot-{what}": Documented(f"/bots/N/{what}", f"{_BOT[what]} (`?seats=`)", columns)
        for what, columns in TABLES_AT_A_SIZE.items()
    },
    "bot-against-scores": Documented(
        "/bots/N/against/M",
        "What came of two bots' games with each other, by seat of the first; only the CSV has these rows (`?seats=`).",
        SCORES,
    ),
    "bot-analysis-rows": Documented(
        "/bots/N/analysis",
        "What a version's decisions of each sort cost; only the CSV has these rows "
        "(`?seats=`, `?version=`, `?opponent=`).",
        ANALYSIS_ROWS,
    ),
    "match-list": Documented(
        "/matches", "The latest finished matches, a row for each bot; also of a ladder or a bot.", MATCHES, paged=True
    ),
    **{
        f"match-{what}": Documented(f"/matches/N/{what}", _MATCH[what], columns)
        for what, columns in MATCH_TABLES.items()
    },
    "match-analysis": Documented(
        "/matches/N/analysis", "Where the result of each seat came from, game by game, where it is analysed.", SEAT_ROWS
    ),
    "tournament-list-rows": Documented(
        "/tournaments", "Tournaments, newest first; only the CSV has these rows.", TOURNAMENT_LIST
    ),
    **{
        f"tournament-{what}": Documented(f"/tournaments/N/{what}", _TOURNAMENT[what], columns, what == "schedule")
        for what, columns in TOURNAMENT_TABLES.items()
    },
    "record-rows": Documented("/records", "The records of the ladders; only the CSV has these rows.", RECORD_ROWS),
    "organised-list": Documented(
        "/organise/tournaments", "Your own tournaments; for an administrator, all.", ORGANISED
    ),
    "orders": Documented("/organise/N/orders", "The actions in a tournament, for its organiser.", ORDERED),
    "stuck-matches": Documented("/organise/N/stuck", "Its delayed matches, for its organiser.", STUCK),
    "audit-log": Documented(
        "/organise/log", "The log, for administrators; `/organise/N/log` is one tournament's (`?before=`).", LOG
    ),
    "roles": Documented("/organise/people/roles", "Who has a role, for administrators.", ROLES),
    "event-people": Documented(
        "/organise/events/N/people", "Who has entered a bot, for its organiser; also `/organise/N/people`.", WATCHED
    ),
    "class-ranking": Documented(
        "/events/N/ranking",
        "The class ranking of an event, without house bots: a row for each bot in each game.",
        RANKING,
    ),
    "queues": Documented("/status", "The queues of matches; only the CSV has these rows.", QUEUES),
    "own-bots": Documented("/my-bots", "Your bots, when you are signed in.", OWN_BOTS),
    "challenge-list": Documented("/challenges", "Challenges with your bots, a row for each bot in each.", CHALLENGES),
    "token-list": Documented("/account/tokens", "Your tokens, without their secret part.", TOKENS),
    "team-bots": Documented("/teams/N/bots", "A team's bots.", TEAM_BOTS),
    "team-members": Documented("/team/members", "The members of your team.", MEMBERS),
    "team-uploads": Documented(
        "/team/uploads", "The latest versions of its bots, and who uploaded them.", TEAM_UPLOADS
    ),
    "team-invitations": Documented("/team/invitations", "Valid invitations; for the captain.", INVITATIONS),
    "sign-in-list": Documented("/account/sign-ins", "The browsers in which you are signed in.", SIGN_INS),
}
