// Loads the program, tells how far that has come, and starts it.

const words = await (await fetch("words.json")).json();
const language = navigator.language.startsWith("it") ? "it" : "en";
const body = document.body;
const bar = document.getElementById("progress");

document.documentElement.lang = language;

/** Says what is the matter, with what stands in braces filled in. */
function say(key, filled = {}) {
  const text = words[language][key].replace(/\{(\w+)\}/g, (_, name) => filled[name]);
  document.getElementById("word").textContent = text;
}

/** Says that there will be, or is, nothing to be seen. */
function stop(key, error) {
  if (body.dataset.state === "stopped") return;
  body.dataset.state = "stopped";
  say(key, { error: error?.message ?? String(error) });
}

/** The program that this browser can draw with; `?webgl` in the address keeps it from WebGPU. */
async function suited() {
  if (!new URLSearchParams(location.search).has("webgl")) {
    const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
    if (adapter) return "tabulae-webgpu";
  }
  return document.createElement("canvas").getContext("webgl2") ? "tabulae" : null;
}

/** Where WebGPU was promised but does not do, WebGL2 may. */
function tryWithoutWebGpu() {
  const address = new URL(location.href);
  address.searchParams.set("webgl", "");
  location.replace(address);
}

/** The program, unpacked while it comes. */
async function load(name) {
  const program = `${name}.wasm.gzip`;
  const answer = await fetch(program);
  if (!answer.ok) throw new Error(`${program}: ${answer.status} ${answer.statusText}`);
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
  const unpacked = answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
}

/** Browsers play nothing before a person has touched the page. */
function soundAfterTheFirstTouch() {
  const contexts = [];
  globalThis.AudioContext = class extends AudioContext {
    constructor(...options) {
      super(...options);
      contexts.push(this);
    }
  };
  for (const kind of ["pointerup", "touchend", "keydown"]) {
    addEventListener(kind, () => {
      for (const context of contexts) if (context.state === "suspended") context.resume();
    });
  }
}

/** Keys that the browser would take for itself though the table knows them. */
function keysForTheTable() {
  const named = ["Tab", " ", "Backspace", "F1", "F2", "F10", "/", "'", "?", "Escape"];
  const moves = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
  const plain = new Set([...named, ...moves]);
  const commands = new Set(["s", "o", "p", "d", "e", "g", "b", "z", ","]);
  addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (command ? commands.has(key) : plain.has(key) && !event.altKey) event.preventDefault();
  });
  document.getElementById("table").addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Whether the table was seen. */
let shown = false;

/** What ended the program is said, unless another can draw what this one could not. */
function end(program, key, error) {
  if (program === "tabulae-webgpu" && !shown) tryWithoutWebGpu();
  else stop(key, error);
}

/** Waits for the program's first picture, and for its end; games are kept, ply by ply. */
function watch(program) {
  const see = (error) => error instanceof WebAssembly.RuntimeError && end(program, "stopped", error);
  addEventListener("error", (event) => see(event.error));
  addEventListener("unhandledrejection", (event) => see(event.reason));
  new MutationObserver(() => {
    if (body.dataset.state === "ready") {
      shown = true;
      document.getElementById("table").focus();
    } else if (body.dataset.state === "lost") {
      end(program, "stopped", body.dataset.error);
    }
  }).observe(body, { attributeFilter: ["data-state"] });
}

/** Starts the program of this name, or says why not. */
async function start(name) {
  const { default: init } = await import(`./${name}.js`);
  await init({ module_or_path: load(name) });
}

say("loading");
soundAfterTheFirstTouch();
keysForTheTable();
const program = await suited();
watch(program);
if (program) {
  start(program).catch((error) => end(program, "failed", error));
} else {
  stop("no-webgl");
}
