import fc from "fast-check";
import { expect, it } from "vitest";
import { money, timestamp } from "./formats.ts";

it("any time is written as ISO 8601 UTC in whole seconds", () => {
  const plain = (date: Date) => `${date.toISOString().slice(0, -5)}Z`;
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(timestamp(date)).toBe(plain(date));
    }),
    { numRuns: 2_000 },
  );
  for (const text of ["1969-12-31T23:59:59.999Z", "2000-02-29T00:00:00.000Z", "2026-12-31T23:59:59.001Z"])
    expect(timestamp(new Date(text))).toBe(plain(new Date(text)));
});

it("cents are written as a decimal number", () => {
  expect([money(2990), money(0), money(5), money(100_00)]).toEqual([29.9, 0, 0.05, 100]);
});
