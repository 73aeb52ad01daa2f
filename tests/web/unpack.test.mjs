// What is packed comes out as it was, however it is cut, and nothing comes of what is damaged.
// Needs neither a browser nor a built page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { unpacking } from "../../web/unpack.js";
import { pack } from "./page.mjs";

const top = join(import.meta.dirname, "..", "..");

/** What comes of a packed file that arrives in chunks of this size. */
async function unpack(packed, size) {
  const chunks = [];
  for (let at = 0; at < packed.length; at += size) chunks.push(packed.subarray(at, at + size));
  const unpacked = [];
  for await (const chunk of ReadableStream.from(chunks).pipeThrough(unpacking())) unpacked.push(chunk);
  return Buffer.concat(unpacked);
}

const zeros = Buffer.alloc(300_000);
const text = readFileSync(join(top, "Cargo.lock"));
const model = readFileSync(join(top, "assets", "scenes", "room.glb"));
const picture = readFileSync(join(top, "assets", "pictures", "small", "tablut.webp"));

for (const [name, file] of Object.entries({ nothing: "", text, model, picture, zeros })) {
  test(`${name} comes out as it was`, async () => {
    const packed = pack(file);
    for (const size of [1, 17, 4096, packed.length]) {
      assert.ok((await unpack(packed, size)).equals(Buffer.from(file)), `in chunks of ${size}`);
    }
  });
}

test("what lies further back than the dictionary is long is forgotten", async () => {
  const input = Buffer.concat([picture, model, picture, text]);
  for (const lzma of ["dict=4KiB", "dict=64KiB,lc=1,lp=2,pb=0", "dict=1MiB,lc=4,pb=4"]) {
    const packed = pack(input, `--lzma1=${lzma}`);
    assert.ok((await unpack(packed, 5000)).equals(input), lzma);
  }
});

test("a file that is cut off or changed is an error", async () => {
  const packed = pack(text);
  const refused = (file) => assert.rejects(unpack(file, 1000), /the packed file is damaged/);
  for (const length of [0, 1, 17, 18, 40, 2000, packed.length - 1]) {
    await refused(packed.subarray(0, length));
  }
  await refused(Buffer.concat([Buffer.from([225]), packed.subarray(1)]));
  await refused(Buffer.from(packed).fill(255, 1, 5));
});
