"""Ladders as the pages show them."""
