"""Email where the house sends it: addresses, a new password by mail, notices, and the SMTP server's moods."""

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
import time_machine
from sqlalchemy import event
from tests.kits import mail_kit
from tests.kits.mail_kit import SENDER, SITE, Inbox, code_in, only, server_context, smtp_of, smtp_server, text_of
from tests.kits.models import EmailAddress, EmailCode, Kind, Mail, User, row_id, select
from tests.kits.pages_kit import PASSWORD, Person, Site, open_site

from gangland_web.base.formats import now_s
from gangland_web.base.text import address_key, address_problem
from gangland_web.metrics import MAILS, Counts
from gangland_web.services.mail import PAUSES_S, SendError, deliver, queue_mail, send_due, write_mail
from gangland_web.settings import ConfigError, Smtp, read_smtp

ANN = "ann@school.example"
NEW = "a stapler on the table"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    for opened in open_site(tmp_path):
        settings = opened.app.extensions["gangland_settings"]
        opened.app.extensions["gangland_settings"] = replace(settings, mail_from=SENDER)
        yield opened


@pytest.fixture(scope="module")
def _running() -> Iterator[tuple[Inbox, Smtp]]:
    inbox = Inbox()
    with smtp_server(inbox) as port:
        yield inbox, smtp_of(port)


@pytest.fixture
def inbox(_running: tuple[Inbox, Smtp]) -> Inbox:
    inbox = _running[0]
    inbox.mails.clear()
    inbox.envelopes.clear()
    inbox.refuses_address = inbox.refuses_mail = ""
    return inbox


@pytest.fixture
def smtp(_running: tuple[Inbox, Smtp]) -> Smtp:
    return _running[1]


def give(person: Person, address: str, password: str = PASSWORD) -> int:
    return person.post("/account/email", {"email": address, "proof": password}, form_at="/account").status_code


def confirm(person: Person, code: str) -> int:
    return person.post("/account/email/confirm", {"code": code}, form_at="/account").status_code


def confirmed(site: Site, name: str = "Ann", address: str = ANN) -> Person:
    person = site.person(name)
    with site.database.write() as db:
        user_id = row_id(db.exec(select(User.id).where(User.name == name)).one())
        key = address_key(address)
        db.add(EmailAddress(user_id=user_id, address=address, address_key=key, created_at=0.0, confirmed_at=0.0))
    return person


def waiting(site: Site) -> list[Mail]:
    return site.rows(select(Mail))


def recover(site: Site, address: str = ANN) -> Person:
    stranger = site.stranger()
    assert stranger.post("/recover", {"email": address}).location == "/recover/code"
    return stranger


def mailed(site: Site, inbox: Inbox, smtp: Smtp) -> EmailMessage:
    send_due(site.database, smtp)
    return inbox.take()


def test_an_address_counts_once_its_code_was_typed_by_whoever_gave_it(site: Site, inbox: Inbox, smtp: Smtp) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    assert give(ann, "Ann@School.Example", "wrong password") == 422
    assert give(ann, "Ann@School.Example") == 303
    assert "Ann@school.example" in ann.page("/account/sign-ins")
    mail = mailed(site, inbox, smtp)
    assert inbox.envelopes == [(SENDER, ["Ann@school.example"])]
    assert (mail["From"], mail["Auto-Submitted"]) == (f"Gangland <{SENDER}>", "auto-generated")
    assert f"{SITE}/account/sign-ins#" in text_of(mail)
    assert "Ann " not in text_of(mail)  # or anybody could write to anybody by their name
    recover(site)
    assert send_due(site.database, smtp) == 0
    code = code_in(mail)
    assert confirm(bob, code) == 422
    assert 'name="code"' not in bob.page("/account/sign-ins"), "no address of theirs waits for a code"
    assert confirm(ann, f" {code.upper().replace('-', ' ')} ") == 303
    assert "is confirmed" in ann.page("/account/sign-ins")
    assert confirm(ann, code) == 422
    for page in ("/", "/account", "/organize/people", "/matches/1"):
        assert "school.example" not in bob.get(page).text


