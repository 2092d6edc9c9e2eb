"""The sandbox: one bot in one jail, asked over two pipes, and timed and judged from outside."""
