"""Standings of a finished tournament, computed from all its blocks at once (docs/standings.md)."""

from gangland_ladder.rating.final_standings.counts import BlockResult, GamePlaces, blocks_of
from gangland_ladder.rating.final_standings.settling import TopK
from gangland_ladder.rating.final_standings.table import LEVEL, FinalStandings, Row, Share, standings

__all__ = ["LEVEL", "BlockResult", "FinalStandings", "GamePlaces", "Row", "Share", "TopK", "blocks_of", "standings"]
