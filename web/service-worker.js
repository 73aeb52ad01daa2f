// Saves the page for use without a network. tools/web-page.mjs writes two constants
// above this text: VERSION, and FILES with the SHA-256 of each file.
//
// Each version has a cache of its own. It is complete before the version is used. A
// new version waits until no page uses the old one, so that a page never gets files
// of both.

const PREFIX = `tabulae ${registration.scope} `;
const NAME = PREFIX + VERSION;

/** The key of a file in the cache. Equal files have the same key in all versions. */
function key(path) {
  return new URL(`${path}?${encodeURIComponent(FILES[path])}`, registration.scope).href;
}

/** A file from an older version's cache if it has not changed, otherwise from the host. */
async function obtain(path) {
  const saved = await caches.match(key(path));
  if (saved) return saved;
  const address = new URL(path, registration.scope);
  const load = (cache) =>
    fetch(address, { cache, integrity: `sha256-${FILES[path]}`, redirect: "error" });
  return load("no-cache").catch(() => load("reload"));
}

/** Fills this version's cache, or leaves none. */
async function fill() {
  const paths = Object.keys(FILES);
  const files = await Promise.all(paths.map(obtain));
  try {
    const cache = await caches.open(NAME);
    await Promise.all(paths.map((path, at) => cache.put(key(path), files[at])));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

/** Deletes the caches of older versions, and serves the pages already open. */
async function replace() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

/** Activates this version if only the page that asks is open, and answers the page. */
async function activate(port) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const alone = windows.filter(({ url }) => url.startsWith(registration.scope)).length < 2;
  port.postMessage({ wait: alone });
  if (alone) await skipWaiting();
}

/** A file from the cache, or from the network if the browser has deleted the cache. */
async function answer(event, path) {
  const saved = await caches.match(key(path), { cacheName: NAME }).catch(() => undefined);
  if (saved) return saved;
  if (event.request.mode === "navigate") event.waitUntil(fill().catch(() => {}));
  return fetch(event.request);
}

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(replace()));
addEventListener("message", (event) => {
  if (event.data === "replace") event.waitUntil(activate(event.ports[0]));
});
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const address = origin + pathname;
  if (event.request.method !== "GET" || !address.startsWith(registration.scope)) return;
  const rest = address.slice(registration.scope.length);
  const path = rest === "" || rest === "index.html" ? "./" : rest;
  if (Object.hasOwn(FILES, path)) event.respondWith(answer(event, path));
});
