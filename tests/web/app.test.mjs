// The page as an installed app: without a network, and from one version to the next.
//
// All but the last test replace the programs by small ones, which say only which
// version they are of.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { PNG } from "pngjs";
import { Table, browse, pack, root, serve } from "./page.mjs";

const top = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "tabulae-"));
let number = 0;

let browser;
before(async () => (browser = await browse()));
after(async () => {
  await browser.close();
  rmSync(scratch, { recursive: true });
});

/** Writes a version of the page with small programs into a folder. */
function write(folder, version, environment = {}) {
  const snippets = join(folder, "snippets", "tabulae", "web");
  mkdirSync(snippets, { recursive: true });
  const part = `export const part = "${version}";\n`;
  writeFileSync(join(snippets, "files.js"), part);
  writeFileSync(
    join(folder, "tabulae.js"),
    `import { part } from "./snippets/tabulae/web/files.js";
    export default async function ({ module_or_path }) {
      const program = await (await module_or_path).text();
      document.body.dataset.parts = ["${version}", part, program];
      document.body.dataset.state = "ready";
    }`,
  );
  pack(version, folder);
  writeFileSync(
    join(folder, "engine.js"),
    `export default async function () {
      const program = await (await fetch("engine_bg.wasm")).text();
      self.postMessage("${version}," + program);
    }`,
  );
  writeFileSync(join(folder, "engine_bg.wasm"), version);
  const env = { ...process.env, SITE_URL: "", ...environment };
  execFileSync(process.execPath, [join(top, "tools", "web-page.mjs"), folder], { env });
}

/** A new folder with a version of the page. */
function site(version, environment) {
  const folder = join(scratch, String((number += 1)));
  write(folder, version, environment);
  return folder;
}

/** Waits until the page runs, and returns the versions of its parts. */
async function parts(page) {
  await page.waitForSelector("[data-state=ready]", { state: "attached" });
  return page.evaluate(() => document.body.dataset.parts);
}

/** Opens the page. */
async function open(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** The versions of the engine's parts that the page's worker gets. */
function engine(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const worker = new Worker("engine-worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
      }),
  );
}

/** Waits until the page is saved for use without a network. */
function saved(page) {
  return page.waitForFunction(() => navigator.serviceWorker.controller);
}

/** Waits until a new version is downloaded. */
function downloaded(page) {
  return page.evaluate(async () => {
    const known = await navigator.serviceWorker.getRegistration();
    while (!known.waiting) await new Promise((done) => setTimeout(done, 20));
  });
}

/** The names of all caches of the origin. */
function caches(page) {
  return page.evaluate(() => globalThis.caches.keys());
}

/** The version that the service worker of a folder names. */
function version(folder) {
  return readFileSync(join(folder, "service-worker.js"), "utf8").match(/VERSION = "(\w+)"/)[1];
}

test("the manifest is complete, and its pictures have the sizes that it claims", async () => {
  const folder = site("one");
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.webmanifest"), "utf8"));
  for (const key of ["name", "short_name", "description"]) assert.ok(manifest[key], key);
  assert.equal(manifest.display, "standalone");
  for (const key of ["start_url", "scope"]) assert.equal(manifest[key], "./");
  const style = readFileSync(join(folder, "style.css"), "utf8");
  const page = readFileSync(join(folder, "index.html"), "utf8");
  for (const key of ["theme_color", "background_color"]) {
    assert.ok(style.includes(`background: ${manifest[key]};`), key);
    assert.ok(page.includes(`<meta name="theme-color" content="${manifest[key]}">`), key);
  }
  for (const { src, sizes, type } of [...manifest.icons, ...manifest.screenshots]) {
    const { width, height } = PNG.sync.read(readFileSync(join(folder, src)));
    assert.equal(`${width}x${height}`, sizes, src);
    assert.equal(type, "image/png");
  }
  const all = (purpose) =>
    manifest.icons.filter((icon) => icon.purpose === purpose).map(({ sizes }) => sizes);
  assert.deepEqual(all(undefined), ["192x192", "512x512"]);
  assert.deepEqual(all("maskable"), ["512x512"]);
  for (const [, link] of page.matchAll(/<link [^>]*href="([^"]+)"/g)) {
    assert.ok(existsSync(join(folder, link)), link);
  }
});

