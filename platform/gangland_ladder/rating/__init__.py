"""Ratings and standings: TrueSkill, folding, final standings, duels."""
