"""Matches and games as they are read."""
