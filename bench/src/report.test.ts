import { expect, test } from "vitest";
import { isReached, machineRow, median, percentile, type Row, readableRow } from "./report.ts";

const row = (value: number | null, reach: Row["reach"]): Row => ({ case: "warm", value, unit: "of bare", reach });

test("a reach is met at its very value, from the side it is meant", () => {
  expect(isReached(row(0.7, { min: 0.7 }))).toBe(true);
  expect(isReached(row(0.69, { min: 0.7 }))).toBe(false);
  expect(isReached(row(40, { max: 40 }))).toBe(true);
  expect(isReached(row(41, { max: 40 }))).toBe(false);
});

test("figures that only inform are always right, and those that are missing never", () => {
  expect(isReached(row(1, null))).toBe(true);
  expect(isReached(row(null, null))).toBe(false);
  expect(isReached(row(null, { max: 3 }))).toBe(false);
  expect(isReached(row(Number.NaN, { max: 3 }))).toBe(false);
});

test("the machine form has the number of the reach, and whether it is met", () => {
  expect(machineRow(row(0.712345, { min: 0.7 }))).toEqual({
    case: "warm",
    value: 0.7123,
    unit: "of bare",
    reach: 0.7,
    ok: true,
  });
  expect(machineRow(row(231_551, null)).value).toBe(231_551);
  expect(machineRow(row(12, null))).toMatchObject({ reach: null, ok: true });
});

test("a person sees what is reached, what is not, and what only informs", () => {
  expect(readableRow(row(0.8, { min: 0.7 }))).toMatch(/^✓ warm +0\.8 of bare +at least 0\.7$/);
  expect(readableRow(row(50, { max: 40 }))).toMatch(/^✗ warm +50 of bare +at most 40$/);
  expect(readableRow(row(50, null))).toMatch(/^ {2}warm +50 of bare$/);
  expect(readableRow(row(null, null))).toMatch(/^✗ warm/);
});

test("median and percentiles are of the sorted values", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([9, 1, 5, 3])).toBe(4);
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5);
  expect(percentile([7], 0.5)).toBe(7);
});
