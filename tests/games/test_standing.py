"""What scenes tell of how a game stands: whose wall is whose, steps to go, rounds, areas, what won."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rookery

if TYPE_CHECKING:
    from rookery.core.scene import Scene
    from rookery.core.state import State


def play(state: State, *texts: str) -> None:
    for text in texts:
        state.play(state.game.action(text))


def walls(scene: Scene) -> dict[str, int]:
    """Who put up each wall, by its name."""
    return {wall.name: wall.owner for wall in scene.walls}


def figures(scene: Scene, label: str) -> list[str]:
    return [panel.value for panel in scene.panels if panel.label == label]


def test_a_wall_tells_who_put_it_up_even_after_it_was_turned() -> None:
    state = rookery.game("gaterun", size=5, rotate=True).start()
    play(state, "1,1|2,1", "3,1|3,2")
    assert walls(state.scene()) == {"Player 1's wall below b4": 1, "Player 2's wall right of b2": 2}
    play(state, "3,1|3,2>2,1|3,1")
    assert walls(state.scene()) == {"Player 1's wall below b4": 1, "Player 2's wall below b3": 2}


def test_a_wall_of_a_set_position_is_nobodys_and_later_ones_have_their_owner() -> None:
    state = rookery.game("gaterun", size=5).position("0,2/4,2 1,1|2,1 P2 7/8 -/- 1")
    play(state, "3,1|3,2", "1,3|2,3")
    assert walls(state.scene()) == {
        "Player 2's wall right of b2": 2,
        "wall below b4": 0,
        "Player 1's wall below d4": 1,
    }


def test_steps_to_go_are_the_shortest_ways_around_the_walls() -> None:
    state = rookery.game("gaterun", size=5).start()
    assert figures(state.scene(), "steps to go") == ["4", "4"]
    play(state, "1,2", "1,2|2,2")
    assert figures(state.scene(), "steps to go") == ["4", "5"], "both have to go around the wall"


def test_each_round_of_gotham_says_where_it_began_and_how_it_ended() -> None:
    state = rookery.game("gotham").start()
    play(state, "up", "safe", "down", "up", "caught", "left", "safe")
    rounds = [(part.title, part.start, part.result, part.failed) for part in state.scene().sections]
    assert rounds == [("Round 1", 0, "1", False), ("Round 2", 3, "caught", True), ("Round 3", 5, "", False)]


def test_the_rounds_of_a_set_position_count_on() -> None:
    state = rookery.game("gotham").start()
    play(state, "up", "safe", "down", "up", "caught", "left", "safe")
    later = state.game.position(state.position())
    play(later, "right", "up", "safe")
    rounds = [(part.title, part.start, part.result) for part in later.scene().sections]
    assert rounds == [("Round 3", 0, "1"), ("Round 4", 1, "")]


def test_where_a_round_was_caught_stays_on_the_board() -> None:
    state = rookery.game("gotham").start()
    play(state, "up", "caught", "up", "safe", "down", "up", "caught", "left", "safe")
    cell = state.scene().cell(5, 6)
    assert [(mark.role, mark.number) for mark in cell.marks] == [("ring", 2), ("caught", 1), ("caught", 3)]
    assert cell.name.endswith("visited in round 2, caught here in round 1 and 3")
    assert state.scene().cell(6, 6).name == "row 6, column 6, home, where a loop ended in round 2"


def test_with_the_odds_stands_what_a_cell_would_bring() -> None:
    state = rookery.game("gotham").start()
    play(state, "up", "safe", "down")
    assert [mark.text for mark in state.scene(1, odds=True).cell(5, 6).marks if mark.role == "points"] == ["+0"]
    assert [mark.text for mark in state.scene(1, odds=True).cell(0, 0).marks if mark.role == "points"] == ["+12"]
    play(state, "up", "safe")
    assert figures(state.scene(1, odds=True), "Ahead") == ["up 97% for 2, right 97% for 2, down home, left 97% for 2"]
    assert figures(state.scene(1), "Ahead") == []
    state.undo()
    state.undo()
    assert state.scene(1, odds=True).cell(4, 6).name.endswith("per cent safe, worth 2 points")
    assert not any(mark.role == "points" for cell in state.scene(1).cells for mark in cell.marks)


def test_the_number_closest_to_67_is_shown_and_the_67_that_wins_is_marked() -> None:
    game = rookery.game("sixseven", rows=2, cols=3)
    assert figures(game.position("900,60,./2,+,. 0 1").scene(), "Closest to 67") == ["60"]
    assert figures(game.position("+,+,./-,+,. 0 1").scene(), "Closest to 67") == ["none"]
    state = game.position("60,+,7/2,+,. 0 1")
    play(state, "left")
    assert [mark.role for mark in state.scene().cell(0, 0).marks] == ["won"]
    assert state.scene().cheer == ("67!", "Won in 2 moves.")


def test_areas_are_counted_against_their_limit_and_the_golden_move_is_left_or_used() -> None:
    state = rookery.game("gamma", width=3, height=2, areas=2).start()
    play(state, "m 0 0", "m 1 0", "g 1 0", "m 2 0")
    assert figures(state.scene(), "areas") == ["1 of 2", "1 of 2"]
    assert figures(state.scene(), "golden move") == ["used", "left"]
