"""Ratings: the live fold and the rebuild."""
