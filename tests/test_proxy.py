"""deploy/proxy: what stands before the site and speaks TLS; nginx is run as shipped, before the real site."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.flow.flow_kit import free_port
from tests.kits.pages_kit import open_site

from gangland_sandbox.intake import PLAIN
from gangland_web.app import FORM_OVERHEAD_BYTES
from gangland_web.ops.children import shared_environment, web_command
from gangland_web.ops.serving import IDLE_S
from gangland_web.settings import sqlite_url

NAME = "bots.example"
CAP_BYTES = PLAIN.largest_bytes + FORM_OVERHEAD_BYTES
PATIENCE_S = 60.0
CLAIMS = {
    "X-Forwarded-For": "192.0.2.66", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Prefix": "/evil", "X-Forwarded-Port": "666", "X-Request-Id": "id-of-the-client",
    "Forwarded": "for=192.0.2.66;host=evil.example", "Proxy": "http://evil.example",
}  # fmt: skip


def nginx_binary(root: Path) -> str:
    unpacked = root / "build" / "tools" / "nginx" / "usr" / "sbin" / "nginx"
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or (
        str(unpacked) if unpacked.exists() else None
    )
    assert found, "nginx is missing: make test-system"
    return found


def make_certificate(folder: Path) -> Path:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "privkey.pem").write_bytes(private)
    return folder / "fullchain.pem"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    text: str

    def all_of(self, name: str) -> list[str]:
        return [value for result, value in self.headers if result.lower() == name.lower()]


@dataclass
class Proxy:
    plain_port: int
    tls_port: int
    known_by: Path

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] = MappingProxyType({}), body: bytes = b""
    ) -> Answer:
        connection = self.connect()
        try:
            connection.request(method, path, body or None, {"Host": NAME, **headers})
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read().decode("utf-8", "replace"))
        finally:
            connection.close()

    def connect(self, name: str = NAME) -> http.client.HTTPSConnection:
        """Speak TLS as if the proxy were found by this name."""
        context = ssl.create_default_context(cafile=str(self.known_by))
        connection = http.client.HTTPSConnection("127.0.0.1", self.tls_port, timeout=PATIENCE_S, context=context)
        plain = socket.create_connection(("127.0.0.1", self.tls_port), PATIENCE_S)
        try:
            connection.sock = context.wrap_socket(plain, server_hostname=name)
        except ssl.SSLError:
            plain.close()
            raise
        return connection


@contextmanager
def proxied(root: Path, folder: Path, upstream: int) -> Iterator[Proxy]:
    """Run nginx with the shipped file, except for ports, certificate and upstream."""
    known_by, http_port, https_port = make_certificate(folder), free_port(), free_port()
    site = (root / "deploy" / "proxy" / "nginx.conf").read_text(encoding="utf-8")
    changes = (
        (r"listen 80 ", f"listen 127.0.0.1:{http_port} "), (r"listen 443 ", f"listen 127.0.0.1:{https_port} "),
        (r"server 127\.0\.0\.1:8000;", f"server 127.0.0.1:{upstream};"),
        (r"/etc/letsencrypt/live/bots\.example", str(folder)),
    )  # fmt: skip
    for pattern, ours in changes:
        site, count = re.subn(pattern, ours, site)
        assert count > 0, pattern
    (folder / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr warn; events {{}}\n"
        f"http {{ access_log off; {places}\n include {folder}/site.conf; }}\n"
    )
    command = [nginx_binary(root), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_for(https_port, server, folder / "log")
        yield Proxy(http_port, https_port, known_by)
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(log.read_text())


class Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = json.dumps(list(self.headers.items())).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def echoed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            with proxied(root, tmp_path_factory.mktemp("echoed"), server.server_address[1]) as proxy:
                yield proxy
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def house(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp("house")
    (folder / "key").write_text("k" * 40)
    for _ in open_site(folder):
        port = free_port()
        settings = {
            "DATABASE_URL": sqlite_url(folder), "SECRET_KEY_FILE": str(folder / "key"), "GANGLAND_DATA": str(folder),
            "TRUSTED_PROXIES": "1", "SECURE_COOKIES": "1", "SITE_URL": f"https://{NAME}",
        }  # fmt: skip
        with (folder / "site.log").open("wb") as log:
            server = subprocess.Popen(web_command(port), env=shared_environment() | settings, stdout=log, stderr=log)
        try:
            wait_for(port, server, folder / "site.log")
            with proxied(root, folder, port) as proxy:
                yield proxy
        finally:
            server.terminate()
            server.wait()


def test_what_a_client_claims_about_itself_ends_at_the_proxy(echoed: Proxy) -> None:
    answer = echoed.ask("GET", "/", CLAIMS)
    result = [(name.lower(), value) for name, value in json.loads(answer.text)]
    assert [value for name, value in result if name == "x-forwarded-for"] == ["127.0.0.1"]
    assert [value for name, value in result if name == "x-forwarded-proto"] == ["https"]
    assert [value for name, value in result if name == "x-forwarded-host"] == [NAME]
    assert [value for name, value in result if name == "host"] == [NAME]
    (request_id,) = [value for name, value in result if name == "x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{32}", request_id)
    names = {name for name, _ in result}
    assert not {"forwarded", "x-forwarded-prefix", "x-forwarded-port", "proxy"} & names


def test_a_form_can_be_sent_through_it_with_a_secure_cookie_and_uncompressed(house: Proxy) -> None:
    page = house.ask("GET", "/sign-in", {"Accept-Encoding": "gzip, br"})
    assert page.status == 200
    assert page.all_of("Content-Encoding") == []
    assert page.all_of("Strict-Transport-Security") == ["max-age=31536000"]
    (cookie,) = page.all_of("Set-Cookie")
    assert cookie.startswith("__Host-gangland=")
    assert "; Secure" in cookie
    token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
    assert token
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Referer": f"https://{NAME}/sign-in"}
    form = f"csrf_token={token[1]}&name=nobody&password=wrong-wrong-wrong".encode()
    sent = house.ask("POST", "/sign-in", kind | {"Cookie": cookie.partition(";")[0]}, form)
    assert "form was refused" not in sent.text
    assert sent.status in (200, 401, 422)


def test_addresses_in_feeds_are_the_sites_own_and_ids_the_proxys_whatever_a_client_claims(house: Proxy) -> None:
    first, second = (house.ask("GET", "/feeds/results.atom", CLAIMS) for _ in range(2))
    assert first.status == 200
    assert f"<id>https://{NAME}/feeds/results.atom</id>" in first.text
    assert "evil" not in first.text
    ids = [*first.all_of("X-Request-Id"), *second.all_of("X-Request-Id")]
    assert len(ids) == len(set(ids)) == 2
    assert all(re.fullmatch(r"[0-9a-f]{32}", each) for each in ids)


def test_a_body_over_the_cap_is_refused_before_the_site_sees_it_and_one_at_the_cap_is_not(house: Proxy) -> None:
    over = house.ask("POST", "/bots/new", body=b"x" * (CAP_BYTES + 1))
    at = house.ask("POST", "/bots/new", body=b"x" * CAP_BYTES)
    assert over.status == 413
    assert "<center>nginx</center>" in over.text
    assert "<center>nginx" not in at.text


def test_a_request_that_comes_slowly_waits_at_the_proxy_and_reaches_the_site_whole(echoed: Proxy) -> None:
    slow = echoed.connect()
    try:
        slow.putrequest("GET", "/", skip_host=True)
        slow.putheader("Host", NAME)
        slow.putheader("Content-Length", "3")
        slow.endheaders()
        for mail in (b"a", b"b", b"c"):
            assert echoed.ask("GET", "/").status == 200
            slow.send(mail)
        result = json.loads(slow.getresponse().read())
        assert [value for name, value in result if name.lower() == "content-length"] == ["3"]
        assert not [name for name, _ in result if name.lower() == "transfer-encoding"]
    finally:
        slow.close()


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "/metrics?x=1"])
def test_figures_for_those_who_run_the_site_are_not_published(echoed: Proxy, path: str) -> None:
    assert echoed.ask("GET", path).status == 404


def test_plain_http_leads_to_tls_and_another_name_leads_nowhere(echoed: Proxy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", echoed.plain_port, timeout=PATIENCE_S)
    connection.request("GET", "/bots/1?x=1", headers={"Host": "evil.example"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert (answer.status, answer.getheader("Location")) == (308, f"https://{NAME}/bots/1?x=1")
    with pytest.raises(ssl.SSLError):
        echoed.connect("evil.example")


def test_both_files_take_as_much_as_the_site_does_and_say_the_same(root: Path) -> None:
    nginx, caddy = ((root / "deploy" / "proxy" / name).read_text("utf-8") for name in ("nginx.conf", "Caddyfile"))
    kib = CAP_BYTES // 1024

    assert kib * 1024 == CAP_BYTES
    assert f"client_max_body_size {kib}k;" in nginx
    assert f"max_size {kib}KiB" in caddy
    assert not re.search(r"^\s*(encode|gzip on|brotli)\b", nginx + caddy, re.MULTILINE)
    for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Request-Id"):
        assert f"proxy_set_header {name} $" in nginx
        assert f"header_up {name} {{" in caddy
    for name in ("X-Forwarded-Port", "X-Forwarded-Prefix", "Forwarded", "Proxy"):
        assert f'proxy_set_header {name} "";' in nginx
        assert f"header_up -{name}\n" in caddy
    for output in ("TRUSTED_PROXIES=1", "SECURE_COOKIES=1", "SITE_URL"):
        assert output in nginx.splitlines()[0]
        assert output in caddy.splitlines()[0]
    for switched_on in ("proxy_request_buffering on;", "proxy_buffering on;", "limit_conn gangland_clients 500;"):
        assert switched_on in nginx
    for switched_on in (f"request_buffers {kib}KiB", "response_buffers 1MiB"):
        assert f"\t{switched_on}\n" in caddy
    kept_s = re.search(r"keepalive_timeout (\d+)s;  # the site", nginx)
    assert kept_s
    assert int(kept_s[1]) < IDLE_S, "connections to the site are kept and closed before it closes them"
    assert 'proxy_set_header Connection "";' in nginx
    assert "/metrics" in caddy
    assert 'Strict-Transport-Security "max-age=31536000"' in caddy
