// The page's engine, compiled to wasm32, against the native one: fixed searches have the
// same answers (crates/engines/tests/engines/golden.rs). It runs in Node.js, which has no workers of a
// page, so this file stands in for the worker's scope.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";

const top = join(import.meta.dirname, "..", "..");
const dist = process.env.PAGE ?? join(top, "dist");
const searches = readFileSync(join(top, "tests", "vectors", "engine-searches.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

let answers;
before(async () => {
  globalThis.postMessage = (text) => answers.push(JSON.parse(text));
  const { default: init } = await import(pathToFileURL(join(dist, "engine.js")));
  await init({ module_or_path: readFileSync(join(dist, "engine_bg.wasm")) });
});

/** A score as the engines' protocol writes it. */
function written(score) {
  const [[kind, value]] = Object.entries(score);
  const moves = Math.ceil(value / 2);
  return { points: `cp ${value}`, win: `mate ${moves}`, loss: `mate -${moves}` }[kind];
}

/** The move that the engine answers with, and its last report. */
function ask({ rules, position, level, nodes }) {
  answers = [];
  const request = {
    history: { start: { rules, position }, plies: [] },
    limits: { nodes },
    options: { level, hash_mib: 4, seed: 48, contempt: true },
  };
  globalThis.onmessage({ data: JSON.stringify({ search: { ticket: 1, request, lines: 1 } }) });
  const failed = answers.find(({ failed }) => failed);
  assert.equal(failed, undefined);
  const events = answers.map(({ search }) => search);
  const reports = events.filter(({ info }) => info).map(({ info }) => info.info);
  // The last report repeats that of the last iteration, with the positions of the whole search.
  const info = reports.find(({ depth }) => depth === reports.at(-1).depth);
  const report = `${written(info.score)} depth ${info.depth} nodes ${info.nodes}`;
  return { best: events.at(-1)["best-move"].best, report };
}

for (const search of searches) {
  test(`${search.rules} ${search.level}: ${search.position}`, () => {
    const { best, report } = ask(search);
    assert.deepEqual(best, search.best);
    // After the move.
    assert.equal(report, search.answer.slice(search.answer.indexOf(" ") + 1));
  });
}
