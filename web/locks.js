// Which games are on the tables of other pages: the browser's locks, which it
// lets go of when a page goes, however it goes.

const PREFIX = "tabulae:";
const locks = new Map();
let elsewhere = new Set();
let last = 0;

/** Asks which locks other pages have; to be waited for before the first take. */
export async function look() {
  if (!navigator.locks) return;
  const { held } = await navigator.locks.query();
  const mine = new Set([...locks.values()].map((lock) => lock.name));
  elsewhere = new Set(held.map((lock) => lock.name).filter((name) => !mine.has(name)));
}

/**
 * Takes a lock and returns its number, or 0 where this page or another one is
 * known to have it. Whether it was had turns out later: `isLost`.
 */
export function take(key) {
  const name = PREFIX + key;
  const mine = [...locks.values()].some((lock) => lock.name === name);
  if (mine || elsewhere.has(name)) return 0;
  const lock = { name, lost: false };
  lock.over = new Promise((resolve) => (lock.release = resolve));
  locks.set(++last, lock);
  navigator.locks?.request(name, { ifAvailable: true }, (had) => {
    lock.lost = had === null;
    return had && lock.over;
  });
  return last;
}

/** Whether another page turned out to have it. */
export function isLost(number) {
  return locks.get(number)?.lost ?? true;
}

/** Lets go of it. */
export function release(number) {
  locks.get(number)?.release();
  locks.delete(number);
}

// Whoever comes back to this page may have closed another one.
globalThis.addEventListener?.("focus", look);
