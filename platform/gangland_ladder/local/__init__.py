"""Bots and matches on an author's own machine."""
