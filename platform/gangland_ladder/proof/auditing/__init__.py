"""Audits: recorded matches that are played again, what the comparison shows, and when a host is to be stopped."""
