// The elements for screen readers, without the program: what web/tree.js makes of trees.
// Needs no built page.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { PATIENCE, browse, serve } from "./page.mjs";
import { Reader } from "./reader.mjs";

const web = join(import.meta.dirname, "..", "..", "web");
const folder = mkdtempSync(join(tmpdir(), "tabulae-"));

const PAGE = `<!doctype html>
<canvas id="table" tabindex="0" aria-label="Tabulae"></canvas>
<section id="said" role="log" aria-live="polite"></section>
<script type="module">
  import { listen, show } from "./tree.js";
  window.told = [];
  const canvas = document.getElementById("table");
  for (const kind of ["focus", "blur"]) canvas.addEventListener(kind, () => told.push(kind));
  canvas.addEventListener("keydown", ({ key }) => told.push(key));
  listen((id, isPress) => told.push(\`\${isPress ? "press" : "reach"} \${id}\`));
  window.show = show;
  canvas.focus();
</script>
<button>Elsewhere</button>`;

let browser, host, page, reader;
before(async () => {
  writeFileSync(join(folder, "index.html"), PAGE);
  copyFileSync(join(web, "tree.js"), join(folder, "tree.js"));
  host = await serve(folder);
  browser = await browse();
});
after(async () => {
  await browser.close();
  host.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await page?.close();
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(host.address);
  await page.waitForFunction(() => window.show);
  reader = await Reader.of({ page });
});

function node(id, attributes, children = []) {
  return { id, attributes, text: "", is_said: false, children };
}

function said(id, text) {
  return { id, attributes: {}, text, is_said: true, children: [] };
}

const button = node("2", { role: "button", "aria-label": "Throw", tabindex: "-1" });
const squares = ["e4", "f4"].map((name, at) =>
  node(`${5 + at}`, { role: "gridcell", "aria-label": name, tabindex: "-1" }),
);
const board = node("3", { role: "grid", "aria-label": "Board" }, [node("4", { role: "row" }, squares)]);

/** Shows these elements; the program has given one of them the focus, or else the canvas. */
function show(elements, focus = "0") {
  return page.evaluate((tree) => window.show(tree), JSON.stringify({ language: "it", focus, elements }));
}

/** What the program was told since the last call. */
function told() {
  return page.evaluate(() => window.told.splice(0));
}

test("browsers read the elements, in their order and with their states", async () => {
  await show([said("1", "White to move"), button, board]);
  const roles = ["button", "grid", "row", "gridcell"];
  const read = (await reader.nodes()).filter(({ role }) => roles.includes(role));
  assert.deepEqual(
    read.map(({ role, name }) => `${role} ${name}`),
    ["button Throw", "grid Board", "row e4 f4", "gridcell e4", "gridcell f4", "button Elsewhere"],
  );
  await reader.find("StaticText", "White to move");
  assert.equal(await page.evaluate(() => document.getElementById("table").lang), "it");
  // A change of the state, another place, and the end of an element.
  const pressed = node("2", { ...button.attributes, "aria-pressed": "true" });
  await show([board, pressed]);
  assert.equal((await reader.find("button", "Throw")).pressed, "true");
  const order = () =>
    page.evaluate(() => [...document.querySelectorAll("#table > *")].map((it) => it.dataset.id));
  assert.deepEqual(await order(), ["3", "2"]);
  await show([node("2", { role: "button", "aria-label": "Throw" })]);
  assert.equal((await reader.find("button", "Throw")).pressed, undefined);
  assert.deepEqual(await order(), ["2"]);
});

test("what changes is announced, and nothing twice", async () => {
  await show([said("1", "White to move"), button]);
  await show([said("1", "White to move"), board]);
  await show([said("1", "Black to move"), said("7", "Saved")]);
  await show([said("1", "Black to move")]);
  await reader.hears(/Saved/, 0);
  const heard = await page.evaluate(() => window.heard);
  assert.deepEqual(heard, ["White to move", "Black to move", "Saved"]);
  for (let number = 0; number < 20; number += 1) await show([said("1", `Move ${number}`)]);
  const lines = () => page.evaluate(() => document.getElementById("said").innerText.split(/\n+/));
  assert.deepEqual((await lines()).slice(-2), ["Move 18", "Move 19"]);
  assert.equal((await lines()).length, 8);
});

test("the program is told of a press and of the focus, and gets the keys", async () => {
  await show([button, board]);
  await told();
  await reader.press("button", "Throw");
  assert.deepEqual(await told(), ["reach 2", "press 2"]);
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await told(), ["ArrowUp"]);
  // The program moves the focus itself, and the page has it all the time.
  await show([button, board], "5");
  await reader.focused("e4");
  await show([button, board], "6");
  await reader.focused("f4");
  assert.deepEqual(await told(), []);
  // What has the focus ends, and comes again.
  await show([button]);
  await reader.focused("Tabulae");
  await show([button, board], "6");
  await reader.focused("f4");
  assert.deepEqual(await told(), []);
});

test("the program is told when something else on the page has the focus", async () => {
  await show([button], "2");
  await told();
  await page.focus("button:not(#table *)");
  assert.deepEqual(await told(), ["blur"]);
  // It takes no focus back that the person gave away.
  await show([button, board], "5");
  assert.deepEqual(await told(), []);
  await reader.press("button", "Throw");
  assert.deepEqual(await told(), ["reach 2", "focus", "press 2"]);
});
