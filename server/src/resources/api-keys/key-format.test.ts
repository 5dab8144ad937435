import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKey, isWellFormed, sha256 } from "./key-format.ts";

const base62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const anyKey = fc.constant(null).map(generateKey);

describe("an API key", () => {
  test("has the form that secret scanners look for, and is unique", () => {
    const keys = Array.from({ length: 1000 }, generateKey);
    for (const key of keys) {
      expect(key).toMatch(/^bm_[0-9A-Za-z]{46}$/);
      expect(isWellFormed(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("uses all 62 characters about equally often", () => {
    const counts = new Map<string, number>();
    const keys = 4000;
    for (let i = 0; i < keys; i++)
      for (const char of generateKey().slice(3, 43)) counts.set(char, (counts.get(char) ?? 0) + 1);
    const expected = (keys * 40) / 62;
    const chiSquared = base62.reduce((sum, char) => sum + ((counts.get(char) ?? 0) - expected) ** 2 / expected, 0);
    // Chi-squared with 61 degrees of freedom: a uniform generator exceeds 150 once in a billion runs; one that takes
    // bytes modulo 62 reaches about 1,000.
    expect(chiSquared).toBeLessThan(150);
  });

  test("has the same checksum in every release", () => {
    const body = "bm_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd";
    // Two independent programs compute the CRC-32 0xe0e4ab1c. The literal makes a change of alphabet, order or coverage
    // fail.
    expect(isWellFormed(`${body}47LT5g`)).toBe(true);
  });

  test("is rejected with any one character wrong or missing", () => {
    fc.assert(
      fc.property(anyKey, fc.nat({ max: 48 }), fc.constantFrom(...base62, "-", " ", "é", ""), (key, index, char) => {
        fc.pre(char !== key[index]);
        expect(isWellFormed(key.slice(0, index) + char + key.slice(index + 1))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  test("is rejected with two adjacent characters swapped", () => {
    fc.assert(
      fc.property(anyKey, fc.nat({ max: 47 }), (key, index) => {
        fc.pre(key[index] !== key[index + 1]);
        const swapped = `${key.slice(0, index)}${key[index + 1]}${key[index]}${key.slice(index + 2)}`;
        expect(isWellFormed(swapped)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test("is rejected if truncated, extended (even by white space), or in upper case", () => {
    const key = generateKey();
    for (const wrong of [
      "",
      "bm_",
      key.slice(0, -1),
      `${key}0`,
      `${key}\n`,
      ` ${key}`,
      key.slice(3),
      key.toUpperCase(),
    ])
      expect(isWellFormed(wrong)).toBe(false);
  });

  test("has a digest of 32 bytes, which is the same for the same key and differs for another", () => {
    const key = generateKey();
    expect(sha256(key)).toHaveLength(32);
    expect(sha256(key).equals(sha256(key))).toBe(true);
    expect(sha256(key).equals(sha256(generateKey()))).toBe(false);
  });
});
