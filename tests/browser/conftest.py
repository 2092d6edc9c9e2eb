"""One site with everything in it, and one browser, for all the tests of a process."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser import chromium, site

Visits = Callable[..., Page]
expect.set_options(timeout=site.PATIENCE_MS)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[site.FilledSite]:
    """The site; the processes of a run build its world once and copy it."""
    with site.opened_filled_site(_shared(tmp_path_factory), tmp_path_factory.mktemp("filled")) as opened:
        yield opened


@pytest.fixture
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[site.FilledSite]:
    """A copy for a test that plays something."""
    with site.opened_filled_site(_shared(tmp_path_factory), tmp_path_factory.mktemp("own-filled")) as opened:
        yield opened


def _shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shared = tmp_path_factory.getbasetemp()
    return shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium.launched() as started:
        yield started


@pytest.fixture
def visit(filled: site.FilledSite, browser: Browser) -> Iterator[Visits]:
    with ExitStack() as stack:
        yield lambda **how: stack.enter_context(filled.visitor(browser, **how)).new_page()
