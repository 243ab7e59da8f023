"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "secrets", sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.Text, nullable=False)
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("start", sa.Text),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("day", sa.String(10)),
        sa.Column("owner", sa.String(24), nullable=False),
        sa.Column("token", sa.String(40), nullable=False),
        sa.Column("odds", sa.String(10), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("clock", sa.JSON),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("length", sa.Integer),
        sa.Column("takebacks", sa.Integer, nullable=False),
        sa.Column("ending", sa.JSON),
        sa.Column("result", sa.JSON),
        sa.Column("rematch", sa.String(16)),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("games_by_owner", "games", ["owner", "changed"])
    op.create_index("games_by_daily", "games", ["day", "game"])
    op.create_index("games_by_status", "games", ["status", "listed", "changed"])
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("holder", sa.String(24)),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("bot", sa.String(80)),
        sa.Column("left", sa.Float),
    )
    op.create_index("seats_by_holder", "seats", ["holder"])
    op.create_table(
        "plies",
        sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_table(
        "feats",
        sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(24), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("day", sa.String(10)),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("text", sa.String(120), nullable=False),
        sa.Column("takebacks", sa.Integer, nullable=False),
    )
    op.create_index("feats_by_day", "feats", ["game", "day", "points"])
    op.create_index("feats_by_person", "feats", ["person", "game"])