test("the browser finds nothing wrong with the manifest", async () => {
  const host = await serve(site("one"));
  const context = await browser.newContext();
  const page = await open(context, host.address);
  await parts(page);
  await saved(page);
  const tools = await context.newCDPSession(page);
  const { errors } = await tools.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await tools.send("Page.getInstallabilityErrors");
  // A context of a test counts as a private window, in which nothing is installed.
  const real = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
  assert.deepEqual(real, []);
  await context.close();
  host.close();
});

test("link previews name the address only if it is known", () => {
  const image = (folder) => {
    const page = readFileSync(join(folder, "index.html"), "utf8");
    assert.ok(!page.includes("{site}"));
    const found = (key) => page.match(new RegExp(`"${key}" content="([^"]*)"`))?.[1];
    assert.equal(found("og:image"), found("twitter:image"));
    return [found("og:url"), found("og:image")];
  };
  assert.deepEqual(image(site("one")), [undefined, "picture.png"]);
  const known = site("one", { SITE_URL: "https://example.org/games" });
  assert.deepEqual(image(known), [
    "https://example.org/games/",
    "https://example.org/games/picture.png",
  ]);
  const { width, height } = PNG.sync.read(readFileSync(join(known, "picture.png")));
  const page = readFileSync(join(known, "index.html"), "utf8");
  assert.ok(page.includes(`"og:image:width" content="${width}"`));
  assert.ok(page.includes(`"og:image:height" content="${height}"`));
});

for (const under of ["/", "/some/games/"]) {
  test(`after its first load the page under ${under} needs no network`, async () => {
    const host = await serve(site("one"), under);
    const context = await browser.newContext();
    const first = await open(context, host.address);
    assert.equal(await parts(first), "one,one,one");
    await saved(first);
    host.close();
    // The page in use, its engine, the page loaded again, and by other addresses.
    assert.equal(await engine(first), "one,one");
    await first.reload();
    assert.equal(await parts(first), "one,one,one");
    await first.close();
    for (const asked of ["", "?rules=tablan", "index.html", "#game=AAAA"]) {
      const page = await open(context, host.address + asked);
      assert.equal(await parts(page), "one,one,one");
      assert.equal(await engine(page), "one,one");
      await page.close();
    }
    await context.close();
  });
}

test("two pages of one host do not share their caches", async () => {
  const [one, two] = [site("one"), site("two")];
  const host = await serve(scratch);
  const context = await browser.newContext();
  const address = (folder) => `${host.address}${basename(folder)}/index.html`;
  for (const folder of [one, two]) {
    const page = await open(context, address(folder));
    await parts(page);
    await saved(page);
    await page.close();
  }
  host.close();
  for (const [folder, name] of [[one, "one"], [two, "two"]]) {
    const page = await open(context, address(folder));
    assert.equal(await parts(page), [name, name, name].join());
    assert.equal((await caches(page)).length, 2);
    await page.close();
  }
  await context.close();
});

for (const how of ["opened", "reloaded"]) {
  test(`a new version is used when the page is ${how} after its download`, async () => {
    const folder = site("one");
    const host = await serve(folder);
    const context = await browser.newContext();
    let page = await open(context, host.address);
    await parts(page);
    await saved(page);
    await page.evaluate(() => localStorage.setItem("tabulae:/games/recent/1", "a game"));
    const old = version(folder);
    assert.ok((await caches(page))[0].endsWith(old));

    write(folder, "two");
    assert.notEqual(version(folder), old);
    await page.reload();
    assert.equal(await parts(page), "one,one,one");
    await downloaded(page);
    // The page in use still has one version.
    assert.equal(await engine(page), "one,one");

    if (how === "opened") {
      await page.close();
      page = await open(context, host.address);
    } else {
      await page.reload();
    }
    await page.waitForSelector('[data-parts^="two"]', { state: "attached" });
    assert.equal(await parts(page), "two,two,two");
    assert.equal(await engine(page), "two,two");
    const names = await caches(page);
    assert.equal(names.length, 1);
    assert.ok(names[0].endsWith(version(folder)), names[0]);
    assert.equal(await page.evaluate(() => localStorage.getItem("tabulae:/games/recent/1")), "a game");
    host.close();
    await page.reload();
    assert.equal(await parts(page), "two,two,two");
    await context.close();
  });
}

