import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DamagedFile } from "./damaged-file.ts";
import { gunzip } from "./gunzip.ts";
import { type FileForm, openRows } from "./rows.ts";

async function* inPieces(bytes: Buffer, size = 7): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const columns = { all: ["name", "price"], required: ["name"], amounts: ["price"], lists: [] };

const open = (name: string, chunks: AsyncIterable<Buffer>, form: FileForm = {}) =>
  openRows({ name, chunks }, form, columns, (_, names) => names[0]);

/** The cells of the columns, and the reason why the file was not read to its end. */
async function readFile(name: string, chunks: AsyncIterable<Buffer>, form?: FileForm) {
  const rows = await open(name, chunks, form);
  const cells: (string | null)[][] = [];
  try {
    for await (const piece of rows.pieces)
      for (const { values, problem } of piece)
        cells.push(problem === null ? columns.all.map((column) => values[rows.indexOf(column)] ?? "") : [problem]);
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    return { cells, damage: error.message };
  }
  return { cells, damage: null };
}

test.each([
  ["a.csv", "price,name\n1.5,Ada\n2,Bo\n"],
  ["a.csv", "price;name\r\n1.5;Ada\r\n2;Bo"],
  ["a.csv", "sep=|\nprice|name\n1.5|Ada\n2|Bo\n"],
  ["a.tsv", "price\tname\n1.5\tAda\n2\tBo\n"],
  ["a.jsonl", '{"name":"Ada","price":1.5}\n{"price":2,"name":"Bo"}\n'],
  ["a.json", '[\n{"name":"Ada","price":1.5},\n{"price":2,"name":"Bo"}]'],
])("%s is read in the detected form: %j", async (name, text) => {
  const expected = [
    ["Ada", "1.5"],
    ["Bo", "2"],
  ];
  expect(await readFile(name, inPieces(Buffer.from(text)))).toEqual({ cells: expected, damage: null });
});

test("a file without a required column is refused, with the nearest name", async () => {
  await expect(open("a.csv", inPieces(Buffer.from("nam,price\nAda,1\n")))).rejects.toThrow(
    "a.csv has no column name. Did you mean nam? Its columns are nam, price.",
  );
});

test("a row of another width has a problem, and the next row is read", async () => {
  const { cells } = await readFile("a.csv", inPieces(Buffer.from("name,price\nAda\nBo,2\n")));
  expect(cells).toEqual([["the row has 1 columns, the header has 2"], ["Bo", "2"]]);
});

test("a truncated gzip file yields rows before its end, then an error with the position", async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `name ${index},${(index * 7919) % 1_000}`);
  const completeFile = gzipSync(["name,price", ...lines].join("\n"));
  const half = completeFile.subarray(0, completeFile.length / 2);
  const { cells, damage } = await readFile("a.csv", gunzip(inPieces(half, 512)));
  expect(damage).toBe(
    `the gzip file ends at byte ${half.length}, in the middle of its data; it was probably not copied completely`,
  );
  expect(cells.length).toBeGreaterThan(1_000);
  expect(cells.slice(0, -1)).toEqual(lines.slice(0, cells.length - 1).map((line) => line.split(",")));
});
