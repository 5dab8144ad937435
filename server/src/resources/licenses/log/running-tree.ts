import { emptyRoot, leafHash, nodeHash } from "@beatmarket/transparency-log/hashing.ts";

/** The roots of a tree while it grows, from a hash for each of its complete subtrees. */
export class RunningTree {
  readonly #subtrees: { leaves: number; hash: Buffer }[] = [];

  add(entry: Uint8Array): void {
    let last = { leaves: 1, hash: leafHash(entry) };
    for (let before = this.#subtrees.at(-1); before?.leaves === last.leaves; before = this.#subtrees.at(-1)) {
      this.#subtrees.pop();
      last = { leaves: last.leaves * 2, hash: nodeHash(before.hash, last.hash) };
    }
    this.#subtrees.push(last);
  }

  get root(): Buffer {
    const [last, ...above] = this.#subtrees.map(({ hash }) => hash).reverse();
    return last === undefined ? emptyRoot : above.reduce((right, left) => nodeHash(left, right), last);
  }
}
