"""Matches from schedule to record: dispatch, play, record, sweep."""
