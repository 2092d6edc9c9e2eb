"""Queries: one query and one typed model for each subject, which pages, JSON, CSV and the API render."""
