"""The files that pages offer: every list and JSON document, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gangland_web.queries.authors import SIGN_INS, TOKENS, AuthorDetail, SearchResults
from gangland_web.queries.bot_analysis import BotAnalysis
from gangland_web.queries.bot_analysis_tables import ANALYSIS_ROWS
from gangland_web.queries.bot_figures import TABLES_AT_A_SIZE
from gangland_web.queries.bots import BOT_TABLES, OWN_BOTS, BotDetail
from gangland_web.queries.challenges import CHALLENGES
from gangland_web.queries.comparison import SCORES, Against
from gangland_web.queries.following import Following
from gangland_web.queries.hall_of_fame import RECORD_ROWS, Records
from gangland_web.queries.ladders import BOARD
from gangland_web.queries.match_analysis import SEAT_ROWS
from gangland_web.queries.match_lists import MATCHES
from gangland_web.queries.match_rows import MATCH_BOTS, MATCH_GAMES, MatchDetail
from gangland_web.queries.organising import LOG, ORDERED, ORGANISED, ROLES, STUCK, WATCHED
from gangland_web.queries.seasons import SEASON_STANDINGS, SeasonDetail
from gangland_web.queries.standings import Standings
from gangland_web.queries.status import QUEUES
from gangland_web.queries.tables import Table
from gangland_web.queries.teams import INVITATIONS, MEMBERS, TEAM_BOTS, TEAM_UPLOADS
from gangland_web.queries.tournament_tables import RANKING, TOURNAMENT_LIST, TOURNAMENT_TABLES
from gangland_web.queries.tournaments import TournamentDetail, Tournaments
from gangland_web.queries.versions import VersionDetail

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
DOCUMENTED: Final[Mapping[str, Table]] = {
    table.name: table
    for table in (
        *(BOARD, SEASON_STANDINGS, *BOT_TABLES.values(), *TABLES_AT_A_SIZE.values(), SCORES, ANALYSIS_ROWS),
        *(MATCHES, MATCH_BOTS, MATCH_GAMES, SEAT_ROWS, TOURNAMENT_LIST, *TOURNAMENT_TABLES.values(), RECORD_ROWS),
        *(ORGANISED, ORDERED, STUCK, LOG, ROLES, WATCHED, RANKING, QUEUES, OWN_BOTS, CHALLENGES, TOKENS),
        *(TEAM_BOTS, MEMBERS, TEAM_UPLOADS, INVITATIONS, SIGN_INS),
    )
}
"""The lists with files of their own."""
