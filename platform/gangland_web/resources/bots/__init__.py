"""Bots as they are read: pages, API and files."""
