"""Puzzles of GateRun: found in bots' games, proven by solving the position where few walls are left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tools.puzzles.finder import (
    LINE,
    Rung,
    alternatives,
    first_rung,
    id_of,
    lost_or_drawn,
    refutations,
    shown_options,
    single_best,
)
from tools.puzzles.walls_left import MOST_WALLS, ExactGateRun, walls_left

from rookery.core.bot import Budget, make_bot
from rookery.core.errors import PositionError
from rookery.core.notation import counted
from rookery.core.puzzle import Puzzle
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.games.gaterun import rules
from rookery.games.gaterun.game import GateRun

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from rookery.core.bot import Analysis
    from rookery.core.game import Game

LADDER = (
    Rung("greedy", 1500),
    Rung("alphabeta:nodes=100", 1700),
    Rung("alphabeta:nodes=250", 1900),
    Rung("alphabeta:nodes=1000", 2100),
    Rung("alphabeta:nodes=5000", 2250),
    Rung("alphabeta:nodes=40000", 2400),
    Rung("", 2550),
)
"""Levels by their Elo ratings plus about 800 (docs/strength.md)."""
SCAN_NODES, PROOF_NODES = 20_000, 2_000_000
"""What finds puzzles with many walls left, and what verifies them: a hundred times as much."""
BASES, VARIANTS, RATED = 5, 40, 8
"""Of a game: positions with few walls left, how often the pawns of each are moved, and how many puzzles are rated."""
LIKED = 150
"""By how much more difficult a step must be than a wall to be preferred."""
CERTAIN = 900
"""Values beyond this are wins in sight."""
CLEAR_LOSS = -1.5
"""In steps: with many walls left, every other move must be worth no more than this."""


class GateRunFinder:
    """Finds puzzles in GateRun's games."""

    name = "gaterun"
    games = 500
    wanted = 320

    def __init__(self) -> None:
        self.exact = ExactGateRun()
        self.bot = make_bot(GateRun, "alphabeta")

    def game(self, stream: Stream) -> tuple[Game, Sequence[str]]:
        size = 5 if stream.uniform() < 0.2 else 6 if stream.uniform() < 0.1 else 7
        walls = stream.pick((2, 3, 4, 5) if size < 7 else (2, 3, 4, 5, 6, 8))
        bots = [
            f"alphabeta:nodes={stream.pick((100, 250, 1000))},slip={stream.pick((0.05, 0.1, 0.2))}" for _ in range(2)
        ]
        return GateRun(size=size, walls=walls), bots

    def puzzles(self, states: Sequence[State], stream: Stream) -> list[Puzzle]:
        """The hardest of some puzzles in a game: two at most, with different walls and different solutions."""
        self.exact.forget()
        found: list[tuple[int, State, int, Rung]] = []
        for state in self.candidates(states, stream):
            solution = self.solution(state) if is_contested(state) else None
            if solution is None or is_won_by(state, solution):
                continue
            near = alternatives(state, solution)
            if near == 0 and (found or stream.uniform() < 0.5):
                continue
            rung = first_rung(state, LADDER, solution)
            found.append((rung.rating + 12 * min(near, 8) + LIKED * is_wall(state, solution), state, solution, rung))
            if len(found) == RATED:
                break
        found.sort(key=lambda each: -each[0])
        others = [each for each in found[1:] if each[2] != found[0][2] and walls_of(each[1]) != walls_of(found[0][1])]
        return [self.written(*each[1:]) for each in (*found[:1], *others[:1])]

    def candidates(self, states: Sequence[State], stream: Stream) -> Iterator[State]:
        """Positions of a game with many walls left; then some with few, and the same walls with the pawns moved, since
        one solution serves them all. In most games, only positions that a wall wins.
        """
        waiting = [plain(state) for state in states if state.ply >= 4]
        for state in waiting:
            if walls_left(state) > MOST_WALLS:
                yield state
        most = MOST_WALLS if stream.uniform() < 0.2 else MOST_WALLS - 1
        least = 0 if stream.uniform() < 0.25 else 1
        bases = [state for state in waiting if least <= walls_left(state) <= most]
        walls_only = least > 0 and stream.uniform() < 0.75
        for _ in range(BASES if bases else 0):
            base = stream.pick(bases)
            yield base
            if walls_only:
                yield from self.won_by_walls(base, stream)
            else:
                moved = (with_moved_pawns(base, stream) for _ in range(VARIANTS))
                yield from (each for each in moved if each is not None)

    def won_by_walls(self, base: State, stream: Stream) -> Iterator[State]:
        """Some positions with the walls of another where a wall wins and no step does, and the pawns are close."""
        places, n, fields = self.exact.needing_walls(base), base.words[rules.SIZE], base.json()
        for _ in range(min(VARIANTS, len(places))):
            player, *pawns = places.pop(stream.below(len(places)))
            fields["ply"], fields["turn"] = player - 1, player
            fields["pawns"] = [list(divmod(pawn, n)) for pawn in pawns]
            try:
                yield base.game.position(fields)
            except PositionError:  # a pawn has no way to its goal
                continue

    def solution(self, state: State) -> int | None:
        """The single best action, proven or found clearly best; None if there is none."""
        if not self.exact.can(state):
            return self.clear_solution(state)
        return single_best(self.exact.values(state))

    def clear_solution(self, state: State) -> int | None:
        """The action that wins while all others are clearly behind, by a short search and then by a long one."""
        for nodes in (SCAN_NODES // 10, SCAN_NODES, PROOF_NODES):
            found = self.analysis(state, nodes)
            if not is_clear(found):
                return None
        return found.candidates[0].action

    def analysis(self, state: State, nodes: int) -> Analysis:
        return self.bot.search(state, Budget(nodes=nodes), Stream())

    def written(self, state: State, solution: int, rung: Rung) -> Puzzle:
        """The puzzle with its line, its refutations and its rating."""
        game, proven = state.game, self.exact.can(state)
        values = self.exact.values(state) if proven else dict.fromkeys(state.actions(), -1) | {solution: 1}
        outcome = values[solution]
        depth, near = self.settles_at(state, solution), alternatives(state, solution)
        return Puzzle(
            game=game.name,
            id=id_of(state),
            options=shown_options(game),
            position=state.position(),
            theme=theme(state, solution, outcome),
            rating=rung.rating + 12 * min(near, 8) + 25 * min(depth, 12) - 250,
            prompt=prompt(state, solution, outcome),
            solution=game.name_of(solution),
            line=self.line(state, solution, outcome),
            why=why(state, solution, outcome),
            wrong=refutations(state, values, solution, self.reply),
            evidence=self.evidence(state, values, outcome)
            | {"first": rung.bot, "near": near, "depth": depth, "moves": len(values)},
        )

    def told(self, puzzle: Puzzle) -> Puzzle:
        state, outcome = puzzle.start(GateRun), 1 if puzzle.evidence["best"] == "win" else 0
        solution = state.game.action(puzzle.solution)
        return replace(
            puzzle,
            theme=theme(state, solution, outcome),
            prompt=prompt(state, solution, outcome),
            why=why(state, solution, outcome),
        )

    def is_worthwhile(self, puzzle: Puzzle) -> bool:
        """Whether there is something to think about: not if only one wall stops a step to the goal."""
        known = puzzle.evidence
        return puzzle.theme != "stop" or known["near"] > 1 or known["depth"] > 2

    def likeness(self, puzzle: Puzzle) -> Hashable:
        """The walls, or their mirror image."""
        state = puzzle.start(GateRun)
        n, views = state.words[rules.SIZE], []
        walls = [[tuple(map(int, spot.split(","))) for spot in wall.split("|")] for wall in state.json()["walls"]]
        for across in (False, True):
            turned = [sorted((row, n - 1 - col if across else col) for row, col in wall) for wall in walls]
            views.append(str(sorted(turned)))
        return n, min(views)

    def evidence(self, state: State, values: Mapping[int, int], outcome: int) -> dict[str, Any]:
        said = {1: "win", 0: "draw", -1: "loss"}
        if self.exact.can(state):
            others = sorted({said[value] for value in values.values() if value != outcome})
            return {"by": "exact", "best": said[outcome], "others": "/".join(others)}
        found = self.analysis(state, PROOF_NODES)
        second = round(found.candidates[1].value, 1)
        return {"by": "alphabeta", "nodes": PROOF_NODES, "best": "win", "others": second}

    def reply(self, state: State, action: int, value: int) -> str:
        """An answer to a wrong move that keeps what it gives away."""
        after = state.copy()
        after.play(action)
        if after.over or after.turn == state.turn:
            return ""
        for nodes in (2_000, 50_000):
            choice = self.analysis(after, nodes).candidates[0].action
            if not self.exact.can(after) or self.keeps(after, choice, -value):
                return after.game.name_of(choice)
        best = next(each for each in after.actions() if self.keeps(after, each, -value))
        return after.game.name_of(best)

    def keeps(self, state: State, action: int, value: int) -> bool:
        """Whether an action reaches this outcome for its player."""
        me, after = state.turn, state.copy()
        after.play(action)
        winner = self.exact.winner(after)
        return value == (0 if winner == 0 else 1 if winner == me else -1)

    def line(self, state: State, solution: int, outcome: int) -> tuple[str, ...]:
        """The solution and good play of both, while nobody gives the outcome away."""
        after, me = state.copy(), state.turn
        after.play(solution)
        names, seen = [state.game.name_of(solution)], {state.game.key(plain(after))}
        while not after.over and len(names) < LINE:
            value = outcome if after.turn == me else -outcome
            choice = self.analysis(after, SCAN_NODES).candidates[0].action
            if self.exact.can(after) and not self.keeps(after, choice, value):
                choice = next(each for each in after.actions() if self.keeps(after, each, value))
            after.play(choice)
            if not after.over and (key := state.game.key(plain(after))) in seen:
                break  # from here on they go in circles
            seen.add(key)
            names.append(state.game.name_of(choice))
        return tuple(names)

    def settles_at(self, state: State, solution: int) -> int:
        """The depth from which on the search prefers the solution."""
        depth = 12
        while depth > 1:
            bot = make_bot(GateRun, f"alphabeta:depth={depth - 1},nodes=300000")
            if bot.choose(state, None, Stream()) != solution:
                break
            depth -= 1
        return depth

    def faults(self, puzzle: Puzzle) -> Iterator[str]:
        state = puzzle.start(GateRun)
        solution = state.game.action(puzzle.solution)
        self.exact.forget()
        if not self.exact.can(state):
            found = self.analysis(state, 2 * PROOF_NODES)
            if found.candidates[0].action != solution or not is_clear(found):
                yield "a longer search does not find the solution clearly best"
            return
        values = self.exact.values(state)
        if single_best(values) != solution:
            yield "the solution is not the only best move"
        for action, value in values.items():
            refutation = puzzle.refutation(state.game.name_of(action))
            if refutation is None:
                continue
            if refutation.outcome != lost_or_drawn(value):
                yield f"{state.game.name_of(action)} is no {refutation.outcome}"
            if refutation.reply:
                after = state.copy()
                after.play(action)
                if not self.keeps(after, after.game.action(refutation.reply), -value):
                    yield f"{refutation.reply} does not answer {state.game.name_of(action)}"


def plain(state: State) -> State:
    """The position without its past: nothing has come before, as for someone who sets it up."""
    fields = state.json()
    fields["past"], fields["ply"] = [], fields["ply"] % 2
    return state.game.position(state.game.write(fields))


def with_moved_pawns(state: State, stream: Stream) -> State | None:
    """The position with both pawns up to two cells away and either player to move; None if that is impossible."""
    fields, n = state.json(), state.words[rules.SIZE]
    fields["ply"] = stream.below(2)
    fields["turn"] = 1 + fields["ply"]
    for pawn in fields["pawns"]:
        for k in range(2):
            pawn[k] = min(n - 1, max(0, pawn[k] + stream.below(5) - 2))
    try:
        return state.game.position(fields)
    except PositionError:
        return None


def walls_of(state: State) -> tuple[int, int]:
    return state.words[rules.EAST], state.words[rules.SOUTH]


def distances(state: State) -> tuple[int, int]:
    """The steps to go of the player to move and of the other."""
    me = state.turn if state.turn > 0 else 1
    return rules.distance(state.words, me), rules.distance(state.words, 3 - me)


def is_contested(state: State) -> bool:
    """Whether a position may be a puzzle: several ways to go, neither a win at once nor a race far apart."""
    mine, theirs = distances(state)
    steps = [action for action in state.actions() if action < state.words[rules.SIZE] ** 2]
    if len(steps) < 2 or mine < 2 or (walls_left(state) == 0 and len(steps) < 3):
        return False
    return abs(mine - theirs) <= 4


def is_won_by(state: State, action: int) -> bool:
    after = state.copy()
    after.play(action)
    return after.over


def is_clear(found: Analysis) -> bool:
    """Whether the best move wins in sight and no other comes near."""
    if len(found.candidates) < 2:
        return False
    best, second = found.candidates[:2]
    return best.value >= CERTAIN and second.value <= CLEAR_LOSS


def is_wall(state: State, action: int) -> bool:
    return state.words[rules.SIZE] ** 2 <= action < rules.pass_action(state.words[rules.SIZE])


def theme(state: State, solution: int, outcome: int) -> str:
    if outcome == 0:
        return "save"
    if walls_left(state) == 0:
        return "race"
    if not is_wall(state, solution):
        return "step" if state.words[rules.WALLS + state.turn] else "only"
    return "stop" if distances(state)[1] <= 2 else "wall"


def behind(state: State) -> str:
    """How the race stands, in words."""
    mine, theirs = distances(state)
    if mine > theirs:
        return f"You are {counted(mine - theirs, 'step')} behind"
    return f"You are {counted(theirs - mine, 'step')} ahead" if mine < theirs else "Both have as far to go"


def prompt(state: State, solution: int, outcome: int) -> str:
    """The task in a sentence or two."""
    _, theirs = distances(state)
    task = {
        "save": f"{behind(state)}, and all moves but one lose. Find the one that holds the draw.",
        "race": f"{behind(state)} and no walls are left. Win the race.",
        "stop": f"Your opponent is {counted(theirs, 'step')} from the goal. Find the wall that stops them and wins.",
        "wall": f"{behind(state)}. Find the wall that wins.",
        "step": f"{behind(state)}. One move wins; find it.",
        "only": f"{behind(state)}, and you have no walls left. Find the only step that wins.",
    }
    return task[theme(state, solution, outcome)]


def why(state: State, solution: int, outcome: int) -> str:
    """Why the solution works."""
    after = state.copy()
    theirs, me = distances(state)[1], state.turn
    after.play(solution)
    if after.over:
        return "It reaches the goal."
    mine_after, theirs_after = rules.distance(after.words, me), rules.distance(after.words, 3 - me)
    said = ""
    if is_wall(state, solution):
        longer = theirs_after - theirs
        said = (
            f"The wall makes their way {counted(longer, 'step')} longer. "
            if longer
            else ("The wall takes nothing yet, but it closes the way they need. ")
        )
    stand = f"Now you need {counted(mine_after, 'step')} and they need {theirs_after}"
    end = "and with best play you arrive first." if outcome > 0 else "and nobody can force a win any more."
    return f"{said}{stand}, {end}"
