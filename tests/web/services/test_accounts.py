"""Accounts: sign-ins that can be ended, passwords that change, aliases for a class, roles, and leaving."""

import io
import json
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from argon2 import PasswordHasher
from tests.kits.core_kit import ON_POSTGRESQL, Platform
from tests.kits.models import Actor, Bot, Database, Role, SignIn, User, Version, col, read_log, row_id, select

from gangland_web.services import accounts, leaving, recovery, tokens

OLD, NEW = "correct horse battery", "a stapler on the table"
HERE = "203.0.113.7"


@pytest.fixture
def database(platform: Platform) -> Database:
    return platform.database


def person(database: Database, name: str, role: Role = Role.AUTHOR) -> User:
    user = accounts.sign_up(database, name, OLD)
    with database.write() as db:
        found = db.get_one(User, user.id)
        found.role = role.value
        db.add(found)
        db.flush()
        return found


def actor(user: User) -> Actor:
    return Actor(user.id, HERE)


def is_in(database: Database, key: str) -> bool:
    with database.read() as db:
        return accounts.find_sign_in(db, key) is not None


@ON_POSTGRESQL
def test_each_browser_has_a_sign_in_of_its_own_that_its_owner_alone_can_end(database: Database) -> None:
    ann, bob = person(database, "Ann"), person(database, "Bob")
    laptop, phone = (accounts.begin_sign_in(database, row_id(ann.id), HERE, agent) for agent in ("Laptop", "Phone"))
    with database.read() as db:
        kept = accounts.sign_ins_of(db, row_id(ann.id))
    assert [one.agent for one in kept] == ["Phone", "Laptop"]
    assert laptop not in str([one.model_dump() for one in kept])
    assert not accounts.revoke_sign_in(database, row_id(bob.id), row_id(kept[0].id))
    assert is_in(database, phone)
    assert accounts.revoke_sign_in(database, row_id(ann.id), row_id(kept[0].id))
    assert [is_in(database, key) for key in (phone, laptop, "guessed")] == [False, True, False]


def test_a_sign_in_is_fresh_for_a_while_and_ends_after_silence_its_time_or_others(database: Database) -> None:
    ann = person(database, "Ann")
    with time_machine.travel(2_000_000_000, tick=False) as clock:
        key = accounts.begin_sign_in(database, row_id(ann.id), HERE, "")
        for seconds, fresh in ((accounts.FRESH_S, True), (1, False)):
            clock.shift(seconds)
            with database.read() as db:
                found = accounts.find_sign_in(db, key)
            assert found is not None
            assert found.is_fresh is fresh
        key = accounts.begin_sign_in(database, row_id(ann.id), HERE, "")
        clock.shift(accounts.MAX_IDLE_S)
        assert is_in(database, key)
        clock.shift(1)
        assert not is_in(database, key)
        key = accounts.begin_sign_in(database, row_id(ann.id), HERE, "")
        with database.write() as db:
            db.exec(select(SignIn).order_by(col(SignIn.id).desc())).first().begun_at -= accounts.MAX_AGE_S + 1  # type: ignore[union-attr]
        assert not is_in(database, key)
        keys = [
            accounts.begin_sign_in(database, row_id(ann.id), HERE, str(number))
            for number in range(accounts.MAX_SIGN_INS + 2)
        ]
        assert [is_in(database, key) for key in keys] == [False, False] + [True] * accounts.MAX_SIGN_INS


def test_a_form_that_waits_for_its_senders_proof_is_kept_for_a_quarter_of_an_hour(database: Database) -> None:
    ann, bob = person(database, "Ann"), person(database, "Bob")
    sent = [("names", "Red Fox"), ("proof", OLD), ("own_password", OLD)]

    def held() -> list[object]:
        with database.read() as db:
            return [each for each in db.exec(select(SignIn.held)).all() if each is not None]

    with time_machine.travel(1_800_000_000, tick=False) as clock:
        with database.read() as db:
            kept = accounts.find_sign_in(db, accounts.begin_sign_in(database, row_id(ann.id), HERE, ""))
        assert kept is not None
        for passed_s, is_there in ((accounts.HELD_S - 1, True), (accounts.HELD_S, False)):
            mark = accounts.hold_request(database, row_id(kept.sign_in.id), "/organize/people/aliases", sent)
            assert OLD not in json.dumps(held())
            clock.shift(passed_s)
            assert accounts.take_held_request(database, row_id(kept.sign_in.id), "another mark") is None
            taken = accounts.take_held_request(database, row_id(kept.sign_in.id), mark)
            assert (None if taken is None else taken.fields) == ([("names", "Red Fox")] if is_there else None)
            assert held() == []
        accounts.hold_request(database, row_id(kept.sign_in.id), "/organize/people/aliases", sent)
        clock.shift(accounts.HELD_S)
        assert len(held()) == 1
        accounts.begin_sign_in(database, row_id(bob.id), HERE, "")
        assert held() == [], "what nobody came back for is deleted, too"


