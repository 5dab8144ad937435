import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf, plainTitleHash, titleHash } from "./hashes.ts";

test("the hash of a title is that of the folded title, whatever its script", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."aAzZ059 "), maxLength: 120, size: "max" });
  fc.assert(
    fc.property(fc.oneof(plain, fc.string(), fc.string({ unit: "grapheme" })), (title) => {
      expect(titleHash(title)).toBe(hashOf(foldWhole(title)));
    }),
    { seed: 7, numRuns: 300 },
  );
  expect(plainTitleHash("Night Drive 2")).toBe(titleHash("night  drive2"));
  expect(["", " ", "Lo-Fi", "Beyonc\u00e9", "A & B"].map(plainTitleHash)).toEqual(Array(5).fill(undefined));
});
