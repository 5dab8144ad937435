import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvReader, detectDelimiter } from "./csv.ts";
import type { Row } from "./row.ts";

const comma = { delimiter: ",", quote: '"' };

/** The rows of a text that arrives in these pieces. */
function rowsOf(pieces: readonly string[], form = comma): Row[] {
  const reader = new CsvReader(form);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

const valuesOf = (text: string, form = comma): string[][] => rowsOf([text], form).map(({ values }) => values);

test("values are separated, quoted or not", () => {
  expect(valuesOf('a,b,c\n1,"x, y","say ""hi"""\n,"",\n')).toEqual([
    ["a", "b", "c"],
    ["1", "x, y", 'say "hi"'],
    ["", "", ""],
  ]);
});

test("line breaks in quotes are kept and counted as lines", () => {
  const rows = rowsOf(['a,b\n"one\ntwo\r\nthree",x\n\n4,5\n']);
  expect(rows.map(({ line, values }) => [line, ...values])).toEqual([
    [1, "a", "b"],
    [2, "one\ntwo\r\nthree", "x"],
    [6, "4", "5"],
  ]);
});

test.each([
  ["LF", "a,b\n1,2\n3,4\n"],
  ["CRLF", "a,b\r\n1,2\r\n3,4\r\n"],
  ["CR", "a,b\r1,2\r3,4\r"],
  ["no line break at the end", "a,b\n1,2\n3,4"],
  ["quoted values and CRLF", '"a","b"\r\n"1","2"\r\n"3","4"'],
])("a file with %s has the same rows", (_, text) => {
  expect(rowsOf([text]).map(({ line, values, raw }) => [line, values, raw().replaceAll('"', "")])).toEqual([
    [1, ["a", "b"], "a,b"],
    [2, ["1", "2"], "1,2"],
    [3, ["3", "4"], "3,4"],
  ]);
});

test("a quote within an unquoted value is a plain character", () => {
  expect(valuesOf('12" Mix,b\n')).toEqual([['12" Mix', "b"]]);
});

test("quotes are plain characters if the form has no quote character", () => {
  expect(valuesOf('"Heroes" (Live)\tx\n', { delimiter: "\t", quote: "" })).toEqual([['"Heroes" (Live)', "x"]]);
});

describe("a stray quote rejects only its own line", () => {
  test("when it is never closed", () => {
    const rows = rowsOf(['a,b\n1,"open\n2,x\n3,y\n']);
    expect(rows.map(({ line, values, problem }) => [line, values, problem])).toEqual([
      [1, ["a", "b"], null],
      [2, [], "the row opens a quote in column 2 that is not closed"],
      [3, ["2", "x"], null],
      [4, ["3", "y"], null],
    ]);
    expect(rows[1]?.raw()).toBe('1,"open');
  });

  test("when another row's quote seems to close it", () => {
    const rows = rowsOf(['a,b\n1,"open\n2,x\n3,"fine, too"\n4,z\n']);
    expect(rows.map(({ line, values, problem }) => [line, values, problem])).toEqual([
      [1, ["a", "b"], null],
      [2, [], "the row has text after the closing quote of column 2"],
      [3, ["2", "x"], null],
      [4, ["3", "fine, too"], null],
      [5, ["4", "z"], null],
    ]);
  });

  test("when the text after it is longer than a row may be", () => {
    const filler = "x,y\n".repeat(400_000);
    const rows = rowsOf(['a,b\n1,"open\n', ...chunksOf(filler, 65_536)]);
    expect(rows.filter(({ problem }) => problem !== null).map(({ line }) => line)).toEqual([2]);
    expect(rows.length).toBe(400_002);
  });
});

test("a line longer than a million characters is rejected, and the next line is read", () => {
  const rows = rowsOf(["a,b\n", ...chunksOf("x".repeat(3_000_000), 65_536), "\n1,2\n"]);
  expect(rows.map(({ line, values, problem }) => [line, values, problem])).toEqual([
    [1, ["a", "b"], null],
    [2, [], "the row is longer than a row can be"],
    [3, ["1", "2"], null],
  ]);
});

describe("random content", () => {
  const value = fc.string({ unit: fc.constantFrom("a", "é", "𠱁", " ", ",", '"', "\n", "\r\n", ";", "'") });
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1 }));
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const written = (rows: string[][]): string => rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");

  test("is parsed to the values that were formatted, in any pieces", () => {
    fc.assert(
      fc.property(table, fc.array(fc.nat()), (rows, cuts) => {
        const text = written(rows);
        expect(rowsOf(cutAt(text, cuts)).map(({ values }) => values)).toEqual(rows);
      }),
    );
  });

  test("is parsed to the values of csv-parse, if it is well-formed", () => {
    const loose = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "'") });
    const cell = fc.oneof(loose, value.map(quoted));
    const lines = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 });
    fc.assert(
      fc.property(lines, fc.constantFrom("\n", "\r\n"), fc.boolean(), (rows, end, isEnded) => {
        const text = rows.map((row) => row.join(",")).join(end) + (isEnded ? end : "");
        const theirs = parse(text, { relax_column_count: true, record_delimiter: end });
        expect(valuesOf(text)).toEqual(theirs);
      }),
    );
  });

  test("is covered by the rows, which are the same in any pieces", () => {
    const noise = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", "b") });
    fc.assert(
      fc.property(noise, fc.array(fc.nat()), (text, cuts) => {
        const expectedRows = rowsOf([text]);
        const covered = expectedRows.map(({ raw }) => raw()).join("");
        expect(covered.replace(/[\r\n]/g, "")).toBe(text.replace(/[\r\n]/g, ""));
        expect(rowsOf(cutAt(text, cuts)).map((row) => [row.line, row.values, row.problem])).toEqual(
          expectedRows.map((row) => [row.line, row.values, row.problem]),
        );
      }),
    );
  });
});

test.each([
  ["a,b;c,d", ","],
  ["a;b;c", ";"],
  ["a\tb", "\t"],
  ["a|b|c", "|"],
  ['"a;b;c",d', ","],
  ["a", ","],
])("the delimiter of %j is %j", (line, delimiter) => {
  expect(detectDelimiter(line, '"')).toBe(delimiter);
});

function chunksOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}
