"""What several servers on one database need: the version of a game, its clock, requests and what is due; quotas."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for column in (
        sa.Column("version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("asked", sa.JSON),
        sa.Column("ticking", sa.Integer, nullable=False, server_default="0"),
        sa.Column("since", sa.Float),
        sa.Column("due", sa.Float),
        sa.Column("near", sa.String(16)),
    ):
        op.add_column("games", column)
    _one_game_of_a_challenge()
    for name, columns, where, unique in (
        ("games_by_due", ["due"], "due is not null", False),
        ("games_of_daily", ["owner", "game", "day"], "kind = 'daily' and owner <> ''", True),
    ):
        condition = sa.text(where)
        op.create_index(name, "games", columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
    op.create_table(
        "quotas",
        sa.Column("day", sa.Integer, primary_key=True),
        sa.Column("what", sa.String(20), primary_key=True),
        sa.Column("who", sa.String(32), primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
    )
    op.create_table(
        "heartbeat", sa.Column("id", sa.Integer, primary_key=True), sa.Column("at", sa.Float, nullable=False)
    )


def _one_game_of_a_challenge() -> None:
    """Of several games that a person has of one challenge, only the first stays theirs."""
    games = sa.table("games", *(sa.column(name) for name in ("id", "kind", "owner", "game", "day", "created")))
    seen = set()
    connection = op.get_bind()
    found = connection.execute(
        sa.select(games.c.id, games.c.owner, games.c.game, games.c.day)
        .where(games.c.kind == "daily", games.c.owner != "")
        .order_by(games.c.created, games.c.id)
    )
    for id, *whose in found.all():
        if tuple(whose) in seen:
            connection.execute(sa.update(games).where(games.c.id == id).values(owner=""))
        seen.add(tuple(whose))
