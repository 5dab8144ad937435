import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDuration, parseMoment } from "./arguments.ts";

const now = new Date("2026-02-28T12:00:00Z");

describe("a duration", () => {
  test.each([
    ["0", 0],
    ["30s", 30_000],
    ["15m", 900_000],
    ["24h", 86_400_000],
    ["90d", 7_776_000_000],
    ["2w", 1_209_600_000],
  ])("%s is %i ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(["", "24", "h", "-1h", "1.5h", "24 h", "1y", "1h30m", "99999999999d", "1e3s", "0x10s", "999999999w"])(
    "%j is not a duration",
    (text) => {
      expect(() => parseDuration(text)).toThrow("30m, 24h, 90d or 2w");
    },
  );
});

describe("a moment", () => {
  test.each([
    ["90d", "2026-05-29T12:00:00.000Z"],
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2027-01-31T12:30Z", "2027-01-31T12:30:00.000Z"],
    ["2027-01-31T23:30:15-05:00", "2027-02-01T04:30:15.000Z"],
  ])("%s is %s", (text, iso) => {
    expect(parseMoment(text, now).toISOString()).toBe(iso);
  });

  test.each([
    "",
    "tomorrow",
    "2027-02-30",
    "2027-02-29",
    "2027-13-01",
    "2027-1-1",
    "2027-01-31T25:00Z",
    "2027-01-31T12:00",
    "31.1.2027",
  ])("%j is not a moment", (text) => {
    expect(() => parseMoment(text, now)).toThrow("such as 90d");
  });

  test("is never an invalid date", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/)), (text) => {
        try {
          expect(parseMoment(text, now).getTime()).not.toBeNaN();
        } catch (error) {
          expect((error as Error).message).toContain("such as 90d");
        }
      }),
    );
  });
});
