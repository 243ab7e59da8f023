// When the next scene is shown, so that two changes can be told apart: the visitor's own at once, those of others a little
// apart, and a bot's reply some time after the move that it answers. Waiting is not motion, so it is the same without any.

const SCENE_MS = 170; // between two scenes, while what changed moves
const REPLY_MS = 350; // between the visitor's move and a bot's reply

export class Pacing {
  #next = 0;
  #reply = 0;

  /**
   * How long a message with a scene should wait; 0 or less if not at all.
   * @param {number} now
   * @param {[string, number][]} plies what the message adds
   * @param {Api.SeatInfo[]} seats
   * @param {boolean} ahead whether the visitor has already chosen further moves
   */
  wait(now, plies, seats, ahead) {
    const mover = lastMover(plies);
    const replies = !ahead && seats.some(({ number, kind }) => number === mover && kind === "bot");
    return Math.max(this.#next, replies ? this.#reply : 0) - now;
  }

  /**
   * A scene that follows the last has been shown.
   * @param {number} now
   * @param {[string, number][]} plies what it added
   * @param {number[]} you
   * @param {boolean} moves whether what changed moves
   */
  shown(now, plies, you, moves) {
    if (moves) this.#next = now + SCENE_MS;
    if (you.includes(lastMover(plies))) this.#reply = now + REPLY_MS;
  }
}

// The player who made the last move, not counting chance; 0 if nobody has.
function lastMover(plies) {
  return plies.findLast(([, by]) => by > 0)?.[1] ?? 0;
}
