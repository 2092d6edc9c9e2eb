"""Which moves of a tournament an organiser may order."""

from sqlmodel import Session

from gangland_ladder.tournaments.lifecycle import MOVES, State
from gangland_web.league.tournaments.premiere import is_over
from gangland_web.league.tournaments.public_values import awaits_value
from gangland_web.league.tournaments.running import may_cancel
from gangland_web.models.tournaments import Tournament


def moves_from(session: Session, tournament: Tournament) -> list[State]:
    """Return the moves that an organiser may order; it is finished by itself when all is played.

    Play does not begin before the public value for the dice is there, if one was announced.  What has begun to end, by
    settling or its final table, is not cancelled, and the secret is not published before the premiere is over.
    """
    never = {State.FINISHED, *((State.PLAYING,) if awaits_value(tournament) else ())}
    never |= set() if may_cancel(session, tournament) else {State.CANCELLED}
    if tournament.has_premiere and not is_over(tournament):
        never.add(State.REVEALED)
    return [state for state in MOVES[State(tournament.state)] if state not in never]
