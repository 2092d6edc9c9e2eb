"""Tournaments and ladders as tables and archives, for people and for programs."""
