// How fast the engine is in a browser's worker, and natively: positions a
// second from each game's start, Master on one thread, one after the other.
//
// usage: node speed.mjs PROGRAM [SECONDS]

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { browse, serve } from "./page.mjs";

const [program, seconds = "5"] = process.argv.slice(2);
if (!program) throw new Error("usage: node speed.mjs PROGRAM [SECONDS]");
const time = Number(seconds);

/** A position to think about, for both. */
const STARTS = {
  "tablut/ashton": "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w",
  tablaaza: "8/8/2~2~2/2~2~2/2~2~2/8/8 r",
  tablan: "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS s t1",
};

/** Positions a second, of thoughts that were asked for until the time was spent. */
class Sum {
  nodes = 0;
  spent = 0;
  depth = 0;

  /** Adds a thought's last words; whether there is time for another. */
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

async function natively(rules, position) {
  const engine = spawn(program, ["engine"], { stdio: ["pipe", "pipe", "inherit"] });
  const go = `go movetime ${1000 * time}\n`;
  engine.stdin.write(
    `setoption name Rules value ${rules}\nsetoption name Level value master\n` +
      `position fen ${position}\n${go}`,
  );
  const sum = new Sum();
  const number = (line, name) => Number(line.match(new RegExp(`${name} (\\d+)`))[1]);
  let last;
  for await (const line of createInterface(engine.stdout)) {
    if (line.startsWith("error")) throw new Error(line);
    if (line.startsWith("info")) last = line;
    if (!line.startsWith("bestmove")) continue;
    const [nodes, depth] = [number(last, "nodes"), number(last, "depth")];
    if (!sum.add({ nodes, depth, seconds: number(last, "time") / 1000 })) break;
    engine.stdin.write(go);
  }
  engine.stdin.end("quit\n");
  return sum;
}

async function inAWorker(page, rules, position) {
  const question = {
    ticket: 1,
    request: {
      history: { start: { rules, position }, plies: [] },
      limits: { movetime: { secs: time, nanos: 0 } },
      options: { level: "master", hash_mib: 64, seed: 0, contempt: true },
    },
    lines: 1,
  };
  await page.evaluate(() => {
    globalThis.engine = new Worker("engine-worker.js", { type: "module" });
  });
  const think = (text) =>
    new Promise((resolve, reject) => {
      let last;
      engine.onerror = () => reject(new Error("the worker does not run"));
      engine.onmessage = ({ data }) => {
        const { failed, search } = JSON.parse(data);
        if (failed) reject(new Error(failed));
        if (search?.info) last = search.info.info;
        if (search?.["best-move"]) resolve(last);
      };
      engine.postMessage(text);
    });
  const sum = new Sum();
  let more = true;
  while (more) {
    const info = await page.evaluate(think, JSON.stringify({ search: question }));
    const seconds = info.time.secs + info.time.nanos / 1e9;
    more = sum.add({ nodes: info.nodes, depth: info.depth, seconds });
  }
  await page.evaluate(() => engine.terminate());
  return sum;
}

const host = await serve();
const browser = await browse();
const page = await browser.newPage();
await page.goto(`${host.address}words.json`);
const told = ({ depth, speed }) => `${(speed / 1e6).toFixed(2)} million/s, depth ${depth}`;
for (const [rules, position] of Object.entries(STARTS)) {
  const [native, worker] = [await natively(rules, position), await inAWorker(page, rules, position)];
  const share = (worker.speed / native.speed).toFixed(2);
  console.log(`${rules}: natively ${told(native)}; in a worker ${told(worker)}; ${share} of it`);
}
await browser.close();
host.close();
