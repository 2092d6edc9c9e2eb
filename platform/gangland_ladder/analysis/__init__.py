"""What dice and decisions came to in recorded games, as figures and tables."""
