import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openEmbedded } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { connectForTest } from "../../test/harness/database/driver.ts";
import { catalogueOf, importFile, plainMapping, temporaryFolder } from "../../test/harness/imports.ts";

const main = join(import.meta.dirname, "../main.ts");
const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;

const header = "external_id,title,producer,genre,tempo,key\n";
const rowsFrom = (first: number, end: number): string =>
  Array.from({ length: end - first }, (_, i) => `${first + i},Beat ${first + i},P${i % 9},G,${90 + (i % 50)},\n`).join(
    "",
  );

let folder: string;

beforeEach(async () => {
  await driver`truncate beats, genres, users, producer_counts cascade`;
  folder = await temporaryFolder();
  await writeFile(join(folder, "map.json"), JSON.stringify(plainMapping));
  await writeFile(join(folder, "beats.csv"), `${header}1,One,Ana,Trap,90,Am\n2,,Bo,House,120,\n`);
});

const start = (...args: string[]) =>
  startProgram(process.execPath, [main, "import", ...args], {
    cwd: folder,
    env: { ...programEnv, DATABASE_URL: url },
  });

async function run(...args: string[]) {
  const program = start(...args);
  let out = "";
  program.child.stdout?.on("data", (data) => {
    out += data;
  });
  program.child.stdin?.end();
  const { code, stderr } = await program.ended;
  return { code, stderr, out };
}