def test_a_new_password_ends_other_sign_ins_and_one_by_a_code_revokes_all_tokens(database: Database) -> None:
    boss = person(database, "Boss", Role.ORGANIZER)
    (slip,) = recovery.create_aliases(database, actor(boss), ["Red Fox"]).slips
    user = recovery.use_password_code(database, "Red Fox", slip.code, OLD)
    token = tokens.create_token(database, row_id(user.id), "laptop", frozenset({tokens.Scope.READ}), 30)
    here, there = (accounts.begin_sign_in(database, row_id(user.id), HERE, "") for _ in range(2))
    with database.read() as db:
        found = accounts.find_sign_in(db, here)
    assert found is not None
    with pytest.raises(recovery.PasswordRefused, match="not your current password"):
        recovery.change_password(database, user, "wrong", NEW, sign_in=row_id(found.sign_in.id))
    recovery.change_password(database, user, OLD, NEW, sign_in=row_id(found.sign_in.id))
    assert (is_in(database, here), is_in(database, there)) == (True, False)
    assert accounts.check_password(database, "Red Fox", OLD) is None
    assert accounts.check_password(database, "Red Fox", NEW) is not None
    assert tokens.bearer_of(database, token).owner == "Red Fox"
    code = recovery.reset_password(database, actor(boss), Role.ORGANIZER, "Red Fox")
    recovery.use_password_code(database, "Red Fox", code.code, OLD)
    with pytest.raises(tokens.TokenRefused):
        tokens.bearer_of(database, token)


LONG = "María Guadalupe Fernández de la Vega y Álvarez de Toledo Osorio"
REAL = {
    LONG: LONG, "李": "李", "می\u200cخواهم": "می\u200cخواهم", "\u0936\u094d\u200d\u092f": "\u0936\u094d\u200d\u092f",
    "J. Smith": "J. Smith", "j. smith ": "j. smith 3", "J. Smith 2": "J. Smith 2", "❤️ Lee": "❤️ Lee",
    "❤ Lee": "❤ Lee 2", "👨\u200d👩\u200d👧 Family": "👨\u200d👩\u200d👧 Family", "Jean-Luc\tPicard": "Jean-Luc Picard",
    "\t葛\U000e0100城\t\t花子\t": "葛\U000e0100城 花子",
}  # fmt: skip
"""Lines of a class list, and what their accounts are called."""
REFUSED = {
    "Soft\xadhyphen Person": "soft hyphen", "An\u200dn": "zero width joiner", "می\u200c": "invisible",
    "Ann\ufe0f": "invisible", "a\u202eb": "direction", "X" * 65: "1 to 64", "house": "reserved",
    "J. \u0405mith": "looks like another", "B\u043ess": "taken", "BOSS": "taken",
}  # fmt: skip


def test_real_names_make_accounts_and_other_lines_come_back_with_their_reason(database: Database) -> None:
    boss = person(database, "Boss", Role.ORGANIZER)
    made = recovery.create_aliases(database, actor(boss), [*REAL, *REFUSED])
    assert {slip.name for slip in made.slips} == set(REAL.values())
    assert [line for line, _ in made.problems] == list(REFUSED)
    assert [(line, why) for line, why in made.problems if REFUSED[line] not in why] == []
    assert (
        recovery.create_aliases(database, actor(boss), [f"P{number}" for number in range(203)]).problems[0][0] == "P200"
    )
    chosen = recovery.create_aliases(database, actor(boss), ["Ann", "Ann", "Ann"]).slips
    assert [slip.name for slip in chosen] == ["Ann", "Ann 2", "Ann 3"]


