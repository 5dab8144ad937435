import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { clearCatalogue, importContent, plainMapping } from "../../../test/harness/imports.ts";

const database = await testDatabase();
const { driver } = database;

const header = "external_id,title,producer,genre,tempo,key";
const rows = ['1,"Night, Drive",Ana,Trap,90,Am', "2,Café,Bo,House,120,", "3,Üben,Cy,Drill,140,8A"];
const plain = `${[header, ...rows].join("\n")}\n`;
const windows1252 = Buffer.from(plain, "latin1");

beforeEach(() => clearCatalogue(database));

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const inflatedUpTo = (compressed: Buffer, end: number): string =>
  gunzipSync(compressed.subarray(0, end), { finishFlush: constants.Z_SYNC_FLUSH }).toString();

const titles = async (): Promise<string[]> =>
  (await driver<{ title: string }[]>`select title from beats order by external_id`).map(({ title }) => title);

describe("a file is read", () => {
  const json = [
    '{"external_id":1,"title":"Night, Drive","producer":"Ana","genre":"Trap","tempo":90,"key":"Am"}',
    '{"external_id":2,"title":"Caf\\u00e9","producer":"Bo","tempo":120}',
    '{"external_id":3,"title":"Üben","producer":"Cy","genre":null,"tempo":"140"}',
  ].join("\n");
  const indented = (lines: string) => JSON.stringify(JSON.parse(`[${lines.replaceAll("\n", ",")}]`), null, 2);
  const tabbed = plain.replace('"Night, Drive"', "Night; Drive").replaceAll(",", "\t").replace("Night;", "Night,");

  test.each<[string, string, string | Buffer, object?]>([
    ["with LF", "a.csv", plain],
    ["with CRLF", "a.csv", plain.replaceAll("\n", "\r\n")],
    ["with CR", "a.csv", plain.replaceAll("\n", "\r")],
    ["with a byte order mark", "a.csv", `\ufeff${plain}`],
    ["with empty lines", "a.csv", `\n${plain.replaceAll("\n", "\n\n")}\n`],
    ["with spaces around the columns' names", "a.csv", plain.replace(header, header.replaceAll(",", " , "))],
    ["with columns that the mapping does not name", "a.csv", plain.replaceAll("\n", ",x\n")],
    ["separated by semicolons", "a.csv", plain.replaceAll(",", ";").replace("Night;", "Night,")],
    ["separated by tabs", "a.tsv", tabbed],
    ["separated by tabs, without the .tsv extension", "a.txt", tabbed],
    [
      "separated as the mapping says",
      "a.dat",
      plain.replaceAll(",", "^").replace("Night^", "Night,"),
      { delimiter: "^" },
    ],
    ["in UTF-16 with a byte order mark", "a.csv", Buffer.from(`\ufeff${plain}`, "utf16le")],
    ["in big-endian UTF-16 with a byte order mark", "a.csv", Buffer.from(`\ufeff${plain}`, "utf16le").swap16()],
    ["in UTF-16 without a byte order mark", "a.csv", Buffer.from(plain, "utf16le")],
    ["in big-endian UTF-16 without a byte order mark", "a.csv", Buffer.from(plain, "utf16le").swap16()],
    ["in UTF-16 as the mapping says", "a.csv", Buffer.from(plain, "utf16le"), { encoding: "utf-16le" }],
    ["in Windows-1252 as the mapping says", "a.csv", windows1252, { encoding: "windows-1252" }],
    ["compressed with gzip", "a.csv.gz", gzipSync(plain)],
    ["compressed with gzip, without the .gz extension", "a.csv", gzipSync(plain)],
    [
      "compressed as two gzip members",
      "a.csv.gz",
      Buffer.concat([gzipSync(plain.slice(0, 60)), gzipSync(plain.slice(60))]),
    ],
    ["compressed, with empty gzip members", "a.csv.gz", Buffer.concat([gzipSync(""), gzipSync(plain), gzipSync("")])],
    ["compressed, with zeros after the last member", "a.csv.gz", Buffer.concat([gzipSync(plain), Buffer.alloc(512)])],
    [
      "compressed, with many zeros after the last member",
      "a.csv.gz",
      Buffer.concat([gzipSync(plain), Buffer.alloc(100_000)]),
    ],
    [
      "with the delimiter in its first line",
      "a.csv",
      `sep=^\r\n${plain.replaceAll(",", "^").replace("Night^", "Night,")}`,
    ],
    [
      "with the quoted delimiter after a byte order mark",
      "a.csv",
      `\ufeff"sep=;"\n${plain.replaceAll(",", ";").replace("Night;", "Night,")}`,
    ],
    ["with a tab in its first line", "a.csv", `sep=\t\r${tabbed.replaceAll("\n", "\r")}`],
    ["of JSON lines", "a.jsonl", json],
    ["of JSON lines with a byte order mark", "a.jsonl", `\ufeff${json}`],
    ["of a JSON array in one line", "a.json", `[${json.replaceAll("\n", ",")}]`],
    ["of a JSON array in many lines", "a.json", indented(json)],
    ["of a JSON array, compressed, without the .json extension", "a.txt", gzipSync(`\n ${indented(json)}\n`)],
    ["of JSON objects over several lines", "a.json", indented(json).slice(1, -1).replaceAll("},", "}")],
    ["of JSON lines, without the .jsonl extension", "a.txt", json],
    ["of JSON lines, compressed", "a.ndjson.gz", gzipSync(json)],
  ])("%s", async (_, name, content, settings = {}) => {
    const outcome = await importContent(database, content, { name, mapping: { ...plainMapping, ...settings } });
    expect(outcome).toMatchObject({ created: 3, rejected: 0, stoppedBecause: null });
    expect(await titles()).toEqual(["Night, Drive", "Café", "Üben"]);
  });
});

