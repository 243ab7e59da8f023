// The single-page shell: shows the page of an address, and navigates without reloading.

import { get } from "./api.js";
import { h, setTitle } from "./dom.js";
import { importPage, keepPage, offline, watchNetwork } from "./network.js";
import { route } from "./routes.js";
import { applySettings, settingsButton } from "./settings.js";

const COMPILING_EVERY = 2000;

let leaving = new AbortController();

/**
 * @param {string} path
 * @param {{replace?: boolean}} [how]
 */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  return render();
}

async function render() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const path = location.pathname;
  const found = route(path);
  const root = h("main", { id: "main", tabindex: "-1" });
  delete document.body.dataset.game;
  document.body.dataset.page = path.split("/")[1] || "home";
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".masthead nav a"))) {
    if (link.pathname === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    if (!found) throw new Error("There is no page at this address.");
    const page = await importPage(found.module);
    if (signal.aborted) return;
    document.getElementById("main").replaceWith(root);
    await page.show(root, found.params, { signal });
  } catch (problem) {
    if (signal.aborted) return;
    const missing = !found || problem.missing;
    const title = missing ? "Not found" : offline() ? "No network" : "Something went wrong";
    setTitle(title);
    const again = !missing && h("button.button", { type: "button", onclick: render }, "Try again");
    root.replaceChildren(
      h(
        "section.stack.notice",
        {},
        h("h1", {}, title),
        h("p", {}, problem.message),
        h("p.row", {}, h("a.button.primary", { href: "/" }, "Back to the games"), again),
      ),
    );
    document.getElementById("main").replaceWith(root);
  }
  window.scrollTo(0, 0);
}

// Links within the arcade change the page in place; new tabs, downloads and other sites are left to the browser.
document.addEventListener("click", event => {
  const target = event.target instanceof Element ? event.target : null;
  const link = /** @type {HTMLAnchorElement | null} */ (target?.closest("a[href]") ?? null);
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  if (
    link.origin !== location.origin ||
    link.target ||
    link.hasAttribute("download") ||
    link.pathname.startsWith("/api/")
  )
    return;
  if (link.hash && link.pathname === location.pathname) {
    // An anchor on this page only moves the focus.
    const place = document.getElementById(link.hash.slice(1));
    if (place) event.preventDefault();
    place?.focus();
    return;
  }
  event.preventDefault();
  go(link.pathname + link.search + link.hash).then(() =>
    document.getElementById("main").focus({ preventScroll: true }),
  );
});
window.addEventListener("popstate", render);

// A note in the masthead while the server compiles the strong bots' machine code, which it does once.
async function showCompiling() {
  const sign = h("span.compiling", {
    role: "status",
    title: "This happens once after an installation or an update. You can play meanwhile.",
  });
  for (;;) {
    const { ready, parts } = await get("/api/compiling").catch(() => ({ ready: 0, parts: 0 }));
    if (ready >= parts) break;
    sign.replaceChildren(
      h("span.wide", {}, `Preparing strong bots: ${ready} of ${parts}`),
      h("span.narrow", {}, `Bots ${ready}/${parts}`),
    );
    if (!sign.isConnected) document.querySelector(".brand").after(sign);
    await new Promise(done => {
      setTimeout(done, COMPILING_EVERY);
    });
  }
  sign.remove();
}

applySettings();
showCompiling();
watchNetwork(() => document.querySelector("main .trouble, main .notice") && render());
keepPage();
document.querySelector(".masthead nav").append(settingsButton());
render();
