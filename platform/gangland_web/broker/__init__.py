"""The broker: the private server, its access list, and the keys that we keep there."""
