// The engine, thinking beside the page. Questions that come before it is there
// wait for it.

import init from "./engine.js";

const waiting = [];
self.onmessage = (event) => waiting.push(event);

try {
  await init();
  for (const event of waiting) self.onmessage(event);
} catch (error) {
  self.postMessage(JSON.stringify({ failed: String(error) }));
}
