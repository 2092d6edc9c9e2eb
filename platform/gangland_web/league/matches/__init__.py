"""Match rows: planned, ended, kept; and the ladders' queue."""
