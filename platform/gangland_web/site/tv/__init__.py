"""Screens for a wall: standings, and a game that plays by itself."""
