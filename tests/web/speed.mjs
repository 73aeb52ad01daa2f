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
  "tablut/ashton": "",
  tablaaza: "",
  tablan: "t1",
};

async function natively(rules, plies) {
  const engine = spawn(program, ["engine"], { stdio: ["pipe", "pipe", "inherit"] });
  const moves = plies && ` moves ${plies}`;
  engine.stdin.write(
    `setoption name Rules value ${rules}\nsetoption name Level value master\n` +
      `position startpos${moves}\ngo movetime ${1000 * time}\n`,
  );
  let last;
  for await (const line of createInterface(engine.stdout)) {
    if (line.startsWith("error")) throw new Error(line);
    if (line.startsWith("info")) last = line;
    if (line.startsWith("bestmove")) break;
  }
  engine.stdin.end("quit\n");
  const number = (name) => Number(last.match(new RegExp(`${name} (\\d+)`))[1]);
  return { depth: number("depth"), speed: (1000 * number("nodes")) / number("time") };
}

async function inAWorker(page, rules, plies) {
  const question = {
    ticket: 1,
    game: `[Rules "${rules}"]\n\n${plies} *\n`,
    without: [],
    movetime: { secs: time, nanos: 0 },
    depth: null,
    nodes: null,
    level: "master",
    hash_mib: 64,
    seed: 0,
  };
  const info = await page.evaluate(
    (text) =>
      new Promise((resolve, reject) => {
        const worker = new Worker("engine-worker.js", { type: "module" });
        let last;
        worker.onerror = () => reject(new Error("the worker does not run"));
        worker.onmessage = ({ data }) => {
          const told = JSON.parse(data);
          if (told.failed) reject(new Error(told.failed));
          if (told.info) last = told.info;
          if (told.best) resolve(last);
        };
        worker.postMessage(text);
      }),
    JSON.stringify({ think: question }),
  );
  const spent = info.time.secs + info.time.nanos / 1e9;
  return { depth: info.depth, speed: info.nodes / spent };
}

const host = await serve();
const browser = await browse();
const page = await browser.newPage();
await page.goto(`${host.address}words.json`);
const told = ({ depth, speed }) => `${(speed / 1e6).toFixed(2)} million/s, depth ${depth}`;
for (const [rules, plies] of Object.entries(STARTS)) {
  const [native, worker] = [await natively(rules, plies), await inAWorker(page, rules, plies)];
  const share = (worker.speed / native.speed).toFixed(2);
  console.log(`${rules}: natively ${told(native)}; in a worker ${told(worker)}; ${share} of it`);
}
await browser.close();
host.close();
