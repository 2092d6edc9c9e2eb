"""Rules for the course of a tournament: states, deadlines, settling rounds and the final table."""
