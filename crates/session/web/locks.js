// Locks on saved games, so that two pages do not play the same game. They are Web
// Locks, which the browser releases when a page closes or crashes.

const PREFIX = "tabulae:";
const locks = new Map();
let elsewhere = new Set();
let last = 0;

/** Queries the locks that other pages hold. Await it before the first `take`. */
export async function look() {
  if (!navigator.locks) return;
  const { held } = await navigator.locks.query();
  const mine = new Set([...locks.values()].map((lock) => lock.name));
  elsewhere = new Set(held.map((lock) => lock.name).filter((name) => !mine.has(name)));
}

/**
 * Requests a lock and returns its number, or 0 if this page or another one is
 * known to hold it. `isLost` tells later whether the request failed.
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

/** Whether another page holds the lock. */
export function isLost(number) {
  return locks.get(number)?.lost ?? true;
}

/** Releases the lock. */
export function release(number) {
  locks.get(number)?.release();
  locks.delete(number);
}

// The user may have closed another page before returning to this one.
globalThis.addEventListener?.("focus", look);