def test_a_forgotten_password_is_set_anew_by_mail(site: Site, inbox: Inbox, smtp: Smtp) -> None:
    ann = confirmed(site)
    stranger = recover(site, " ANN@SCHOOL.EXAMPLE ")
    mail = mailed(site, inbox, smtp)
    assert mail["To"] == ANN
    assert f"{SITE}/recover/code#" in text_of(mail)
    data = {"code": code_in(mail), "password": "password"}
    assert stranger.post("/recover/code", data).status_code == 422  # the code is still good
    answer = stranger.post("/recover/code", data | {"password": NEW})
    assert (answer.status_code, answer.location) == (303, "/account")
    assert stranger.get("/account").status_code == 200
    assert ann.get("/account").status_code == 303
    assert site.stranger().sign_in("Ann").status_code == 422
    assert site.stranger().sign_in("Ann", NEW).status_code == 303
    assert site.stranger().post("/recover/code", data | {"password": NEW}).status_code == 422
    assert mailed(site, inbox, smtp)["Subject"] == "Your password was changed"


def test_a_mailed_code_lasts_half_an_hour_from_when_it_was_asked_for(site: Site, inbox: Inbox, smtp: Smtp) -> None:
    confirmed(site)
    recover(site)
    with time_machine.travel(now_s() + 1801, tick=False):
        assert send_due(site.database, smtp) == 0
    assert not waiting(site)
    stranger = recover(site)
    form = {"code": code_in(mailed(site, inbox, smtp)), "password": NEW}
    with time_machine.travel(now_s() + 1801, tick=False):
        assert stranger.post("/recover/code", form).status_code == 422
    assert stranger.post("/recover/code", form).status_code == 303


def test_nobody_learns_whether_an_address_is_known(site: Site, inbox: Inbox, smtp: Smtp) -> None:
    """The same answer, and the same statements in the database."""
    confirmed(site)
    done: list[list[str]] = [[]]
    event.listen(site.database.engine, "before_cursor_execute", lambda *call: done[-1].append(call[2]))
    answers = []
    for address in (ANN, "bob@school.example"):
        stranger = site.stranger()
        token = stranger.token("/recover")
        done.append([])
        answer = stranger.client.post("/recover", data={"csrf_token": token, "email": address})
        answers.append((answer.status_code, answer.location, answer.text))
        done.append([])
    assert answers[0] == answers[1]
    assert done[1] == done[3]
    assert done[1]
    assert send_due(site.database, smtp) == 1
    assert not waiting(site)


def test_an_address_belongs_to_the_first_account_that_confirms_it(site: Site, inbox: Inbox, smtp: Smtp) -> None:
    confirmed(site, "Eve")
    people = [site.person(name) for name in ("Ann", "Bob")]
    assert give(people[1], ANN.upper()) == 303
    mail = mailed(site, inbox, smtp)
    assert "already belongs to the account Eve" in text_of(mail)  # and its owner alone is told
    assert "#" not in text_of(mail)
    assert site.rows(select(EmailCode)) == []
    for person in people:
        assert give(person, "new@school.example") == 303
    send_due(site.database, smtp)
    codes = [code_in(mail) for mail in inbox.mails]
    assert [confirm(person, code) for person, code in zip(people, codes, strict=True)] == [303, 422]


