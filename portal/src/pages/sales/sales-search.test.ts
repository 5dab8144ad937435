import { expect, test } from "vitest";
import { lastMonths } from "./last-months.ts";
import { nextDay, readSalesSearch, salesCall } from "./sales-search.ts";

test("the address may contain days, a beat and a page", () => {
  const search = { from: "2026-11-01", to: "2026-11-30", beat: 7, page: 2 };
  expect(readSalesSearch(search)).toEqual(search);
});

test.each([
  { from: "yesterday" },
  { from: "2026-02-30" },
  { from: 20261101 },
  { to: "2026-13-01" },
  { beat: -1 },
  { beat: "7x" },
  { page: 1 },
  { page: 1e300 },
])("an invalid parameter is omitted: %j", (search) => {
  expect(readSalesSearch(search)).toEqual({});
});

test("a last day before the first one is ignored", () => {
  expect(readSalesSearch({ from: "2026-11-02", to: "2026-11-01" })).toEqual({ from: "2026-11-02" });
});

test.each([
  ["2026-11-30", "2026-12-01"],
  ["2028-02-28", "2028-02-29"],
])("the day after %s is %s", (day, next) => {
  expect(nextDay(day)).toBe(next);
});

test("the list of months continues into the previous year", () => {
  expect(lastMonths(new Date("2026-02-28T23:59:59Z"), 4)).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
});

test("the API call's period ends at the start of the day after the last day", () => {
  const query = { from: "2026-11-01", to: "2026-12-01", beat: 7, page: undefined };
  expect(salesCall({ from: "2026-11-01", to: "2026-11-30", beat: 7 })).toEqual({ operationId: "listSales", query });
});
