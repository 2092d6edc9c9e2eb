"""Sending matches: orders, leases, and which host may answer."""
