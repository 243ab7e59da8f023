"""The desk of GateRun's alpha-beta search as Python sees it: a position is laid out, moves are read, lines followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.engine.workspaces import thread_workspace
from rookery.games.gaterun import rules
from rookery.games.gaterun.bots import alphabeta, race
from rookery.games.gaterun.bots import search_state as st
from rookery.search.control import CONTROLS, NODES, STOP

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

    def __init__(self, *, compiled: bool) -> None:
        self.searching: Any = compiling.compiled(alphabeta) if compiled else alphabeta
        self.moving: Any = compiling.compiled(st) if compiled else st
        self.compiled = compiled
        self.w = self._words(st.DESK)
        self.table = self._words(2 * TABLE)
        self.control = self._words(CONTROLS)
        self.salt = 0
        self.past: list[int] = []
        seeds = self._words(4)
        seeds[:] = Stream().words
        self.moving.scramble(self.w, seeds)

    def _words(self, count: int) -> Any:
        if not self.compiled:
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
        if (w[st.SIZE], w[st.JUMPS]) != (n, s[rules.HAS_JUMP]):
            self._forget_races()
        w[st.SIZE] = n
        w[st.JUMPS] = s[rules.HAS_JUMP]
        w[st.PLIES] = s[rules.PLY]
        for player in (1, 2):
            w[st.GOALS + player] = rules.goal(n, player)
        row = st.ROWS
        for field, word in (
            (st.EAST, s[rules.EAST]),
            (st.SOUTH, s[rules.SOUTH]),
            (st.MINE, s[rules.PAWN + me]),
            (st.THEIRS, s[rules.PAWN + other]),
            (st.MY_WALLS, s[rules.WALLS + me]),
            (st.THEIR_WALLS, s[rules.WALLS + other]),
            (st.MY_JUMP, s[rules.JUMPS + me]),
            (st.THEIR_JUMP, s[rules.JUMPS + other]),
            (st.MY_TURN, s[rules.ROTATIONS + me]),
            (st.THEIR_TURN, s[rules.ROTATIONS + other]),
            (st.MY_WAY, rules.distance(s, me)),
            (st.THEIR_WAY, rules.distance(s, other)),
            (st.PLAYER, me),
            (st.STILL, s[rules.SEEN] - 1),
        ):
            w[row + field] = word
        self.past = [int(code) for code in s[rules.PAST : rules.PAST + s[rules.SEEN] - 1]]
        self._season()
        self.moving.clear(w)
        self.moving.generate(w, 0, st.ALL)
        moves = self._moves()
        for k in range(len(moves) - 1, 0, -1):  # equal moves come in an order that the stream decides
            j = stream.below(k + 1)
            moves[k], moves[j] = moves[j], moves[k]
        self._list(sorted(moves, key=_worth))

    def _forget_races(self) -> None:
        for k in range(st.KEPT):
            self.w[st.RACES + k * st.RACE] = -1

    def _season(self) -> None:
        """Give the root, and the positions before it, keys with a salt of their own."""
        self.salt += 1
        if self.salt == SALTS:
            self.table[:] = self._words(len(self.table))
            self.salt = 1
        self.w[st.SALT] = self.salt << st.SALTED
        self.w[st.ROWS + st.KEY] = self.moving.key_of(self.w, st.ROWS)
        self._recall()

    def _recall(self) -> None:
        """Write down the keys of the positions before the root that could come again; see `rules.code`."""
        w, row = self.w, st.ROWS
        me = int(w[row + st.PLAYER])
        here = {me: int(w[row + st.MINE]), 3 - me: int(w[row + st.THEIRS])}
        w[st.SEEN] = len(self.past)
        for k, code in enumerate(self.past):
            key = int(w[row + st.KEY])
            for player, cell in ((1, code // 256), (2, code // 4 % 64)):
                key ^= int(w[st.Z_PAWN + 64 * player + here[player]]) ^ int(w[st.Z_PAWN + 64 * player + cell])
            w[st.SEEN_KEYS + k] = key if code % 4 == me else key ^ int(w[st.Z_TURN])

    def _moves(self, ply: int = 0) -> list[list[int]]:
        """The list of a ply; of each move its code, rank, and the ways after it."""
        first = st.MOVES + ply * st.WIDTH * st.MOVE
        words = self.w[first : first + int(self.w[st.COUNTS + ply]) * st.MOVE]
        words = words.tolist() if self.compiled else words
        return [words[k : k + st.MOVE] for k in range(0, len(words), st.MOVE)]

    def _list(self, moves: list[list[int]]) -> None:
        """Put moves on the root's list, in place of as many."""
        words = [word for move in moves for word in move]
        self.w[st.MOVES : st.MOVES + len(words)] = words

    def look(self, depth: int, wanted: int, *, full: bool = False) -> list[tuple[int, int]]:
        """Search the root to a depth: the codes of its moves and their values, best first, the `wanted` best exact.

        If the search was stopped, they are those that it had come to, the best of the search before among them.
        With `full` nothing is left out, so that a win is a proof.
        """
        w = self.w
        w[st.WANTED] = wanted
        w[st.FULL] = full or w[st.SIZE] <= SMALL
        done = int(self.searching.search(w, self.table, self.control, 0, depth, -alphabeta.WIN, alphabeta.WIN))
        moves = sorted(self._moves()[:done], key=_worth)
        self._list(moves)
        return [(move[st.CODE], move[st.RANK]) for move in moves]

    @property
    def is_race(self) -> bool:
        """Whether no wall can be placed or turned any more."""
        row, fields = (
            st.ROWS,
            (st.MY_WALLS, st.THEIR_WALLS, st.MY_TURN, st.THEIR_TURN),
        )
        return not any(self.w[row + field] for field in fields)

    def race(self) -> list[tuple[int, int]]:
        """The codes of the root's moves in a race and their values, best first, all of them exact."""
        w, n, jump = self.w, int(self.w[st.SIZE]), int(self.w[st.JUMPS])
        solved, far = self._words(race.race_room(1, 1)), self._words(race.length_room(1, 1))
        code: Any = compiling.compiled(race) if self.compiled else race
        edges = int(w[st.ROWS + st.EAST]), int(w[st.ROWS + st.SOUTH])
        code.solve_lengths(solved, 0, far, 0, n, *edges, jump, jump)
        moves, me, after = (
            self._moves(),
            int(w[st.ROWS + st.PLAYER]),
            st.ROWS + st.ROW,
        )
        for k, move in enumerate(moves):
            self.moving.advance(w, 0, st.MOVES + k * st.MOVE)
            mine, my_jump = int(w[after + st.THEIRS]), int(w[after + st.THEIR_JUMP])
            theirs, their_jump = int(w[after + st.MINE]), int(w[after + st.MY_JUMP])
            pair = (my_jump, their_jump, 2, mine, theirs) if me == 1 else (their_jump, my_jump, 1, theirs, mine)
            winner = race.race_winner(solved, 0, *pair)
            plies = 1 + int(race.race_length(far, 0, *pair))
            move[st.RANK] = 0 if winner == 0 else alphabeta.WIN - plies if winner == me else plies - alphabeta.WIN
        moves.sort(key=_worth)
        self._list(moves)
        return [(move[st.CODE], move[st.RANK]) for move in moves]

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
        w, ply, code, line = self.w, 0, int(self.w[st.MOVES + st.CODE]), []
        while code >= 0 and ply < st.DEEPEST:
            if ply > 0:
                self.moving.generate(w, ply, st.ALL)
            codes = [move[st.CODE] for move in self._moves(ply)]
            if code not in codes:
                break
            line.append(self.action(code))
            self.moving.advance(w, ply, st.MOVES + (ply * st.WIDTH + codes.index(code)) * st.MOVE)
            ply += 1
            code = int(self.searching.known_code(w, self.table, ply))
        return line

    def action(self, code: int) -> int:
        """The number of the action that a code of the search stands for."""
        n = int(self.w[st.SIZE])
        if code < st.EAST_WALL:
            return code
        if code < st.SOUTH_WALL:
            return n * n + rules.east_edge(n, code - st.EAST_WALL)
        if code < st.JUMP:
            return n * n + rules.south_edge(n, code - st.SOUTH_WALL)
        if code == st.PASS:
            return rules.pass_action(n)
        skills = rules.pass_action(n) + 1
        if code < st.PASS:
            return skills + code - st.JUMP
        edge, way = st.turned_edge(n, code), (code - st.ROTATION) % 4
        return skills + n * n + 4 * edge + way


def _worth(move: list[int]) -> int:
    return -move[st.RANK]
