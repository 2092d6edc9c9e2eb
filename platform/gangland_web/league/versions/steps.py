"""Moving a version along its lifecycle, with a step kept for each state that it reached."""

from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, delete, func, select, update

from gangland_web.base.clock import now_s
from gangland_web.models.bots import PATH, ForbiddenMove, Version, VersionState, VersionStep, move
from gangland_web.models.columns import stored


def advance(session: Session, version: Version, target: VersionState, message: str = "") -> None:
    """Move a version forward to a state, one step at a time; does nothing if it is there or beyond."""
    while version.state in PATH and PATH.index(VersionState(version.state)) < PATH.index(target):
        following = PATH[PATH.index(VersionState(version.state)) + 1]
        _go(session, version, following, message if following == target else "", ok=True)


def reject(session: Session, version: Version, message: str) -> None:
    """Reject a version that waits for its verdict, with the reason that its author reads."""
    _go(session, version, VersionState.REJECTED, message, ok=False)


def retire(session: Session, version: Version, message: str) -> None:
    """Take a version out for good: it was active, or a newer one came before its verdict."""
    _go(session, version, VersionState.RETIRED, message, ok=True)


def reinstate(session: Session, version: Version) -> None:
    """Make a retired version active again, as an administrator's word that took it out is undone."""
    here = update(Version).where(col(Version.id) == version.id, col(Version.state) == VersionState.RETIRED.value)
    if session.exec(here.values(state=VersionState.ACTIVE.value)).rowcount != 1:
        raise ForbiddenMove(f"version {version.id} is not retired")
    set_committed_value(version, "state", VersionState.ACTIVE.value)
    retired = (col(VersionStep.version_id) == version.id) & (col(VersionStep.state) == VersionState.RETIRED.value)
    session.exec(delete(VersionStep).where(retired))


def first_step(session: Session, version: Version) -> None:
    """Keep the step of a version that was just received."""
    _keep(session, version, "", ok=True, seconds=0.0)


def _go(session: Session, version: Version, state: VersionState, message: str, *, ok: bool) -> None:
    """Move a version from the state in which it was read, or raise if it is in another by now."""
    before, after = version.state, move(VersionState(version.state), state).value
    here = update(Version).where(col(Version.id) == version.id, col(Version.state) == before)
    moved = session.exec(here.values(state=after).execution_options(synchronize_session=False))
    if moved.rowcount != 1:
        raise ForbiddenMove(f"version {version.id} is {before!r} no more, so it does not become {after!r}")
    set_committed_value(version, "state", after)
    latest = session.exec(select(func.max(VersionStep.at)).where(col(VersionStep.version_id) == version.id)).one()
    _keep(session, version, message, ok=ok, seconds=max(0.0, now_s() - (latest or version.created_at)))


def _keep(session: Session, version: Version, message: str, *, ok: bool, seconds: float) -> None:
    step = VersionStep(
        version_id=stored(version.id), state=version.state, ok=ok, message=message, at=now_s(), seconds=seconds
    )
    session.add(step)
    session.flush()
