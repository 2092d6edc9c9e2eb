"""Tournaments and ladders as tables and archives."""
