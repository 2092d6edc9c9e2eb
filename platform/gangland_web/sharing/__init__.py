"""What the site hands to those who show links to it: preview pictures and feeds."""
