// Draws the icons of the installed page from packaging/tabulae.svg:
//
//   node tests/web/icons.mjs

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browse } from "./page.mjs";

const top = join(import.meta.dirname, "..", "..");
const icon = readFileSync(join(top, "packaging", "tabulae.svg"), "utf8");
// A system may cut a maskable icon to a circle. So the frame fills the picture, and
// the board is small enough for the circle.
const maskable = icon
  .replace('viewBox="0 0 256 256"', 'viewBox="-46 -46 348 348"')
  .replace(/ {2}<rect x="4" .*\n/, "")
  .replace(/<rect x="8" .*\/>/, '<rect x="-46" y="-46" width="348" height="348" fill="#5a3822"/>');

const browser = await browse();
for (const [name, drawing, side] of [
  ["icon-192", icon, 192],
  ["icon-512", icon, 512],
  ["icon-maskable", maskable, 512],
]) {
  const page = await browser.newPage({ viewport: { width: side, height: side } });
  const sized = drawing.replace(/width="256" height="256"/, `width="${side}" height="${side}"`);
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${sized}`);
  const picture = await page.screenshot({ omitBackground: true });
  writeFileSync(join(top, "web", `${name}.png`), picture);
  await page.close();
}
await browser.close();
