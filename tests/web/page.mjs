// Drives the web page in a real browser.
//
// With `?report` in the address the program logs to the console what it shows and
// where, one line each.

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

const root = join(import.meta.dirname, "..", "..", "dist");
const SIZE = { width: 640, height: 480 };
/** In milliseconds; longer than a software renderer takes for any step here. */
const TIMEOUT = 240_000;

const KINDS = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".png": "image/png",
};

/** Serves dist/ like a static host. */
export function serve() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(root, path === "/" ? "index.html" : path);
    if (!file.startsWith(root) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({ address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() });
    });
  });
}

/** Browser flags for WebGL2 and for WebGPU with a software renderer. */
const WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
export const WEBGPU = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--enable-features=Vulkan",
];

/** Launches a headless browser with a software renderer. */
export function browse(drawing = WEBGL) {
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...drawing, ...quiet],
  });
}

/** The link fragment that carries this record. */
export function fragment(record) {
  return `#game=${deflateRawSync(record).toString("base64url")}`;
}

/** One open page. */
export class Table {
  lines = [];
  waiting = new Set();
  errors = [];

  /** Opens the page; `query` follows its address. */
  static async open(context, address, query) {
    const table = new Table();
    table.page = await context.newPage();
    table.page.setDefaultTimeout(TIMEOUT);
    table.page.on("console", (message) => table.receive(message));
    table.page.on("pageerror", (error) => table.errors.push(String(error)));
    await table.load(address + query);
    return table;
  }

  async load(address) {
    this.lines = [];
    await this.page.goto(address);
    await this.ready();
  }

  async ready() {
    await this.page.waitForSelector("[data-state=ready]", { state: "attached", timeout: TIMEOUT });
    await this.until((line) => line === "settled");
  }

  receive(message) {
    if (message.type() === "error") this.errors.push(message.text());
    for (const line of message.text().split("\n")) {
      this.lines.push(line);
      for (const check of this.waiting) check();
    }
  }

  /** Waits for a report line with index `since` or higher. */
  until(wanted, since = 0) {
    const matches = typeof wanted === "string" ? (line) => line.startsWith(wanted) : wanted;
    return new Promise((resolve, reject) => {
      const check = () => {
        const at = this.lines.findIndex((line, number) => number >= since && matches(line));
        if (at < 0) return;
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve(this.lines[at]);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(check);
        const last = this.lines.filter((line) => !line.startsWith("square")).slice(-20);
        reject(new Error(`${wanted} was not reported; last: ${last.join("\n")}\n${this.errors.join("\n")}`));
      }, TIMEOUT);
      this.waiting.add(check);
      check();
    });
  }

  /** The last report line with this prefix. */
  last(beginning) {
    return this.lines.findLast((line) => line.startsWith(beginning));
  }

  /** The last reported screen position of a thing. */
  place(thing) {
    const words = this.last(`${thing} `)?.split(" ");
    if (!words) throw new Error(`${thing} was not reported`);
    return words.slice(-2).map(Number);
  }

  async click(thing) {
    await this.page.mouse.click(...this.place(thing));
  }

  async tap(thing) {
    await this.page.touchscreen.tap(...this.place(thing));
  }

  async key(key) {
    const since = this.lines.length;
    await this.page.keyboard.press(key);
    return since;
  }

  /** Views the board from above, so that no piece hides another. */
  async fromAbove() {
    const since = await this.key("t");
    await this.until((line) => line === "settled", since);
  }

  /** Plays a ply by clicking or tapping each of these things. */
  async play(number, things, touch = "click") {
    const since = this.lines.length;
    for (const [index, thing] of things.entries()) {
      const before = this.lines.length;
      await this[touch](thing);
      if (index + 1 < things.length) await this.until((line) => /^chosen ./.test(line), before);
    }
    await this.until(`shown ${number} `, since);
  }

  /** The saved games in the browser's storage. */
  savedGames() {
    return this.page.evaluate(() =>
      Object.entries(localStorage)
        .filter(([key]) => key.startsWith("tabulae:/games/recent/"))
        .map(([, value]) => value.slice(value.indexOf(" ") + 1)),
    );
  }

  async close() {
    await this.page.close();
  }
}

export { SIZE };
