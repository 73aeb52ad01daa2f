// Games played on the page as people play them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { PNG } from "pngjs";
import { fragment, games, plies, records, setUp, squares } from "./page.mjs";

const pictures = join(import.meta.dirname, "pictures");

const stage = setUp();
const { person, open } = stage;

/** What a ply touches: the sticks, or the squares of one piece or a pair. */
function touched(ply, rules) {
  const found = squares(ply, rules);
  return found.length ? found.map((square) => `square ${square}`) : ["sticks"];
}

function persons(rules, seed = 4) {
  return `?report&rules=${rules}&first=person&second=person&seed=${seed}`;
}

// Each game by a mouse, and by a finger.
for (const touch of ["click", "tap"]) {
  const options = { hasTouch: touch === "tap" };

  for (const [rules, file, number, end, seed] of [
    ["tablut/ashton", "tablut-ashton.tab", 1, "escape"],
    ["tablaaza", "tablaaza.tab", 0, "no-moves"],
    // A short one: both run for home.
    ["tablan", "tablan-short.tab", 0, "all-home", 12851],
  ]) {
    test(`${rules} is played to its end, ${touch} by ${touch}, and kept`, async () => {
      const context = await person(options);
      const table = await open(context, persons(rules, seed));
      await table.fromAbove();
      for (const [index, ply] of plies(file, number).entries()) {
        await table.play(index + 1, touched(ply, rules), touch);
      }
      assert.match(table.last("turn"), /none/);
      const [kept] = await table.kept();
      assert.ok(kept.includes(`[Termination "${end}"]`), kept);
      assert.deepEqual(table.errors, []);
      await context.close();
    });
  }

  test(`Tablan: sticks are thrown, and a linked position is ended, ${touch} by ${touch}`, async () => {
    const context = await person(options);
    const table = await open(context, persons("tablan"));
    for (let ply = 1; ; ply += 1) {
      await table.play(ply, ["sticks"], touch);
      if (table.last("shown").endsWith("t1")) break;
    }
    await table.fromAbove();
    const south = table.last("turn").includes("first");
    const number = Number(table.last("shown").split(" ")[1]) + 1;
    await table.play(number, south ? ["square k1", "square l2"] : ["square b4", "square a3"], touch);
    // South's last piece is two steps from the enemy's home row.
    const text = '[Rules "tablan"]\n[Position "N11/10S1/12/12 s t1"]\n\n*\n';
    await table.load(`${stage.host.address}?report${fragment(text)}`);
    assert.equal(table.last("screen"), "screen replay");
    const since = await table.key("p");
    await table.until("screen table", since);
    await table.fromAbove();
    await table.play(1, ["square k3", "square l4"], touch);
    assert.match(table.last("turn"), /none/);
    assert.deepEqual(table.errors, []);
    await context.close();
  });
}

test("a game is on the table again after the page was loaded anew", async () => {
  const context = await person();
  const table = await open(context, persons("tablut/ashton"));
  await table.fromAbove();
  await table.play(1, ["square e3", "square b3"]);
  await table.load(`${stage.host.address}?report`);
  assert.equal(table.last("screen"), "screen title");
  const since = table.lines.length;
  await table.press("Continue Tablut");
  await table.until("screen table", since);
  await table.until("shown 1 e3-b3", since);
  // The next move goes into the same saved game, not into a copy.
  await table.fromAbove();
  await table.play(2, ["square h5", "square h7"]);
  const saved = await table.kept();
  assert.equal(saved.length, 1);
  assert.match(saved[0], /e3-b3 h5-h7/);
  assert.deepEqual(table.errors, []);
  await context.close();
});

test("the engine answers in a worker", async () => {
  const context = await person();
  const table = await open(context, "?report&rules=tablut/ashton&first=person&second=club");
  await table.fromAbove();
  await table.play(1, ["square e4", "square f4"]);
  await table.until("shown 2 ");
  await table.until("turn move first person", table.lines.length - 20);
  assert.equal(table.page.workers().length, 1);
  assert.deepEqual(table.errors, []);
  await context.close();
});

test("a game is saved as a file, and a file that is opened or dropped is a replay", async () => {
  const context = await person();
  const table = await open(context, persons("tablaaza"));
  await table.fromAbove();
  await table.play(1, ["square c7"]);
  const [download] = await Promise.all([table.page.waitForEvent("download"), table.key("Control+s")]);
  assert.match(download.suggestedFilename(), /^tablaaza-.*\.tab$/);
  const saved = readFileSync(await download.path(), "utf8");
  assert.match(saved, /1\. c7 \*/);
  const [chooser, since] = await Promise.all([
    table.page.waitForEvent("filechooser"),
    table.key("Control+o"),
  ]);
  await chooser.setFiles(join(records, "tablut-linnaeus.tab"));
  await table.until("screen replay", since);
  await context.close();
});

// A test of the program makes the same file with the mouse.
test("the variations, comments and drawings of a file come back from the page", async () => {
  const context = await person();
  const table = await open(context, "?report");
  const [chooser, since] = await Promise.all([
    table.page.waitForEvent("filechooser"),
    table.key("Control+o"),
  ]);
  const file = join(records, "annotated.tab");
  await chooser.setFiles(file);
  await table.until("screen replay", since);
  const [download] = await Promise.all([table.page.waitForEvent("download"), table.key("Control+s")]);
  const saved = readFileSync(await download.path(), "utf8");
  assert.equal(saved.trim(), readFileSync(file, "utf8").trim());
  assert.deepEqual(table.errors, []);
  await context.close();
});

