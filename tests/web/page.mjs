// The page in a real browser, and a hand on its mouse and its screen.
//
// With `?report` in its address the program says on the console what is shown
// and where, line by line (src/app/dev_tools/report.rs).

import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

export const root = join(import.meta.dirname, "..", "..", "dist");
/** Longer than a software renderer takes for anything waited for here. */
export const PATIENCE = 240_000;

const KINDS = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".png": "image/png",
};

/** Serves a folder under a path as any static host does. */
export function serve(folder = root, under = "/") {
  const server = createServer((asked, answer) => {
    const path = normalize(decodeURIComponent(new URL(asked.url, "http://x").pathname));
    const rest = path.startsWith(under) ? path.slice(under.length) : "..";
    const file = join(folder, /(^|\/)$/.test(rest) ? `${rest}index.html` : rest);
    if (!file.startsWith(folder) || !existsSync(file)) {
      answer.writeHead(404).end();
      return;
    }
    // Hosts often let browsers use a file for some minutes without asking again.
    answer.writeHead(200, {
      "Content-Type": KINDS[extname(file)] ?? "application/octet-stream",
      "Cache-Control": "max-age=600",
    });
    createReadStream(file).pipe(answer);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = `http://127.0.0.1:${server.address().port}${under}`;
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ address, close });
    });
  });
}

/** The library that unpacks the program, from npm as in tools/web.sh. */
const unpacker = join(import.meta.dirname, "node_modules/xz-decompress/dist/package/xz-decompress.js");

/** Writes a program into a folder, packed as tools/web.sh does, and what unpacks it. */
export function pack(program, folder) {
  const packed = execFileSync("xz", ["--check=crc32", "-c"], { input: program });
  writeFileSync(join(folder, "tabulae.wasm.xz"), packed);
  copyFileSync(unpacker, join(folder, "xz-decompress.js"));
}

/** What has it draw with its processor. */
const DRAWING = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Starts the program's own server for this folder; resolves to it and its address. */
export async function servePlay(program, store, folder) {
  const server = spawn(
    program,
    ["serve", "--listen", "127.0.0.1:0", "--store", `sqlite:${store}`, "--web", folder],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const address = await new Promise((resolve) =>
    createInterface({ input: server.stdout }).on("line", (line) => {
      const found = line.match(/http:\S+/);
      if (found) resolve(found[0].replace(/\/?$/, "/"));
    }),
  );
  return { server, address };
}

/** A browser without a window. */
export function browse() {
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...DRAWING, ...quiet],
  });
}

/** The context of a person who comes for the first time, and wants little to move. */
export function person(browser, options = {}) {
  const viewport = { width: 640, height: 480 };
  return browser.newContext({ viewport, locale: "en-GB", reducedMotion: "reduce", ...options });
}

/** What a file's tests stand on: a host of the page, and a browser. */
export function setUp() {
  const stage = {
    person: (options) => person(stage.browser, options),
    /** Opens the page for a person. */
    open: (context, asked) => Table.open(context, stage.host.address, asked),
  };
  before(async () => {
    stage.host = await serve();
    stage.browser = await browse();
  });
  after(async () => {
    await stage.browser.close();
    stage.host.close();
  });
  return stage;
}

export const records = join(import.meta.dirname, "..", "records", "valid");

/** The games in a file of records. */
export function games(file) {
  return readFileSync(join(records, file), "utf8").split(/\n(?=\[Rules)/);
}

/** The plies of a record. */
export function pliesOf(record) {
  const moves = record.split("\n\n")[1];
  return moves.split(/\s+/).filter((word) => /^([a-l]\d|t\d$)/.test(word));
}

/** The plies of the `number`-th game in a file of records. */
export function plies(file, number) {
  return pliesOf(games(file)[number]);
}

/** The squares that a ply touches, of one piece or a pair; none for a throw. */
export function squares(ply, rules) {
  if (/^t\d$/.test(ply)) return [];
  return rules.startsWith("tablan") ? ply.split(/[-x+]/) : ply.replace(/[x^].*$/, "").split("-");
}

/** The part of an address that carries this record. */
export function fragment(record) {
  return `#game=${deflateRawSync(record).toString("base64url")}`;
}

/** One open page. */
export class Table {
  lines = [];
  waiting = new Set();
  errors = [];

  /** Opens the page; `asked` is what follows its address. */
  static async open(context, address, asked) {
    const table = new Table();
    table.page = await context.newPage();
    table.page.setDefaultTimeout(PATIENCE);
    table.page.on("console", (message) => table.hear(message));
    table.page.on("pageerror", (error) => table.errors.push(String(error)));
    await table.load(address + asked);
    return table;
  }

  async load(address) {
    this.lines = [];
    await this.page.goto(address);
    await this.ready();
  }

  async ready() {
    await this.page.waitForSelector("[data-state=ready]", { state: "attached", timeout: PATIENCE });
    await this.until((line) => line === "settled");
  }

  hear(message) {
    if (message.type() === "error") this.errors.push(message.text());
    for (const line of message.text().split("\n")) {
      this.lines.push(line);
      for (const look of this.waiting) look();
    }
  }

  /** Waits for a line, of those said from the `since`-th on. */
  until(wanted, since = 0) {
    const matches = typeof wanted === "string" ? (line) => line.startsWith(wanted) : wanted;
    return new Promise((resolve, reject) => {
      const look = () => {
        const at = this.lines.findIndex((line, number) => number >= since && matches(line));
        if (at < 0) return;
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve(this.lines[at]);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(look);
        const last = this.lines.filter((line) => !line.startsWith("square")).slice(-20);
        reject(new Error(`${wanted} was not reported; last: ${last.join("\n")}\n${this.errors.join("\n")}`));
      }, PATIENCE);
      this.waiting.add(look);
      look();
    });
  }

  /** The last line that begins so. */
  last(beginning) {
    return this.lines.findLast((line) => line.startsWith(beginning));
  }

  /** Where the last report of a thing put it. */
  place(thing) {
    const words = this.last(`${thing} `)?.split(" ");
    if (!words) throw new Error(`${thing} was reported nowhere`);
    return words.slice(-2).map(Number);
  }

  async click(thing) {
    await this.page.mouse.click(...this.place(thing));
  }

  /** Clicks the button whose name begins so. */
  async press(name) {
    const is = (line) => /^widget button \S+ \S+ (.*)/.exec(line)?.[1].startsWith(name);
    await this.until(is);
    const [x, y] = this.lines.findLast(is).split(" ").slice(2, 4).map(Number);
    await this.page.mouse.click(x, y);
  }

  async tap(thing) {
    await this.page.touchscreen.tap(...this.place(thing));
  }

  async key(key) {
    const since = this.lines.length;
    await this.page.keyboard.press(key);
    return since;
  }

  /** From above nothing hides what stands behind it. */
  async fromAbove() {
    const since = await this.key("t");
    await this.until((line) => line === "settled", since);
  }

  /** Plays a ply by a touch on each of these things. */
  async play(number, things, touch = "click") {
    const since = this.lines.length;
    for (const [index, thing] of things.entries()) {
      const before = this.lines.length;
      await this[touch](thing);
      if (index + 1 < things.length) await this.until((line) => /^selected ./.test(line), before);
    }
    await this.until(`shown ${number} `, since);
  }

  /** The kept games, as the browser's storage has them. */
  kept() {
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
