"""Helpers for all packages: texts for numbers and places, documents, exit codes, extras."""
