// Compares the engine's speed in a browser's worker with the native build, in
// nodes per second from each game's start position (Master, one thread).
//
// usage: node speed.mjs PROGRAM [SECONDS]

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { browse, serve } from "./page.mjs";

const [program, seconds = "5"] = process.argv.slice(2);
if (!program) throw new Error("usage: node speed.mjs PROGRAM [SECONDS]");
const time = Number(seconds);

/** The plies to each game's position. */
const STARTS = {
  "tablut/ashton": "",
  tablaaza: "",
  tablan: "t1",
};

/** Total nodes and time of repeated searches. */
class Total {
  nodes = 0;
  spent = 0;
  depth = 0;

  /** Adds a search's last info; returns whether there is time for another. */
  add({ nodes, seconds, depth }) {
    this.nodes += nodes;
    this.spent += seconds;
    this.depth = depth;
    return this.spent < time * 0.9;
  }

  get speed() {
    return this.nodes / this.spent;
  }
}

async function runNative(rules, plies) {
  const engine = spawn(program, ["engine"], { stdio: ["pipe", "pipe", "inherit"] });
  const moves = plies && ` moves ${plies}`;
  const go = `go movetime ${1000 * time}\n`;
  engine.stdin.write(
    `setoption name Rules value ${rules}\nsetoption name Level value master\n` +
      `position startpos${moves}\n${go}`,
  );
  const total = new Total();
  const number = (line, name) => Number(line.match(new RegExp(`${name} (\\d+)`))[1]);
  let last;
  for await (const line of createInterface(engine.stdout)) {
    if (line.startsWith("error")) throw new Error(line);
    if (line.startsWith("info")) last = line;
    if (!line.startsWith("bestmove")) continue;
    const [nodes, depth] = [number(last, "nodes"), number(last, "depth")];
    if (!total.add({ nodes, depth, seconds: number(last, "time") / 1000 })) break;
    engine.stdin.write(go);
  }
  engine.stdin.end("quit\n");
  return total;
}

async function runInWorker(page, rules, plies) {
  const request = {
    ticket: 1,
    game: `[Rules "${rules}"]\n\n${plies} *\n`,
    without: [],
    movetime: { secs: time, nanos: 0 },
    depth: null,
    nodes: null,
    level: "master",
    hash_mib: 64,
    seed: 0,
    contempt: true,
    adapt: true,
  };
  await page.evaluate(() => {
    globalThis.engine = new Worker("engine-worker.js", { type: "module" });
  });
  const think = (text) =>
    new Promise((resolve, reject) => {
      let last;
      engine.onerror = () => reject(new Error("the worker failed"));
      engine.onmessage = ({ data }) => {
        const reply = JSON.parse(data);
        if (reply.failed) reject(new Error(reply.failed));
        if (reply.info) last = reply.info;
        if (reply.best) resolve(last);
      };
      engine.postMessage(text);
    });
  const total = new Total();
  let more = true;
  while (more) {
    const info = await page.evaluate(think, JSON.stringify({ think: request }));
    const seconds = info.time.secs + info.time.nanos / 1e9;
    more = total.add({ nodes: info.nodes, depth: info.depth, seconds });
  }
  await page.evaluate(() => engine.terminate());
  return total;
}

const host = await serve();
const browser = await browse();
const page = await browser.newPage();
await page.goto(`${host.address}words.json`);
const format = ({ depth, speed }) => `${(speed / 1e6).toFixed(2)} million/s, depth ${depth}`;
for (const [rules, plies] of Object.entries(STARTS)) {
  const [native, worker] = [await runNative(rules, plies), await runInWorker(page, rules, plies)];
  const share = (worker.speed / native.speed).toFixed(2);
  console.log(`${rules}: native ${format(native)}; worker ${format(worker)}; ratio ${share}`);
}
await browser.close();
host.close();
