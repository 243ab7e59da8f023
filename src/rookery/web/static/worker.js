// The service worker: it keeps the page's files of one version, so that the page opens without a network. It never keeps
// what the server says of games and people. The server fills in BASE and FILES, and with them the version.

const BASE = "@static@";
const FILES = "@files@".split(" ");
const SHELL = `${BASE}/index.html`;

/** @type {any} The global scope of a service worker. */
const worker = self;

worker.addEventListener("install", event => event.waitUntil(keep().then(() => worker.skipWaiting())));
worker.addEventListener("activate", event => event.waitUntil(forgetOthers()));
worker.addEventListener("fetch", event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith(`${BASE}/`)) event.respondWith(kept(pathname).then(answer => answer ?? fetch(request)));
  else if (request.mode === "navigate" && !pathname.startsWith("/api/")) event.respondWith(opened(request));
});

// Keeps all files. Only files of this version may be cached for ever; of another server's version none is taken.
async function keep() {
  const cache = await caches.open(BASE);
  const put = async path => {
    const answer = await fetch(path);
    if (!answer.ok || !answer.headers.get("cache-control")?.includes("immutable"))
      throw new Error(`${path} is not of this version.`);
    await cache.put(path, answer);
  };
  await Promise.all([SHELL, ...FILES.map(name => `${BASE}/${name}`)].map(put));
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== BASE) await caches.delete(name);
}

/** @param {string} path */
async function kept(path) {
  const cache = await caches.open(BASE);
  return cache.match(path, { ignoreVary: true });
}

// A page comes from the server; without a network, its shell comes from here.
async function opened(request) {
  try {
    return await fetch(request);
  } catch (problem) {
    const shell = await kept(SHELL);
    if (shell) return shell;
    throw problem;
  }
}
