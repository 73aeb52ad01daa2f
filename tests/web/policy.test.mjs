// What the server's Content-Security-Policy lets the page do, in a browser: everything that
// the page's own files and its programs use, and nothing else. The programs are stand-ins, so
// this needs no built page.
//
// Uses the server of `tabulae serve` as online.test.mjs does.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, pack, servePlay } from "./page.mjs";

const top = join(import.meta.dirname, "..", "..");
const program = process.env.TABULAE ?? join(top, "target", "debug", "tabulae");
const scratch = mkdtempSync(join(tmpdir(), "tabulae-"));
const page = mkdtempSync(join(scratch, "page-"));

/** A module without anything in it. */
const WASM = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** In place of the program: does on the page what the program does. */
const PROGRAM = `
export default async function init({ module_or_path }) {
  await WebAssembly.instantiateStreaming(module_or_path, {});
  const worker = new Worker("engine-worker.js", { type: "module" });
  const heard = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.postMessage("go");
  const seen = { engine: await heard };
  const socket = (address) => new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => resolve("open");
    socket.onerror = () => resolve("error");
  });
  seen.own = await socket(location.origin.replace("http", "ws") + "/play");
  const picture = (src) => new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve("shown");
    image.onerror = () => resolve("error");
    image.src = src;
  });
  seen.picture = await picture("icon.png");
  const bytes = await (await fetch("icon.png")).blob();
  seen.blob = await picture(URL.createObjectURL(bytes));
  const link = document.createElement("a");
  Object.assign(link, { download: "game.tab", href: URL.createObjectURL(new Blob(["x"])) });
  link.click();
  document.getElementById("table").style.setProperty("width", "50px");
  seen.width = document.getElementById("table").style.width;
  new AudioContext();
  document.body.dataset.seen = JSON.stringify(seen);
  document.body.dataset.state = "ready";
}
`;

/** In place of the engine. */
const ENGINE = `
export default async function init() {
  await WebAssembly.instantiateStreaming(fetch("engine_bg.wasm"), {});
  self.onmessage = ({ data }) => self.postMessage("heard " + data);
}
`;

let browser, server, address;
before(async () => {
  writeFileSync(join(page, "tabulae.js"), PROGRAM);
  pack(WASM, page);
  writeFileSync(join(page, "engine.js"), ENGINE);
  writeFileSync(join(page, "engine_bg.wasm"), WASM);
  execFileSync("node", [join(top, "tools", "web-page.mjs"), page]);
  ({ server, address } = await servePlay(program, join(scratch, "games.db"), page));
  browser = await browse();
});
after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(scratch, { recursive: true });
});

/** The page, which notes what the policy blocks on it. */
async function open() {
  const tab = await browser.newPage();
  await tab.addInitScript(() => {
    window.blocked = [];
    addEventListener("securitypolicyviolation", (event) =>
      window.blocked.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await tab.goto(address);
  await tab.waitForSelector("body[data-state=ready]", { state: "attached", timeout: 60_000 });
  return tab;
}

test("the policy lets the page do what it does", async () => {
  const tab = await open();
  const seen = JSON.parse(await tab.evaluate(() => document.body.dataset.seen));
  assert.deepEqual(seen, {
    engine: "heard go",
    own: "open",
    picture: "shown",
    blob: "shown",
    width: "50px",
  });
  // The service worker saves all files.
  const worker = await tab.evaluate(async () => (await navigator.serviceWorker.ready).active.state);
  assert.match(worker, /activat/);
  assert.deepEqual(await tab.evaluate(() => window.blocked), []);
  await tab.close();
});

test("the policy blocks what no file of the page does", async () => {
  const tab = await open();
  const done = await tab.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.inline = true";
    document.body.append(script);
    const image = new Image();
    image.src = "http://127.0.0.2:9/x.png";
    const fetched = await fetch("http://127.0.0.2:9/").catch(() => "refused");
    return { inline: window.inline === true, fetched };
  });
  assert.deepEqual(done, { inline: false, fetched: "refused" });
  const wanted = ["script-src-elem inline", "img-src http", "connect-src http"];
  await tab.waitForFunction(
    (wanted) => wanted.every((text) => window.blocked.some((it) => it.includes(text))),
    wanted,
    { timeout: 60_000 },
  );
  await tab.close();
});
