"""Helpers that need neither the database nor HTTP: text, formats, times, charts and secrets."""
