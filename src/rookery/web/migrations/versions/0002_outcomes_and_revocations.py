"""The outcome of every seat, so that statistics are counted by the database; deleted people; identical games."""

from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "revoked",
        sa.Column("person", sa.String(24), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.add_column("seats", sa.Column("outcome", sa.String(10)))
    op.add_column("feats", sa.Column("moves", sa.String(16)))
    op.create_index("games_by_change", "games", ["status", "changed"])
    connection = op.get_bind()
    _fill_outcomes(connection)
    _fill_moves(connection)


def _fill_outcomes(connection: sa.Connection) -> None:
    """As `repository.set_outcomes` does for a game that ends."""
    games = sa.table("games", sa.column("id"), sa.column("kind"), sa.column("status"), sa.column("result", sa.JSON))
    seats = sa.table(
        "seats", sa.column("game_id"), sa.column("number"), sa.column("holder"), sa.column("outcome", sa.String)
    )
    finished = sa.select(games.c.id, games.c.result).where(games.c.status == "over", games.c.kind != "upload")
    for id, result in connection.execute(finished).all():
        held = sa.select(seats.c.number, seats.c.holder).where(seats.c.game_id == id)
        found = connection.execute(held).all()
        winners = set((result or {}).get("winners") or ())
        for number, holder in found:
            if holder and sum(other == holder for _, other in found) == 1:
                if number in winners:
                    outcome = "won" if len(winners) == 1 else "drawn"
                elif len(found) == 1:
                    outcome = "ended"
                else:
                    outcome = "lost" if winners else "drawn"
                where = (seats.c.game_id == id) & (seats.c.number == number)
                connection.execute(sa.update(seats).where(where).values(outcome=outcome))


def _fill_moves(connection: sa.Connection) -> None:
    """As `repository.add_achievements` does for a game that ends."""
    plies = sa.table("plies", sa.column("game_id"), sa.column("number"), sa.column("name"))
    feats = sa.table("feats", sa.column("game_id"), sa.column("day"), sa.column("moves", sa.String))
    for (id,) in connection.execute(sa.select(feats.c.game_id).where(feats.c.day.is_not(None)).distinct()).all():
        names = connection.execute(sa.select(plies.c.name).where(plies.c.game_id == id).order_by(plies.c.number))
        moves = sha256("\n".join(name for (name,) in names).encode()).hexdigest()[:16]
        connection.execute(sa.update(feats).where(feats.c.game_id == id).values(moves=moves))