describe("the JSON array", () => {
  const object = (id: number, more = "") =>
    `{ "external_id": ${id},\n "title": "T [{", "producer": "P", "tempo": 90${more} }`;

  test("has rows with line numbers, and elements that cannot be read are rejected", async () => {
    const text = `[\n${object(1)},\n${object(2, ', "key": {"note": "A"}')},\n{"title": }, ["x"],\n${object(3)}\n]\n`;
    const { created, rejects, stoppedBecause } = await importContent(database, text, { name: "a.json" });
    expect([created, stoppedBecause]).toEqual([2, null]);
    expect(rejects.map(({ line }) => line)).toEqual([4, 6, 6]);
    expect(rejects[0]?.reason).toBe(
      "the property key is an object, where a text or number is read; name the part in the mapping, such as key.name",
    );
    expect(rejects[1]?.reason).toMatch(/^the element is not JSON: /);
    expect(rejects[2]?.reason).toBe("the element is not a JSON object");
  });

  test.each([
    [
      "is cut off between objects",
      `[${object(1)},${object(2)},`,
      /^after line 2, the JSON ends before its last bracket/,
      0,
    ],
    ["is cut off in an object", `[${object(1)},${object(2)},{"ti`, /^after line 3, the JSON ends before its last/, 1],
    [
      "has a value that is not an object",
      `[${object(1)},${object(2)}, 7, ${object(3)}]`,
      /there is "7, \{ .*, where an object should begin/,
      0,
    ],
    ["is followed by text", `[${object(1)},${object(2)}] x`, /there is "x", where an object should begin/, 0],
    [
      "has an unclosed quote",
      `[${object(1)},${object(2)},{"a": "${"x".repeat(1_100_000)}`,
      /is longer than a row can be/,
      0,
    ],
  ])("that %s is read up to that point", async (_, text, stoppedBecause, rejected) => {
    const outcome = await importContent(database, text, { name: "a.json" });
    expect(outcome).toMatchObject({ created: 2, rejected });
    expect(outcome.stoppedBecause).toMatch(stoppedBecause);
  });
});