describe("import", () => {
  test("--json prints the counts and the rejects file", async () => {
    const { code, stderr, out } = await run("beats.csv", "--map", "map.json", "--json");
    const rejects = join(folder, "beats.csv.rejects.jsonl");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(out)).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      frozen: 0,
      rejected: 1,
      rejects_file: rejects,
      rejections: [{ reason: "title: empty", times: 1, first_lines: [3] }],
      repairs: [],
      repairs_file: null,
    });
    expect(JSON.parse(await readFile(rejects, "utf8"))).toEqual({
      line: 3,
      reason: "the title (column title) is empty",
      row: "2,,Bo,House,120,",
    });
  });

  test("without --json prints a readable summary", async () => {
    const { code, out } = await run("beats.csv", "--map", "map.json");
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 2)).toEqual([
      "2 rows: 1 created, 0 updated, 0 unchanged, 1 rejected.",
      `Rejected rows and why: ${join(folder, "beats.csv.rejects.jsonl")}`,
    ]);
  });

  test("writes no rejects file if every row is imported", async () => {
    await writeFile(join(folder, "beats.csv"), header + rowsFrom(0, 3));
    const { out } = await run("beats.csv", "--map", "map.json", "--json");
    expect(JSON.parse(out)).toMatchObject({ created: 3, rejected: 0, rejects_file: null, repairs_file: null });
    expect((await readdir(folder)).sort()).toEqual(["beats.csv", "map.json"]);
  });

  test("writes rejects to the path in --rejects, and into the current folder if the folder of the file is read-only", async () => {
    const readOnly = join(folder, "data");
    await mkdir(readOnly);
    await writeFile(join(readOnly, "beats.csv"), `${header}2,,Bo,House,120,\n`);
    await chmod(readOnly, 0o555);
    const args = [join(readOnly, "beats.csv"), "--map", "map.json", "--json"];
    expect(JSON.parse((await run(...args)).out).rejects_file).toBe(join(folder, "beats.csv.rejects.jsonl"));
    expect(JSON.parse((await run(...args, "--rejects", "bad.jsonl")).out).rejects_file).toBe(join(folder, "bad.jsonl"));
    await chmod(readOnly, 0o755);
  });

  test("--repairs receives each replaced value with its line", async () => {
    await writeFile(join(folder, "beats.csv"), `${header}1,A,Ana,Trap,90,\n2,B\u0007C,Ana,Trap,90,\n`);
    const { out } = await run("beats.csv", "--map", "map.json", "--repairs", "repairs.jsonl");
    expect(out.split("\n").slice(1, 3)).toEqual([
      "Taken with a repair, 1 times: title: control characters (line 3)",
      `Repairs line by line: ${join(folder, "repairs.jsonl")}`,
    ]);
    expect(JSON.parse(await readFile(join(folder, "repairs.jsonl"), "utf8"))).toEqual({
      line: 3,
      field: "title",
      problem: "control characters",
      given: "B\u0007C",
      taken: "B C",
    });
  });

  test("--dry-run shows what would be imported, including joined files, and writes nothing", async () => {
    const maps = join(folder, "maps");
    await mkdir(maps);
    const fields = { ...plainMapping.fields, producer: "artists.name", tempo: { value: 100 } };
    const joins = { artists: { file: "artists.csv", column: "producer", key: "id" } };
    await writeFile(join(maps, "map.json"), JSON.stringify({ ...plainMapping, fields, joins }));
    await writeFile(join(maps, "artists.csv"), "id,name\nAna,Ana Berg\n");
    const { code, out } = await run("beats.csv", "--map", "maps/map.json", "--dry-run");
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "2 rows: 1 would be accepted, 1 rejected. Nothing was written.",
      "Rejected, 1 times: producer: not in artists.csv (line 3)",
      "",
      "LINE  ID  TITLE  PRODUCER  GENRE  TEMPO  KEY      SECONDS  CREATED     BASIC  PLAYS  TAGS",
      expect.stringMatching(
        /^2 {5}1 {3}One {4}Ana Berg {2}Trap {3}100 {4}A minor {2}0 {8}\d{4}-\d\d-\d\d {2}19\.99 {2}0$/,
      ),
      "",
    ]);
    const json = JSON.parse((await run("beats.csv", "--map", "maps/map.json", "--dry-run", "--json")).out);
    expect(json).toMatchObject({ dry_run: true, rows: 2, accepted: 1, repeated: 0, rejected: 1 });
    expect(json.sample).toMatchObject([{ line: 2, title: "One", producer_name: "Ana Berg", tempo: 100 }]);
    expect(await driver`select from beats`).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(["beats.csv", "map.json", "maps"]);
  });

  test("fails if a rejected row cannot be written", async () => {
    const { code, stderr, out } = await run("beats.csv", "--map", "map.json", "--rejects", "nowhere/bad.jsonl");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: Some rows are rejected, and the file for them cannot be written .* --rejects\.\n$/);
    expect(out).toBe("");
  });

  test("fails if the disk of the rejects file is full, and names the file's option", async () => {
    const { code, stderr } = await run("beats.csv", "--map", "map.json", "--rejects", "/dev/full");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: Some rows are rejected, and the file for them cannot be written \(ENOSPC.*\)\. .* --rejects\.\n$/,
    );
  });

  test("reads standard input", async () => {
    const program = start("-", "--map", "map.json", "--json");
    program.child.stdin?.end(gzipSync(header + rowsFrom(0, 5)));
    expect(JSON.parse(await program.nextLine())).toMatchObject({ created: 5 });
    expect((await program.ended).code).toBe(0);
  });

  test("--encoding sets the encoding of the file", async () => {
    await writeFile(join(folder, "beats.csv"), Buffer.from(`${header}1,Café,Bo,G,90,\n`, "latin1"));
    const { out } = await run("beats.csv", "--map", "map.json", "--json", "--encoding", "windows-1252");
    expect(JSON.parse(out)).toMatchObject({ created: 1 });
    expect(await driver`select title from beats`).toEqual([{ title: "Café" }]);
  });

  test("finds shipped mappings by name", async () => {
    const { code, stderr } = await run("beats.csv", "--map", "spotify_songs");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: beats\.csv has no column track_name\. .*Its columns are external_id, title/);
  });

  test.each([
    [
      ["beats.csv", "--map", "nope"],
      /^error: There is no mapping nope. No file has this path, and the shipped mappings are .*spotify_songs/,
    ],
    [["nope.csv", "--map", "map.json"], /^error: nope\.csv cannot be read: there is no such file\.\n$/],
    [[".", "--map", "map.json"], /^error: \. is a folder; import takes a file\.\n$/],
    [["beats.csv", "--map", "."], /^error: The mapping \. cannot be read: /],
  ])("%j is refused with a sentence", async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  test.each([
    [["beats.csv"], /required option '--map <mapping>' not specified/],
    [
      ["beats.csv", "--map", "map.json", "--dry-run", "--rejects", "x"],
      /'--dry-run' cannot be used with .*'--rejects <file>'/,
    ],
    [
      ["beats.csv", "--map", "map.json", "--encoding", "latin9"],
      /Allowed choices are utf-8, utf-16le, utf-16be, windows-1250/,
    ],
  ])("%j is an invalid command line", async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test("of a truncated file imports the rows before the end, and fails", async () => {
    const packed = gzipSync(header + rowsFrom(0, 20_000));
    await writeFile(join(folder, "beats.csv.gz"), packed.subarray(0, packed.length / 2));
    const { code, stderr, out } = await run("beats.csv.gz", "--map", "map.json", "--json");
    const { created, rejected } = JSON.parse(out);
    expect(created).toBeGreaterThan(1000);
    expect(rejected).toBe(1);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: beats\.csv\.gz was not read to its end: after line \d+, the gzip file ends at byte \d+, in the middle of its data/,
    );
    expect(await driver`select count(*) from beats`).toEqual([{ count: created }]);
  });
});

