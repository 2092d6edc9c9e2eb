"""The web platform: accounts, bots, matches, ratings and pages, with one folder per layer."""
