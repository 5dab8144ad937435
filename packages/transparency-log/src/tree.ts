import { emptyRoot, nodeHash } from "./hashing.ts";

/**
 * Reads the hash of a complete subtree. The subtree has `2 ** level` leaves and begins at leaf `index * 2 ** level`.
 */
export type NodeReader = (level: number, index: number) => Promise<Buffer>;

/** RFC 6962, section 2.1: the root of the first `size` leaves. */
export const treeRoot = async (size: number, read: NodeReader): Promise<Buffer> =>
  size === 0 ? emptyRoot : rangeRoot(0, size, read);

/** RFC 6962, section 2.1.1: the hashes of the siblings on the path from leaf `index` to the root, lowest first. */
export async function inclusionProof(index: number, size: number, read: NodeReader): Promise<Buffer[]> {
  if (index < 0 || index >= size) throw new RangeError(`There is no leaf ${index} in a tree of ${size}.`);
  return inclusionIn(index, 0, size, read);
}

/**
 * RFC 6962, section 2.1.2: the hashes that lead from the root of the first `before` leaves to the root of `size`
 * leaves.
 */
export async function consistencyProof(before: number, size: number, read: NodeReader): Promise<Buffer[]> {
  if (before < 0 || before > size) throw new RangeError(`A tree of ${size} leaves never had ${before}.`);
  return before === 0 || before === size ? [] : consistencyIn(before, 0, size, true, read);
}

/** The largest power of two below `count`; `count` is at least 2. */
export function split(count: number): number {
  let half = 1;
  while (half * 2 < count) half *= 2;
  return half;
}

async function rangeRoot(begin: number, end: number, read: NodeReader): Promise<Buffer> {
  const count = end - begin;
  const level = Math.log2(count);
  if (Number.isInteger(level)) return read(level, begin / count);
  const middle = begin + split(count);
  return nodeHash(await rangeRoot(begin, middle, read), await rangeRoot(middle, end, read));
}

async function inclusionIn(index: number, begin: number, end: number, read: NodeReader): Promise<Buffer[]> {
  if (end - begin === 1) return [];
  const middle = begin + split(end - begin);
  return index < middle
    ? [...(await inclusionIn(index, begin, middle, read)), await rangeRoot(middle, end, read)]
    : [...(await inclusionIn(index, middle, end, read)), await rangeRoot(begin, middle, read)];
}

/** `isKnown`: whether the verifier knows the root of the old leaves in this range. */
async function consistencyIn(
  before: number,
  begin: number,
  end: number,
  isKnown: boolean,
  read: NodeReader,
): Promise<Buffer[]> {
  if (before === end) return isKnown ? [] : [await rangeRoot(begin, end, read)];
  const middle = begin + split(end - begin);
  return before <= middle
    ? [...(await consistencyIn(before, begin, middle, isKnown, read)), await rangeRoot(middle, end, read)]
    : [...(await consistencyIn(before, middle, end, false, read)), await rangeRoot(begin, middle, read)];
}
