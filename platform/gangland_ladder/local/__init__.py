"""Bots and matches on an author's own machine: found, ordered, played and kept."""
