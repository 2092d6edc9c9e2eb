"""Tournaments that were played on other installations, taken in with their proof."""
