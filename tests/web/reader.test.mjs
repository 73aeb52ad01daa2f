// The page as a screen reader has it: by the browser's accessibility tree alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plies, pliesOf, setUp, squares } from "./page.mjs";
import { Reader } from "./reader.mjs";

const stage = setUp();

async function open(asked) {
  const table = await stage.open(await stage.person(), asked);
  return [table, await Reader.of(table)];
}

// Tablan goes on as it began, for some hundred plies.
for (const [rules, file, number, seed, most, end] of [
  ["tablut/ashton", "tablut-ashton.tab", 1, 1, Infinity, /wins/],
  ["tablaaza", "tablaaza.tab", 0, 1, Infinity, /wins/],
  ["tablan", "tablan-short.tab", 0, 12851, 30],
]) {
  test(`${rules} is played by the accessibility tree alone`, async () => {
    const [table, reader] = await open(`?report&rules=${rules}&first=person&second=person&seed=${seed}`);
    const game = plies(file, number).slice(0, most);
    for (const ply of game) {
      const since = await reader.count();
      const touched = squares(ply, rules);
      if (touched.length === 0) {
        await reader.press("button", "Throw");
        await reader.hears(/throw/i, since);
        continue;
      }
      for (const square of touched) await reader.press("gridcell", `${square}: `);
      // What is announced names all squares of a move.
      const words = touched.map((square) => `(?=.*\\b${square}\\b)`).join("");
      await reader.hears(new RegExp(words), since);
    }
    if (end) await reader.until("the end", (nodes) => nodes.find(({ name }) => end.test(name)));
    const [kept] = await table.kept();
    assert.deepEqual(pliesOf(kept), game);
    assert.deepEqual(table.errors, []);
    await table.page.context().close();
  });
}

test("the arrow keys walk the squares, Enter plays, and the answer is announced", async () => {
  const [table, reader] = await open("?report&rules=tablut/ashton&first=person&second=newcomer");
  await reader.press("gridcell", "e4: ");
  await reader.find("gridcell", "e4: white soldier, chosen");
  await table.page.keyboard.press("ArrowRight");
  assert.match(await reader.focused("f4: "), /can go here/);
  const since = await reader.count();
  await table.page.keyboard.press("Enter");
  await reader.hears(/White moves e4 to f4/, since);
  await reader.hears(/Black moves \w\d to \w\d/, since);
  assert.deepEqual(table.errors, []);
  await table.page.context().close();
});
