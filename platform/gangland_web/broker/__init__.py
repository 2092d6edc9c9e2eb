"""The broker: the private server, its access list, and the queues and keys on it."""
