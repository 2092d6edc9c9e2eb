"""The sandbox: one bot in one jail, asked over two pipes, timed and judged from outside."""
