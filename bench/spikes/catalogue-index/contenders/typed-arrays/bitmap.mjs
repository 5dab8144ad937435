// A set of slots as one bit each, in a Uint32Array.

export const emptyBitmap = (rows) => new Uint32Array(Math.ceil(rows / 32));

export const has = (bits, slot) => (bits[slot >>> 5] & (1 << slot)) !== 0;

export function put(bits, slot, isIn) {
  if (isIn) bits[slot >>> 5] |= 1 << slot;
  else bits[slot >>> 5] &= ~(1 << slot);
}

export function fullBitmap(rows) {
  const bits = emptyBitmap(rows).fill(0xffffffff);
  if (rows % 32 !== 0) bits[bits.length - 1] = 2 ** (rows % 32) - 1;
  return bits;
}

/** Fills `into` with the union of up to four sets. */
export function unionOf([first, second = first, third = first, fourth = first], into) {
  for (let n = 0; n < into.length; n++) into[n] = first[n] | second[n] | third[n] | fourth[n];
}

export function size(bits) {
  let total = 0;
  for (let n = 0; n < bits.length; n++) {
    let word = bits[n];
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    total += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return total;
}

/** The slots in it, ascending. */
export function members(bits, count) {
  const slots = new Uint32Array(count);
  let at = 0;
  for (let n = 0; n < bits.length; n++)
    for (let word = bits[n]; word !== 0; word &= word - 1) slots[at++] = 32 * n + 31 - Math.clz32(word & -word);
  return slots;
}

/** How many of its slots have each value of a column. */
export function histogram(bits, column, values) {
  const counts = new Uint32Array(values);
  for (let n = 0; n < bits.length; n++)
    for (let word = bits[n]; word !== 0; word &= word - 1) counts[column[32 * n + 31 - Math.clz32(word & -word)]]++;
  return counts;
}
