"""What people have answered to puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "puzzle_results",
        sa.Column("person", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(60), primary_key=True),
        sa.Column("puzzle", sa.String(16), primary_key=True),
        sa.Column("answered", sa.Float, nullable=False),
        sa.Column("clean", sa.Boolean, nullable=False),
        sa.Column("solved", sa.Float),
        sa.Column("revealed", sa.Float),
    )
