"""Uploaded and house bots: versions, checks, trials, quarantine."""
