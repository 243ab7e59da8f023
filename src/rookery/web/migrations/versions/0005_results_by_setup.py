"""Results by the set-up of their game, so that a new one can be compared with all others."""

from hashlib import sha256
from json import dumps

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("feats", sa.Column("setup", sa.String(16)))
    _fill()
    condition = sa.text("setup is not null")
    columns = ["setup", "game_id", "points"]
    op.create_index("feats_by_setup", "feats", columns, sqlite_where=condition, postgresql_where=condition)


def _fill() -> None:
    """As `StoredGame.setup` does for a game that ends."""
    games = sa.table("games", sa.column("id"), sa.column("game"), sa.column("options", sa.JSON), sa.column("start"))
    seats = sa.table("seats", sa.column("game_id"), sa.column("number"))
    feats = sa.table("feats", sa.column("game_id"), sa.column("takebacks"), sa.column("setup", sa.String))
    connection = op.get_bind()
    others = sa.select(seats.c.number).where(seats.c.game_id == games.c.id, seats.c.number > 1)
    found = connection.execute(
        sa.select(games.c.id, games.c.game, games.c.options)
        .join(feats, feats.c.game_id == games.c.id)
        .where(games.c.start.is_(None), feats.c.takebacks == 0, ~others.exists())
    )
    for id, game, options in found.all():
        setup = sha256(dumps([game, options], sort_keys=True).encode()).hexdigest()[:16]
        connection.execute(sa.update(feats).where(feats.c.game_id == id).values(setup=setup))
