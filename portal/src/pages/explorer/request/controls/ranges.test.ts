import { describe, expect, test } from "vitest";
import { type Field, readOperations } from "../../call/operations.ts";
import { boundEnd, withRanges } from "./ranges.ts";

/** The fields of query parameters with these schemas. */
function fieldsOf(schemas: Record<string, object>): Field[] {
  const parameters = Object.entries(schemas).map(([name, schema]) => ({ name, in: "query", schema }));
  const get = { operationId: "x", summary: "", tags: [], parameters, "x-codeSamples": [] };
  return readOperations({ paths: { "/x": { get } }, components: { schemas: {} } } as never)[0]?.fields ?? [];
}
const names = (schemas: Record<string, object>) => withRanges(fieldsOf(schemas)).map(({ name }) => name);

describe("two parameters", () => {
  test("form a range if their names have a pair of endings, at the position of the first parameter", () => {
    const number = { type: "integer" };
    expect(names({ page: number, bpm_max: number, sort: { enum: ["a"] }, bpm_min: number, bpm: number })).toEqual([
      "page",
      "bpm",
      "sort",
      "bpm",
    ]);
    const time = { type: "string", format: "date-time" };
    expect(names({ created_after: time, created_before: time })).toEqual(["created"]);
  });

  test.each([
    ["one of them is missing", { price_min: { type: "number" }, after: { type: "integer" } }],
    ["they are of different types", { price_min: { type: "number" }, price_max: { type: "integer" } }],
    ["they are texts", { title_min: { type: "string" }, title_max: { type: "string" } }],
  ])("form no range if %s", (_, schemas) => {
    expect(names(schemas)).toEqual(Object.keys(schemas));
  });
});

describe("an end of a range gets the other end's value only if it is beyond the other end:", () => {
  test.each([
    ["from", "150", "140", "140"],
    ["from", "90", "140", "90"],
    ["from", "9", "10", "9"],
    ["to", "90", "140", "140"],
    ["to", "19.99", "20", "20"],
    ["to", "", "140", ""],
    ["from", "150", "", "150"],
    ["from", "fast", "140", "fast"],
  ] as const)("%s %j with the other end %j becomes %j", (end, text, other, expected) => {
    expect(boundEnd(end, text, other, "number")).toBe(expected);
  });

  test("times in different time zones are compared", () => {
    const earlyTime = "2026-01-01T12:00:00+02:00";
    const lateTime = "2026-01-01T11:00:00Z";
    expect(boundEnd("from", lateTime, earlyTime, "date-time")).toBe(earlyTime);
    expect(boundEnd("to", lateTime, earlyTime, "date-time")).toBe(lateTime);
  });
});
