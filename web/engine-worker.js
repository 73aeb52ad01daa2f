// Runs the engine in a worker. Queues the messages that arrive before the engine
// has loaded.

import init from "./engine.js";

const waiting = [];
self.onmessage = (event) => waiting.push(event);

try {
  await init();
  for (const event of waiting) self.onmessage(event);
} catch (error) {
  self.postMessage(JSON.stringify({ failed: String(error) }));
}