test("the browser asks before changes of a replay are lost with the page", async () => {
  const context = await person();
  const [record] = games("tablaaza.tab");
  const table = await open(context, `?report${fragment(record)}`);
  const wouldAsk = () =>
    !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  await table.key("ArrowRight");
  await table.until((line) => line.startsWith("replay 1 of"));
  assert.equal(await table.page.evaluate(wouldAsk), false, "nothing has changed");
  await table.key("5");
  await table.page.waitForFunction(wouldAsk);
  const [dialog] = await Promise.all([
    table.page.waitForEvent("dialog"),
    table.page.close({ runBeforeUnload: true }),
  ]);
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
  await context.close();
});

test("a link opens as a replay, and a damaged one is refused in words", async () => {
  const context = await person();
  const [record] = games("tablaaza.tab");
  const table = await open(context, `?report${fragment(record)}`);
  assert.equal(table.last("screen"), "screen replay");
  assert.match(table.last("replay"), /^replay 0 of 46/);
  // On the same page it leaves the replay where it was.
  const since = table.lines.length;
  await table.page.evaluate(() => {
    location.hash = "#game=AAAA";
  });
  await table.until((line) => /^notice .*link is damaged/.test(line), since);
  assert.equal(table.last("screen"), "screen replay");
  assert.deepEqual(table.errors, []);
  await context.close();
});

test("a board is loaded with its first game, and a file that is missing is named", async () => {
  const context = await person({ serviceWorkers: "block" });
  const asked = [];
  let isMissing = true;
  await context.route("**/assets/scenes/*", (route) => {
    const name = basename(route.request().url());
    asked.push(name);
    return isMissing && name === "tablan_cloth.webp" ? route.fulfill({ status: 404 }) : route.continue();
  });
  const table = await open(context, persons("tablut/ashton"));
  const of = (game) => ["_board.webp", "_cloth.webp", "_shadows.png", ".glb"].map((end) => game + end);
  assert.deepEqual(asked.toSorted(), of("tablut").toSorted());
  let since = table.lines.length;
  const link = fragment(games("tablan-short.tab")[0]);
  await table.page.evaluate((link) => (location.hash = link), link);
  await table.until((line) => /^notice .*assets\/scenes\/tablan_cloth\.webp/.test(line), since);
  // Once the file is there, the next position brings the board.
  isMissing = false;
  since = await table.key("ArrowDown");
  await table.until((line) => line === "settled", since);
  assert.equal(asked.filter((name) => name === "tablan_cloth.webp").length, 2);
  await context.close();
});

test("two fingers near the view as they part, and turn it as they go together", async () => {
  const context = await person({ hasTouch: true });
  const table = await open(context, persons("tablut/ashton"));
  const hand = await context.newCDPSession(table.page);
  const touch = (type, places) => {
    const touchPoints = places.map((x, id) => ({ x, y: 250, id }));
    return hand.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  const corners = () => ["a1", "i1"].map((square) => table.place(`square ${square}`));
  // Both fingers go a part of their ways; then the picture comes to rest.
  const move = async (left, right) => {
    const since = table.lines.length;
    await touch("touchStart", [120]);
    await touch("touchStart", [120, 220]);
    for (let part = 1; part <= 6; part += 1) {
      const [one, other] = [120 + (left * part) / 6, 220 + (right * part) / 6];
      await touch("touchMove", [one, other]);
      await table.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    await touch("touchEnd", []);
    await table.until((line) => /^square/.test(line), since);
    await table.until((line) => line === "settled", since);
    return corners();
  };
  const before = corners();
  const near = await move(-60, 60);
  assert.ok(near[1][0] - near[0][0] > 1.2 * (before[1][0] - before[0][0]), `${before} ${near}`);
  const turned = await move(60, 60);
  assert.ok(Math.abs(turned[1][1] - turned[0][1]) > 30, `${near} ${turned}`);
  assert.match(table.last("shown"), /^shown 0/);
  assert.deepEqual(table.errors, []);
  await context.close();
});

/** The mean colours of a picture's cells. */
function cells(picture, side = 16) {
  const found = [];
  for (let y = 0; y + side <= picture.height; y += side) {
    for (let x = 0; x + side <= picture.width; x += side) {
      const sum = [0, 0, 0];
      for (let at = 0; at < side * side; at += 1) {
        const pixel = 4 * ((y + Math.floor(at / side)) * picture.width + x + (at % side));
        for (const colour of [0, 1, 2]) sum[colour] += picture.data[pixel + colour];
      }
      found.push(sum.map((it) => it / (side * side)));
    }
  }
  return found;
}

test("the table looks as it did", async () => {
  const context = await person();
  const [record] = games("tablut-ashton.tab");
  const table = await open(context, `?report${fragment(record)}`);
  const since = await table.key("ArrowDown");
  await table.until((line) => line === "settled", since);
  const picture = await table.page.screenshot();
  const path = join(pictures, "tablut.png");
  if (process.env.PICTURES === "new") {
    const { mkdirSync, writeFileSync } = await import("node:fs");
    mkdirSync(pictures, { recursive: true });
    writeFileSync(path, picture);
  }
  const [seen, known] = [picture, readFileSync(path)].map((it) => cells(PNG.sync.read(it)));
  const unlike = seen.filter((cell, at) => cell.some((it, c) => Math.abs(it - known[at][c]) > 13));
  assert.ok(unlike.length < 3, `${unlike.length} of ${seen.length} cells look otherwise`);
  await context.close();
});
