"""How the tables came to be, step by step; Alembic brings any older database up to date when the server starts."""
