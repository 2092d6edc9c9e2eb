"""Run each bot in a jail, ask it over two pipes, and measure and judge it from outside."""
