"""Rows that a transaction locks against other writers: which, and in what order."""

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from gangland_web.models.tournaments import Tournament


def hold_tournaments(session: Session, which: ColumnElement[bool] | bool) -> None:
    """Keep other writers off these tournaments until the transaction ends (SQLite has one writer anyway).

    What was changed and not written yet is written first, for callers read the rows afresh afterwards.
    """
    session.flush()
    if session.get_bind().dialect.name == "sqlite":
        return
    # In order of their ids, or two transactions wait for each other; with key_share, or a writer of a match, which
    # refers to its tournament, waits as well.
    chosen = select(Tournament.id).where(which).order_by(col(Tournament.id))
    session.exec(chosen.with_for_update(key_share=True)).all()


def hold_tournament(session: Session, tournament: Tournament) -> None:
    """Keep other writers off one tournament, and read it afresh: what was read before may be out of date."""
    hold_tournaments(session, Tournament.id == tournament.id)
    session.refresh(tournament)


def hold_versions(session: Session) -> None:
    """Let no other transaction move a version until this one is over; call it before reading any.

    Uploads and the record worker both move versions, and both plan trials: they hold the trials
    tournaments for it, all of them and always first, so that they cannot wait for each other.
    """
    hold_tournaments(session, Tournament.kind == "trials")
