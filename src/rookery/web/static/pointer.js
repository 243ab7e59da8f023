// Mouse, pen and touch on a board: pointing shows a ghost, releasing plays it, a swipe slides.

const SWIPE = 22; // pixels
/** @type {import("./geometry.js").Way[][]} */
const DIRECTIONS = [
  ["left", "right"],
  ["up", "down"],
];

/** @param {import("./board.js").Board} board */
export function listen(board) {
  const { svg } = board;
  let pressed = null;

  /** @param {PointerEvent} event */
  function placeOf(event) {
    const matrix = svg.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return board.placeAt(x, y, 1 / matrix.a);
  }

  function letGo() {
    pressed = null;
    board.aim(null);
  }

  svg.addEventListener("pointerdown", event => {
    board.byKeys(false);
    if (event.button || pressed) return letGo();
    pressed = { id: event.pointerId, x: event.clientX, y: event.clientY, slid: false };
    svg.setPointerCapture(event.pointerId);
    board.aim(placeOf(event));
  });

  svg.addEventListener("pointermove", event => {
    if (!pressed) {
      if (event.pointerType !== "touch") board.aim(placeOf(event));
      return;
    }
    if (event.pointerId !== pressed.id) return;
    if (!board.swipes) return board.aim(placeOf(event));
    const [dx, dy] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (pressed.slid || Math.max(Math.abs(dx), Math.abs(dy)) < SWIPE) return;
    pressed.slid = true;
    board.aim(null);
    const across = Math.abs(dx) > Math.abs(dy);
    board.slide(DIRECTIONS[across ? 0 : 1][(across ? dx : dy) > 0 ? 1 : 0]);
  });

  svg.addEventListener("pointerup", event => {
    if (!pressed || event.pointerId !== pressed.id) return;
    const place = placeOf(event);
    const touch = event.pointerType === "touch";
    const { slid } = pressed;
    pressed = null;
    if (!slid && !board.slides && place) board.press(place, { touch });
    if (touch) board.aim(null);
  });

  svg.addEventListener("pointercancel", letGo);
  svg.addEventListener("pointerleave", () => pressed || board.aim(null));
  svg.addEventListener("contextmenu", event => pressed && event.preventDefault());
}
