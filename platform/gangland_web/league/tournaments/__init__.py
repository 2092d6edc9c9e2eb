"""Tournaments and ladders: epochs, schedule, standings, archives."""
