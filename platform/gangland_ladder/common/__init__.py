"""Helpers that all packages use: text for numbers and places, documents, exit codes, and optional extras."""
