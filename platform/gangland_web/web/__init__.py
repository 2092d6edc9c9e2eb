"""What every page shares: safe text, headers, sessions, limits and errors."""
