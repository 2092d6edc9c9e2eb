"""Audits: a share of the rated matches is played again."""
