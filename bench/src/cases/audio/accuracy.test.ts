import { expect, test } from "vitest";
import { isOctaveOf, isSameKey, isTempo } from "./accuracy.ts";

test("a tempo is right within 4 %", () => {
  expect([134.5, 140, 145.5].every((measured) => isTempo(measured, 140))).toBe(true);
  expect([134.3, 145.7, 70, 280, null].some((measured) => isTempo(measured, 140))).toBe(false);
});

test("octaves are the tempo itself, its double, triple, half and third", () => {
  expect([140, 280, 420, 70, 46.7, 68].every((measured) => isOctaveOf(measured, 140))).toBe(true);
  expect([93.3, 105, 186.7, 560, null].some((measured) => isOctaveOf(measured, 140))).toBe(false);
});

test("a key is right if its root and mode match the label, or only the root if the label has no mode", () => {
  expect(isSameKey("C# minor", "C# minor")).toBe(true);
  expect(isSameKey("C# major", "C# minor")).toBe(false);
  expect(isSameKey("C# major", "C#")).toBe(true);
  expect(isSameKey("C# major", "C")).toBe(false);
  expect(isSameKey(null, "C")).toBe(false);
});
