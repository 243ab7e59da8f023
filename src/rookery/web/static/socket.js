// A WebSocket that reconnects by itself, and matches answers to requests by their number.

const RETRY_MS = [300, 700, 1500, 3000, 5000];
const PING_MS = 20_000;
const FATAL_CODES = new Set([4403, 4404]);

// The connection was lost before the answer came.
export class ConnectionLost extends Error {
  constructor() {
    super("Connection lost. Reconnecting…");
  }
}

export class Socket {
  /** @type {WebSocket | null} */
  #socket = null;
  #tries = 0;
  #ref = 0;
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (problem: Error) => void}>} */
  #pending = new Map();
  #retryTimer = 0;
  #pingTimer = 0;
  #lastMessageAt = 0;

  /**
   * onMessage gets messages that answer no request; onState gets "open", "lost" or, with the close code, "gone".
   * @param {string} path
   * @param {{
   *   onMessage: (message: Api.ServerMessage) => void,
   *   onState: (state: "open" | "lost" | "gone", code?: number) => void,
   *   signal: AbortSignal,
   * }} options
   */
  constructor(path, { onMessage, onState, signal }) {
    this.path = path;
    this.onMessage = onMessage;
    this.onState = onState;
    this.signal = signal;
    const reconnect = () => !document.hidden && !this.live && this.#open();
    addEventListener("online", reconnect, { signal });
    addEventListener("offline", () => this.#goOffline(), { signal });
    document.addEventListener("visibilitychange", reconnect, { signal });
    signal.addEventListener("abort", () => this.#close());
    this.#pingTimer = setInterval(() => this.#ping(), PING_MS);
    this.#open();
  }

  get live() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a request; the promise resolves with the answer, or rejects with the server's message.
   * @template {Api.ClientMessage} T
   * @param {T} message
   * @returns {Promise<Api.Replies[T["do"]]>}
   */
  ask(message) {
    if (!this.live) return Promise.reject(new ConnectionLost());
    const ref = ++this.#ref;
    this.#socket.send(JSON.stringify({ ...message, ref }));
    return new Promise((resolve, reject) => this.#pending.set(ref, { resolve, reject }));
  }

  // Reconnect, so that the server sees a new identity.
  reopen() {
    this.#tries = 0;
    this.#disconnect();
    this.#open();
  }

  #open() {
    clearTimeout(this.#retryTimer);
    if (this.signal.aborted) return;
    this.#disconnect();
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#lastMessageAt = Date.now();
      this.onState("open");
    });
    socket.addEventListener("message", event => {
      this.#lastMessageAt = Date.now();
      this.#tries = 0;
      this.#receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", event => socket === this.#socket && this.#onClose(event.code));
  }

  /** @param {Api.ServerMessage} message */
  #receive(message) {
    const request = "ref" in message ? this.#pending.get(message.ref) : undefined;
    if (request && "ref" in message) {
      this.#pending.delete(message.ref);
      if (message.is === "refused") request.reject(new Error(message.why));
      else request.resolve(message);
      return;
    }
    if (message.is !== "pong") this.onMessage(message);
  }

  /** @param {number} [code] */
  #onClose(code) {
    this.#socket = null;
    this.#rejectPending();
    if (this.signal.aborted) return;
    if (FATAL_CODES.has(code)) {
      clearInterval(this.#pingTimer);
      this.onState("gone", code);
      return;
    }
    this.onState("lost");
    const wait = code === 4429 ? 5000 : RETRY_MS[Math.min(this.#tries, RETRY_MS.length - 1)];
    this.#tries += 1;
    this.#retryTimer = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
  }

  // Offline, an open connection only seems alive. A local server is reached again at once.
  #goOffline() {
    if (!this.#socket) return;
    this.#disconnect();
    this.#onClose();
  }

  // A silent connection may be dead; a ping finds out.
  #ping() {
    if (!this.live) return;
    if (Date.now() - this.#lastMessageAt > 2.5 * PING_MS) this.reopen();
    else this.#socket.send(JSON.stringify({ do: "ping" }));
  }

  #rejectPending() {
    for (const { reject } of this.#pending.values()) reject(new ConnectionLost());
    this.#pending.clear();
  }

  #disconnect() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#rejectPending();
  }

  #close() {
    clearInterval(this.#pingTimer);
    clearTimeout(this.#retryTimer);
    this.#disconnect();
  }
}
