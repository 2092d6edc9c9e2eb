"""Whether the analysis of games says what is so: its values, its costs, its account, and what it takes."""
