"""Unrated matches that authors ask for."""
