"""Analyses of played games: asked for, planned, sent, and taken in."""
