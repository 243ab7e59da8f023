// A connection that comes back by itself, and whose answers reach whoever asked.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { ConnectionLost, Socket } from "../../../src/rookery/web/static/socket.js";

class FakeSocket extends EventTarget {
  static OPEN = 1;
  static made = [];
  readyState = 0;
  sent = [];

  constructor(url) {
    super();
    this.url = String(url);
    FakeSocket.made.push(this);
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  say(message) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  drop(code) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }
}

describe("a connection", () => {
  let states;
  let messages;
  let leaving;
  let socket;
  const last = () => FakeSocket.made.at(-1);

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
    const page = new EventTarget();
    Object.assign(globalThis, {
      WebSocket: FakeSocket,
      document: Object.assign(new EventTarget(), { hidden: false }),
      location: { href: "https://example.org/game/x" },
      addEventListener: page.addEventListener.bind(page),
      dispatchEvent: page.dispatchEvent.bind(page),
    });
    FakeSocket.made = [];
    [states, messages, leaving] = [[], [], new AbortController()];
    socket = new Socket("/ws/games/x", {
      onMessage: message => messages.push(message),
      onState: (state, code) => states.push(code ? `${state} ${code}` : state),
      signal: leaving.signal,
    });
    last().open();
  });

  afterEach(() => {
    leaving.abort();
    mock.timers.reset();
  });

  it("takes the page's scheme", () => {
    assert.equal(last().url, "wss://example.org/ws/games/x");
  });

  it("gives answers to whoever asked, in any order, and other messages to the page", async () => {
    const one = socket.ask({ do: "undo" });
    const two = socket.ask({ do: "play", action: "left", ply: 0 });
    const [first, second] = last().sent;
    last().say({ is: "ack", ref: second.ref, ply: 1 });
    last().say({ is: "scene", ply: 1 });
    last().say({ is: "refused", ref: first.ref, why: "Nothing to undo." });
    assert.equal((await two).ply, 1);
    await assert.rejects(one, { message: "Nothing to undo." });
    assert.deepEqual(messages, [{ is: "scene", ply: 1 }]);
  });

  it("fails what was asked when it is lost, and comes back", async () => {
    const asked = socket.ask({ do: "undo" });
    last().drop(1006);
    await assert.rejects(asked, ConnectionLost);
    await assert.rejects(socket.ask({ do: "undo" }), ConnectionLost);
    mock.timers.tick(500);
    assert.equal(FakeSocket.made.length, 2);
    last().open();
    assert.deepEqual(states, ["open", "lost", "open"]);
    assert.equal(socket.live, true);
  });

  it("waits longer each time it fails, at most about six seconds", () => {
    for (let tries = 0; tries < 8; tries += 1) {
      last().drop(1006);
      mock.timers.tick(6300);
    }
    assert.equal(FakeSocket.made.length, 9);
    last().drop(1006);
    mock.timers.tick(3000);
    assert.equal(FakeSocket.made.length, 9);
  });

  it("comes back at once when the network does", () => {
    dispatchEvent(new Event("offline"));
    assert.deepEqual(states, ["open", "lost"]);
    dispatchEvent(new Event("online"));
    assert.equal(FakeSocket.made.length, 2);
  });

  it("does not come back if the game is gone", () => {
    last().drop(4404);
    mock.timers.tick(60_000);
    assert.deepEqual(states, ["open", "gone 4404"]);
    assert.equal(FakeSocket.made.length, 1);
  });

  it("is made again if nothing answers its pings", () => {
    mock.timers.tick(20_000);
    assert.deepEqual(last().sent, [{ do: "ping" }]);
    mock.timers.tick(40_000);
    assert.equal(FakeSocket.made.length, 2);
  });

  it("ends with the page", async () => {
    leaving.abort();
    mock.timers.tick(60_000);
    assert.equal(FakeSocket.made.length, 1);
    assert.equal(socket.live, false);
  });
});
