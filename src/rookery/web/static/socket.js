// A WebSocket that comes back by itself, numbers its questions and matches the answers to them.

const PATIENCE = [300, 700, 1500, 3000, 5000];
const QUIET = 20_000;
const FINAL = new Set([4403, 4404]);

// The answer will not come, because the connection went.
export class Lost extends Error {
  constructor() {
    super("The connection is lost for the moment; it is being tried again.");
  }
}

export class Socket {
  #socket = null;
  #tries = 0;
  #ref = 0;
  #asked = new Map();
  #retry = 0;
  #beat = 0;
  #heard = 0;

  // onMessage gets what the server says unasked; onState "open", "lost" or "gone"; `gone` carries the close code.
  constructor(path, { onMessage, onState, signal }) {
    this.path = path;
    this.onMessage = onMessage;
    this.onState = onState;
    this.signal = signal;
    const hurry = () => !document.hidden && !this.live && this.#open();
    addEventListener("online", hurry, { signal });
    addEventListener("offline", () => this.#cut(), { signal });
    document.addEventListener("visibilitychange", hurry, { signal });
    signal.addEventListener("abort", () => this.#close());
    this.#beat = setInterval(() => this.#check(), QUIET);
    this.#open();
  }

  get live() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  // Ask for something; the promise is kept by the answer, or broken with the server's sentence.
  ask(message) {
    if (!this.live) return Promise.reject(new Lost());
    const ref = ++this.#ref;
    this.#socket.send(JSON.stringify({ ...message, ref }));
    return new Promise((kept, broken) => this.#asked.set(ref, { kept, broken }));
  }

  // Start over, so that the server sees who we are now.
  reopen() {
    this.#tries = 0;
    this.#drop();
    this.#open();
  }

  #open() {
    clearTimeout(this.#retry);
    if (this.signal.aborted) return;
    this.#drop();
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#heard = Date.now();
      this.onState("open");
    });
    socket.addEventListener("message", (event) => {
      this.#heard = Date.now();
      this.#tries = 0;
      this.#take(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => socket === this.#socket && this.#lost(event.code));
  }

  #take(message) {
    const asked = message.ref !== undefined && message.ref !== null ? this.#asked.get(message.ref) : undefined;
    if (asked) {
      this.#asked.delete(message.ref);
      if (message.is === "refused") asked.broken(new Error(message.why));
      else asked.kept(message);
      return;
    }
    if (message.is !== "pong") this.onMessage(message);
  }

  #lost(code) {
    this.#socket = null;
    this.#forget();
    if (this.signal.aborted) return;
    if (FINAL.has(code)) {
      clearInterval(this.#beat);
      this.onState("gone", code);
      return;
    }
    this.onState("lost");
    const wait = code === 4429 ? 5000 : PATIENCE[Math.min(this.#tries, PATIENCE.length - 1)];
    this.#tries += 1;
    this.#retry = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
  }

  // Without a network an open connection only seems alive; if it was not needed to reach the server, it is back at once.
  #cut() {
    if (!this.#socket) return;
    this.#drop();
    this.#lost();
  }

  // A connection that says nothing for long may be dead without knowing it.
  #check() {
    if (!this.live) return;
    if (Date.now() - this.#heard > 2.5 * QUIET) this.reopen();
    else this.#socket.send(JSON.stringify({ do: "ping" }));
  }

  #forget() {
    for (const { broken } of this.#asked.values()) broken(new Lost());
    this.#asked.clear();
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#forget();
  }

  #close() {
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    this.#drop();
  }
}