def test_whoever_loses_an_address_is_told_and_it_goes_with_the_account(site: Site, inbox: Inbox, smtp: Smtp) -> None:
    ann = confirmed(site)
    assert give(ann, "other@school.example") == 303
    with zipfile.ZipFile(io.BytesIO(ann.get("/account/everything.zip").data)) as archive:
        result = json.loads(archive.read("account.json"))
    assert [one["address"] for one in result["emails"]] == [ANN, "other@school.example"]
    code = code_in(mailed(site, inbox, smtp))
    recover(site)  # until the new one is confirmed the old one is good
    assert send_due(site.database, smtp) == 1
    inbox.mails.clear()
    assert confirm(ann, code) == 303
    mail = mailed(site, inbox, smtp)
    assert (mail["To"], mail["Subject"]) == (ANN, "Your email address was changed")
    assert ann.post("/account/email/remove", {"proof": "wrong"}, form_at="/account").status_code == 422
    assert ann.post("/account/email/remove", {"proof": PASSWORD}, form_at="/account").status_code == 303
    assert mailed(site, inbox, smtp)["To"] == "other@school.example"
    assert "other@school.example" not in ann.page("/account/sign-ins")
    for address in (ANN, "other@school.example"):
        assert give(ann, address) == 303
    assert ann.post("/account/delete", {"sure": "yes", "leave_proof": PASSWORD}, form_at="/account").status_code == 303
    assert [site.rows(select(table)) for table in (EmailAddress, EmailCode, Mail)] == [[], [], []]


