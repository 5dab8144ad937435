import { expect, test } from "vitest";
import { machineRow, meetsTarget, type Row, readableRow } from "./report.ts";
import { median, percentile } from "./statistics.ts";

const row = (value: number | null, target: Row["target"]): Row => ({ case: "warm", value, unit: "of 1", target });

test("a value at the limit meets its target, and a target is a limit in one direction only", () => {
  expect(meetsTarget(row(0.7, { min: 0.7 }))).toBe(true);
  expect(meetsTarget(row(0.69, { min: 0.7 }))).toBe(false);
  expect(meetsTarget(row(40, { max: 40 }))).toBe(true);
  expect(meetsTarget(row(41, { max: 40 }))).toBe(false);
});

test("a figure without a target always passes, and a missing figure never passes", () => {
  expect(meetsTarget(row(1, null))).toBe(true);
  expect(meetsTarget(row(null, null))).toBe(false);
  expect(meetsTarget(row(null, { max: 3 }))).toBe(false);
  expect(meetsTarget(row(Number.NaN, { max: 3 }))).toBe(false);
});

test("the machine form names the target `reach`, and says whether it is met", () => {
  expect(machineRow(row(0.712345, { min: 0.7 }))).toEqual({
    case: "warm",
    value: 0.7123,
    unit: "of 1",
    reach: 0.7,
    ok: true,
  });
  expect(machineRow(row(231_551, null)).value).toBe(231_551);
  expect(machineRow(row(12, null))).toMatchObject({ reach: null, ok: true });
});

test("the readable form marks figures that meet or miss their target and missing figures, and no others", () => {
  expect(readableRow(row(0.8, { min: 0.7 }))).toMatch(/^✓ warm +0\.8 of 1 +at least 0\.7$/);
  expect(readableRow(row(50, { max: 40 }))).toMatch(/^✗ warm +50 of 1 +at most 40$/);
  expect(readableRow(row(50, null))).toMatch(/^ {2}warm +50 of 1$/);
  expect(readableRow(row(null, null))).toMatch(/^✗ warm/);
});

test("median and percentiles do not depend on the order of the values", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([9, 1, 5, 3])).toBe(4);
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5);
  expect(percentile([7], 0.5)).toBe(7);
});
