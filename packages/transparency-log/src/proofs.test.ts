import { expect, test } from "vitest";
import { leafHash } from "./hashing.ts";
import { nodesOfEntries } from "./log-reader.ts";
import { consistencyProof, inclusionProof, treeRoot } from "./tree.ts";
import { isConsistent, isIncluded } from "./verify.ts";

// The test vectors of Certificate Transparency's reference implementation.
const entries = [..."_ 00 10 2021 3031 40414243 5051525354555657 606162636465666768696a6b6c6d6e6f".split(" ")].map(
  (text) => Buffer.from(text === "_" ? "" : text, "hex"),
);
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const nodes = nodesOfEntries(entries);

test("roots equal those of Certificate Transparency's reference implementation", async () => {
  const computed = await Promise.all(roots.map((_, size) => treeRoot(size, nodes)));
  expect(computed.map((root) => root.toString("hex"))).toEqual(roots);
});

const many = Array.from({ length: 40 }, (_, n) => Buffer.from(`entry ${n}`));
const manyNodes = nodesOfEntries(many);

test("a proof includes a leaf only at its own index, for every leaf and size", async () => {
  for (let size = 1; size <= many.length; size++) {
    const root = await treeRoot(size, manyNodes);
    for (let index = 0; index < size; index++) {
      const leaf = leafHash(many[index] as Buffer);
      const proof = await inclusionProof(index, size, manyNodes);
      expect(isIncluded(leaf, index, size, proof, root)).toBe(true);
      expect(isIncluded(leaf, index + 1, size, proof, root)).toBe(false);
      expect(isIncluded(leaf, index, size, [...proof, leaf], root)).toBe(false);
      expect(isIncluded(leafHash(Buffer.from("other")), index, size, proof, root)).toBe(false);
    }
  }
  await expect(inclusionProof(3, 3, manyNodes)).rejects.toThrow("no leaf 3 in a tree of 3");
});

test("every pair of sizes is consistent, and a changed history is not", async () => {
  const forged = nodesOfEntries(many.map((entry, n) => (n === 0 ? Buffer.from("another") : entry)));
  for (let size = 1; size <= many.length; size++) {
    const root = await treeRoot(size, manyNodes);
    for (let before = 1; before <= size; before++) {
      const proof = await consistencyProof(before, size, manyNodes);
      expect(isConsistent(before, await treeRoot(before, manyNodes), size, root, proof)).toBe(true);
      expect(isConsistent(before, await treeRoot(before, forged), size, root, proof)).toBe(false);
      expect(isConsistent(before, await treeRoot(before, manyNodes), size, await treeRoot(size, forged), proof)).toBe(
        false,
      );
    }
  }
  await expect(consistencyProof(4, 3, manyNodes)).rejects.toThrow("never had 4");
});
