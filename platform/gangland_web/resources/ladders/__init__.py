"""Ladders as they are read."""
