import { expect, test } from "vitest";
import { countryCode, isCountryCode } from "./country.ts";

test.each([
  ["DE", "DE"],
  ["GB", "GB"],
  ["UK", "GB"],
  ["XX", null],
  ["EU", null],
  ["ZZ", null],
  ["de", null],
  ["DEU", null],
  ["", null],
])("the country of %j is %j", (code, country) => {
  expect(countryCode(code)).toBe(country);
  expect(isCountryCode(code)).toBe(country === code);
});
