"""What the application that is answering was told at its start."""

from __future__ import annotations

from flask import current_app

from gangland_web.services.challenges import Allowance
from gangland_web.settings.config import Settings


def settings() -> Settings:
    """Return the settings."""
    found: Settings = current_app.extensions["gangland_settings"]
    return found


def allowance() -> Allowance:
    """Return how many challenges a person may ask for."""
    found: Allowance = current_app.extensions["gangland_allowance"]
    return found
