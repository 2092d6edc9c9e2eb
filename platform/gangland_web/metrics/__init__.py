"""Figures for Prometheus: what all processes count, kept on the broker, and what is asked when somebody looks."""