def test_no_secret_of_a_mail_is_kept_or_logged(  # "mail.log" is the test's own server
    site: Site, inbox: Inbox, smtp: Smtp, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    confirmed(site)
    recover(site)
    inbox.refuses_mail = "451 not now, and here is your mail: %s"
    send_due(site.database, smtp)
    inbox.refuses_mail = ""
    with time_machine.travel(now_s() + 61, tick=False):
        code = code_in(mailed(site, inbox, smtp))
    with site.database.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = Path(site.database.url.removeprefix("sqlite:///")).read_bytes()
    for secret in (code, code.replace("-", "")):
        assert secret.encode() not in kept
        assert not [line for line in caplog.records if secret in line.getMessage() and line.name != "mail.log"]
    assert "was not sent: the server refuses the email (451)" in caplog.text


@pytest.mark.parametrize(
    ("refusal", "stays"),
    [("refuses_address 550 nobody here", False), ("refuses_address 450 later", True),
     ("refuses_mail 554 spam", False), ("refuses_mail 421 busy", True)],
)  # fmt: skip
def test_what_is_refused_for_good_is_given_up(site: Site, inbox: Inbox, smtp: Smtp, refusal: str, stays: bool) -> None:
    give(site.person("Ann"), ANN)
    what, answer = refusal.split(" ", 1)
    setattr(inbox, what, answer)
    assert send_due(site.database, smtp) == 0
    assert len(waiting(site)) == stays
    setattr(inbox, what, "")
    assert send_due(site.database, smtp) == 0  # not at once
    with time_machine.travel(now_s() + PAUSES_S[0] + 1, tick=False):
        assert send_due(site.database, smtp) == stays


def test_a_server_that_stays_away_is_tried_a_bounded_number_of_times(site: Site, smtp: Smtp) -> None:
    give(site.person("Ann"), ANN)
    tried: list[object] = []
    at: list[int] = []

    def away(smtp: Smtp, message_: object) -> None:
        tried.append(message_)
        raise SendError("the server is not to be had", permanent=False)

    start = now_s()
    counts = Counts()
    for minute in range(48 * 60):
        with time_machine.travel(start + minute * 60, tick=False):
            before = len(tried)
            send_due(site.database, smtp, away, counts)
            at += [minute] * (len(tried) - before)
            if not waiting(site):
                break
    assert at == [0, 1, 3, 8, 18, 78, 318]
    assert sum(PAUSES_S) == 60 * at[-1]
    assert not waiting(site)
    assert counts.take().amounts == {f"{MAILS.name}|given_up": 1}


def test_a_mailer_that_is_told_to_end_begins_no_mail_and_without_a_server_mails_wait(site: Site, smtp: Smtp) -> None:
    for name in ("Ann", "Bob", "Cleo"):
        give(site.person(name), f"{name.lower()}@school.example")
    tried: list[object] = []
    sent = send_due(site.database, smtp, lambda _, message_: tried.append(message_), is_ending=lambda: bool(tried))
    assert (sent, len(tried), len(waiting(site))) == (1, 1, 2)
    assert (send_due(site.database, replace(smtp, port=9)), len(waiting(site))) == (0, 2)


def test_mails_go_by_trusted_servers(tmp_path: Path, inbox: Inbox, smtp: Smtp, monkeypatch: pytest.MonkeyPatch) -> None:
    message_ = write_mail(smtp, Kind.RECOVER, ANN, name="李小龍", code="k7mp")
    with pytest.raises(SendError, match="STARTTLS"):
        deliver(replace(smtp, security="starttls"), message_)
    file, taken = mail_kit.certificate(tmp_path), Inbox()
    options = {"authenticator": only("house", "s3cret"), "auth_required": True, "require_starttls": True}
    with smtp_server(taken, tls_context=server_context(file), **options) as port:
        sound = smtp_of(port, "starttls", "house", "s3cret")
        with pytest.raises(SendError, match="certificate"):
            deliver(sound, message_)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        with pytest.raises(SendError, match="refuses our login"):
            deliver(replace(sound, password="guessed"), message_)
        deliver(sound, message_)
    with smtp_server(taken, ssl_context=server_context(file)) as port:
        deliver(smtp_of(port, "tls"), message_)
    assert ["李小龍" in text_of(mail) for mail in taken.mails] == [True, True]
    assert not inbox.mails


NO_ADDRESSES = [
    "ann", "@school.example", "ann@", "ann@school", "ann@.example", "a b@school.example",
    "ann@school.example\nBcc: x@y.z", "ann@school.example\r\nSubject: x", "<ann@school.example>",
    "Ann <ann@school.example>", '"a b"@school.example', "ann@[127.0.0.1]", "ann@127.0.0.1", "ann,bob@school.example",
    "ann@school.example,bob@school.example", "ann;bob@school.example", "zoë@school.example",
    f"{'a' * 65}@school.example", f"a@{'b' * 64}.example", f"a@{'b.' * 130}example", "ann@school.example\0",
    "ann@-school.example", "a..n@school.example", "\u202eann@school.example",
]  # fmt: skip


def test_what_is_an_address_is_taken_and_what_is_none_refused_and_adds_no_header(smtp: Smtp) -> None:
    assert [typed for typed in NO_ADDRESSES if address_problem(typed) is None] == []
    for typed in (ANN, " ann+bots@mail.school.example ", "ann@büro.example", "o'neill@a-b.example"):
        assert address_problem(typed) is None, typed
        assert address_key(typed).isascii()
    with pytest.raises(ValueError, match=r"newline|return|linefeed"):
        write_mail(smtp, Kind.ADDRESS, "ann@school.example\r\nBcc: x@y.example", name="Ann")


def test_a_mailbox_is_not_filled_by_us(tmp_path: Path) -> None:
    from gangland_web.web.limits import Rates

    for site in open_site(tmp_path, Rates(mail_to="2 per hour")):
        settings = site.app.extensions["gangland_settings"]
        site.app.extensions["gangland_settings"] = replace(settings, mail_from=SENDER)
        ann = site.person("Ann")
        sent = [give(ann, ANN), site.stranger().post("/recover", {"email": ANN.upper()}).status_code, give(ann, ANN)]
        assert sent == [303, 303, 429]
        assert give(ann, "other@school.example") == 303


def test_a_house_without_mail_speaks_of_none_and_says_whom_to_ask(tmp_path: Path) -> None:
    for site in open_site(tmp_path):
        ann = site.person("Ann")
        assert "mail" not in ann.page("/account/sign-ins").replace("email address, sign-ins", "")
        text = site.stranger().page("/recover")
        assert "Ask your organizer" in text
        assert 'name="email"' not in text
        assert ann.post("/recover", {"email": ANN}, form_at="/sign-in").status_code == 404
        assert ann.post("/account/email", {"email": ANN}, form_at="/account").status_code == 404
        assert site.rows(select(Mail)) == []


GOOD = {"SMTP_URL": "smtp://house@mail.example", "SMTP_PASSWORD": "s3cret", "SMTP_FROM": SENDER, "SITE_URL": f"{SITE}/"}


def test_mail_is_set_up_by_the_environment_or_files(tmp_path: Path) -> None:
    assert read_smtp({}) is None
    found = read_smtp(GOOD)
    assert found == Smtp("mail.example", 587, "starttls", SENDER, SITE, "house", "s3cret")
    assert "s3cret" not in repr(found)
    (tmp_path / "password").write_text("from a file\n", encoding="utf-8")
    (tmp_path / "url").write_text("smtps://h%40x:old@[::1]:4465\n", encoding="utf-8")
    by_files = {"SMTP_PASSWORD_FILE": str(tmp_path / "password"), "SMTP_URL_FILE": str(tmp_path / "url")}
    by_files |= {"SMTP_FROM": SENDER, "SITE_URL": "http://127.0.0.1:8000"}
    assert read_smtp(by_files) == Smtp("::1", 4465, "tls", SENDER, "http://127.0.0.1:8000", "h@x", "from a file")
    in_the_clear = read_smtp(GOOD | {"SMTP_URL": "smtp+plain://relay", "SMTP_PASSWORD": ""})
    assert in_the_clear == Smtp("relay", 25, "none", SENDER, SITE)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"SMTP_FROM": ""}, "SMTP_FROM is not"), ({"SMTP_URL": ""}, "SMTP_URL is not"),
        ({"SITE_URL": ""}, "SITE_URL is not set"), ({"SMTP_FROM": "the house"}, "SMTP_FROM is not an email address"),
        ({"SMTP_URL": "mail.example:587"}, "SMTP_URL is not supported"),
        ({"SMTP_URL": "https://house:s3cret@mail.example"}, "SMTP_URL is not supported"),
        ({"SMTP_URL": "smtp://house:s3cret@mail.example:port"}, "SMTP_URL is not a URL"),
        ({"SMTP_URL": "smtp://"}, "SMTP_URL is not supported"),
        ({"SMTP_URL": "smtp+plain://house:s3cret@mail.example"}, "unencrypted"),
        ({"SMTP_PASSWORD": ""}, "SMTP_PASSWORD"), ({"SMTP_URL": "smtp://mail.example"}, "needs a user"),
        ({"SITE_URL": "bots.example"}, "SITE_URL is not a site's URL"),
        ({"SITE_URL": "https://bots.example/here"}, "SITE_URL is not a site's URL"),
        ({"SITE_URL": "https://a:s3cret@bots.example"}, "SITE_URL is not a site's URL"),
        ({"SITE_URL": "javascript:alert(1)"}, "SITE_URL is not a site's URL"),
        ({"SMTP_PASSWORD": "", "SMTP_PASSWORD_FILE": "/nowhere"}, "SMTP_PASSWORD_FILE names '/nowhere'"),
    ],
)  # fmt: skip
def test_settings_of_mail_that_make_no_sense_are_named_without_their_secrets(wrong: dict[str, str], why: str) -> None:
    with pytest.raises(ConfigError, match=why) as refused:
        read_smtp(GOOD | wrong)
    assert "s3cret" not in str(refused.value)


def test_what_nobody_sends_does_not_pile_up(site: Site) -> None:
    with site.database.write() as db:
        ann = User(name="Ann", name_key="ann", password_hash="-", created_at=0.0)
        db.add(ann)
        db.flush()
        db.add(Mail(kind="password", address=ANN, user_id=ann.id, created_at=0.0, next_at=0.0))
        queue_mail(db, Kind.PASSWORD, ANN, ann.id)
    assert len(waiting(site)) == 1
