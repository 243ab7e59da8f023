// The pages: each path and the module that shows it. The server reads this list too, so every route is "path": "module".

export const ROUTES = {
  "/": "home.js",
  "/play/:game": "setup.js",
  "/game/:id": "play.js",
  "/replay": "upload.js",
  "/replay/:id": "replay.js",
  "/review/:id": "review.js",
  "/daily": "daily.js",
  "/puzzles": "puzzles.js",
  "/puzzles/:game": "puzzles.js",
  "/puzzles/:game/:id": "puzzle.js",
  "/profile": "profile.js",
  "/rules/:game": "rules.js",
  "/print/:game": "print.js",
};

/**
 * The module and the parameters of a path; null if there is no such page.
 * @param {string} path
 */
export function route(path) {
  for (const [pattern, module] of Object.entries(ROUTES)) {
    const found = new RegExp(`^${pattern.replace(/:(\w+)/g, "(?<$1>[\\w-]+)")}$`).exec(path);
    if (found) return { module, params: { ...found.groups } };
  }
  return null;
}
