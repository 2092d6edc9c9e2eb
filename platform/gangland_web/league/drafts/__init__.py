"""Runs of drafts: a check, a match or a duel that an author asks for in the editor, without a version."""
