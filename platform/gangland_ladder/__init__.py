"""Tournaments without a site: pairing, referee, ratings, standings and the command line."""
