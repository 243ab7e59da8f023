"""The database tables. Every change here needs a migration in migrations/versions."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    text,
)

metadata = MetaData()

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

revoked = Table(  # people who deleted themselves: their cookies are no longer valid
    "revoked",
    metadata,
    Column("person", String(24), primary_key=True),
    Column("at", Float, nullable=False),
)

quotas = Table(  # what every person and every address has had on a day
    "quotas",
    metadata,
    Column("day", Integer, primary_key=True),
    Column("what", String(20), primary_key=True),
    Column("who", String(32), primary_key=True),  # a digest
    Column("count", Integer, nullable=False),
)

heartbeat = Table(  # one row: when a server was last seen
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("options", JSON, nullable=False),
    Column("start", Text),  # the start position, if not the game's own
    Column("seed", BigInteger, nullable=False),  # of chance and bots; never sent to clients
    Column("kind", String(10), nullable=False),  # game, daily, upload
    Column("day", String(10)),
    Column("owner", String(24), nullable=False),
    Column("token", String(40), nullable=False),  # allows its bearer to take an open seat
    Column("odds", String(10), nullable=False),  # ask, never
    Column("listed", Boolean, nullable=False),
    Column("clock", JSON),
    Column("status", String(10), nullable=False),  # waiting, playing, over, abandoned
    Column("length", Integer),  # plies played, if some were undone and can be redone; null means all
    Column("takebacks", Integer, nullable=False),
    Column("ending", JSON),
    Column("result", JSON),
    Column("rematch", String(16)),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("version", Integer, nullable=False, server_default="0"),  # how often the game was changed
    Column("asked", JSON),  # a request that waits for answers: what, by whom, who agreed
    Column("ticking", Integer, nullable=False, server_default="0"),  # the player whose clock runs, or 0
    Column("since", Float),  # since when it runs, in the time of the database
    Column("due", Float),  # when the game has to be looked after, if nobody has changed it by then
    Column("near", String(16)),  # a digest of the address of who set it up, while it waits in the lobby
    Index("games_by_owner", "owner", "changed"),
    Index("games_by_daily", "day", "game"),
    Index("games_by_status", "status", "listed", "changed"),
    Index("games_by_change", "status", "changed"),
    Index("games_by_due", "due", sqlite_where=text("due is not null"), postgresql_where=text("due is not null")),
    Index(  # a person has one game of a challenge
        "games_of_daily",
        *("owner", "game", "day"),
        unique=True,
        sqlite_where=text("kind = 'daily' and owner <> ''"),
        postgresql_where=text("kind = 'daily' and owner <> ''"),
    ),
)

seats = Table(
    "seats",
    metadata,
    Column("game_id", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # person, open, bot
    Column("holder", String(24)),
    Column("name", String(80), nullable=False),
    Column("bot", String(80)),
    Column("left", Float),  # milliseconds on the clock
    Column("outcome", String(10)),  # won, drawn, lost, ended; null before the end and for several seats of one person
    Index("seats_by_holder", "holder"),
)

plies = Table(
    "plies",
    metadata,
    Column("game_id", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
)

achievements = Table(
    "feats",
    metadata,
    Column("game_id", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(24), nullable=False),
    Column("game", String(60), nullable=False),
    Column("day", String(10)),  # of a daily challenge
    Column("points", Float, nullable=False),
    Column("text", String(120), nullable=False),
    Column("takebacks", Integer, nullable=False),
    Column("moves", String(16)),  # a digest of the plies of a daily challenge
    Column("setup", String(16)),  # a digest of a game for one player and its options; null if moves were taken back
    Index("feats_by_day", "game", "day", "points"),
    Index("feats_by_person", "person", "game"),
    Index(
        "feats_by_setup",
        *("setup", "game_id", "points"),
        sqlite_where=text("setup is not null"),
        postgresql_where=text("setup is not null"),
    ),
)

reviews = Table(  # who works on the review of a game, and who wants it
    "reviews",
    metadata,
    Column("game_id", String(16), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("made", String(120), nullable=False),  # with which bot, budget and plies: another review has another
    Column("worked", Float, nullable=False),  # when a server last worked on it
    Column("asked", Float, nullable=False),  # when somebody last asked for it
)

reviewed = Table(  # what a review says of a ply
    "reviewed",
    metadata,
    Column("game_id", String(16), ForeignKey("reviews.game_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", Text, nullable=False),
)

puzzle_results = Table(
    "puzzle_results",
    metadata,
    Column("person", String(24), primary_key=True),
    Column("game", String(60), primary_key=True),
    Column("puzzle", String(16), primary_key=True),
    Column("answered", Float, nullable=False),  # when the person first answered or gave up
    Column("clean", Boolean, nullable=False),  # whether the first answer was right
    Column("solved", Float),
    Column("revealed", Float),  # when the person gave up
)
