"""What a process is told by its environment, and how it logs."""
