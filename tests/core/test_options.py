"""Options are declared once: keyword arguments, errors, flags and the JSON schema agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery
from rookery.core.errors import OptionError, UnknownName
from rookery.core.options import options_of, schema_of
from rookery.games import BUILT_IN, find

if TYPE_CHECKING:
    from rookery.core.game import Game

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 120),
    st.integers(2**31, 2**33),
    st.floats(-1, 2),
    st.floats(allow_nan=True),
    st.sampled_from(["deuce", "quad", "table", "final", "+", "+-*", "*-", "++", "", "x", "7"]),
    st.text(max_size=3),
)


@pytest.mark.parametrize("name", BUILT_IN)
@given(data=st.data())
def test_the_schema_and_the_checks_agree_on_every_value(name: str, data: st.DataObject) -> None:
    cls = find(name)
    schema = schema_of(cls)
    option = data.draw(st.sampled_from(options_of(cls)))
    value = data.draw(VALUES)
    if isinstance(value, float) and value.is_integer() and option.kind is int:
        return  # JSON has one kind of number, Python two
    try:
        jsonschema.validate({option.name: value}, schema)
        fits = value == value  # JSON has no NaN, and the validator lets one through
    except jsonschema.ValidationError:
        fits = False
    try:
        option.check(value)
    except OptionError as error:
        assert not fits, f"{option.name}={value!r}: {error}"
        assert str(error).startswith(f"{option.name} takes ")
    else:
        assert fits, f"{option.name}={value!r} passed"


@pytest.mark.parametrize("name", BUILT_IN)
def test_defaults_are_legal_and_shown_in_the_schema(name: str) -> None:
    cls = find(name)
    schema = schema_of(cls)
    jsonschema.Draft202012Validator.check_schema(schema)
    defaults = {key: part["default"] for key, part in schema["properties"].items()}
    jsonschema.validate(defaults, schema)
    assert cls.make(**defaults) == cls()
    assert cls().options == defaults
    assert all(part["description"] for part in schema["properties"].values())


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("gaterun", {"size": 8}, "size takes a whole number from 3 to 7, not 8."),
        ("gaterun", {"size": "7"}, "size takes a whole number from 3 to 7, not '7'."),
        ("gaterun", {"size": True}, "size takes a whole number from 3 to 7, not True."),
        ("gaterun", {"jump": 1}, "jump takes yes or no, not 1."),
        ("gaterun", {"gates": 1}, "GateRun has no option 'gates'; it has size, walls, walls2, jump, rotate."),
        ("gotham", {"level": "ace"}, "level takes one of deuce, trey, quad, not 'ace'."),
        ("gotham", {"size": 8}, "size takes an odd number, so that home is the centre, not 8."),
        ("sixseven", {"operators": ""}, "operators takes one or more of + - *, not ''."),
        ("sixseven", {"operators": "+/"}, "operators takes one or more of + - *, not '+/'."),
        ("sixseven", {"rate": 1.5}, "rate takes a number from 0 to 1, not 1.5."),
        ("sixseven", {"rate": float("nan")}, "rate takes a number from 0 to 1, not nan."),
        ("sixseven", {"rows": 21}, "rows takes a whole number from 2 to 20, not 21."),
        ("gamma", {"areas": 0}, "areas takes a whole number from 1 to 4294967295, not 0."),
        ("gamma", {"width": 20_000, "height": 20_000}, "width times height may be 25000000 at most, not 400000000."),
    ],
)
def test_wrong_options_get_one_clear_sentence(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        rookery.game(name, **options)
    assert str(caught.value) == message


def test_an_unknown_game_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownName, match="There is no game 'chess'; there are gotham, gamma, sixseven, gaterun"):
        rookery.game("chess")


def test_games_are_frozen_hashable_and_equal_by_options() -> None:
    first, second = rookery.game("gaterun", size=5), rookery.game("gaterun", size=5)
    assert first == second
    assert hash(first) == hash(second)
    assert first != rookery.game("gaterun", size=6)
    with pytest.raises(AttributeError):
        first.size = 6  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "option", "text", "value"),
    [
        ("gaterun", "size", "5", 5),
        ("gaterun", "jump", "yes", True),
        ("gaterun", "jump", "no", False),
        ("sixseven", "rate", "0.67", 0.67),
        ("sixseven", "operators", "-*", "-*"),
    ],
)
def test_typed_values_are_read(name: str, option: str, text: str, value: object) -> None:
    found = {each.name: each for each in options_of(find(name))}[option]
    assert found.parse(text) == value


@pytest.mark.parametrize("text", ["", "x", "５", "1e3", "0x5", "5 ", "--5", "9" * 5000, "yes"])
def test_nonsense_for_a_number_is_refused(text: str) -> None:
    found = {each.name: each for each in options_of(find("gaterun"))}["size"]
    with pytest.raises(OptionError, match="size takes a whole number from 3 to 7, not '"):
        found.parse(text)


def test_walls2_defaults_to_walls() -> None:
    def left(game: Game) -> list[int]:
        walls: list[int] = game.start().json()["left"]
        return walls

    assert left(rookery.game("gaterun", walls=5)) == [5, 5]
    assert left(rookery.game("gaterun", walls=5, walls2=2)) == [5, 2]


def test_forms_are_told_what_to_call_options_and_letters() -> None:
    sixseven, gaterun = (schema_of(find(name))["properties"] for name in ("sixseven", "gaterun"))
    assert [sixseven[name]["title"] for name in ("rows", "cols")] == ["Rows", "Columns"]
    assert sixseven["operators"]["letters"] == {"+": "+", "-": "−", "*": "×"}
    assert gaterun["walls2"]["title"] == "Walls of player 2"
    assert schema_of(find("gamma"))["properties"]["pass_out"]["title"] == "End by skipping"
