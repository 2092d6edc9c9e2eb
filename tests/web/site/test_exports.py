"""What a site hands out to be installed: hashed, sized, kept by caches, and nothing else than what it offers."""

import hashlib
import io
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import urljoin

import pytest
from tests.kits.pages_kit import Site

from gangland.games import GAME_NAMES
from gangland_web.ops.prepare import PACKAGES_MARK, fetch_packages
from gangland_web.queries import exports as offers

OURS = "gangland-0.1.0-py3-none-any.whl"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a new, empty folder for the site's own wheel."""
    monkeypatch.setattr(offers, "WHEELS_FOLDER", tmp_path / "share")
    (tmp_path / "share").mkdir()
    return tmp_path / "share"


def packed(folder: Path, names: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(name.encode())


def whole() -> list[str]:
    named = re.findall(r"^([a-z0-9][\w.-]*)==(\S+)", offers.lock_text(), re.MULTILINE)
    return [f"{name.replace('-', '_')}-{version}-py3-none-any.whl" for name, version in named]


def test_a_site_hands_out_its_own_wheel_and_lines_without_internet(site: Site, folder: Path, tmp_path: Path) -> None:
    stranger = site.stranger()
    page = stranger.page("/on-your-machine")
    assert "<code>make up</code> builds one" in page
    assert "pip install http" not in page
    assert "make venv" in page
    (folder / OURS).write_bytes(b"ours")
    assert f"pip install http://localhost/download/{OURS}" in stranger.page("/on-your-machine")
    assert "python3 -m venv gangland" in stranger.page("/on-your-machine")
    answer = stranger.get(f"/download/{OURS}")
    assert (answer.data, answer.headers["Content-Disposition"]) == (b"ours", f"attachment; filename={OURS}")
    assert hashlib.sha256(b"ours").hexdigest() in stranger.page("/on-your-machine")
    assert "public" in answer.headers["Cache-Control"]
    assert stranger.get(f"/download/{OURS}", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    assert stranger.get(f"/download/{OURS}", headers={"If-Match": '"other"'}).status_code == 200  # for writers alone
    packed(tmp_path / offers.FETCHED_FOLDER, whole()[1:])
    assert "--no-index" not in site.stranger().page("/on-your-machine"), "one package is missing"
    packed(tmp_path / offers.FETCHED_FOLDER, whole())

    assert "--no-index --trusted-host localhost" in stranger.page("/on-your-machine")
    links = re.findall(r'href="([^"#]+)#sha256=([0-9a-f]{64})"', stranger.page("/download/packages/"))
    assert len(links) == len(whole()) + 1
    for link, sha256 in links:
        assert hashlib.sha256(stranger.get(urljoin("/download/packages/", link)).data).hexdigest() == sha256
    pins = stranger.get("/download/requirements.txt").text
    assert pins.startswith(f"gangland==0.1.0 \\\n    --hash=sha256:{hashlib.sha256(b'ours').hexdigest()}\n")
    assert pins.count("--hash") == len(links)


def test_every_site_hands_out_the_lock_and_a_starter_for_each_game_always_the_same(site: Site, root: Path) -> None:
    stranger = site.stranger()
    assert stranger.get("/download/base.txt").text == (root / "requirements" / "base.txt").read_text()
    for game in GAME_NAMES:
        body = stranger.get(f"/download/starter-{game}.zip").data
        assert zipfile.ZipFile(io.BytesIO(body)).namelist() == [
            f"my_gang/{name}" for name in ("my_gang.py", "test_my_gang.py", "README.md")
        ]
        offers.common_files.cache_clear()
        assert stranger.get(f"/download/starter-{game}.zip").data == body


def test_nothing_else_is_handed_out(site: Site, tmp_path: Path) -> None:
    place = tmp_path / offers.FETCHED_FOLDER
    packed(place, [PACKAGES_MARK, "a b-1-py3-none-any.whl"])
    (place / "evil-1-py3-none-any.whl").symlink_to(tmp_path / "gangland.sqlite3")
    databases, wheels = (
        ("gangland.sqlite3", "..%2fgangland.sqlite3"),
        ("evil-1-py3-none-any.whl", "a%20b-1-py3-none-any.whl"),
    )
    for name in (*databases, *wheels, "secret-key", PACKAGES_MARK):
        assert site.stranger().get(f"/download/{name}").status_code == 404, name


def test_packages_are_not_fetched_again_and_a_site_that_cannot_fetch_says_why(tmp_path: Path) -> None:
    packed(tmp_path / offers.FETCHED_FOLDER, [])
    mark = hashlib.sha256(offers.lock_text().encode()).hexdigest()
    (tmp_path / offers.FETCHED_FOLDER / PACKAGES_MARK).write_text(mark)
    output: list[str] = []
    fetch_packages(tmp_path, output.append)
    assert output == []
    up = [sys.executable, "-m", "gangland_web.ops.supervisor", "--data", str(tmp_path / "data"), "--port", "0"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/dev/null"}
    done = subprocess.run([*up, "--with-wheels"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "the packages cannot be fetched: ERROR: No matching distribution found for" in done.stderr
