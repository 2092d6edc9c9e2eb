"""Queries: one query and one typed model per subject, shared by pages, JSON, CSV and the API."""
