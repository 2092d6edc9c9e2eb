"""Accounts, teams, tokens, sign-in by OpenID Connect, and mail: what happens, without HTML."""