@ON_POSTGRESQL
def test_a_class_gets_accounts_with_codes_that_work_once_and_are_not_in_the_log(database: Database) -> None:
    boss = person(database, "Boss", Role.ORGANIZER)
    assert recovery.create_aliases(database, actor(boss), ["boss", "admin", ""]).slips == ()
    with database.read() as db:
        assert [user.name for user in db.exec(select(User)).all()] == ["Boss"]
    slips = [*recovery.create_aliases(database, actor(boss), ["Red Fox", "boss", "Blue Hen"]).slips]
    assert [slip.name for slip in slips] == ["Red Fox", "Blue Hen"]
    assert accounts.check_password(database, "Red Fox", "!") is None
    with pytest.raises(recovery.PasswordRefused):
        recovery.use_password_code(database, "Blue Hen", slips[0].code, NEW)  # somebody else's slip
    user = recovery.use_password_code(database, "red fox", f" {slips[0].code.upper().replace('-', ' ')} ", NEW)
    assert accounts.check_password(database, "Red Fox", NEW) is not None
    assert user.made_by == boss.id
    with pytest.raises(recovery.PasswordRefused, match="mistyped, used or expired"):
        recovery.use_password_code(database, "Red Fox", slips[0].code, OLD)
    slips.append(recovery.reset_password(database, actor(boss), Role.ORGANIZER, "Red Fox"))
    with database.read() as db:
        result = str([line.entry.model_dump() for line in read_log(db, 10)])
    assert not [slip for slip in slips if slip.code in result]


def test_a_code_reads_the_same_however_typed_until_a_newer_one_takes_its_place(database: Database) -> None:
    for typed in ("k7mp-2xqa-9vbd", "K7MP 2XQA 9VBD", " k7mp2xqa9vbd "):
        assert accounts.normal_code(typed) == "k7mp-2xqa-9vbd"
    boss = person(database, "Boss", Role.ORGANIZER)
    with time_machine.travel(2_000_000_000, tick=False) as clock:
        (slip,) = recovery.create_aliases(database, actor(boss), ["Red Fox"]).slips
        newer = recovery.reset_password(database, actor(boss), Role.ORGANIZER, "Red Fox")
        with pytest.raises(recovery.PasswordRefused):
            recovery.use_password_code(database, "Red Fox", slip.code, NEW)
        clock.shift(14 * 86_400 + 1)
        with pytest.raises(recovery.PasswordRefused):
            recovery.use_password_code(database, "Red Fox", newer.code, NEW)


def test_an_organizer_helps_those_whose_accounts_they_made_and_an_admin_everybody(database: Database) -> None:
    boss, other = person(database, "Boss", Role.ORGANIZER), person(database, "Other", Role.ORGANIZER)
    admin, _ann = person(database, "Root", Role.ADMIN), person(database, "Ann")
    recovery.create_aliases(database, actor(boss), ["Red Fox"])
    for who, name in ((other, "Red Fox"), (boss, "Ann"), (boss, "Root")):
        with pytest.raises(recovery.AccountForbidden, match="you did not create the account"):
            recovery.reset_password(database, actor(who), Role.ORGANIZER, name)
    with pytest.raises(LookupError, match="no account is called 'Nobody'"):
        recovery.reset_password(database, actor(admin), Role.ADMIN, "Nobody")
    slip = recovery.reset_password(database, actor(admin), Role.ADMIN, "Ann")
    assert accounts.check_password(database, "Ann", OLD) is not None  # until the code is used
    key = accounts.begin_sign_in(database, row_id(_ann.id), HERE, "")
    recovery.use_password_code(database, "Ann", slip.code, NEW)
    assert not is_in(database, key)
    assert accounts.check_password(database, "Ann", OLD) is None


def test_nobody_comes_to_a_role_by_a_slip_for_somebody_who_was_given_one(database: Database) -> None:
    root, boss = person(database, "Root", Role.ADMIN), person(database, "Boss", Role.ORGANIZER)
    kept, other = recovery.create_aliases(database, actor(boss), ["Red Fox", "Grey Owl"]).slips
    for name in ("Red Fox", "Grey Owl"):
        recovery.set_role(database, actor(root), root, name, Role.ADMIN)
        with pytest.raises(recovery.AccountForbidden, match="now an admin"):
            recovery.reset_password(database, actor(boss), Role.ORGANIZER, name)
    with pytest.raises(recovery.PasswordRefused):
        recovery.use_password_code(database, kept.name, kept.code, NEW)
    slip = recovery.reset_password(database, actor(root), Role.ADMIN, other.name)
    assert recovery.use_password_code(database, slip.name, slip.code, NEW).role == "admin"


