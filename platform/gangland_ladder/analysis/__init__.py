"""Analyzing the effects of dice and decisions in recorded games, as figures and tables."""
