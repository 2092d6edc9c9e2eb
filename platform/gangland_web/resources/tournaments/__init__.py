"""Tournaments as they are read."""
