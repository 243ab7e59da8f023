// What the visitor can do now, in words, whatever state a game is in: whose turn it is, and what may be done.

/**
 * What is known of a game; `lost` is whether the connection is.
 * @typedef {{
 *   info: Api.GameInfo,
 *   scene: Api.Scene,
 *   over: boolean,
 *   mine: boolean,
 *   thinking: number,
 *   preparing: boolean,
 *   lost?: boolean,
 * }} Now
 */

/**
 * The words above the board: `words` says whose turn it is, `below` what may be done, `number` whose colour goes with it.
 * @param {Now} now
 */
export function whatNow({ info, scene, over, mine, thinking, preparing, lost = false }) {
  const plays = info.you.length > 0;
  const said = (words, below = "", number = 0) => ({ words, below, number });
  if (lost) return said("Connection lost", "Reconnecting. Nothing that was played is lost.");
  if (over) return said("Game over", whatNext(info, plays));
  if (info.status === "waiting") return said("Waiting for players", waitingFor(info, plays));
  const seat = info.seats.find(each => each.number === scene.turn);
  if (!seat) return said(scene.message); // chance decides
  const number = scene.players.length > 1 ? scene.turn : 0;
  const name = scene.players[scene.turn - 1] ?? seat.label;
  if (preparing) return said(`${name} is preparing…`, "This happens once and takes about half a minute.", number);
  const others = plays ? "Wait for their move." : "You are watching.";
  if (thinking) return said(`${name} is thinking…`, others, number);
  if (!mine) return said(`${name} to move`, others, number);
  const whose = number && info.you.length > 1 ? `${name}, your turn` : "Your turn";
  return said(whose, scene.may || (number ? "" : scene.message), number);
}

/**
 * @param {Api.GameInfo} info
 * @param {boolean} plays
 */
function whatNext({ may, kind, rematch }, plays) {
  if (!plays) return "You can look at the replay.";
  if (kind === "lesson") return "";
  if (rematch) return "The others play again: go to the rematch.";
  return may.rematch || may.restart ? "Play again, or look at the replay." : "You can look at the replay.";
}

/**
 * @param {Api.GameInfo} info
 * @param {boolean} plays
 */
function waitingFor({ invite, listed }, plays) {
  if (plays)
    return invite ? "Send the link. The game begins when every seat is taken." : "It begins when every seat is taken.";
  return listed ? "Join, or watch." : "The game begins when every seat is taken.";
}
