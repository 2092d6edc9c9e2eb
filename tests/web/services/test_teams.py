"""Teams: who is in one, whose its bots are, and that it and its members are one owner wherever owners count."""

import io
import json
import zipfile
from pathlib import Path

import pytest
import time_machine
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from tests.kits.core_kit import GAME, ON_POSTGRESQL, Platform, bot_named
from tests.kits.models import Actor, Bot, Match, Session, Team, Tournament, User, Version, col, party_of, row_id, select
from tests.kits.tournaments_kit import enter, entries_of, export, go, make, seen

from gangland_ladder.pairing.permitted_tables import Entrant
from gangland_ladder.proof import archive_files, proving
from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox.errors import UploadRejected
from gangland_web.models.tournaments import Entrant as Entered
from gangland_web.queries.ladders import get_ladder
from gangland_web.services import accounts, challenges, entries, leaving, recovery, schedules, teams, trials, uploads

MOST = 3


def people(platform: Platform, *names: str) -> list[int]:
    with platform.database.write() as db:
        users = [User(name=name, name_key=name.lower(), password_hash="-", created_at=0.0) for name in names]
        db.add_all(users)
        db.flush()
        return [row_id(user.id) for user in users]


def a_team(platform: Platform, captain: int, *members: int, name: str = "Aces") -> Team:
    team = teams.create_team(platform.database, captain, name)
    if members:
        code = teams.invite(platform.database, captain, len(members), 1, member_limit=8)
        for member in members:
            teams.join_team(platform.database, member, code, member_limit=8)
    return team


def send(platform: Platform, person: int, bot: str, *, team: str = "", playing: bool = True, game: str = GAME) -> int:
    with platform.database.write() as db:
        source = f"# {bot} of {person}\n".encode()
        version = uploads.submit_version(db, db.get_one(User, person), game, bot, "mine.py", source, team=team)
        if playing:
            trials.activate(db, version)
        return version.bot_id


def acts_for(platform: Platform, bot: int) -> list[str]:
    """Return who may act for a bot, by the rule for a row and by that for queries, which must agree."""
    with platform.database.read() as db:
        names = []
        for user in db.exec(select(User).order_by(col(User.id))).all():
            party = party_of(db, row_id(user.id))
            by_query = db.exec(select(Bot.id).where(party.own_bots(), col(Bot.id) == bot)).first() is not None
            assert by_query is party.acts_for(db.get_one(Bot, bot))
            names += [user.name] if by_query else []
        return names


def active(platform: Platform, bot: int) -> bool:
    return platform.get(Bot, bot).active_version_id is not None


def test_every_member_and_nobody_else_acts_for_a_teams_bot_which_tells_who_sent_in_what(platform: Platform) -> None:
    ann, bob, eve = people(platform, "Ann", "Bob", "Eve")
    a_team(platform, ann, bob)
    bot = send(platform, ann, "ace", team="aces")
    assert send(platform, bob, "ace", team="ACES") == bot
    own = send(platform, eve, "mine", game="gangster-dice", playing=False)
    assert acts_for(platform, bot) == ["Ann", "Bob"]
    assert acts_for(platform, own) == ["Eve"]
    versions = platform.rows(select(Version).where(Version.bot_id == bot).order_by(col(Version.number)))
    assert [(one.uploaded_by, one.state) for one in versions] == [(ann, "retired"), (bob, "active")]

    def ask(db: Session, person: int) -> int:
        return challenges.create_challenge(db, person, bot, ["house0"], challenges.Allowance())

    with platform.database.write() as db:
        assert db.get_one(Match, ask(db, bob)).challenger_id == bob
    with platform.database.write() as db, pytest.raises(challenges.ChallengeRefused, match="one of your own"):
        ask(db, eve)
    with platform.database.write() as db:
        assert uploads.retire_bot(db, db.get_one(Bot, bot))
        assert not uploads.retire_bot(db, db.get_one(Bot, bot))
    assert not active(platform, bot)


