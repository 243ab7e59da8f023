"""The desk of GateRun's alpha-beta search as Python sees it: a position is laid out, moves are read, lines followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.core import compiled
from rookery.core.control import CONTROLS, NODES, STOP
from rookery.core.stream import Stream
from rookery.core.workspaces import thread_workspace
from rookery.games.gaterun import alphabeta, race, rows, rules

if TYPE_CHECKING:
    from rookery.core.state import State

TABLE = 1 << 19
"""Entries of the transposition table."""
SMALL = 3
"""On a board of this size, where a wall is most of all a move to wait with, nothing is left out."""
SALTS = 1 << 10


def desk() -> Desk:
    """The workspace of this thread."""
    return thread_workspace(Desk)


class Desk:
    """The arrays of a search, used for one after another, but by one at a time.

    What a search finds depends on the position, the order of the root's moves and the nodes spent, and not on what was
    searched before.
    """

    def __init__(self, *, machine: bool) -> None:
        self.searching: Any = compiled.compiled(alphabeta) if machine else alphabeta
        self.moving: Any = compiled.compiled(rows) if machine else rows
        self.machine = machine
        self.w = self._words(rows.DESK)
        self.table = self._words(2 * TABLE)
        self.control = self._words(CONTROLS)
        self.salt = 0
        self.past: list[int] = []
        seeds = self._words(4)
        seeds[:] = Stream().words
        self.moving.scramble(self.w, seeds)

    def _words(self, count: int) -> Any:
        if not self.machine:
            return [0] * count
        import numpy

        # Zeros would take memory as it is used, and to wait for it can take longer than a search may.
        return numpy.full(count, 0, numpy.int64)

    def lay_out(self, state: State, stream: Stream) -> None:
        """Put a position on the desk, with all moves of its player listed, the promising ones first."""
        self._renew()
        w, s = self.w, state.words
        n, me = s[rules.SIZE], state.turn
        other = 3 - me
        if (w[rows.SIZE], w[rows.JUMPS]) != (n, s[rules.HAS_JUMP]):
            self._forget_races()
        w[rows.SIZE] = n
        w[rows.JUMPS] = s[rules.HAS_JUMP]
        w[rows.PLIES] = s[rules.PLY]
        for player in (1, 2):
            w[rows.GOALS + player] = rules.goal(n, player)
        row = rows.ROWS
        for field, word in (
            (rows.EAST, s[rules.EAST]),
            (rows.SOUTH, s[rules.SOUTH]),
            (rows.MINE, s[rules.PAWN + me]),
            (rows.THEIRS, s[rules.PAWN + other]),
            (rows.MY_WALLS, s[rules.WALLS + me]),
            (rows.THEIR_WALLS, s[rules.WALLS + other]),
            (rows.MY_JUMP, s[rules.JUMPS + me]),
            (rows.THEIR_JUMP, s[rules.JUMPS + other]),
            (rows.MY_TURN, s[rules.ROTATIONS + me]),
            (rows.THEIR_TURN, s[rules.ROTATIONS + other]),
            (rows.MY_WAY, rules.distance(s, me)),
            (rows.THEIR_WAY, rules.distance(s, other)),
            (rows.PLAYER, me),
            (rows.STILL, s[rules.SEEN] - 1),
        ):
            w[row + field] = word
        self.past = [int(code) for code in s[rules.PAST : rules.PAST + s[rules.SEEN] - 1]]
        self._season()
        self.moving.clear(w)
        self.moving.generate(w, 0, rows.ALL)
        moves = self._moves()
        for k in range(len(moves) - 1, 0, -1):  # equal moves come in an order that the stream decides
            j = stream.below(k + 1)
            moves[k], moves[j] = moves[j], moves[k]
        self._list(sorted(moves, key=_worth))

    def _forget_races(self) -> None:
        for k in range(rows.KEPT):
            self.w[rows.RACES + k * rows.RACE] = -1

    def _season(self) -> None:
        """Give the root, and the positions before it, keys with a salt of their own."""
        self.salt += 1
        if self.salt == SALTS:
            self.table[:] = self._words(len(self.table))
            self.salt = 1
        self.w[rows.SALT] = self.salt << rows.SALTED
        self.w[rows.ROWS + rows.KEY] = self.moving.key_of(self.w, rows.ROWS)
        self._recall()

    def _recall(self) -> None:
        """Write down the keys of the positions before the root that could come again; see `rules.code`."""
        w, row = self.w, rows.ROWS
        me = int(w[row + rows.PLAYER])
        here = {me: int(w[row + rows.MINE]), 3 - me: int(w[row + rows.THEIRS])}
        w[rows.SEEN] = len(self.past)
        for k, code in enumerate(self.past):
            key = int(w[row + rows.KEY])
            for player, cell in ((1, code // 256), (2, code // 4 % 64)):
                key ^= int(w[rows.Z_PAWN + 64 * player + here[player]]) ^ int(w[rows.Z_PAWN + 64 * player + cell])
            w[rows.SEEN_KEYS + k] = key if code % 4 == me else key ^ int(w[rows.Z_TURN])

    def _moves(self, ply: int = 0) -> list[list[int]]:
        """The list of a ply; of each move its code, rank, and the ways after it."""
        first = rows.MOVES + ply * rows.WIDTH * rows.MOVE
        words = self.w[first : first + int(self.w[rows.COUNTS + ply]) * rows.MOVE]
        words = words.tolist() if self.machine else words
        return [words[k : k + rows.MOVE] for k in range(0, len(words), rows.MOVE)]

    def _list(self, moves: list[list[int]]) -> None:
        """Put moves on the root's list, in place of as many."""
        words = [word for move in moves for word in move]
        self.w[rows.MOVES : rows.MOVES + len(words)] = words

    def look(self, depth: int, wanted: int, *, full: bool = False) -> list[tuple[int, int]]:
        """Search the root to a depth: the codes of its moves and their values, best first, the `wanted` best exact.

        If the search was stopped, they are those that it had come to, the best of the search before among them.
        With `full` nothing is left out, so that a win is a proof.
        """
        w = self.w
        w[rows.WANTED] = wanted
        w[rows.FULL] = full or w[rows.SIZE] <= SMALL
        done = int(self.searching.search(w, self.table, self.control, 0, depth, -alphabeta.WIN, alphabeta.WIN))
        moves = sorted(self._moves()[:done], key=_worth)
        self._list(moves)
        return [(move[rows.CODE], move[rows.RANK]) for move in moves]

    @property
    def is_race(self) -> bool:
        """Whether no wall can be placed or turned any more."""
        row, fields = rows.ROWS, (rows.MY_WALLS, rows.THEIR_WALLS, rows.MY_TURN, rows.THEIR_TURN)
        return not any(self.w[row + field] for field in fields)

    def race(self) -> list[tuple[int, int]]:
        """The codes of the root's moves in a race and their values, best first, all of them exact."""
        w, n, jump = self.w, int(self.w[rows.SIZE]), int(self.w[rows.JUMPS])
        solved, far = self._words(race.race_room(1, 1)), self._words(race.length_room(1, 1))
        code: Any = compiled.compiled(race) if self.machine else race
        edges = int(w[rows.ROWS + rows.EAST]), int(w[rows.ROWS + rows.SOUTH])
        code.solve_lengths(solved, 0, far, 0, n, *edges, jump, jump)
        moves, me, after = self._moves(), int(w[rows.ROWS + rows.PLAYER]), rows.ROWS + rows.ROW
        for k, move in enumerate(moves):
            self.moving.advance(w, 0, rows.MOVES + k * rows.MOVE)
            mine, my_jump = int(w[after + rows.THEIRS]), int(w[after + rows.THEIR_JUMP])
            theirs, their_jump = int(w[after + rows.MINE]), int(w[after + rows.MY_JUMP])
            pair = (my_jump, their_jump, 2, mine, theirs) if me == 1 else (their_jump, my_jump, 1, theirs, mine)
            winner = race.race_winner(solved, 0, *pair)
            plies = 1 + int(race.race_length(far, 0, *pair))
            move[rows.RANK] = 0 if winner == 0 else alphabeta.WIN - plies if winner == me else plies - alphabeta.WIN
        moves.sort(key=_worth)
        self._list(moves)
        return [(move[rows.CODE], move[rows.RANK]) for move in moves]

    def prove(self, depth: int) -> int:
        """The value of the position, exact to a depth; to be asked last, since it forgets everything else."""
        self._season()
        found = self.look(depth, 1, full=True)
        return found[0][1] if found else 0

    @property
    def stopped(self) -> bool:
        """Whether the search was stopped, so that it did not come to all moves."""
        return bool(self.control[STOP])

    @property
    def nodes(self) -> int:
        return int(self.control[NODES])

    def _renew(self) -> None:
        """Nothing has been searched, and nothing stops a search."""
        for k in range(CONTROLS):
            self.control[k] = 0

    def line(self) -> list[int]:
        """The first action of the root's list, and the best ones after it as far as the table knows them."""
        w, ply, code, line = self.w, 0, int(self.w[rows.MOVES + rows.CODE]), []
        while code >= 0 and ply < rows.DEEPEST:
            if ply > 0:
                self.moving.generate(w, ply, rows.ALL)
            codes = [move[rows.CODE] for move in self._moves(ply)]
            if code not in codes:
                break
            line.append(self.action(code))
            self.moving.advance(w, ply, rows.MOVES + (ply * rows.WIDTH + codes.index(code)) * rows.MOVE)
            ply += 1
            code = int(self.searching.known_code(w, self.table, ply))
        return line

    def action(self, code: int) -> int:
        """The number of the action that a code of the search stands for."""
        n = int(self.w[rows.SIZE])
        if code < rows.EAST_WALL:
            return code
        if code < rows.SOUTH_WALL:
            return n * n + rules.east_edge(n, code - rows.EAST_WALL)
        if code < rows.JUMP:
            return n * n + rules.south_edge(n, code - rows.SOUTH_WALL)
        if code == rows.PASS:
            return rules.pass_action(n)
        skills = rules.pass_action(n) + 1
        if code < rows.PASS:
            return skills + code - rows.JUMP
        edge, way = rows.turned_edge(n, code), (code - rows.ROTATION) % 4
        return skills + n * n + 4 * edge + way


def _worth(move: list[int]) -> int:
    return -move[rows.RANK]
