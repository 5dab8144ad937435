import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDate } from "./date-field.ts";

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString().slice(0, 19));

test.each([
  ["2019-06-14", "2019-06-14T00:00:00"],
  ["2012", "2012-01-01T00:00:00"],
  ["2012.0", "2012-01-01T00:00:00"],
  ["1981-12", "1981-12-01T00:00:00"],
  ["1981/2/3", "1981-02-03T00:00:00"],
  ["20190614", "2019-06-14T00:00:00"],
  ["22-02-1922", "1922-02-22T00:00:00"],
  ["1.12.1999", "1999-12-01T00:00:00"],
  ["12/31/1999", "1999-12-31T00:00:00"],
  ["14 June 2019", "2019-06-14T00:00:00"],
  ["14-Jun-2019", "2019-06-14T00:00:00"],
  ["Sept 3rd, 2019", "2019-09-03T00:00:00"],
  ["June 14, 2019", "2019-06-14T00:00:00"],
  ["Jun 2019", "2019-06-01T00:00:00"],
  ["2019-06-14T10:20:30Z", "2019-06-14T10:20:30"],
  ["2019-06-14T10:20:30.987Z", "2019-06-14T10:20:30"],
  ["2019-06-14 10:20", "2019-06-14T10:20:00"],
  ["2019-06-14T01:20:30+02:00", "2019-06-13T23:20:30"],
  ["2019-06-14T23:20:30-0130", "2019-06-15T00:50:30"],
  ["14/06/2019 10:20:30", "2019-06-14T10:20:30"],
  ["1560507630", "2019-06-14T10:20:30"],
  ["1560507630999", "2019-06-14T10:20:30"],
  [" 2019-06-14 ", "2019-06-14T00:00:00"],
])("%j is %s", (text, expected) => {
  expect(iso(parseDate(text, "day-first"))).toBe(expected);
});

test("the order of day and month is told, and only counts where both readings are dates", () => {
  expect(iso(parseDate("03/04/2019", "day-first"))).toBe("2019-04-03T00:00:00");
  expect(iso(parseDate("03/04/2019", "month-first"))).toBe("2019-03-04T00:00:00");
  expect(iso(parseDate("22/02/2019", "month-first"))).toBe("2019-02-22T00:00:00");
});

test.each([
  "",
  "90s",
  "0",
  "0000",
  "0000-01-01",
  "2019-13",
  "2019-02-30",
  "31/31/2019",
  "soon",
  "12 Foo 2019",
  "1 Ma 2019",
  "2019-06-14T25:00",
  "99",
])("%j is no date", (text) => {
  expect(parseDate(text, "day-first")).toBeNull();
});

test("what is written as ISO 8601 is read back", () => {
  const moment = fc.date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(moment, (date) => {
      expect(parseDate(date.toISOString(), "day-first")).toBe(Math.floor(date.getTime() / 1000) * 1000);
    }),
  );
});

test("any text is a date in whole seconds, or none", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d\-/.:TZ +]{0,30}$/)), (text) => {
      const date = parseDate(text, "month-first");
      if (date !== null) expect(Number.isInteger(date / 1000)).toBe(true);
    }),
  );
});