@ON_POSTGRESQL
def test_who_leaves_or_is_removed_loses_sight_of_the_teams_bots_at_once(platform: Platform) -> None:
    ann, bob, cid = people(platform, "Ann", "Bob", "Cid")
    a_team(platform, ann, bob, cid)
    bot = send(platform, bob, "ace", team="Aces")
    teams.leave_team(platform.database, bob)
    teams.invite(platform.database, ann, 1, 1, member_limit=MOST)
    assert teams.remove_member(platform.database, ann, cid) == "Cid"
    assert acts_for(platform, bot) == ["Ann"]
    with platform.database.read() as db:
        assert teams.open_invitations(db, 1) == []  # nor do they come back by one
        with zipfile.ZipFile(io.BytesIO(leaving.export_account(db, bob))) as packed:
            result = json.loads(packed.read("account.json"))
            assert (result["bots"], packed.namelist()) == ([], ["account.json"])
            assert [(one["name"], one["left_at"] is None) for one in result["teams"]] == [("Aces", False)]
        with zipfile.ZipFile(io.BytesIO(leaving.export_account(db, ann))) as packed:
            assert packed.read(f"bots/{bot}/v1-mine.py") == b"# ace of %d\n" % bob


def test_nobody_is_in_two_teams_and_a_team_has_so_many_members(platform: Platform) -> None:
    ann, bob, cid, dan = people(platform, "Ann", "Bob", "Cid", "Dan")
    a_team(platform, ann, bob, cid)
    code = teams.invite(platform.database, ann, 1, 1, member_limit=MOST)
    with pytest.raises(teams.TeamRefused, match="Aces is full: it has 3 members"):
        teams.join_team(platform.database, dan, code, member_limit=MOST)
    with pytest.raises(teams.TeamRefused, match=r"You are in Aces\. Leave that team first"):
        teams.create_team(platform.database, bob, "Kings")
    teams.create_team(platform.database, dan, "Kings")
    with pytest.raises(teams.TeamRefused, match="You are in Kings"):
        teams.join_team(platform.database, dan, code, member_limit=MOST)
    with pytest.raises(IntegrityError), platform.database.write() as db:
        db.connection().execute(text(f"INSERT INTO memberships (team_id, user_id, joined_at) VALUES (1, {dan}, 0)"))


def test_an_invitation_is_good_for_so_many_and_so_long_and_until_it_is_revoked(platform: Platform) -> None:
    ann, bob, cid, dan = people(platform, "Ann", "Bob", "Cid", "Dan")
    database = platform.database
    team = a_team(platform, ann)
    used, late, gone = (teams.invite(database, ann, 1, 2, member_limit=MOST) for _ in range(3))
    teams.join_team(database, bob, f" {used.upper()} ", member_limit=MOST)
    with database.read() as db:
        assert used not in str([one.model_dump() for one in teams.open_invitations(db, row_id(team.id))])
        last = row_id(teams.open_invitations(db, row_id(team.id))[0].id)
    with pytest.raises(teams.TeamRefused, match="captain of Aces"):
        teams.revoke_invitation(database, bob, last)
    assert teams.revoke_invitation(database, ann, last)
    assert not teams.revoke_invitation(database, ann, last)
    for code in (used, gone, "abcd-efgh-jkmn", ""):
        with pytest.raises(teams.TeamRefused, match="This code is not valid"):
            teams.join_team(database, cid, code, member_limit=MOST)
    with time_machine.travel(0, tick=False) as clock:
        clock.shift(4e9)
        with pytest.raises(teams.TeamRefused, match="expired"):
            teams.join_team(database, dan, late, member_limit=MOST)
    for places, days in ((0, 1), (MOST + 1, 1), (1, 0), (1, 31)):
        with pytest.raises(teams.TeamRefused, match="An invitation must be"):
            teams.invite(database, ann, places, days, member_limit=MOST)


