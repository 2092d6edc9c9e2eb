"""Tokens: what lets a program act for a person, within scopes and for a time."""
