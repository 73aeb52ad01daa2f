// Unpacks LZMA while it downloads: what browsers unpack themselves is half as large again.
// The format is that of `xz --format=lzma`; the LZMA SDK's lzma-specification.txt tells how
// it is read.

/** The most bytes that one symbol takes. */
const LONGEST = 20;
/** The header: properties, dictionary, the file's size; and the decoder's first bytes. */
const HEADER = 13 + 5;

// Where the probabilities of each kind begin, in one list.
const IS_MATCH = 0;
const IS_REPEATED = IS_MATCH + 12 * 16;
const IS_NOT_FIRST = IS_REPEATED + 12;
const IS_LONG = IS_NOT_FIRST + 12;
const IS_NOT_SECOND = IS_LONG + 12 * 16;
const IS_NOT_THIRD = IS_NOT_SECOND + 12;
const SLOTS = IS_NOT_THIRD + 12;
const NEAR = SLOTS + 4 * 64;
const ALIGNED = NEAR + 128;
const LENGTHS = ALIGNED + 16;
const REPEATED_LENGTHS = LENGTHS + 2 + 2 * 16 * 8 + 256;
const LITERALS = REPEATED_LENGTHS + 2 + 2 * 16 * 8 + 256;

/** A stream that turns a packed file into the file. */
export function unpacking() {
  let come = new Uint8Array(0);
  let unpack;
  return new TransformStream({
    transform(chunk, next) {
      const all = new Uint8Array(come.length + chunk.length);
      all.set(come);
      all.set(chunk, come.length);
      come = all;
      if (!unpack && come.length < HEADER) return;
      unpack ??= unpacker(come);
      come = unpack(come, come.length - LONGEST, next);
    },
    flush(next) {
      // A symbol at the end may look for bytes that are not there.
      const all = new Uint8Array(come.length + LONGEST);
      all.set(come);
      if (!unpack || unpack(all, come.length, next)) throw new Error("the packed file is damaged");
    },
  });
}

/**
 * Reads a header. Returns what unpacks symbols that begin before `until`, and answers with
 * the bytes that are left, or with nothing after the end of the file.
 */
function unpacker(header) {
  const view = new DataView(header.buffer);
  const properties = header[0];
  const contextBits = properties % 9;
  const placeBits = Math.floor(properties / 9) % 5;
  const placeMask = (1 << Math.floor(properties / 45)) - 1;
  const size = view.getUint32(1, true);
  if (properties >= 225 || size > 2 ** 28) throw new Error("the packed file is damaged");
  const seen = new Uint8Array(Math.max(size, 4096));
  const odds = new Uint16Array(LITERALS + (0x300 << (contextBits + placeBits))).fill(1024);
  const last = [0, 0, 0, 0];
  let [range, code] = [0xffffffff, view.getUint32(14)];
  let [input, at] = [header, HEADER];
  // Where the next byte goes, how many have been written, and what has been handed on.
  let [place, written, handedOn] = [0, 0, 0];
  let state = 0;

  function refill() {
    if (range >= 0x1000000) return;
    range = (range << 8) >>> 0;
    code = ((code << 8) | input[at]) >>> 0;
    at += 1;
  }

  function bit(index) {
    refill();
    const odd = odds[index];
    const bound = (range >>> 11) * odd;
    if (code < bound) {
      range = bound;
      odds[index] = odd + ((2048 - odd) >> 5);
      return 0;
    }
    range -= bound;
    code -= bound;
    odds[index] = odd - (odd >> 5);
    return 1;
  }

  /** A number of so many bits, the highest first. */
  function number(from, bits) {
    let found = 1;
    for (let left = bits; left > 0; left -= 1) found = (found << 1) | bit(from + found);
    return found - (1 << bits);
  }

  /** A number of so many bits, the lowest first. */
  function reversed(from, bits) {
    let [found, node] = [0, 1];
    for (let number = 0; number < bits; number += 1) {
      const next = bit(from + node);
      node = (node << 1) | next;
      found |= next << number;
    }
    return found;
  }

  /** A number of so many bits that are as often 0 as 1. */
  function even(bits) {
    let found = 0;
    for (let left = bits; left > 0; left -= 1) {
      refill();
      range >>>= 1;
      const next = code >= range ? 1 : 0;
      if (next) code -= range;
      found = found * 2 + next;
    }
    return found;
  }

  function length(from, where) {
    if (!bit(from)) return 2 + number(from + 2 + where * 8, 3);
    if (!bit(from + 1)) return 10 + number(from + 130 + where * 8, 3);
    return 18 + number(from + 258, 8);
  }

  function distance(length) {
    const slot = number(SLOTS + Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + reversed(NEAR + base - slot, bits);
    return base + even(bits - 4) * 16 + reversed(ALIGNED, 4);
  }

  /** The byte that lies so far back. */
  function back(distance) {
    return seen[place - distance - 1 + (place > distance ? 0 : seen.length)];
  }

  function handOn(next) {
    if (place > handedOn) next.enqueue(seen.slice(handedOn, place));
    handedOn = place;
  }

  function write(byte, next) {
    seen[place] = byte;
    place += 1;
    written += 1;
    if (place === seen.length) {
      handOn(next);
      [place, handedOn] = [0, 0];
    }
  }

  function literal() {
    const before = written ? back(0) : 0;
    const place = ((written & ((1 << placeBits) - 1)) << contextBits) + (before >> (8 - contextBits));
    const from = LITERALS + 0x300 * place;
    let found = 1;
    if (state >= 7) {
      let expected = back(last[0]);
      while (found < 0x100) {
        const foreseen = (expected >> 7) & 1;
        expected <<= 1;
        const next = bit(from + ((1 + foreseen) << 8) + found);
        found = (found << 1) | next;
        if (next !== foreseen) break;
      }
    }
    while (found < 0x100) found = (found << 1) | bit(from + found);
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    return found & 0xff;
  }

  /** The length of what is copied from `last[0]` back; none at the end of the file. */
  function match(where) {
    if (!bit(IS_REPEATED + state)) {
      const long = length(LENGTHS, where);
      last.unshift(distance(long));
      last.pop();
      state = state < 7 ? 7 : 10;
      return last[0] === 0xffffffff ? 0 : long;
    }
    if (!bit(IS_NOT_FIRST + state)) {
      if (!bit(IS_LONG + state * 16 + where)) {
        state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      const which = !bit(IS_NOT_SECOND + state) ? 1 : !bit(IS_NOT_THIRD + state) ? 2 : 3;
      last.unshift(...last.splice(which, 1));
    }
    const long = length(REPEATED_LENGTHS, where);
    state = state < 7 ? 8 : 11;
    return long;
  }

  return (bytes, until, next) => {
    input = bytes;
    while (at < until) {
      const where = written & placeMask;
      if (!bit(IS_MATCH + state * 16 + where)) {
        write(literal(), next);
        continue;
      }
      const long = match(where);
      if (long === 0) {
        refill();
        handOn(next);
        if (code !== 0 || at > until) throw new Error("the packed file is damaged");
        return undefined;
      }
      if (last[0] >= Math.min(written, seen.length)) throw new Error("the packed file is damaged");
      for (let left = long; left > 0; left -= 1) write(back(last[0]), next);
    }
    handOn(next);
    const rest = input.subarray(at);
    at = 0;
    return rest;
  };
}
