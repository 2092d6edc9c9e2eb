"""Skill ratings folded over matches in their canonical order."""
