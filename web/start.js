// Loads the program, shows the progress, and starts it. Installs the service worker,
// which saves the page for use without a network.

/** Unpacks a stream; xz-decompress.js defines it. */
const { XzReadableStream } = globalThis["xz-decompress"];

/** How long the page waits for an answer of the service worker, in milliseconds. */
const WAIT = 5000;

/** How long a new version has to replace the old one, in milliseconds. */
const SOON = 500;

/** The browser's service workers, where it has them and allows them. */
const workers = location.protocol.startsWith("http") ? navigator.serviceWorker : undefined;

/**
 * Reloads with the new version of the page if one is downloaded and no other page
 * uses the old one. Until then all pages use the old one.
 */
async function useNewVersion() {
  const waiting = workers?.controller && (await workers.getRegistration())?.waiting;
  if (!waiting) return;
  const { port1, port2 } = new MessageChannel();
  // Resolves when this page may continue: at once if another page is open. Otherwise
  // a reload comes first.
  await new Promise((resolve) => {
    port1.onmessage = ({ data }) => (data.wait ? setTimeout(reloadOnce, SOON) : resolve());
    waiting.postMessage("replace", [port2]);
    setTimeout(resolve, WAIT);
  });
}

/**
 * Reloads if the new version has not done so. Chromium sometimes takes it only when
 * the page that uses the old one goes.
 */
function reloadOnce() {
  const key = "tabulae:reloaded";
  const last = Number(sessionStorage.getItem(key));
  if (Date.now() - last < 2 * WAIT) return;
  sessionStorage.setItem(key, Date.now());
  location.reload();
}

/** Saves the page in the background, unless the user asks to save data. */
async function saveForOffline() {
  if (!navigator.connection?.saveData) await workers?.register("service-worker.js");
}

// A page that has only begun to load gets all its files from the new version. A
// running one is left alone.
if (workers?.controller) {
  workers.addEventListener("controllerchange", () => {
    if (document.body.dataset.state !== "ready") location.reload();
  });
}
// Without storage there is no service worker, and the page comes from the network.
await useNewVersion().catch(() => {});

const words = await (await fetch("words.json")).json();
const language = navigator.language.startsWith("it") ? "it" : "en";
const body = document.body;
const bar = document.getElementById("progress");

document.documentElement.lang = language;

/** Shows a message; `filled` replaces its placeholders in braces. */
function say(key, filled = {}) {
  const text = words[language][key].replace(/\{(\w+)\}/g, (_, name) => filled[name]);
  document.getElementById("word").textContent = text;
}

/** Shows that the program cannot run or has stopped. */
function stop(key, error) {
  if (body.dataset.state === "stopped") return;
  body.dataset.state = "stopped";
  say(key, { error: error?.message ?? String(error) });
}

/** The packed program. */
const PROGRAM = "tabulae.wasm.xz";

/** The program, unpacked while it downloads. */
async function load() {
  const answer = await fetch(PROGRAM);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const all = Number(answer.headers.get("Content-Length"));
  let come = 0;
  const counted = new TransformStream({
    transform(chunk, next) {
      come += chunk.length;
      if (all) bar.value = Math.min(come / all, 1);
      if (come === all) {
        bar.removeAttribute("value");
        say("starting");
      }
      next.enqueue(chunk);
    },
  });
  const unpacked = new XzReadableStream(answer.body.pipeThrough(counted));
  return new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
}

/** Resumes sound at the first input, since browsers block it before that. */
function soundAfterTheFirstTouch() {
  const contexts = [];
  globalThis.AudioContext = class extends AudioContext {
    constructor(...options) {
      super(...options);
      contexts.push(this);
    }
  };
  for (const kind of ["pointerup", "touchend", "keydown", "click"]) {
    addEventListener(kind, () => {
      for (const context of contexts) if (context.state === "suspended") context.resume();
    });
  }
}

/** Stops the browser from opening a menu over the board. The program keeps its keys itself. */
function noMenuOverTheTable() {
  document.getElementById("table").addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Watches for the program's first frame and for its end. Games are saved after every move. */
function watch() {
  const see = (error) => error instanceof WebAssembly.RuntimeError && stop("stopped", error);
  addEventListener("error", (event) => see(event.error));
  addEventListener("unhandledrejection", (event) => see(event.reason));
  new MutationObserver(() => {
    if (body.dataset.state === "ready") {
      document.getElementById("table").focus();
      // Not before, since both would share the network.
      saveForOffline().catch(() => {});
    } else if (body.dataset.state === "lost") {
      stop("stopped", body.dataset.error);
    }
  }).observe(body, { attributeFilter: ["data-state"] });
}

/** Starts the program. */
async function start() {
  const { default: init } = await import("./tabulae.js");
  await init({ module_or_path: load() }).catch((error) => {
    throw new Error(`${PROGRAM}: ${error.message}`);
  });
}

say("loading");
soundAfterTheFirstTouch();
noMenuOverTheTable();
watch();
if (document.createElement("canvas").getContext("webgl2")) {
  start().catch((error) => stop("failed", error));
} else {
  stop("no-webgl");
}
