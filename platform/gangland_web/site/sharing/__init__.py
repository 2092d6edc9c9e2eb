"""Preview pictures and feeds."""
