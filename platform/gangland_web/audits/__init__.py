"""Audits: a share of the rated matches is played again, and hosts whose results do not hold are stopped."""
