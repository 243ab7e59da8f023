"""The workspaces of GateRun's searches: they load positions, run searches, and turn move codes into actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rookery.core.stream import Stream, bits
from rookery.engine import compiling
from rookery.engine.workspaces import Buffers, thread_workspace
from rookery.games.gaterun import geometry, rules
from rookery.games.gaterun.bots import alphabeta, minimax, move_generation, race, records
from rookery.games.gaterun.bots import search_state as st
from rookery.search.control import CONTROLS, NODES, STOP

if TYPE_CHECKING:
    from types import ModuleType

    from rookery.core.state import State

FULL_WIDTH_SIZE = 3
"""On boards up to this size, where a wall is mostly a waiting move, the search leaves nothing out."""
MAX_GENERATIONS = 1 << 10
"""Searches after which the transposition table is cleared, so that their numbers can be used again."""


def workspace() -> AlphaBetaWorkspace:
    """The workspace of this thread."""
    return thread_workspace(AlphaBetaWorkspace)


class AlphaBetaWorkspace:
    """The buffers and the code of a search; serves one search at a time.

    What a search finds depends on the position, the order of the root's moves and the nodes spent, and not on earlier
    searches.
    """

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled
        self._buffers = Buffers(compiled=compiled)
        self.search_state, self._kernel_state = records.allocate(st.SearchState, st.SHAPES, compiled=compiled)
        self.control: Any = self.search_state.control
        self.generation = 0
        self.past: list[int] = []
        self._alphabeta, self._generation, self._positions = map(self._code, (alphabeta, move_generation, st))
        self._draw_keys()

    def _draw_keys(self) -> None:
        """Draw a random Zobrist key for every feature of a position, the same in every workspace."""
        t, stream = self.search_state, list(Stream().words)
        rows = (t.east_keys, t.south_keys, *t.pawn_keys, *t.wall_keys, t.jump_keys, t.rotation_keys, t.turn_key)
        for row in rows:
            row[:] = [((bits(stream) << 20) ^ bits(stream)) & ((1 << st.GENERATION_SHIFT) - 1) for _ in range(len(row))]

    def _code(self, module: ModuleType) -> Any:
        return compiling.compiled(module) if self.compiled else module

    def load(self, state: State, stream: Stream) -> None:
        """Make a position the root and list all its moves, the promising ones first."""
        self.control[:] = [0] * len(self.control)
        self._load_root(state)
        self.past = [int(code) for code in state.words[rules.PAST : rules.PAST + state.words[rules.SEEN] - 1]]
        self._start_generation()
        self.search_state.killers[:] = self._buffers.ints(2, rows=st.MAX_PLY + 2)  # type: ignore[index]
        self.search_state.history[:] = self._buffers.ints(st.CODES, rows=3)  # type: ignore[index]
        self._generation.generate(self._kernel_state, 0, move_generation.ALL_WALLS)
        moves = self.moves()
        for k in range(len(moves) - 1, 0, -1):  # the stream decides the order of equal moves
            j = stream.below(k + 1)
            moves[k], moves[j] = moves[j], moves[k]
        self._list(sorted(moves, key=_by_score))

    def _load_root(self, state: State) -> None:
        t, words = self.search_state, state.words
        n, me = words[rules.SIZE], state.turn
        other = 3 - me
        if (t.root[st.BOARD_SIZE], t.root[st.HAS_JUMPS]) != (n, words[rules.HAS_JUMP]):
            for solved in t.races:
                solved[st.RACE_EAST] = -1
        t.root[st.BOARD_SIZE] = n
        t.root[st.HAS_JUMPS] = words[rules.HAS_JUMP]
        t.root[st.ROOT_PLY] = words[rules.PLY]
        for player in (1, 2):
            t.root[st.GOAL_ROW + player] = geometry.goal(n, player)
        position = t.positions[0]
        for field, word in {
            st.OPEN_EAST: words[rules.EAST],
            st.OPEN_SOUTH: words[rules.SOUTH],
            st.MY_CELL: words[rules.PAWN + me],
            st.THEIR_CELL: words[rules.PAWN + other],
            st.MY_WALLS: words[rules.WALLS + me],
            st.THEIR_WALLS: words[rules.WALLS + other],
            st.MY_JUMPS: words[rules.JUMPS + me],
            st.THEIR_JUMPS: words[rules.JUMPS + other],
            st.MY_ROTATIONS: words[rules.ROTATIONS + me],
            st.THEIR_ROTATIONS: words[rules.ROTATIONS + other],
            st.MY_DISTANCE: rules.distance(words, me),
            st.THEIR_DISTANCE: rules.distance(words, other),
            st.PLAYER: me,
            st.HALFMOVE_CLOCK: words[rules.SEEN] - 1,
        }.items():
            position[field] = word

    def _start_generation(self) -> None:
        """Give the root, and the positions before it, keys that no earlier search had."""
        t = self.search_state
        self.generation += 1
        if self.generation == MAX_GENERATIONS:
            t.table[:] = self._buffers.ints(len(t.table))
            self.generation = 1
        t.root[st.GENERATION] = self.generation << st.GENERATION_SHIFT
        t.positions[0][st.KEY] = self._positions.hash_position(self._kernel_state, 0)
        self._write_past_keys()

    def _write_past_keys(self) -> None:
        """Write down the keys of the positions before the root that could come again; see `rules.code`."""
        t, root = self.search_state, self.search_state.positions[0]
        me = int(root[st.PLAYER])
        cells = {me: int(root[st.MY_CELL]), 3 - me: int(root[st.THEIR_CELL])}
        t.root[st.PAST_COUNT] = len(self.past)
        for k, code in enumerate(self.past):
            key = int(root[st.KEY])
            for player, cell in ((1, code // 256), (2, code // 4 % 64)):
                key ^= int(t.pawn_keys[player][cells[player]]) ^ int(t.pawn_keys[player][cell])
            t.past_keys[k] = key if code % 4 == me else key ^ int(t.turn_key[0])

    def moves(self, ply: int = 0) -> list[list[int]]:
        """The moves of a ply, each as its words (`st.CODE` to `st.THEIR_NEW_DISTANCE`)."""
        t = self.search_state
        size = int(t.positions[ply][st.MOVE_COUNT]) * st.MOVE_WORDS
        listed: Any = t.moves[ply][:size]
        words = listed.tolist() if self.compiled else listed
        return [words[k : k + st.MOVE_WORDS] for k in range(0, size, st.MOVE_WORDS)]

    def _list(self, moves: list[list[int]]) -> None:
        """Replace the first moves on the root's list."""
        words = [word for move in moves for word in move]
        self.search_state.moves[0][: len(words)] = words

    def search(self, depth: int, multi_pv: int, *, full_width: bool = False) -> list[tuple[int, int]]:
        """Search the root to a depth: its move codes with their values, best first, the `multi_pv` best exact.

        If the search was stopped, they are those it had searched, the best of the search before among them. With
        `full_width` nothing is left out, so a win is a proof.
        """
        t = self.search_state
        t.root[st.MULTI_PV] = multi_pv
        t.root[st.FULL_WIDTH] = full_width or t.root[st.BOARD_SIZE] <= FULL_WIDTH_SIZE
        t.root[st.SEARCHED] = 0
        self._alphabeta.search(self._kernel_state, 0, depth, -alphabeta.WIN, alphabeta.WIN)
        return self._sorted(self.moves()[: int(t.root[st.SEARCHED])])

    def _sorted(self, moves: list[list[int]]) -> list[tuple[int, int]]:
        """Put moves back on the root's list, best first; return their codes and values."""
        moves.sort(key=_by_score)
        self._list(moves)
        return [(move[st.CODE], move[st.SCORE]) for move in moves]

    @property
    def is_race(self) -> bool:
        """Whether no wall can be placed or turned any more."""
        fields = (st.MY_WALLS, st.THEIR_WALLS, st.MY_ROTATIONS, st.THEIR_ROTATIONS)
        return not any(self.search_state.positions[0][field] for field in fields)

    def solve_race(self) -> list[tuple[int, int]]:
        """The codes of the root's moves in a race and their values, best first, all exact."""
        t = self.search_state
        root, jump = [int(word) for word in t.positions[0]], int(t.root[st.HAS_JUMPS])
        board = geometry.Board(int(t.root[st.BOARD_SIZE]), root[st.OPEN_EAST], root[st.OPEN_SOUTH])
        solved, lengths = self._buffers.ints(race.race_words(1, 1)), self._buffers.ints(race.length_words(1, 1))
        self._code(race).solve_lengths(solved, lengths, board, jump, jump)
        moves, me = self.moves(), root[st.PLAYER]
        for move in moves:
            place = _race_place(root, move[st.CODE])
            winner = race.race_winner(solved, place)
            plies = 1 + int(race.race_length(lengths, place))
            move[st.SCORE] = 0 if winner == 0 else alphabeta.WIN - plies if winner == me else plies - alphabeta.WIN
        return self._sorted(moves)

    def prove(self, depth: int) -> int:
        """The value of the root, exact to a depth. Ask this last, since the lines of earlier searches are lost."""
        self._start_generation()
        found = self.search(depth, 1, full_width=True)
        return found[0][1] if found else 0

    @property
    def stopped(self) -> bool:
        """Whether the search was stopped, so that it did not search all moves."""
        return bool(self.control[STOP])

    @property
    def nodes(self) -> int:
        return int(self.control[NODES])

    def principal_variation(self) -> list[int]:
        """The first action on the root's list, and the best replies as far as the transposition table has them."""
        t, line, ply = self.search_state, [], 0
        code = int(t.moves[0][st.CODE])
        while code >= 0 and ply < st.MAX_PLY:
            if ply > 0:
                self._generation.generate(self._kernel_state, ply, move_generation.ALL_WALLS)
            codes = [move[st.CODE] for move in self.moves(ply)]
            if code not in codes:
                break
            line.append(self.action(code))
            self._positions.advance(self._kernel_state, ply, codes.index(code))
            ply += 1
            code = int(self._alphabeta.tt_move(self._kernel_state, ply))
        return line

    def action(self, code: int) -> int:
        """The number of the action that a move code stands for."""
        n = int(self.search_state.root[st.BOARD_SIZE])
        if code < st.EAST_WALL:
            return code
        if code < st.SOUTH_WALL:
            return n * n + geometry.east_edge(n, code - st.EAST_WALL)
        if code < st.JUMP:
            return n * n + geometry.south_edge(n, code - st.SOUTH_WALL)
        if code == st.PASS:
            return rules.pass_action(n)
        skills = rules.pass_action(n) + 1
        if code < st.PASS:
            return skills + code - st.JUMP
        edge, way = st.rotated_edge(n, code), (code - st.ROTATION) % 4
        return skills + n * n + 4 * edge + way


