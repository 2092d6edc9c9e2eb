"""Ratings and standings: TrueSkill, updates in match order, final standings, duels."""
