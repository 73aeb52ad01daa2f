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
import { Table, browse, person, root, servePlay } from "./page.mjs";

const top = join(import.meta.dirname, "..", "..");
const program = process.env.TABULAE ?? join(top, "target", "debug", "tabulae");
const scratch = mkdtempSync(join(tmpdir(), "tabulae-"));

let browser, server, address;
before(async () => {
  ({ server, address } = await servePlay(program, join(scratch, "games.db"), root));
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
          connection.send(JSON.stringify({ type: "create", version: 2, terms: { rules } }));
        connection.onmessage = ({ data }) => resolve(JSON.parse(data).links);
      }),
    [`${address.replace("http", "ws")}play`, rules],
  );
  await page.close();
  const [one, two] = links.seats;
  return [`${address}#seat=${one}`, `${address}#seat=${two}`, `${address}#watch=${links.watch}`];
}

/** Opens a link on a page of its own. */
async function sit(link) {
  const [page, hash] = link.split("#");
  return Table.open(await person(browser), page, `?report#${hash}`);
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

test("a player who looks elsewhere is told by the browser that it is the player's turn", async () => {
  const terminal = new Terminal("--invite", address, "--rules", "tablut/ashton", "--name", "Aili");
  const [, link] = await terminal.links();
  const player = await person(browser);
  await player.grantPermissions(["notifications"], { origin: new URL(address).origin });
  await player.addInitScript(() => {
    window.told = [];
    window.Notification = class extends Notification {
      constructor(text) {
        super(text);
        this.onshow = () => window.told.push(text);
      }
    };
    const repeat = window.setInterval;
    window.setInterval = (act, time) => {
      if (time === 60_000) window.everyMinute = act;
      return repeat(act, time);
    };
  });
  const [page, hash] = link.split("#");
  const table = await Table.open(player, page, `?report#${hash}`);
  await terminal.until(/begins/);
  await table.until("screen table");
  // Another page has the keyboard.
  const browsing = await player.newCDPSession(table.page);
  await browsing.send("Emulation.setFocusEmulationEnabled", { enabled: false });
  const other = await player.newPage();
  await other.bringToFront();
  await table.page.waitForFunction(() => !document.hasFocus());
  terminal.say("e3-b3");
  const first = await table.page.waitForFunction(() => window.told[0]);
  assert.match(await first.jsonValue(), /your turn/i);
  // The player comes back, answers, and goes to another tab: nothing of the page is drawn, and it
  // asks the server every five minutes.
  await table.page.bringToFront();
  await table.page.waitForFunction(() => document.hasFocus());
  await table.fromAbove();
  await table.play(2, ["square h5", "square h7"]);
  await table.page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true });
    window.requestAnimationFrame = () => 0;
  });
  terminal.say("b3-b2");
  // Five minutes pass between two looks.
  await table.page.evaluate(() => {
    const now = performance.now.bind(performance);
    window.passed = 0;
    performance.now = () => now() + window.passed;
  });
  const look = () => {
    window.passed += 300_000;
    window.everyMinute();
    return window.told[1];
  };
  const second = await table.page.waitForFunction(look, undefined, { polling: 1000 });
  assert.match(await second.jsonValue(), /your turn/i);
  assert.deepEqual(table.errors, []);
  terminal.end();
  await player.close();
});

for (const rules of ["tablut/ashton", "tablan", "tablaaza"]) {
  test(`two pages play ${rules} to the end, and a third watches`, async () => {
    const links = await create(rules);
    const pages = [];
    for (const link of links) pages.push(await sit(link));
    for (const page of pages) await page.until("screen table");
    for (const page of pages) await page.until((line) => line.startsWith("turn "));
    for (const page of pages) await page.fromAbove();
    const engine = new Engine(rules);
    const plies = [];
    for (;;) {
      const turn = pages[0].last("turn");
      if (turn === "turn none") break;
      const mover = pages[turn.includes("first") ? 0 : 1];
      const since = pages.map((page) => page.lines.length);
      const move = turn.startsWith("turn throw") ? undefined : await engine.move(plies);
      const things = move?.match(/[a-l]\d+/g).map((square) => `square ${square}`) ?? ["sticks"];
      await mover.play(plies.length + 1, things);
      const shown = `shown ${plies.length + 1} `;
      for (const [index, page] of pages.entries()) await page.until(shown, since[index]);
      plies.push(move ?? mover.last(shown).slice(shown.length));
      for (const page of pages) await page.until("turn ", since[pages.indexOf(page)]);
    }
    engine.end();
    assert.ok(plies.length > 10, plies.join(" "));
    const last = pages.map((page) => page.last("shown "));
    assert.deepEqual(last, Array(3).fill(last[0]));
    const records = await Promise.all(pages.map((page) => page.kept()));
    for (const kept of records) assert.match(kept.join(), /\[Result "[^*]/);
    for (const page of pages) assert.deepEqual(page.errors, []);
    for (const page of pages) await page.page.context().close();
  });
}

/** Chooses moves quickly, so that the games end. */
class Engine {
  lines = [];

  constructor(rules) {
    this.child = spawn(program, ["engine"], { stdio: ["pipe", "pipe", "inherit"] });
    this.output = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.say(`ugi\nsetoption name Rules value ${rules}\nuginewgame`);
  }

  say(text) {
    this.child.stdin.write(`${text}\n`);
  }

  async move(plies) {
    const moves = plies.length ? ` moves ${plies.join(" ")}` : "";
    this.say(`position startpos${moves}\ngo nodes 500`);
    for (;;) {
      const { value, done } = await this.output.next();
      const found = value?.match(/^bestmove (\S+)/)?.[1];
      if (done || found === "none") throw new Error(`no move after ${plies.join(" ")}`);
      if (found) return found;
    }
  }

  end() {
    this.child.kill();
  }
}
