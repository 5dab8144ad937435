import { expect, test } from "vitest";
import { JsonLinesReader } from "./rows.ts";

function rowsOf(columns: string[], ...pieces: string[]) {
  const reader = new JsonLinesReader({ all: columns, required: [], amounts: ["price"], lists: ["tags"] });
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

test("a row has the values of the requested columns, as text", () => {
  const [row] = rowsOf(
    ["title", "tempo", "live", "none", "artist.name", "tags", "dotted.name"],
    '{"title":"A","tempo":120.5,"live":true,"none":null,"artist":{"name":"B"},"tags":["x","y"],"dotted.name":"C"}\n',
  );
  expect(row?.values).toEqual(["A", "120.5", "true", "", "B", '["x","y"]', "C"]);
});

test("rows have the right line numbers after empty lines, CRLF and pieces", () => {
  const rows = rowsOf(["a"], '{"a":1}\r\n\r\n{"a"', ':2}\n\n{"a":3}');
  expect(rows.map(({ line, values, raw }) => [line, values[0], raw().trim()])).toEqual([
    [1, "1", '{"a":1}'],
    [3, "2", '{"a":2}'],
    [5, "3", '{"a":3}'],
  ]);
});

test("the dot of a JSON amount is never read as a thousands separator", () => {
  expect(rowsOf(["price", "tempo"], '{"price":1.299,"tempo":1.299}')[0]?.values).toEqual(["1.2990", "1.299"]);
});

test("an integer too long for JavaScript keeps its digits, and a long decimal is rounded", () => {
  const [row] = rowsOf(["id", "tempo"], '{"id":12345678901234567890,"tempo":120.12345678901234567}\n');
  expect(row?.values[0]).toBe("12345678901234567890");
  expect(Number(row?.values[1])).toBeCloseTo(120.123456789);
});

test.each([
  ['{"a":1', /^the line is not JSON: /],
  ["[1]", /^the line is not a JSON object$/],
  ["null", /^the line is not a JSON object$/],
  ['"a"', /^the line is not a JSON object$/],
])("%s is not a row", (line, problem) => {
  const [bad, good] = rowsOf(["a"], `${line}\n{"a":1}\n`);
  expect(bad?.problem).toMatch(problem);
  expect(bad?.raw()).toBe(line);
  expect(good).toMatchObject({ line: 2, values: ["1"], problem: null });
});

test("inherited properties are not read as columns", () => {
  expect(rowsOf(["constructor", "a.length"], '{"a":"text"}\n')[0]?.values).toEqual(["", ""]);
});

test("a line that is too long is rejected, and the next line is read", () => {
  const reader = new JsonLinesReader({ all: ["a"], required: [], amounts: [], lists: [] });
  const pieces = Array.from({ length: 40 }, () => "x".repeat(65_536));
  const rows = [...pieces, "x\n", '{"a":1}\n'].flatMap((piece) => reader.push(piece));
  expect(rows.map(({ line, values, problem }) => [line, values, problem])).toEqual([
    [1, [], "the line is longer than a row can be"],
    [2, ["1"], null],
  ]);
});

test("the names of all properties are recorded", () => {
  const reader = new JsonLinesReader({ all: ["artist.name"], required: [], amounts: [], lists: [] });
  reader.push('{"a":1,"artist":{"name":"B"}}\n{"b":2}\n');
  expect(reader.names.sort()).toEqual(["a", "artist", "artist.name", "b"]);
});
