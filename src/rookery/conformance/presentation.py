"""Checks of what people see: scenes, pointing at the board, achievements, quick rules, challenges and printouts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rookery.conformance.sampling import LONG_GAME, random_game
from rookery.core.bot import make_bot
from rookery.core.game import Game
from rookery.core.names import Names
from rookery.core.rules import OVER
from rookery.core.scene import CELL_ROLES, CHOICE_ROLES, KEYS, MARK_ROLES
from rookery.core.text_board import MEANINGS

if TYPE_CHECKING:
    from rookery.core.scene import Scene
    from rookery.core.state import State


def scenes_show_everything(game: Game, seed: int) -> None:
    """A scene has all cells, each with a name, known roles, and a choice for each legal action."""
    for state in random_game(game, seed, plies=80):
        for odds in (False, True):
            scene = state.scene(max(state.turn, 0), odds=odds)
            assert [game.action(choice.action) for choice in scene.choices] == state.actions(), (
                "the choices are not the legal actions"
            )
            _check_scene(scene)
            _check_phrases(game, state, scene)
            assert len(scene.players) == game.players or (game.players == 1 and not scene.players), (
                "the scene does not name all players"
            )
        assert scene.turn == state.turn
        named = state.scene(1, names=Names(tuple(f"N{player}" for player in range(1, game.players + 1)), you=1))
        _check_scene(named)
        assert not named.players or named.players == (
            "You",
            *(f"N{player}" for player in range(2, game.players + 1)),
        ), "the scene does not call the players by their names"
        assert str(state).count("\n") > scene.rows, "the text board lacks rows"


def _check_phrases(game: Game, state: State, scene: Scene) -> None:
    """Legal actions and outcomes differ in words, and a choice says its action in the same words."""
    legal = state.actions() or [outcome for outcome, _ in state.chances()]
    phrases = [game.phrase(action) for action in legal]
    assert all(phrases) and len(set(phrases)) == len(phrases), "two actions have the same words"
    for choice in scene.choices:
        assert choice.label == game.phrase_of(choice.action), f"{choice.action} is said in two ways: {choice.label}"


def pointing_finds_the_choice(game: Game, seed: int) -> None:
    """If a game has `pointed`, a place with one choice stands for that choice, and places off the board for none."""
    if type(game).pointed is Game.pointed:
        return
    for state in random_game(game, seed, plies=80):
        scene = state.scene(max(state.turn, 0))
        places = [choice.at for choice in scene.choices]
        for choice in scene.choices:
            if len(choice.at) in (1, 2) and places.count(choice.at) == 1:
                meant = game.pointed(state, choice.at)
                assert meant == game.action(choice.action), f"{choice.at} does not stand for {choice.action}"
        corner = (scene.rows - 1, scene.cols - 1)
        for nowhere in ((), ((-1, 0),), ((0, -1),), ((scene.rows, 0),), ((0, scene.cols),), (corner,) * 3):
            assert game.pointed(state, nowhere) is None, f"{nowhere} is not a place, but stands for an action"
        if state.turn <= 0:
            assert game.pointed(state, (corner,)) is None, "a place stands for an action though no player is to move"


def achievements_come_at_the_end(game: Game, seed: int) -> None:
    """A finished game gives each player an achievement with a text, and the winners have the most points."""
    for state in random_game(game, seed, plies=LONG_GAME):
        achievements = [game.achievement(state, player) for player in range(1, game.players + 1)]
        if not state.over:
            assert not any(achievements), "there is an achievement before the end"
            continue
        assert all(
            achievement is not None and achievement.text and math.isfinite(achievement.points)
            for achievement in achievements
        ), "an achievement is missing"
        points = [achievement.points for achievement in achievements if achievement is not None]
        won = [points[player - 1] for player in state.winners()]
        assert not won or min(won) == max(points), (
            f"the winners are {state.winners()}, but the achievements have {points} points"
        )


def surfaces_find_what_they_need(game: Game, seed: int) -> None:
    """The quick rules are sentences, examples, legend and printout are valid, `demo` returns this kind of game, and the
    daily challenges can be set up and are repeatable.
    """
    cls = type(game)
    examples = game.examples()
    for sentence in (cls.summary, *game.quick_rules(), *(example.caption for example in examples)):
        assert sentence.endswith((".", "!", "?")), f"not a sentence: {sentence}"
    for example in examples:
        assert len(example.scenes) > 1, f"nothing moves in the example: {example.caption}"
        for scene in example.scenes:
            _check_scene(scene)
    assert cls.legend.keys() <= MEANINGS.keys(), "the legend explains a role that has no sign"
    assert isinstance(cls.demo(), cls), f"{cls.demo()} is another game"
    assert cls.challenges(), "there is no daily challenge"
    for challenge in cls.challenges():
        given = cls.make(**challenge.options)
        assert len(challenge.opponents) == given.players - 1, (
            f"{challenge} does not have an opponent for each other seat"
        )
        for spec in challenge.opponents:
            assert make_bot(cls, spec).ms is None, f"{spec} has a time budget, so it does not play the same everywhere"
    printout = game.printout()
    if printout is not None:
        _check_scene(printout.scene)
        assert printout.columns and printout.rows and printout.rules, "a part of the printout is missing"


def lessons_play_as_written(game: Game, seed: int) -> None:
    """If there is a guided first game, it can be played as it is written, by whichever of the actions that count; the
    goal is a sentence.
    """
    for player in range(game.players + 1):
        assert game.goal(player).endswith((".", "!", "?")), f"not a sentence: {game.goal(player)}"
    lesson = type(game).lesson()
    if lesson is None:
        return
    made = type(game).make(**lesson.options)
    assert lesson.steps, "the lesson has no steps"
    assert 1 <= lesson.level <= len(type(game).levels()), f"there is no level {lesson.level} to play against next"
    for text in (lesson.ending, *(step.prompt for step in lesson.steps), *(step.said for step in lesson.steps)):
        assert not text or text.endswith((".", "!", "?")), f"not a sentence: {text}"
    for choose in range(max(len(step.actions) for step in lesson.steps)):
        played = 0
        for state, step in lesson.play(made, choose):
            played += 1
            assert step.prompt and step.actions, f"step {played} of the lesson does not say what to do"
            for name in step.actions:
                assert state.legal(made.action(name)), f"{name}, which step {played} of the lesson asks for, is illegal"
                assert made.name_of(made.action(name)) == name, f"{name} in the lesson is spelled otherwise"
        assert played == len(lesson.steps), f"the lesson comes to an end after {played} of its steps"


def _check_scene(scene: Scene) -> None:
    assert len(scene.cells) == scene.rows * scene.cols, "the scene lacks cells"
    assert len(scene.row_names) == scene.rows and len(scene.col_names) == scene.cols, "rows or columns lack names"
    names = [cell.name for cell in scene.cells]
    assert all(names) and len(set(names)) == len(names), "cells have no name or share one"
    assert all(0 <= panel.owner <= len(scene.players) for panel in scene.panels), (
        "a figure belongs to an unknown player"
    )
    assert {cell.role for cell in scene.cells} <= CELL_ROLES, "a cell has an unknown role"
    assert {mark.role for cell in scene.cells for mark in cell.marks} <= MARK_ROLES, "a mark has an unknown role"
    assert {choice.role for choice in scene.choices} <= CHOICE_ROLES, "a choice has an unknown role"
    keys = [choice.key for choice in scene.choices if choice.key]
    local = [(choice.at, choice.here) for choice in scene.choices if choice.here]
    assert len(set(keys)) == len(keys) and len(set(local)) == len(local), "one key plays two choices"
    assert {*keys, *(key for _, key in local)} <= KEYS, "a key is unknown"
    for choice in scene.choices:
        assert choice.label and (choice.at or choice.key), f"{choice.action} cannot be chosen"
        assert all(0 <= row < scene.rows and 0 <= col < scene.cols for row, col in choice.at), (
            "a choice is off the board"
        )
    for wall in scene.walls:
        (row, col), (next_row, next_col) = wall.between
        assert (next_row - row, next_col - col) in ((0, 1), (1, 0)), "a wall is not between adjacent cells"
    assert scene.message.endswith((".", "!")), f"not a sentence: {scene.message}"
    assert not scene.may or scene.may.endswith("."), f"not a sentence: {scene.may}"
    assert scene.turn == OVER or not scene.cheer, "a game that goes on is celebrated"
