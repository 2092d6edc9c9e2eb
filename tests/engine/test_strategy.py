"""What docs/strategy.md says of places is what the games do."""

from fractions import Fraction

from tests.engine.gang_of_dice.table import random_states
from tests.engine.gangster_dice.table import random_game

from gangland.gang_of_dice.rules import GAME as GANG_OF_DICE
from gangland.gangster_dice.rules import GAME as GANGSTER_DICE


def test_g37_in_gangster_dice_there_is_no_second_place_to_play_for() -> None:
    for seed in range(40):
        *_, (end, _) = random_game(4, seed)
        outcome = GANGSTER_DICE.outcome(end)
        assert outcome is not None
        losers = {place for seat, place in enumerate(outcome.places) if seat not in outcome.winners}
        assert losers == {len(outcome.winners) + 1}
        if len(outcome.winners) == 1:
            covered = range(2, 5)
            assert Fraction(sum(covered), len(covered)) == 3, "third on average, as the page says"


def test_d23_in_gang_of_dice_second_is_better_than_third() -> None:
    ends = [random_states(4, seed)[-1] for seed in range(40)]
    outcomes = [GANG_OF_DICE.outcome(end) for end in ends]
    assert sum(outcome is not None and len(set(outcome.places)) > 2 for outcome in outcomes) > 20