test.each([
  [
    '"title":{"en":"T"},"tempo":90',
    /^the property title is an object, where a text or number is read; .* such as title\.name$/,
  ],
  ['"title":["T"],"tempo":90', /^the property title is a list, where one text or number is read$/],
  ['"title":"T","tempo":[90]', /^the property tempo is a list/],
  [
    '"title":"T","tempo":90,"genre":[{"name":"Trap"}]',
    /^the property genre is a list with objects or lists in it; only texts and numbers can be read$/,
  ],
])("a row of JSON with %s is rejected", async (properties, reason) => {
  const text = `{"external_id":1,"producer":"P",${properties}}\n`;
  const { rejects } = await importContent(database, text, { name: "a.jsonl" });
  expect(rejects.map((reject) => reject.reason)).toEqual([expect.stringMatching(reason)]);
});

describe("a file in Shift-JIS", () => {
  const title = Buffer.from([0x82, 0xa0, 0x83, 0x5c, 0x82, 0xa2]);
  const text = Buffer.concat([Buffer.from(`${header}\n1,`), title, Buffer.from(",P,G,90,\n")]);

  test("without a declared encoding has its row rejected, with a reason that suggests Shift-JIS", async () => {
    const { rejects } = await importContent(database, text);
    expect(rejects[0]?.reason).toBe(
      "the row is not valid UTF-8; it looks like Shift-JIS: if it is, import the file with --encoding shift_jis",
    );
  });

  test("is read with a declared encoding, and a row in another encoding is rejected", async () => {
    const mapping = { ...plainMapping, encoding: "shift_jis" };
    const more = Buffer.concat([text, Buffer.from("2,\xa0\xff,P,G,90,\n", "latin1")]);
    const { rejects } = await importContent(database, more, { mapping });
    expect(await titles()).toEqual(["あソい"]);
    expect(rejects[0]?.reason).toMatch(
      /^the row has bytes that shift_jis does not have; import the file with --encoding/,
    );
  });
});

describe("a file in Windows-1252 without a declared encoding", () => {
  test("is imported without its rows with non-ASCII letters, and a second import with the encoding adds them", async () => {
    const outcome = await importContent(database, windows1252);
    const reason =
      "the row is not valid UTF-8; import the file with --encoding and the encoding that it was saved in, such as windows-1252 (western Europe), windows-1251 (Cyrillic), shift_jis (Japan) or gb18030 (China)";
    expect(outcome.rejects).toEqual([
      { line: 3, reason, row: "2,Caf\udce9,Bo,House,120," },
      { line: 4, reason, row: "3,\udcdcben,Cy,Drill,140,8A" },
    ]);
    expect(await titles()).toEqual(["Night, Drive"]);
    const settings = { mapping: { ...plainMapping, encoding: "windows-1252" } };
    expect(await importContent(database, windows1252, settings)).toMatchObject({
      created: 2,
      unchanged: 1,
      rejected: 0,
    });
    expect(await titles()).toEqual(["Night, Drive", "Café", "Üben"]);
  });

  test("is imported completely if only columns that the mapping does not name have non-ASCII letters", async () => {
    const text = Buffer.from("external_id,title,producer,genre,tempo,key,note\n1,T,P,G,90,,caf\xe9\n", "latin1");
    expect(await importContent(database, text)).toMatchObject({ created: 1, rejected: 0 });
  });
});

