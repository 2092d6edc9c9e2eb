"""Competitions, who is entered in them and which matches they want."""
