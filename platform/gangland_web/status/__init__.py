"""Whether the house is open: health for machines, a status page for people."""