describe("values with line breaks", () => {
  test("do not change the line numbers of later rows", async () => {
    const text = `${header}\n1,"Night\nDrive",Ana,Trap,90,\n2,"x\r\ny\nz",Ana,Trap,0,\n3,,Ana,Trap,90,\n`;
    const { rejects, created, repairs, replaced } = await importContent(database, text);
    expect(created).toBe(1);
    expect(rejects.map(({ line }) => line)).toEqual([4, 7]);
    expect(rejects[0]?.row).toBe('2,"x\r\ny\nz",Ana,Trap,0,');
    expect(await titles()).toEqual(["Night Drive"]);
    expect(repairs).toEqual([{ kind: "title: control characters", times: 1, firstLines: [2] }]);
    expect(replaced).toEqual([
      { line: 2, field: "title", problem: "control characters", given: "Night\nDrive", taken: "Night Drive" },
    ]);
  });
});

describe("a truncated file", () => {
  test("that ends in a row is imported without that row, which is rejected with its line", async () => {
    const outcome = await importContent(database, plain.slice(0, plain.indexOf("Drill")));
    expect(outcome).toMatchObject({ created: 2, rejected: 1, stoppedBecause: null });
    expect(outcome.rejects).toEqual([
      { line: 4, reason: "the row has 4 columns, the header has 6", row: "3,Üben,Cy," },
    ]);
  });

  test("that ends in a quoted value is imported without that row, which is rejected with its line", async () => {
    const outcome = await importContent(database, `${plain}4,"Half of a ti`);
    expect(outcome).toMatchObject({ created: 3, rejected: 1, stoppedBecause: null });
    expect(outcome.rejects).toEqual([
      { line: 5, reason: "the row opens a quote in column 2 that is not closed", row: '4,"Half of a ti' },
    ]);
  });

  test("that ends in the last value is imported with a warning, since the truncation cannot be detected", async () => {
    expect(await importContent(database, plain.slice(0, -1))).toMatchObject({
      created: 3,
      remarks: ["Line 4, the last, has no line break: if the file was cut off, its last value is incomplete."],
    });
  });

  test.each([
    ["gzip", "a.csv.gz"],
    ["gzip of JSON lines", "a.jsonl.gz"],
  ])(
    "in %s is imported without the truncated row, and the outcome has the place where reading ended",
    async (_, name) => {
      const many = Array.from({ length: 5000 }, (_, i) => ({ id: i, title: `Beat ${(i * 7919) % 10_007}` }));
      const text = name.includes("json")
        ? many.map(({ id, title }) => `{"external_id":${id},"title":"${title}","producer":"P","tempo":90}\n`).join("")
        : `${header}\n${many.map(({ id, title }) => `${id},${title},P,G,90,\n`).join("")}`;
      const compressed = gzipSync(text);
      const outcome = await importContent(database, compressed.subarray(0, compressed.length / 2), { name });
      expect(outcome.created).toBeGreaterThan(1000);
      expect(outcome.created).toBeLessThan(4000);
      expect(outcome.rejected).toBe(1);
      const [cut] = outcome.rejects;
      expect(cut?.reason).toMatch(
        /^the file is cut off in this row: the gzip file ends at byte \d+, in the middle of its data/,
      );
      expect(text.split("\n")[(cut?.line ?? 0) - 1]).toContain(cut?.row);
      expect(outcome.stoppedBecause).toBe(
        `after line ${cut?.line}, the gzip file ends at byte ${Math.floor(compressed.length / 2)}, in the middle of its data; it was probably not copied completely`,
      );
      expect(await importContent(database, compressed, { name })).toMatchObject({
        created: 5000 - outcome.created,
        unchanged: outcome.created,
        stoppedBecause: null,
      });
    },
  );

  test("that ends in the header of gzip is refused", async () => {
    await expect(importContent(database, gzipSync(plain).subarray(0, 12), { name: "a.csv.gz" })).rejects.toThrow(
      /a\.csv\.gz.*(is empty|in the middle of its data)/,
    );
  });
});

