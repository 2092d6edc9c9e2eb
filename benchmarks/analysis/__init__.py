"""Measurements of the analysis of games: its values, costs, accounts and time."""
