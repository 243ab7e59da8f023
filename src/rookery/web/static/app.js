// The shell: which page an address shows, and moving between pages without loading them again.

import { get } from "./api.js";
import { h, titled } from "./dom.js";
import { applySettings, settingsButton } from "./settings.js";

const ROUTES = [
  [/^\/$/, () => import("./home.js"), []],
  [/^\/play\/([\w-]+)$/, () => import("./setup.js"), ["game"]],
  [/^\/game\/([\w-]+)$/, () => import("./play.js"), ["id"]],
  [/^\/replay(?:\/([\w-]+))?$/, () => import("./replay.js"), ["id"]],
  [/^\/daily$/, () => import("./daily.js"), []],
  [/^\/profile$/, () => import("./profile.js"), []],
  [/^\/rules\/([\w-]+)$/, () => import("./rules.js"), ["game"]],
  [/^\/print\/([\w-]+)$/, () => import("./print.js"), ["game"]],
];

const COMPILING_EVERY = 2000;

let leaving = new AbortController();

export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  return render();
}

async function render() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const path = location.pathname;
  const found = ROUTES.find(([pattern]) => pattern.test(path));
  const root = h("main", { id: "main", tabindex: "-1" });
  delete document.body.dataset.game;
  document.body.dataset.page = path.split("/")[1] || "home";
  for (const link of document.querySelectorAll(".masthead nav a")) {
    if (link.pathname === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    if (!found) throw new Error("There is no page at this address.");
    const [pattern, load, names] = found;
    const values = pattern.exec(path).slice(1);
    const params = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const page = await load();
    if (signal.aborted) return;
    document.getElementById("main").replaceWith(root);
    await page.show(root, params, { signal });
  } catch (problem) {
    if (signal.aborted) return;
    titled(found ? "That did not work" : "Not found");
    const again = found && h("button.button", { type: "button", onclick: render }, "Try again");
    root.replaceChildren(
      h("section.stack.notice", {},
        h("h1", {}, found ? "That did not work" : "Nothing lives here"),
        h("p", {}, problem.message),
        h("p.row", {}, h("a.button.primary", { href: "/" }, "To the games"), again)),
    );
    document.getElementById("main").replaceWith(root);
  }
  window.scrollTo(0, 0);
}

// Links within the arcade change the page in place; a new tab, a download or another site is left to the browser.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download") || link.pathname.startsWith("/api/")) return;
  if (link.hash && link.pathname === location.pathname) {
    // A place on this page gets the focus; the page is not made anew for it.
    const place = document.getElementById(link.hash.slice(1));
    if (place) event.preventDefault();
    place?.focus();
    return;
  }
  event.preventDefault();
  go(link.pathname + link.search + link.hash).then(() => document.getElementById("main").focus({ preventScroll: true }));
});
window.addEventListener("popstate", render);

// A sign in the masthead while the server still compiles what strong bots need, which it does once.
async function showCompiling() {
  const sign = h("span.compiling", { role: "status", title: "This happens once, after an installation or an update. Everything can be played meanwhile." });
  for (;;) {
    const { ready, parts } = await get("/api/compiling").catch(() => ({ ready: 0, parts: 0 }));
    if (ready >= parts) break;
    sign.replaceChildren(
      h("span.wide", {}, `Strong bots are getting ready: ${ready} of ${parts}`),
      h("span.narrow", {}, `Bots ${ready}/${parts}`));
    if (!sign.isConnected) document.querySelector(".brand").after(sign);
    await new Promise((done) => { setTimeout(done, COMPILING_EVERY); });
  }
  sign.remove();
}

applySettings();
showCompiling();
document.querySelector(".masthead nav").append(settingsButton());
render();