describe("a damaged gzip file", () => {
  const compressedLength = gzipSync(plain).length;

  test("is read up to the damage", async () => {
    const text = `${header}\n${Array.from({ length: 20_000 }, (_, i) => `${i},Beat ${(i * 7919) % 20_011},P,G,90,\n`).join("")}`;
    const compressed = gzipSync(text);
    compressed.fill(0x55, Math.floor(compressed.length * 0.7), Math.floor(compressed.length * 0.7) + 2000);
    const outcome = await importContent(database, compressed, { name: "a.csv.gz" });
    expect(outcome.stoppedBecause).toMatch(/^after line \d+, the gzip data is damaged at byte \d+ \(.+\)$/);
    expect(outcome.created).toBeGreaterThan(5000);
    expect(outcome.created + outcome.unchanged + outcome.rejected).toBe(outcome.rows);
  });

  test.each([
    ["other bytes follow it", Buffer.concat([gzipSync(plain), Buffer.from("garbage")]), 3],
    ["zeros and other bytes follow it", Buffer.concat([gzipSync(plain), Buffer.alloc(9), Buffer.from("garbage")]), 3],
    ["its last line has no end and other bytes follow", Buffer.concat([gzipSync(plain.trim()), Buffer.from("x")]), 3],
    ["its second member is damaged", Buffer.concat([gzipSync(plain), gzipSync(plain).fill(0xff, 12, 40)]), 3],
    ["its second member is cut off", Buffer.concat([gzipSync(plain), gzipSync(`${rows[0]}\n`).subarray(0, 14)]), 3],
    ["its checksum is wrong", gzipSync(plain).fill(0, compressedLength - 8, compressedLength - 4), 3],
  ])("is read up to the damage if %s", async (_, content, created) => {
    const outcome = await importContent(database, content, { name: "a.csv.gz" });
    expect(outcome).toMatchObject({ created, stoppedBecause: expect.stringMatching(/^after line \d+, .* byte \d+/) });
  });

  test("has every row before the damage imported", async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `${i},Beat ${(i * 7919) % 20_011},P,G,90,\n`);
    const compressed = gzipSync(`${header}\n${lines.join("")}`);
    const damaged = Buffer.from(compressed).fill(0xff, compressed.length - 300, compressed.length - 200);
    const completeRows = inflatedUpTo(compressed, compressed.length - 300).split("\n").length - 2;
    const { created } = await importContent(database, damaged, { name: "a.csv.gz" });
    expect(completeRows).toBeGreaterThan(200);
    expect(created).toBeGreaterThanOrEqual(completeRows);
  });
});

describe("a file is refused before anything is written", () => {
  test.each<[string, string, string | Buffer, RegExp]>([
    ["when it is empty", "a.csv", "", /a\.csv is empty\.$/],
    ["when it is a byte order mark", "a.csv", "\ufeff", /a\.csv is empty\.$/],
    ["when it is empty lines", "a.csv", "\n\n\n", /a\.csv has no header line\.$/],
    [
      "when it lacks a column",
      "a.csv",
      "id,titel,producer,genre,tempo,key\n",
      /a\.csv has no column title\. Did you mean titel\? Its columns are id, titel, producer, genre, tempo, key\.$/,
    ],
    ["when it names a column twice", "a.csv", `${header},title\n`, /a\.csv has 2 columns with the name title\.$/],
    ["when its header has an open quote", "a.csv", '"external_id,title\n', /line 1, should name the columns, but/],
    [
      "when it is binary",
      "a.csv",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]),
      /not a text file/,
    ],
    [
      "when it is gzip of binary",
      "a.csv.gz",
      gzipSync(Buffer.alloc(100)),
      /is not a text file: there is a zero byte in line 1/,
    ],
    ["when it is noise", "a.csv", Buffer.from([0xfb, 0xc2, 0x9d, 0x81, 0xee, 0x31, 0x9a]), /has no column title/],
    ["when its JSON array lacks a column", "a.json", '[{"title":"T"}]', /a\.json has no column producer\./],
    [
      "when it is a spreadsheet",
      "a.csv",
      Buffer.from("PK\x03\x04 and so on, further and further"),
      /is a ZIP file, as spreadsheets \(\.xlsx/,
    ],
    [
      "when it is zstd",
      "a.csv",
      Buffer.from("28b52ffd2400", "hex"),
      /is compressed with zstd; unpack it first, such as with zstd -d\.$/,
    ],
    ["when it is bzip2", "a.csv", Buffer.from("BZh91AY&SY and so on"), /is compressed with bzip2; unpack it first/],
    ["when it is xz", "a.csv", Buffer.from("fd377a585a000004e6d6", "hex"), /is compressed with xz; unpack it first/],
    [
      "when it is UTF-32",
      "a.csv",
      Buffer.from(Array.from(plain, (letter) => [letter.charCodeAt(0), 0, 0, 0]).flat()),
      /is in UTF-32/,
    ],
    [
      "when it is UTF-32 with a byte order mark",
      "a.csv",
      Buffer.from("fffe000061000000", "hex"),
      /is in UTF-32, .* save it in UTF-8/,
    ],
    [
      "when its JSON lines lack a column that every beat needs",
      "a.jsonl",
      '{"external_id":1,"name":"T","producer":"P","tempo":90}\n',
      /a\.jsonl has no column title\./,
    ],
  ])("%s", async (_, name, content, message) => {
    await expect(importContent(database, content, { name })).rejects.toThrow(message);
    expect(await titles()).toEqual([]);
  });
});

