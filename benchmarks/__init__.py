"""Speed, measured as ratios side by side in one run: `make bench`."""
