// Online games between pages, and between a page and the program for terminals.
//
// Uses the server of `tabulae serve`, built with
// `cargo build --no-default-features --features server`; TABULAE names its program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createInterface } from "node:readline";
import { SIZE, Table, browse, root } from "./page.mjs";

const top = join(import.meta.dirname, "..", "..");
const program = process.env.TABULAE ?? join(top, "target", "debug", "tabulae");
const scratch = mkdtempSync(join(tmpdir(), "tabulae-"));

let browser, server, address;
before(async () => {
  server = spawn(
    program,
    ["serve", "--listen", "127.0.0.1:0", "--store", `sqlite:${scratch}/games.db`, "--web", root],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  address = await new Promise((resolve) =>
    createInterface({ input: server.stdout }).on("line", (line) => {
      const found = line.match(/http:\S+/);
      if (found) resolve(found[0].replace(/\/?$/, "/"));
    }),
  );
  browser = await browse();
});
after(async () => {
  await browser.close();
  server.kill();
  rmSync(scratch, { recursive: true });
});

/** A player's program in a terminal, with a home of its own. */
class Terminal {
  lines = [];
  waiting = new Set();

  constructor(...args) {
    const home = mkdtempSync(join(scratch, "home-"));
    const env = { ...process.env, TABULAE_HOME: home, LC_ALL: "C" };
    this.child = spawn(program, ["play", ...args], { env, stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.lines.push(line);
      for (const look of this.waiting) look();
    });
  }

  say(line) {
    this.child.stdin.write(`${line}\n`);
  }

  /** Waits for a line that matches, of those from the `since`-th on. */
  until(wanted, since = 0) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.lines.slice(since).find((line) => wanted.test(line));
        if (found === undefined) return;
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve(found);
      };
      const timer = setTimeout(
        () => reject(new Error(`${wanted} was not printed; last: ${this.lines.slice(-8).join("\n")}`)),
        120_000,
      );
      this.waiting.add(look);
      look();
    });
  }

  /** The links that it prints when it creates a game. */
  async links() {
    await this.until(/#watch=/);
    return this.lines.filter((line) => /^http/.test(line));
  }

  end() {
    this.child.kill();
  }
}

/** Creates a game from a page of the server; returns the links of seats and spectators. */
async function create(rules) {
  const page = await browser.newPage();
  await page.goto(`${address}words.json`);
  const links = await page.evaluate(
    ([socket, rules]) =>
      new Promise((resolve, reject) => {
        const connection = new WebSocket(socket);
        connection.onerror = () => reject(new Error("no connection"));
        connection.onopen = () =>
          connection.send(JSON.stringify({ type: "create", version: 1, terms: { rules } }));
        connection.onmessage = ({ data }) => resolve(JSON.parse(data).links);
      }),
    [`${address.replace("http", "ws")}play`, rules],
  );
  await page.close();
  const [one, two] = links.seats;
  return [`${address}#seat=${one}`, `${address}#seat=${two}`, `${address}#watch=${links.watch}`];
}

function context() {
  return browser.newContext({ viewport: SIZE, locale: "en-GB", reducedMotion: "reduce" });
}

/** Opens a link on a page of its own. */
async function sit(link) {
  const [page, hash] = link.split("#");
  return Table.open(await context(), page, `?report#${hash}`);
}

test("a page and a terminal play, a third watches, and a page that is loaded anew goes on", async () => {
  const terminal = new Terminal("--invite", address, "--rules", "tablut/ashton", "--name", "Aili");
  const [, other, watch] = await terminal.links();
  const table = await sit(other);
  const spectator = await sit(watch);
  await terminal.until(/begins/);
  for (const page of [table, spectator]) await page.until("screen table");
  terminal.say("e3-b3");
  for (const page of [table, spectator]) await page.until("shown 1 e3-b3");
  await table.fromAbove();
  await table.play(2, ["square h5", "square h7"]);
  await terminal.until(/h5 to h7/);
  await spectator.until("shown 2 h5-h7");
  await table.page.reload();
  await table.ready();
  await table.until("shown 2 h5-h7");
  terminal.say("b3-b2");
  await table.until("shown 3 b3-b2");
  terminal.say("resign");
  for (const page of [table, spectator]) await page.until("turn none");
  const [kept] = await table.kept();
  assert.ok(kept.includes('[Termination "resignation"]'), kept);
  for (const page of [table, spectator]) assert.deepEqual(page.errors, []);
  terminal.end();
  for (const page of [table, spectator]) await page.page.context().close();
});

for (const [rules, plies] of [
  ["tablaaza", 400],
  ["tablan", 12],
]) {
  test(`two pages play ${rules}`, async () => {
    const [one, two] = await create(rules);
    const pages = [await sit(one), await sit(two)];
    for (const page of pages) await page.until("screen table");
    for (const page of pages) await page.until((line) => line.startsWith("turn "));
    for (const page of pages) await page.fromAbove();
    for (let ply = 1; ply <= plies; ply += 1) {
      const turn = pages[0].last("turn");
      if (turn === "turn none") break;
      const mover = pages[turn.includes("first") ? 0 : 1];
      const waits = pages.map((page) => page.until(`shown ${ply} `, 0));
      if (turn.startsWith("turn throw")) {
        await mover.click("sticks");
      } else if (rules === "tablaaza") {
        await playAnywhere(mover, ply);
      } else {
        break;
      }
      await Promise.all(waits);
    }
    for (const page of pages) assert.deepEqual(page.errors, []);
    for (const page of pages) await page.page.context().close();
  });
}

/** In Tablaaza a click on a square that is not allowed is refused, and does no harm. */
async function playAnywhere(page, ply) {
  const squares = [...new Set(page.lines.filter((line) => /^square /.test(line)))].map((line) =>
    line.split(" ").slice(0, 2).join(" "),
  );
  for (const square of new Set(squares)) {
    const since = page.lines.length;
    await page.click(square);
    const played = await Promise.race([
      page.until(`shown ${ply} `, since).then(() => true),
      page.until("notice ", since).then(() => false),
    ]);
    if (played) return;
  }
  throw new Error("no square was accepted");
}