def _race_place(position: list[int], code: int) -> race.RacePlace:
    """The position of a race after a step, a jump or a pass."""
    mine, jumps = position[st.MY_CELL], position[st.MY_JUMPS]
    if code < st.EAST_WALL:
        mine = code - st.STEP
    elif code < st.PASS:
        mine, jumps = code - st.JUMP, jumps - 1
    theirs, their_jumps = position[st.THEIR_CELL], position[st.THEIR_JUMPS]
    if position[st.PLAYER] == 1:
        return race.RacePlace(jumps, their_jumps, 2, mine, theirs)
    return race.RacePlace(their_jumps, jumps, 1, theirs, mine)


def _by_score(move: list[int]) -> int:
    return -move[st.SCORE]


class SearchedAction(NamedTuple):
    """An action with its value and the best line that begins with it."""

    action: int
    value: int
    line: list[int]


class MinimaxWorkspace:
    """The buffers and the code of one minimax search, up to a depth."""

    def __init__(self, state: State, depth: int, *, compiled: bool) -> None:
        words, buffers = state.game.compiled_words(state), Buffers(compiled=compiled)
        self.player = state.turn
        self.control: Any = buffers.ints(CONTROLS)
        self.search_state = minimax.MinimaxState(
            stack=buffers.ints(len(words), rows=depth + 2),
            moves=buffers.ints(minimax.width(words), rows=depth + 2),
            lines=buffers.ints(depth + 3, rows=depth + 2),
            control=self.control,
        )
        self._minimax: Any = compiling.compiled(minimax) if compiled else minimax
        root, moves = self.search_state.stack[0], self.search_state.moves[0]
        root[:] = words
        count = int(self._minimax.order(root, moves))
        self.actions = [int(action) for action in moves[:count]]

    @property
    def stopped(self) -> bool:
        """Whether the search was stopped, so that its last result is not complete."""
        return bool(self.control[STOP])

    @property
    def nodes(self) -> int:
        return int(self.control[NODES])

    def search(self, depth: int, *, every: bool) -> list[SearchedAction]:
        """Search all actions to a depth, best first; with `every` all values are exact, else the best one's.

        Actions of equal value stay in the order they were searched in.
        """
        found = []
        infinity = 2 * minimax.WIN
        low = -infinity
        for action in self.actions:
            self._minimax.advance(self.search_state.stack, 0, action)
            value = int(self._minimax.search(self.search_state, 1, depth - 1, low, infinity, self.player))
            rest = [int(each) for each in self.search_state.lines[1]]
            found.append(SearchedAction(action, value, [action, *rest[: rest.index(-1)]]))
            if not every:
                low = max(low, value - 1)  # just below the best, so that ties are exact
            if self.stopped:
                break
        found.sort(key=lambda each: -each.value)
        if not every:
            self.actions = [each.action for each in found]  # the best so far first, so that it cuts off most others
        return found
