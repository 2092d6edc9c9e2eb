"""Analyze recorded games: figures and tables that show the effects of dice and of decisions."""
