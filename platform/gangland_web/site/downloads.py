"""The page that says how to install, and the files that it names."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, render_template, send_file
from markupsafe import Markup

from gangland_web.queries.exports import PINS, Offer, fixed, is_whole, own_wheel, pins, wheels
from gangland_web.web.address import site_root
from gangland_web.web.caching import conditional
from gangland_web.web.requests import settings

pages = Blueprint("downloads", __name__, url_prefix="/download")

KEPT_S = 3600
"""So long a browser or a cache may keep a file without asking again."""


def commands() -> tuple[str, ...] | None:
    """Return the two lines that install what a pupil needs from this site; None where it has no wheel of its own."""
    found = wheels(settings().data)
    own = own_wheel(found)
    if own is None:
        return None
    base, host = f"{site_root()}/download", urlsplit(site_root()).hostname
    make = "python3 -m venv gangland && . gangland/bin/activate"
    if is_whole(found):
        trusted = f" --trusted-host {host}" if base.startswith("http:") else ""
        pinned = f"--no-index{trusted} --find-links {base}/packages/ --require-hashes -r {base}/{PINS}"
        return make, f"pip install {pinned}"
    return make, f"pip install {base}/{own.name}"


@pages.get("")
def page() -> str:
    """Show what can be had here and the lines that install it."""
    found = wheels(settings().data)
    whole = is_whole(found)
    offers = [*fixed(), *([pins(found)] if whole else []), *found]
    given = {"commands": commands(), "whole": whole, "offers": offers, "own": own_wheel(found)}
    return render_template("download.html", total=sum(offer.size_bytes for offer in found), **given)


@pages.get("/packages/")
def packages() -> Response:
    """List the wheels as pip reads a page of links."""
    links = [Markup('<a href="../{}#sha256={}">{}</a><br>').format(o.name, o.sha256, o.name) for o in _wheels()]
    head = Markup("<!doctype html><html lang=en><head><title>Packages</title></head><body><h1>Packages</h1>")
    return Response(head + Markup("\n").join(links) + Markup("</body></html>"), mimetype="text/html")


@pages.get("/<name>")
def file(name: str) -> Response:
    """Hand out one of the files, and nothing else."""
    found = _wheels()
    known = {offer.name: offer for offer in (pins(found), *fixed(), *found)}
    offer = known.get(name)
    if offer is None:
        abort(404, "There is no such file to download; /download lists those that there are.")
    answer = _sent(offer)
    answer.set_etag(offer.sha256)
    answer.cache_control.public, answer.cache_control.max_age = True, KEPT_S
    return conditional(answer)


def _sent(offer: Offer) -> Response:
    kind = "text/plain" if offer.name.endswith(".txt") else "application/zip"
    if offer.path is not None:
        return send_file(offer.path, mimetype=kind, as_attachment=True, download_name=offer.name, etag=False)
    answer = Response(offer.body, mimetype=kind)
    answer.headers.set("Content-Disposition", "attachment", filename=offer.name)
    return answer


def _wheels() -> list[Offer]:
    return wheels(settings().data)
