"""Uploaded and house bots, their versions and what each version went through."""
