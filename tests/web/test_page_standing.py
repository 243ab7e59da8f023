"""How a game stands, as a person sees it on the page: whose side and whose wall, areas, rounds, odds, the win, the best."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect
from tests.web.browser import PHONE, STILL, Visitor
from tests.web.conftest import Comes

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute


def lower(zoe: Visitor, one: str, other: str) -> bool:
    """Whether a place is seen below another."""
    return zoe.middle(one)[1] > zoe.middle(other)[1]


def see_turned(zoe: Visitor, *, turned: bool) -> None:
    expect(zoe(".board[data-turned]")).to_have_count(int(turned))


def test_ones_own_side_is_at_the_bottom_and_keys_pointer_and_names_go_with_it(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "1")
    zoe.see(".board[data-mine]")
    assert lower(zoe, "0,3", "6,3") and zoe.middle("3,0")[0] > zoe.middle("3,6")[0]
    names = zoe(".board text.name").all_text_contents()
    assert names == [*"gfedcba", *"1234567"]
    rows = zoe.page.get_by_role("grid").get_by_role("row")
    assert "g1" in (rows.first.get_by_role("gridcell").first.get_attribute("aria-label") or "")
    zoe.press("ArrowUp")
    zoe.see_moves(2)
    assert zoe.moves[0] == "step to d6"
    zoe.see(".board[data-mine]")
    zoe.click("4,1|5,1")
    zoe.see_moves(4)
    assert zoe.moves[2] == "wall below b3"


def test_the_board_is_flipped_by_key_and_button_and_stays_so_for_the_next_game(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options={"size": 5})
    zoe.see(".board[data-mine]")
    see_turned(zoe, turned=True)
    zoe.press("f")
    see_turned(zoe, turned=False)
    assert lower(zoe, "4,2", "0,2")
    expect(zoe(".board [role=status]")).to_have_text("Row 1 is at the bottom.")
    zoe.press("ArrowDown")
    zoe.see_moves(1)
    assert zoe.moves == ["step to c4"]
    zoe.sit_down("gaterun", "here", "here", options={"size": 4})
    see_turned(zoe, turned=False)
    zoe(".foot").get_by_role("button", name="Flip").click()
    see_turned(zoe, turned=True)
    zoe.sit_down("gamma", "here", "here", options={"width": 3, "height": 3})
    zoe.not_see(".foot button:has-text('Flip')")


def test_both_ways_and_every_builder_are_seen(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options={"size": 5})
    zoe.see(".player[data-seat='1'] .counts", "steps to go 4")
    for count, place in enumerate(("1,2|2,2", "3,1|3,2"), start=1):
        zoe.click(place)
        zoe.see_moves(count)
    zoe.see(".player[data-seat='2'] .counts", "steps to go 5")
    expect(zoe.place("1,2|2,2").locator(".notch")).to_have_count(1)
    expect(zoe.place("3,1|3,2").locator(".notch")).to_have_count(2)
    expect(zoe.place("3,1|3,2")).to_have_attribute("aria-label", "Player 2's wall right of b2")
    colours = [
        zoe.place(at).locator(".bar").evaluate("bar => getComputedStyle(bar).fill") for at in ("1,2|2,2", "3,1|3,2")
    ]
    assert colours[0] != colours[1]


def test_an_area_of_gamma_is_one_shape_and_counted_against_the_limit(zoe: Visitor) -> None:
    id = zoe.sit_down("gamma", "here", "here", options={"width": 4, "height": 3, "areas": 2})
    for action in ("m 0 0", "m 3 0", "m 0 1", "m 3 1", "m 1 1", "g 1 1"):
        zoe.ask("POST", f"/api/games/{id}/actions", {"action": action})
    zoe.see_moves(6)
    zoe.see(".player[data-seat='1'] .counts", "areas 1 of 2", "golden move left")
    zoe.see(".player[data-seat='2'] .counts", "areas 2 of 2", "golden move used")
    expect(zoe(".board .area")).to_have_count(3)
    tall = zoe(".board .area.o1").bounding_box()
    cell = zoe.box('.board [data-at="1,0"]')
    assert tall is not None and tall["height"] > 2 * cell["height"]


def test_rounds_divide_the_moves_and_where_one_was_caught_stays(zoe: Visitor) -> None:
    zoe.sit_down("gotham", options={"coins": 16})
    zoe.see(".board[data-mine]")
    zoe.press("ArrowUp")
    expect(zoe(".ply-list .part")).to_have_text("Round 1 ✕ caught")
    expect(zoe(".ply.failed")).to_have_count(1)
    expect(zoe.place("5,6").locator(".caught")).to_have_text("1")
    zoe.press("ArrowLeft")
    zoe.see_moves(2)
    expect(zoe(".ply-list .part").last).to_have_text("Round 2 ✕ caught")
    expect(zoe.place("5,6").locator(".caught")).to_have_text("1")


def test_with_the_odds_a_cell_says_what_it_is_worth(zoe: Visitor) -> None:
    zoe.sit_down("gotham")
    zoe.see(".board[data-mine]")
    zoe.press("o")
    cell = zoe.place("3,6")
    expect(cell.locator("text.odds")).to_have_text(["94", "+3"])
    chance, points = (each.bounding_box() for each in cell.locator("text.odds").all())
    assert chance is not None and points is not None and chance["y"] + chance["height"] * 0.8 <= points["y"] + 2


def test_names_of_rows_and_columns_show_where_they_serve_or_as_set(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "here", "here", options={"width": 3, "height": 3})
    expect(zoe(".board text.name")).to_have_count(6)
    zoe.sit_down("sixseven")
    expect(zoe(".board text.name")).to_have_count(0)
    zoe.button("Settings").click()
    zoe(".segmented label").filter(has_text="Always").last.click()
    expect(zoe(".board text.name")).to_have_count(13)
    zoe.button("Done").click()


def test_each_operator_has_a_shape_and_a_long_number_fits_its_tile(zoe: Visitor) -> None:
    zoe.sit_down("sixseven", options={"rows": 6, "cols": 7, "rate": 1, "tiles": 12})
    zoe.see(".tile.operator")
    shapes = zoe(".tile.operator").evaluate_all(
        """tiles => tiles.map(tile => {
          const { x, y, width, height, rx, transform } = Object.fromEntries(
            [...tile.querySelector(".body").attributes].map(({ name, value }) => [name, value]));
          return [tile.textContent, [width, height, transform ?? ""].join(" ")];
        })"""
    )
    by_sign = {sign: {shape for other, shape in shapes if other == sign} for sign, _ in shapes}
    assert len({shape for each in by_sign.values() for shape in each}) == len(by_sign) > 1
    sizes = zoe.page.evaluate(LONG_NUMBERS, ["12345", "−1234", "123456", "1234567"])
    assert all(width <= 98 for width, _ in sizes) and sizes[0][1] >= 30


LONG_NUMBERS = """async texts => {
  const { pieceOf } = await import(document.querySelector("script[type=module]").src.replace("app.js", "draw.js"));
  return texts.map(text => {
    const tile = pieceOf({ role: "number", text, marks: [] }).draw();
    document.querySelector(".board .pieces").append(tile);
    const label = tile.querySelector("text");
    return [label.getBBox().width, Number(label.getAttribute("font-size"))];
  });
}"""
"""The width of each number on its tile, which is 100 wide, and its size."""


def win_at_once(route: WebSocketRoute) -> None:
    """Let the first slide win: the page is told so in place of what the server says."""
    server = route.connect_to_server()

    def pass_on(message: str | bytes) -> None:
        said: dict[str, Any] = json.loads(message)
        if said["is"] == "scene" and any(by for _, by in said["plies"]):
            won = {"role": "number", "name": "67, which wins", "text": "67", "owner": 0, "last": False}
            said["scene"]["changed"] = [[0, won | {"marks": [{"role": "won", "number": 0, "text": ""}]}]]
            said["scene"]["cheer"] = ["67!", "Won in 1 moves."]
        route.send(json.dumps(said))

    server.on_message(pass_on)


def test_the_67_that_wins_is_celebrated_in_words_and_with_sparks_only_if_things_may_move(comes: Comes) -> None:
    for how, sparks in (({}, 14), (STILL, 0)):
        zoe = comes(**how)
        zoe.page.route_web_socket("**/ws/games/*", win_at_once)
        zoe.sit_down("sixseven")
        zoe.see(".board[data-mine]")
        while not zoe.moves:
            zoe.press("ArrowLeft", "ArrowUp", "ArrowRight")
            zoe.page.wait_for_selector(".ply, .bubble:visible")
        zoe.see(".celebration", "67!", "Won in 1 moves.")
        expect(zoe(".celebration i")).to_have_count(sparks)
        expect(zoe(".celebration")).to_have_count(0)


def test_ones_best_in_such_games_stands_beside_the_board(comes: Comes) -> None:
    pip = comes(**PHONE)
    small = {"size": 3, "coins": 1}
    first = pip.set_up("gotham", options=small)["id"]
    while pip.ask("GET", f"/api/games/{first}")["status"] != "over":
        for way in ("up", "down"):  # out and back, or, after having been caught, out twice
            pip.context.request.post(f"/api/games/{first}/actions", data={"action": way})
    feat = pip.ask("GET", f"/api/games/{first}")["feat"]
    pip.sit_down("gotham")
    pip.see(".counts", "Total")
    pip.not_see(".counts:has-text('Your best')")
    pip.sit_down("gotham", options=small)
    if feat != "0 points":
        pip.see(".side > .counts", "Your best", feat)