describe("an interrupted import", () => {
  const completeFile = header + rowsFrom(0, 30_000);

  /** Starts an import and feeds it until it has written beats. */
  async function underWay() {
    const program = start("-", "--map", "map.json", "--json");
    const { stdin } = program.child;
    if (stdin === null) throw new Error("The program has no standard input.");
    stdin.on("error", () => {});
    stdin.write(completeFile.slice(0, completeFile.length * 0.7));
    await expect.poll(() => driver`select count(*)::int as n from beats`).not.toEqual([{ n: 0 }]);
    return program;
  }

  async function completed(): Promise<void> {
    await writeFile(join(folder, "beats.csv"), completeFile);
    const { code, out } = await run("beats.csv", "--map", "map.json", "--json");
    const [row] = await driver<{ count: number }[]>`select count(*) from beats`;
    expect(row?.count).toBe(30_000);
    expect(JSON.parse(out)).toMatchObject({ updated: 0, rejected: 0 });
    expect(code).toBe(0);
    const uninterrupted = openTestDatabase(await testDatabaseUrl());
    await importFile(uninterrupted, join(folder, "beats.csv"));
    // No row has a date, so created_at is the import time, the only allowed difference.
    const timeless = (catalogue: readonly object[]) => catalogue.map((beat) => ({ ...beat, created_at: null }));
    expect(timeless(await catalogueOf(database))).toEqual(timeless(await catalogueOf(uninterrupted)));
  }

  test("by Ctrl-C finishes the current batch and reports where it stopped; the next import continues", async () => {
    const program = await underWay();
    program.child.kill("SIGINT");
    const counts = JSON.parse(await program.nextLine());
    const { code, stderr } = await program.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: standard input was not read to its end: stopped after line \d+\. .*continues from there\.\n$/,
    );
    expect(await driver`select count(*) from beats`).toEqual([{ count: counts.created }]);
    await completed();
  });

  test("by SIGKILL leaves complete beats and correct counts; the next import continues", async () => {
    const program = await underWay();
    program.child.kill("SIGKILL");
    await once(program.child, "close");
    expect(
      await driver`
      select g.id from genres g where beats_count <> (select count(*) from beats where genre_id = g.id)`,
    ).toEqual([]);
    expect(
      await driver`
      select user_id from producer_counts c
      where beats_count <> (select count(*) from beats b where b.user_id = c.user_id)`,
    ).toEqual([]);
    await completed();
  });
});

test("on the embedded database, an import and its PostgreSQL backends run at low priority", async () => {
  // PostgreSQL's unprivileged user needs access when the test runs as root.
  await chmod(folder, 0o755);
  const dataDir = join(folder, "data");
  const program = startProgram(process.execPath, [main, "import", "-", "--map", "map.json", "--json"], {
    cwd: folder,
    env: { ...programEnv, DATA_DIR: dataDir },
  });
  program.child.stdin?.write(header + rowsFrom(0, 10_000));
  await program.waitForStderr("Creating the database");
  await expect.poll(() => getPriority(program.pid)).toBe(10);
  const embedded = await openEmbedded(dataDir, () => {});
  onTestFinished(() => embedded.close());
  const observer = connectForTest(embedded.addressFor("beatmarket_service"), { max: 1, applicationName: "observer" });
  onTestFinished(() => observer.close());
  const prioritiesOf = async (applicationName: string) => {
    const backends = await observer.driver<{ pid: number }[]>`
      select pid from pg_stat_activity
      where application_name ~ ${`^${applicationName} \\d+$`} and backend_type = 'client backend'`;
    return backends.map(({ pid }) => getPriority(pid)).sort();
  };
  await expect.poll(() => prioritiesOf("beatmarket")).toEqual([10, 10, 10]);
  expect(await prioritiesOf("observer")).toEqual([getPriority()]);
  program.child.stdin?.end();
  expect(JSON.parse(await program.nextLine())).toMatchObject({ created: 10_000 });
  expect((await program.ended).code).toBe(0);
});