test("a new version waits while another page uses the old one", async () => {
  const folder = site("one");
  const host = await serve(folder);
  const context = await browser.newContext();
  const game = await open(context, host.address);
  await parts(game);
  await saved(game);
  write(folder, "two");
  const other = await open(context, host.address);
  assert.equal(await parts(other), "one,one,one");
  await downloaded(other);
  await other.reload();
  assert.equal(await parts(other), "one,one,one");
  assert.equal(await engine(game), "one,one");
  await game.close();
  await other.reload();
  await other.waitForSelector('[data-parts^="two"]', { state: "attached" });
  assert.equal(await parts(other), "two,two,two");
  assert.equal(await engine(other), "two,two");
  await context.close();
  host.close();
});

test("a version that the host has only in part is not used", async () => {
  const folder = site("one");
  const host = await serve(folder);
  const context = await browser.newContext();
  const page = await open(context, host.address);
  await parts(page);
  await saved(page);
  const old = version(folder);
  const late = readFileSync(join(folder, "tabulae.wasm.xz"));
  write(folder, "two");
  writeFileSync(join(folder, "tabulae.wasm.xz"), late);
  await page.reload();
  await parts(page);
  const outcome = await page.evaluate(async () => {
    const known = await navigator.serviceWorker.getRegistration();
    await known.update().catch(() => {});
    const worker = known.installing;
    if (!worker) return known.waiting ? "waiting" : "redundant";
    return new Promise((resolve) => {
      worker.onstatechange = () => resolve(worker.state);
    });
  });
  assert.equal(outcome, "redundant");
  const names = await caches(page);
  assert.equal(names.length, 1);
  assert.ok(names[0].endsWith(old));
  await page.reload();
  assert.equal(await parts(page), "one,one,one");
  await context.close();
  host.close();
});

test("the page comes from the network when the browser stores nothing or has deleted it", async () => {
  const host = await serve(site("one"));
  const errors = [];
  const without = await browser.newContext({ serviceWorkers: "block" });
  await without.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new Error("not here"));
    navigator.serviceWorker.getRegistration = navigator.serviceWorker.register;
  });
  const page = await without.newPage();
  page.on("pageerror", (error) => errors.push(error));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(host.address);
  assert.equal(await parts(page), "one,one,one");
  await page.reload();
  assert.equal(await parts(page), "one,one,one");
  assert.deepEqual(errors, []);
  await without.close();

  const context = await browser.newContext();
  const emptied = await open(context, host.address);
  await parts(emptied);
  await saved(emptied);
  await emptied.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await emptied.reload();
  assert.equal(await parts(emptied), "one,one,one");
  // It is saved again for the next time.
  await emptied.evaluate(async () => {
    const files = async ([name]) => (name ? (await caches.open(name)).keys() : []);
    while ((await files(await caches.keys())).length < 10) {
      await new Promise((done) => setTimeout(done, 20));
    }
  });
  host.close();
  await emptied.reload();
  assert.equal(await parts(emptied), "one,one,one");
  await context.close();
});

test("a program that is missing or damaged is named", async () => {
  const folder = site("one");
  const host = await serve(folder);
  const file = join(folder, "tabulae.wasm.xz");
  const whole = readFileSync(file);
  const flipped = Buffer.from(whole);
  flipped[30] ^= 255;
  for (const bytes of [undefined, "", "<!doctype html>", whole.subarray(0, 40), flipped]) {
    rmSync(file, { force: true });
    if (bytes !== undefined) writeFileSync(file, bytes);
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await page.goto(host.address);
    await page.waitForSelector("[data-state=stopped]", { state: "attached" });
    const text = await page.textContent("#word");
    assert.match(text, /^Tabulae could not be loaded\. tabulae\.wasm\.xz: ./);
    await context.close();
  }
  host.close();
});

test("the real page opens without a network, in a folder of its host", async () => {
  const under = "/some/games/";
  const host = await serve(root, under);
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const table = await Table.open(context, host.address, "?report");
  await saved(table.page);
  host.close();
  await table.load(`${host.address}?report&rules=tablaaza&first=person&second=person`);
  assert.equal(table.last("screen"), "screen table");
  assert.deepEqual(table.errors, []);
  await context.close();
});
