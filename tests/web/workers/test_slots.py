"""Who takes what: the share of tables in the slots, and what one worker does first."""

import sys
from pathlib import Path

import msgspec
from tests.kits.broker_kit import LOCAL_RECORDS
from tests.kits.playing_kit import setup_of
from tests.kits.worker_kit import a_worker, match_job_of, message_of, messages_in, send_run

from gangland_ladder.playing.table_jobs import TableJob
from gangland_sandbox.limits import Limits
from gangland_web.broker.gate import encode_message
from gangland_web.broker.names import QUEUE_TABLES, TASK_RUN, queue_of, slots_key, table_workers_key
from gangland_web.broker.server import BrokerPlan
from gangland_web.ops.children import NICE, Addresses, ChildPlan, plan_children
from gangland_web.workers.celery_app import make_celery, send
from gangland_web.workers.match import queues_and_keys


def planned(workers: int) -> dict[str, ChildPlan]:
    where = Addresses(Path("data"), "sqlite://", "redis://a", "redis://b", "redis://c", Path("key"))
    return {plan.name: plan for plan in plan_children(where, 8000, workers)}


def test_beside_two_slots_and_more_one_process_asks_the_bots_of_tables_and_one_slot_takes_both_in_turn() -> None:
    for workers in (2, 4, 8):
        plans = planned(workers)
        slots = [plan for plan in plans.values() if plan.environment.get("GANGLAND_SLOT", "").isdigit()]
        assert len(slots) == workers
        assert {plan.nice for plan in slots} == {NICE}
        assert plans["play-tables"].environment["GANGLAND_SLOT"] == "tables"
        assert plans["play-tables"].nice > NICE  # it stands back for matches
    plans = planned(1)
    assert "play-tables" not in plans
    queues, keys = queues_and_keys(plans["play-1"].environment["GANGLAND_SLOT"], "oak")
    assert queues == ["tables:oak", "checks:oak", "draft-checks:oak", "trials:oak", "matches:oak"]
    assert keys == [slots_key, table_workers_key]
    assert queues_and_keys("0", "oak") == (queues[1:], keys[:1])
    assert queues_and_keys("tables", "oak") == (queues[:1], keys[1:])


def test_a_worker_for_both_asks_the_bots_of_a_table_before_its_next_match(broker: BrokerPlan, tmp_path: Path) -> None:
    """Neither has its code, so both fail; the match ends the worker, and the table does not."""
    job = match_job_of(b"nowhere to be had")
    table = TableJob(1, setup_of("gang-of-dice", 2), Limits.plain(1).to_dict(), [], [1])
    body = msgspec.Raw(msgspec.json.encode(table))
    message = msgspec.structs.replace(message_of(job), kind="table", job=1, body=body)
    send_run(broker, job)
    send(make_celery(broker.redis_url), TASK_RUN, [encode_message(message)], queue_of(QUEUE_TABLES, "local"))
    command = [sys.executable, "-m", "gangland_web.workers.match"]
    with a_worker(broker, command, tmp_path / "log", GANGLAND_SLOT="0+tables") as process:
        process.wait()
    said = [(message.kind, task.removeprefix("gangland.")) for task, message in messages_in(broker, LOCAL_RECORDS)]
    assert said[:3] == [("table", "alive"), ("table", "result"), ("ladder", "alive")]
