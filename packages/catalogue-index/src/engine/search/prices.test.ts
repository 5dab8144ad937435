import { expect, test } from "vitest";
import { namedPrice } from "./prices.ts";

test.each([
  ["under 20", { max: 2000 }, ""],
  ["under  $ 20 ", { max: 2000 }, ""],
  ["trap under $20", { max: 2000 }, "trap"],
  ["< $20", { max: 2000 }, ""],
  ["<20 trap", { max: 2000 }, "trap"],
  ["less than 25 dollars", { max: 2500 }, ""],
  ["dark trap up to 19.90 usd", { max: 1990 }, "dark trap"],
  ["$30 or less", { max: 3000 }, ""],
  ["over 45", { min: 4500 }, ""],
  ["trap from 20€", { min: 2000 }, "trap"],
  ["30 or more", { min: 3000 }, ""],
])("%s is a price", (text, priceCents, rest) => {
  expect(namedPrice(text)).toMatchObject({ priceCents, rest });
});

test.each([
  "20",
  "under 140 bpm",
  "under the bridge",
  "from 1999-2003",
  "over",
  "$uicideboy$",
  "thunder 20",
  "under 20s",
])("%s is not a price", (text) => {
  expect(namedPrice(text)).toBeUndefined();
});

test("a price is certain only with a sign or a currency", () => {
  expect(namedPrice("under 20")?.isCertain).toBe(false);
  expect(namedPrice("under $20")?.isCertain).toBe(true);
  expect(namedPrice("< 20")?.isCertain).toBe(true);
});
