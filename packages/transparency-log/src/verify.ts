import { nodeHash } from "./hashing.ts";
import { split } from "./tree.ts";

/** Whether the proof leads from this leaf's hash at `index` to the root of a tree of `size` leaves. */
export function isIncluded(leaf: Buffer, index: number, size: number, proof: readonly Buffer[], root: Buffer): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  const hashes = [...proof];
  const computed = climb(leaf, index, size, hashes);
  return computed !== null && hashes.length === 0 && computed.equals(root);
}

/** Whether the proof shows that the tree of `size` leaves begins with all leaves of the tree of `before` leaves. */
export function isConsistent(
  before: number,
  beforeRoot: Buffer,
  size: number,
  root: Buffer,
  proof: readonly Buffer[],
): boolean {
  if (before < 0 || before > size) return false;
  if (before === size) return proof.length === 0 && beforeRoot.equals(root);
  if (before === 0) return proof.length === 0;
  const hashes = [...proof];
  const roots = bothRoots(before, size, beforeRoot, true, hashes);
  return roots !== null && hashes.length === 0 && roots.before.equals(beforeRoot) && roots.after.equals(root);
}

/**
 * Computes the root from a leaf, or returns null if the proof is too short. Consumes the proof from its end, the
 * topmost hash.
 */
function climb(leaf: Buffer, index: number, size: number, proof: Buffer[]): Buffer | null {
  if (size === 1) return leaf;
  const sibling = proof.pop();
  if (sibling === undefined) return null;
  const middle = split(size);
  const below = index < middle ? climb(leaf, index, middle, proof) : climb(leaf, index - middle, size - middle, proof);
  if (below === null) return null;
  return index < middle ? nodeHash(below, sibling) : nodeHash(sibling, below);
}

/**
 * Computes the roots of both trees like `climb`. `isKnown`: whether the part has the root `expected`, which the proof
 * omits.
 */
function bothRoots(
  before: number,
  size: number,
  expected: Buffer,
  isKnown: boolean,
  proof: Buffer[],
): { before: Buffer; after: Buffer } | null {
  if (before === size) {
    const root = isKnown ? expected : proof.pop();
    return root === undefined ? null : { before: root, after: root };
  }
  const sibling = proof.pop();
  if (sibling === undefined) return null;
  const middle = split(size);
  if (before <= middle) {
    const leftRoots = bothRoots(before, middle, expected, isKnown, proof);
    return leftRoots && { before: leftRoots.before, after: nodeHash(leftRoots.after, sibling) };
  }
  const right = bothRoots(before - middle, size - middle, expected, false, proof);
  return right && { before: nodeHash(sibling, right.before), after: nodeHash(sibling, right.after) };
}
