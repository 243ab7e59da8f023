// HTTP requests to the server. An error answer becomes an Error with the server's message, and with the
// name of the option that is wrong, if one is.

export async function request(method, path, body, signal) {
  let answer;
  try {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const sent = typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
    answer = await fetch(path, { method, headers, body: sent, signal });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Error("The server cannot be reached. Check that it is running, then try again.");
  }
  if (answer.status === 204) return null;
  const content = await answer.json().catch(() => null);
  if (!answer.ok) {
    const why = content?.detail ?? `The server answered ${answer.status}. Try again.`;
    throw Object.assign(new Error(why), { option: content?.option ?? null });
  }
  return content;
}

export const get = (path, signal) => request("GET", path, undefined, signal);
export const post = (path, body = {}, signal) => request("POST", path, body, signal);

let catalogue = null;

// The catalogue of games, fetched once per visit.
export function games() {
  catalogue ??= get("/api/catalogue")
    .then(found => found.games)
    .catch(problem => {
      catalogue = null;
      throw problem;
    });
  return catalogue;
}

// A full scene from one that has only the cells that changed since the scene before.
export function applyChanges(scene, before) {
  if (scene.cells) return scene;
  const cells = before.cells.slice();
  for (const [index, cell] of scene.changed) cells[index] = cell;
  const { changed, ...rest } = scene;
  return { ...rest, cells };
}