@ON_POSTGRESQL
def test_no_person_and_no_team_share_a_name(platform: Platform) -> None:
    ann, bob = people(platform, "Ann", "Bob")
    a_team(platform, ann)
    for name in ("bob", "ＢＯＢ", "aces", "x" * 65, "house", "a\u202eb"):
        with pytest.raises(teams.TeamRefused):
            teams.create_team(platform.database, bob, name)
    for name in ("Team Aces", "ｔｅａｍ Aces", "Ann (elsewhere)"):
        assert accounts.name_problem(name)
    assert accounts.name_problem("Team Aces", of_team=True) is None
    with pytest.raises(accounts.NameTaken):
        accounts.sign_up(platform.database, "ACES", "correct horse battery")
    for name in ("B\u043eb", "\u0410nn", "\u0430ces", "B0b"):
        with pytest.raises(accounts.NameTaken):
            accounts.sign_up(platform.database, name, "correct horse battery")
        with pytest.raises(teams.TeamRefused, match="looks the same"):
            teams.create_team(platform.database, bob, name)
    for name in ("g\u0430ngland", "GangIand", "h\u043euse", "te\u0430m Aces", "Ann (elsewh\u0435re)"):
        assert "eserved" in (accounts.name_problem(name) or "") or "team" in (accounts.name_problem(name) or "")
    ((_, why),) = recovery.create_aliases(platform.database, Actor(ann, "here"), ["Aces"]).problems
    assert "looks the same, is taken" in why
    teams.delete_team(platform.database, ann)
    with pytest.raises(teams.TeamRefused, match="is taken"):
        teams.create_team(platform.database, bob, "Aces")  # what was played stays with it


@ON_POSTGRESQL
def test_a_team_and_its_members_have_one_bot_in_a_game(platform: Platform) -> None:
    ann, bob = people(platform, "Ann", "Bob")
    a_team(platform, ann, bob)
    ace = send(platform, ann, "ace", team="Aces")
    for person, team in ((ann, ""), (bob, "")):
        with pytest.raises(
            UploadRejected, match=r"ace of team Aces is in play, and a team and its members can have only one bot"
        ):
            send(platform, person, "mine", team=team)
    platform.write_row(uploads.retire_bot, Bot, ace)
    mine = send(platform, bob, "mine", playing=False)
    with pytest.raises(UploadRejected, match="mine of Bob is in play"):  # on its trials
        send(platform, ann, "ace", team="Aces")
    with pytest.raises(UploadRejected, match="'ace' belongs to team Aces: upload it for the team"):
        send(platform, bob, "ace")
    with pytest.raises(UploadRejected, match="no team called 'Kings'; your team is called 'Aces'"):
        send(platform, bob, "king", team="Kings")
    with pytest.raises(IntegrityError), platform.database.write() as db:
        db.connection().execute(text(f"UPDATE bots SET active_version_id = 1 WHERE id IN ({ace}, {mine})"))


def test_who_joins_with_a_bot_where_the_team_has_one_is_told_which_and_may_retire_theirs(platform: Platform) -> None:
    ann, bob = people(platform, "Ann", "Bob")
    a_team(platform, ann)
    ace, mine = send(platform, ann, "ace", team="Aces"), send(platform, bob, "mine")
    other = send(platform, bob, "other", game="gangster-dice", playing=False)
    code = teams.invite(platform.database, ann, 1, 1, member_limit=MOST)
    with pytest.raises(teams.BotConflict, match="Both have one: mine and ace"):
        teams.join_team(platform.database, bob, code, member_limit=MOST)
    teams.join_team(platform.database, bob, code, member_limit=MOST, retire=True)
    assert (active(platform, ace), active(platform, mine)) == (True, False)
    assert {bot.owner_group for bot in platform.rows(select(Bot).where(col(Bot.id).in_([ace, mine, other])))} == {"t1"}
    assert acts_for(platform, other) == ["Bob"]  # it stays theirs
    teams.leave_team(platform.database, bob)
    assert [platform.get(Bot, bot).owner_group for bot in (ace, mine, other)] == ["t1", f"p{bob}", f"p{bob}"]


def test_a_team_and_its_members_are_one_owner_to_the_ladders(platform: Platform) -> None:
    ann, bob, eve = people(platform, "Ann", "Bob", "Eve")
    send(platform, bob, "bobs")
    send(platform, eve, "eves")
    ladder = platform.read(get_ladder, GAME, 2)
    assert len({one.owner for one in platform.read(schedules.contenders_of, ladder)} - {None}) == 2
    a_team(platform, ann, bob)
    with pytest.raises(IntegrityError), platform.database.write() as db:
        db.connection().execute(text("UPDATE bots SET owner_group = 't1' WHERE name = 'eves'"))


