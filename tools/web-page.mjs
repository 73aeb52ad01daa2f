// Adds everything but the programs to a folder with the web page's programs, and
// writes the service worker with the list of all its files.
//
// usage: node web-page.mjs [FOLDER]
//   SITE_URL is the address at which the page will stand, for link previews.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

const top = join(import.meta.dirname, "..");
const out = process.argv[2] ?? join(top, "dist");

/** Writes a file of web/ with `replaced` applied to its text. */
function write(name, replaced) {
  writeFileSync(join(out, name), replaced(readFileSync(join(top, "web", name), "utf8")));
}

/** The address of the page with a slash at its end, or "" if it is not known. */
function site() {
  if (!process.env.SITE_URL) return "";
  const address = new URL(process.env.SITE_URL);
  if (!address.protocol.startsWith("http")) throw new Error(`not a web address: ${address}`);
  return `${address.origin}${address.pathname.replace(/\/?$/, "/")}`;
}

const texts = ["style.css", "start.js", "engine-worker.js", "manifest.webmanifest"];
const icons = ["icon-192.png", "icon-512.png", "icon-maskable.png"];
for (const name of [...texts, ...icons]) copyFileSync(join(top, "web", name), join(out, name));
copyFileSync(join(top, "assets", "words", "page.json"), join(out, "words.json"));
copyFileSync(join(top, "packaging", "tabulae.png"), join(out, "icon.png"));
copyFileSync(join(top, "assets", "pictures", "photo.png"), join(out, "picture.png"));

// The program loads the files of a game from the folder where Bevy looks for assets.
const scenes = join("assets", "scenes");
mkdirSync(join(out, scenes), { recursive: true });
for (const name of readdirSync(join(top, scenes))) {
  if (/^(tablut|tablan|tablaaza)/.test(name)) copyFileSync(join(top, scenes, name), join(out, scenes, name));
}

// Link previews need absolute addresses; og:url makes no sense without one.
const address = site();
write("index.html", (text) => {
  const known = address === "" ? text.replace(/.*"og:url".*\n/, "") : text;
  return known.replaceAll("{site}", () => address.replaceAll("&", "&amp;"));
});

// The picture is for link previews only.
const unsaved = ["service-worker.js", "picture.png"];
const files = {};
for (const entry of readdirSync(out, { recursive: true }).sort()) {
  const path = entry.split(sep).join("/");
  if (unsaved.includes(path) || !statSync(join(out, path)).isFile()) continue;
  // Hosts serve index.html as the folder, and some redirect its name there.
  const name = path === "index.html" ? "./" : path;
  files[name] = createHash("sha256").update(readFileSync(join(out, path))).digest("base64");
}
write("service-worker.js", (text) => {
  const list = `const FILES = ${JSON.stringify(files, null, 2)};\n`;
  const version = createHash("sha256").update(list + text).digest("hex").slice(0, 16);
  return `const VERSION = "${version}";\n${list}\n${text}`;
});
