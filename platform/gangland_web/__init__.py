"""The web platform: accounts, bots, matches, ratings and pages, a folder a domain."""
