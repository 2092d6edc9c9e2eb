"""Check one hostile bot against the expectations in its folder."""

from tests.sandbox.hostile_run import SEATS, Attacks, Expected, Run, seats_in, stage_of

from gangland.replay import load

SPREAD = 2.0
SLACK_CPU_S = 0.1
SLACK_WALL_S = 2.0  # the time that a busy machine may add to an honest bot's clocks; attackers use far more


def check(expected: Expected, attacks: Attacks) -> None:
    """Check a hostile bot against its folder's expectations, and its match against the control match."""
    attacked = attacks.attacked[expected.name]
    assert attacked.result.void is None
    assert_contained(attacked)
    assert_blamed(attacked, expected)
    assert_unharmed(attacked, attacks.controls[expected.name])


def assert_contained(attacked: Run) -> None:
    for record, seat in seats_in(attacked):
        assert "ESCAPED" not in record.logs[seat], record.logs[seat]
        for text in (*record.logs, *(fault.message for fault in record.faults)):
            assert all(char.isprintable() or char == "\n" for char in text)


def assert_blamed(attacked: Run, expected: Expected) -> None:
    """Check that only the attacker is at fault, with an expected kind, and first at the expected stage."""
    faults = [(fault, record, seat) for record, seat in seats_in(attacked) for fault in record.faults]
    for fault, _, seat in faults:
        assert fault.seat == seat, fault
    kinds = [fault.kind for fault, _, _ in faults]
    if not kinds:
        assert "none" in expected.kinds, "played on without a fault"
        return
    assert kinds[0] in expected.kinds, faults[0][0]
    assert set(kinds) <= {*expected.kinds, *expected.later}, kinds
    stage = "start" if expected.stage == "import" else expected.stage
    assert stage_of(faults[0][1], faults[0][2]) == stage, faults[0][0]
    assert expected.says in faults[0][0].message, faults[0][0]
    for _, record, seat in faults:
        if stage_of(record, seat) != "end":
            assert load(record.replay).places[seat] == SEATS, record.replay


def assert_unharmed(attacked: Run, quiet: Run) -> None:
    """Check that the honest bots saw, drew, decided and logged the same, and paid for no attacker's time."""
    assert quiet.result.void is None
    for record, same in zip(attacked.result.games, quiet.result.games, strict=True):
        attacker = record.seating.index(attacked.match.place)
        assert record.replay == same.replay
        assert [log for seat, log in enumerate(record.logs) if seat != attacker] == [
            log for seat, log in enumerate(same.logs) if seat != attacker
        ]
    for index, (cpu_s, wall_s) in enumerate(zip(attacked.result.cpu_s, attacked.result.wall_s, strict=True)):
        if index != attacked.match.place:
            assert cpu_s <= SPREAD * quiet.result.cpu_s[index] + SLACK_CPU_S
            assert wall_s <= SPREAD * quiet.result.wall_s[index] + SLACK_WALL_S
