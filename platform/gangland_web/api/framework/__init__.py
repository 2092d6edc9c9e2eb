"""What every call of the API shares: it is declared once, and all else follows from that."""
