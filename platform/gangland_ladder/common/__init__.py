"""What every part may use: words for numbers and places, exit codes, extras."""
