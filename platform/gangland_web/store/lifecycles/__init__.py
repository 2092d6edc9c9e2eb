"""States of versions, matches and audits, and which moves are allowed."""
