"""The match worker: plays jailed matches, knows the broker alone."""