@ON_POSTGRESQL
def test_an_admin_sets_roles_and_the_last_one_stays(database: Database) -> None:
    root, ann = person(database, "Root", Role.ADMIN), person(database, "Ann")
    with pytest.raises(recovery.AccountForbidden):
        recovery.set_role(database, actor(ann), ann, "Ann", Role.ADMIN)
    with pytest.raises(ValueError, match="only admin"):
        recovery.set_role(database, actor(root), root, "root", Role.AUTHOR)
    with pytest.raises(leaving.DeletionError, match="only admin"):
        leaving.delete_account(database, row_id(root.id))
    assert recovery.set_role(database, actor(root), root, "ann", Role.ADMIN).role == "admin"
    assert recovery.set_role(database, actor(root), root, "root", Role.ORGANIZER).role == "organizer"
    with database.read() as db:
        log = read_log(db, 10)
    assert [(line.actor, line.entry.subject, line.entry.details) for line in log] == [
        ("Root", "Root", {"was": "admin", "now": "organizer"}),
        ("Root", "Ann", {"was": "author", "now": "admin"}),
    ]


def test_what_is_yours_can_be_taken_along_and_holds_no_secret(platform: Platform, database: Database) -> None:
    platform.upload("Ann", source=b"print('first')\n")
    platform.play_all()
    with database.read() as db:
        ann = db.exec(select(User).where(User.name == "Ann")).one()
    token = tokens.create_token(database, row_id(ann.id), "laptop", frozenset({tokens.Scope.READ}), 30)
    key = accounts.begin_sign_in(database, row_id(ann.id), HERE, "Laptop")
    with database.read() as db:
        packed = leaving.export_account(db, row_id(ann.id))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        bot = next(name for name in archive.namelist() if name.startswith("bots/"))
        assert archive.read(bot) == b"print('first')\n"
        result = json.loads(archive.read("account.json"))
    assert (result["name"], result["bots"][0]["versions"][0]["state"]) == ("Ann", "active")
    assert not [secret for secret in (token, token.rsplit("_")[-1], key, "password") if secret in str(result)]


def test_whoever_leaves_takes_the_name_along_and_leaves_the_results(platform: Platform, database: Database) -> None:
    version = platform.upload("Ann")
    platform.play_all()
    with database.read() as db:
        ann = row_id(db.exec(select(User).where(User.name == "Ann")).one().id)
    key = accounts.begin_sign_in(database, ann, HERE, "")
    done = [(match.id, match.digest) for match in platform.matches(state="done")]
    leaving.delete_account(database, ann)
    assert not is_in(database, key)
    assert accounts.check_password(database, leaving.deleted_name(ann), OLD) is None
    assert platform.version(version).state == "retired"
    assert [(match.id, match.digest) for match in platform.matches(state="done")] == done
    with database.read() as db:
        bot = db.exec(select(Bot).join(Version, Version.bot_id == Bot.id).where(Version.id == version)).one()  # type: ignore[arg-type]
        assert (bot.owner_id, bot.active_version_id, db.get_one(User, ann).name) == (ann, None, f"(deleted {ann})")
    assert accounts.sign_up(database, "Ann", NEW).id != ann  # the name is free again


def test_the_site_keeps_passwords_at_the_cost_that_owasp_recommends(real_hasher: PasswordHasher) -> None:
    """All other tests use the least cost."""
    kept = real_hasher.hash(NEW)
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert real_hasher.verify(kept, NEW)
    assert accounts.hash_password(NEW).startswith("$argon2id$v=19$m=8,t=1,p=1$")


def test_passwords_are_hashed_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes 19 MiB, eight at the same time 152 MiB."""
    under_way, most = 0, 0

    class Slow:
        def hash(self, password: str) -> str:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            time.sleep(0.002)
            under_way -= 1
            return password

    monkeypatch.setattr(accounts, "_HASHER", Slow())
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(accounts.hash_password, map(str, range(16)))) == [str(at) for at in range(16)]
    assert most == 1
