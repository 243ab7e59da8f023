"""Reviews of games: how far each is, and what it says of each ply."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("made", sa.String(120), nullable=False),
        sa.Column("worked", sa.Float, nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
    )
    op.create_table(
        "reviewed",
        sa.Column("game_id", sa.String(16), sa.ForeignKey("reviews.game_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
    )
