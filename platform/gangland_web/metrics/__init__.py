"""Metrics: their catalogue, and how processes count."""
