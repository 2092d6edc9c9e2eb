"""Measurements of the analysis of games: its values, its costs, its account, and its time."""
