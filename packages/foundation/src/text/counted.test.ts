import { expect, test } from "vitest";
import { counted, thousands } from "./counted.ts";

test.each([0, 7, 999, 1_000, -999, -1_000, 123_456, 1_234_567, Number.MAX_SAFE_INTEGER])(
  "%i is written as English-speaking people write it",
  (value) => expect(thousands(value)).toBe(value.toLocaleString("en")),
);

test("a number stands before its noun", () => {
  expect([counted(1, "file"), counted(1_641, "file"), counted(0, "copy", "copies")]).toEqual([
    "1 file",
    "1,641 files",
    "0 copies",
  ]);
});