test("a file with only a header is imported without an error", async () => {
  expect(await importContent(database, `${header}\n`)).toMatchObject({
    rows: 0,
    created: 0,
    rejected: 0,
    stoppedBecause: null,
  });
});

test("JSON lines without a mapped column are imported with a warning", async () => {
  const text = '{"title":"T","producer":"P","tempo":90}\n[1]\n{"title":"U","producer":"P","tempo":91}\n';
  expect(await importContent(database, text, { name: "a.jsonl" })).toMatchObject({
    created: 2,
    rejected: 1,
    rejects: [{ line: 2, reason: "the line is not a JSON object", row: "[1]" }],
    remarks: ["No row has a column external_id.", "No row has a column genre.", "No row has a column key."],
  });
});

test("control characters are removed from a title; symbols and scripts stay", async () => {
  const unchangedTitles = [
    "+",
    "-M-",
    "@home",
    "=1+1",
    "17",
    "NA",
    "المؤسسة",
    "👩‍🎤 ✝",
    "9と4分の3番線で",
    "𠱁",
    "“q”",
    "a\u200fb",
    "AC\\DC|x",
  ];
  const text = [...unchangedTitles, "Children\u0092s", "nu\\u0000l"].map(
    (title, i) =>
      `{"external_id":"${String(i).padStart(2, "0")}","title":"${title.replace("\\DC", "\\\\DC")}","producer":"P","tempo":90}\n`,
  );
  expect(await importContent(database, text.join(""), { name: "a.jsonl" })).toMatchObject({ rejected: 0 });
  expect(await titles()).toEqual([...unchangedTitles, "Children’s", "nu l"]);
});

test("memory does not grow with the file", async () => {
  // Rejected rows pass every step except the writes, for which only the batches in flight are in memory.
  const line = `${"x".repeat(60)},${"y".repeat(60)},P,G,0,\n`;
  const content = gzipSync(`${header}\n${line.repeat(300_000)}`);
  const heaps: number[] = [];
  const outcome = await importContent(database, content, {
    name: "a.csv.gz",
    onProgress: ({ rows }) => {
      if (rows <= 50_000 * (heaps.length + 1)) return;
      collectGarbage();
      heaps.push(process.memoryUsage().heapUsed);
    },
  });
  expect(outcome).toMatchObject({ rows: 300_000, rejected: 300_000 });
  expect(heaps.length).toBe(5);
  // Between the first and the last measurement 25 million characters of text are read, and more are written as rejects.
  expect(Math.max(...heaps) - Math.min(...heaps)).toBeLessThan(8_000_000);
});
