// What the page does without a network: it says so, and goes on when the network is back. Also: the service worker, which
// lets the page open then, and pages of a version that the server no longer has.

import { h } from "./dom.js";

const BASE = new URL(".", import.meta.url).pathname;

/** Whether the browser knows that it has no network. */
export const offline = () => navigator.onLine === false;

/**
 * A note below the masthead while there is no network; `again` is called when it is back.
 * @param {() => void} again
 */
export function watchNetwork(again) {
  const note = h("p.network", { role: "status" });
  document.querySelector(".masthead").after(note);
  const show = () => {
    note.textContent = offline() ? "You are offline." : "";
  };
  addEventListener("offline", show);
  addEventListener("online", () => {
    show();
    again();
  });
  show();
}

// Keep the page's files, once all else is loaded. Where it is not possible the page works all the same, with a network.
export function keepPage() {
  const register = () =>
    navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {});
  if (!("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

/**
 * Import the module of a page. If it is gone because the server has another version by now, the whole page is loaded
 * again: modules of two versions never run together.
 * @param {string} module
 */
export async function importPage(module) {
  try {
    return await import(`${BASE}${module}`);
  } catch (problem) {
    const shell = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (!shell) throw new Error(unreachable());
    if (!shell.ok || (await shell.text()).includes(BASE)) throw problem;
    location.reload();
    return new Promise(() => {});
  }
}

export function unreachable() {
  return offline()
    ? "There is no network. This page goes on when it is back."
    : "The server cannot be reached. Check that it is running, then try again.";
}
