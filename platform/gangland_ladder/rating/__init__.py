"""Ratings and standings: TrueSkill, rating updates in match order, final standings, and duels."""