def test_of_a_team_and_its_members_one_trial_is_under_way_at_a_time(platform: Platform) -> None:
    ann, bob, eve = people(platform, "Ann", "Bob", "Eve")
    a_team(platform, ann, bob)
    with platform.database.write() as db:
        for number in range(3):
            uploads.submit_version(db, None, "gangster-dice", f"other{number}", "other.py", b"# other %d\n" % number)
    send(platform, ann, "ace", team="Aces", playing=False)
    send(platform, bob, "bobs", game="gangster-dice", playing=False)
    send(platform, eve, "eves", playing=False)
    platform.post.slot_count = 40
    platform.recorder.dispatch()
    chosen = (
        select(Bot.owner_group)
        .join(Version, col(Version.bot_id) == Bot.id)
        .join(Match, col(Match.trial_version_id) == Version.id)
    )
    assert sorted(map(str, platform.rows(chosen.where(Match.state == "leased")))) == [f"p{eve}", "t1"]


def test_a_frozen_tournament_keeps_its_owners_and_its_archive_proves_itself(platform: Platform, tmp_path: Path) -> None:
    ann, bob, eve = people(platform, "Ann", "Bob", "Eve")
    a_team(platform, ann, bob)
    send(platform, ann, "ace", team="Aces")
    send(platform, eve, "eves")
    number = make(platform, house_bots=True)
    go(platform, number, State.ANNOUNCED, State.OPEN)
    for bot in ("ace", "eves"):
        enter(platform, number, bot)
    go(platform, number, State.FROZEN)
    before = pairs(platform, number)
    teams.leave_team(platform.database, bob)
    code = teams.invite(platform.database, ann, 1, 1, member_limit=MOST)
    teams.join_team(platform.database, eve, code, member_limit=MOST, retire=True)
    assert [one.owner_group for one in entries_of(platform, number)][-2:] == ["t1", f"p{eve}"]
    assert pairs(platform, number) == before
    go(platform, number, State.PLAYING)
    platform.play_all()
    platform.recorder.schedule()
    go(platform, number, State.REVEALED)
    assert {one.state for one in platform.matches(tournament_id=number)} == {"done"}
    teams.delete_team(platform.database, ann)
    result = archive_files.read_archive(export(platform, number, tmp_path / "cup.tar"))
    proof = proving.prove(result, announced=seen(platform, number).commitment)
    assert (proof.findings, proof.is_proven) == ([], True)
    assert {entry.name: entry.owner for entry in result.entries}["ace"] == "Aces"


def pairs(platform: Platform, number: int) -> list[Entrant]:
    return platform.read_row(entries.owned_entries, Tournament, number)


def test_of_an_owner_the_bot_that_was_entered_last_is_in(platform: Platform) -> None:
    ann, bob = people(platform, "Ann", "Bob")
    send(platform, bob, "bobs")
    number = make(platform)
    go(platform, number, State.ANNOUNCED, State.OPEN)
    enter(platform, number, "bobs")
    a_team(platform, ann, bob)
    with platform.database.write() as db:
        bot_named(db, "bobs").active_version_id = None
    send(platform, ann, "ace", team="Aces")
    enter(platform, number, "ace")
    assert [platform.get(Bot, one.bot_id).name for one in platform.rows(select(Entered))] == ["ace"]


@ON_POSTGRESQL
def test_a_captain_hands_over_or_deletes_before_going(platform: Platform) -> None:
    ann, bob = people(platform, "Ann", "Bob")
    a_team(platform, ann, bob)
    bot = send(platform, ann, "ace", team="Aces")
    first = "Make another member captain, or delete the team"
    with pytest.raises(teams.TeamRefused, match=f"You are the captain of Aces. {first}"):
        teams.leave_team(platform.database, ann)
    with pytest.raises(leaving.DeletionError, match="captain of Aces"):
        leaving.delete_account(platform.database, ann)
    for who in (ann, 999):
        with pytest.raises(teams.TeamRefused, match="Choose another member"):
            teams.change_captain(platform.database, ann, who)
    assert teams.change_captain(platform.database, ann, bob) == "Bob"
    leaving.delete_account(platform.database, ann)
    assert (active(platform, bot), acts_for(platform, bot)) == (True, ["Bob"])
    teams.delete_team(platform.database, bob)
    assert platform.read(teams.team_of, bob) is None
    assert (active(platform, bot), acts_for(platform, bot)) == (False, [])
    assert platform.rows(select(Version.state).where(Version.bot_id == bot)) == ["retired"]
