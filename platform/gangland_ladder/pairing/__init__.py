"""Choosing the bots of each match: round robin, balanced samples, matchmaking."""
