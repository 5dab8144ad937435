import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openFileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import { rejectsFile, repairsFile } from "@beatmarket/tabular-files/report-file.ts";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase, testDatabaseUrl } from "../../../../test/harness/database/database.ts";
import { plainMapping, temporaryFolder } from "../../../../test/harness/imports.ts";
import { readMapping } from "../mapping.ts";
import { maxRuns, maxStoredRejects, RunRecord, recordImport } from "./record-import.ts";
import { findRun, listRuns } from "./runs.ts";

const database = openTestDatabase(await testDatabaseUrl());
const { query: db, driver } = database;
const clock = new FakeClock();
const start = { file: "beats.csv", mapping: "plain.json", sizeBytes: 1000 };
const header = "external_id,title,producer,genre,tempo,key\n";

beforeEach(async () => {
  await driver`truncate beats, genres, users, producer_counts, import_runs cascade`;
});

async function importContentOf(content: string | Buffer, { signal }: { signal?: AbortSignal } = {}) {
  const folder = await temporaryFolder();
  const path = join(folder, "beats.csv");
  await writeFile(path, content);
  const file = await openFileBytes(path);
  const rejects = rejectsFile(path, undefined);
  const repairs = repairsFile(path, undefined);
  try {
    const mapping = readMapping(JSON.stringify(plainMapping), "the mapping");
    const request = { file, mapping, openJoined: openFileBytes, rejects, repairs, clock, signal };
    return await recordImport(database, request, "maps/plain.json");
  } finally {
    await rejects.close();
    await repairs.close();
    file.close();
  }
}

const runs = () => listRuns(db, clock.now());
const newest = async () => findRun(db, (await runs())[0]?.id ?? 0, clock.now());

test("an import stores the counts, the reasons and the rejected rows", async () => {
  const latin = Buffer.from("3,Caf\u00e9,Bo,House,120,\n", "latin1");
  await importContentOf(Buffer.concat([Buffer.from(`${header}1,One,Ana,Trap,90,Am\n2,,Bo,House,120,\n`), latin]));
  const { rejects, ...run } = await newest();
  expect(run).toMatchObject({
    state: "finished",
    file: "beats.csv",
    mapping: "plain.json",
    error: null,
    ended_at: clock.now(),
    read_rows: 3,
    created: 1,
    updated: 0,
    unchanged: 0,
    rejected: 2,
  });
  expect(run.read_bytes).toBe(run.size_bytes);
  expect(run.reasons).toContainEqual({ reason: "title: empty", times: 1, first_lines: [3] });
  const lines = rejects.trimEnd().split("\n");
  expect(lines[0]).toBe('{"line":3,"reason":"the title (column title) is empty","row":"2,,Bo,House,120,"}');
  expect(lines[1]).toContain("Caf\\udce9");
});

test("the first 1,000 rejected rows are stored, shortened to 500 characters", async () => {
  const record = await RunRecord.open(db, start, clock);
  const reject = (line: number) =>
    record.rejected({ problem: "tempo: empty", line, reason: "the tempo is empty", row: "🎹".repeat(400) });
  for (let line = 2; line < 600; line++) reject(line);
  await record.write();
  for (let line = 600; line < 1500; line++) reject(line);
  await record.end("finished", null);
  const { rejects, reasons } = await newest();
  const lines = rejects
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect([lines.length, lines[0].line, lines.at(-1).line]).toEqual([maxStoredRejects, 2, maxStoredRejects + 1]);
  expect(lines[0].row).toBe(`${"🎹".repeat(249)}…`);
  expect(reasons).toEqual([{ reason: "tempo: empty", times: 1498, first_lines: [2, 3, 4, 5, 6] }]);
});

test("a running import shows its progress, and counts as interrupted after a minute without progress", async () => {
  const record = await RunRecord.open(db, start, clock);
  record.progress({ rows: 20, rejected: 2, created: 10, updated: 5, unchanged: 3, frozen: 0, readBytes: 400 });
  await record.write();
  expect(await newest()).toMatchObject({
    state: "running",
    ended_at: null,
    read_rows: 20,
    created: 10,
    read_bytes: 400,
  });
  const killedAt = clock.now();
  clock.advance(60_000);
  expect(await newest()).toMatchObject({
    state: "interrupted",
    ended_at: killedAt,
    error: expect.stringMatching(/killed/),
  });
  // The import was only slow.
  await record.end("finished", null);
  expect(await newest()).toMatchObject({ state: "finished", error: null });
});

test("a stopped import is interrupted, an import of a damaged file fails, and each import is a run of its own", async () => {
  await importContentOf(`${header}1,One,Ana,Trap,90,Am\n`, { signal: AbortSignal.abort() });
  await expect(importContentOf("nothing,that,is,known\n1,2,3,4\n")).rejects.toThrow();
  await importContentOf(Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3])])).catch(() => {});
  await importContentOf(`${header}1,One,Ana,Trap,90,Am\n`);
  expect((await runs()).map(({ state }) => state)).toEqual(["finished", "failed", "failed", "interrupted"]);
  expect((await runs()).slice(1).every(({ error }) => error !== null && error !== "")).toBe(true);
});

test("runs older than the newest 100 are deleted", async () => {
  await driver`insert into import_runs (state, file, mapping, started_at, progressed_at)
    select 'finished', n::text, 'm', now(), now() from generate_series(1, ${maxRuns}) n`;
  await importContentOf(header);
  const retainedRuns = await runs();
  expect([retainedRuns.length, retainedRuns[0]?.file, retainedRuns.at(-1)?.file]).toEqual([maxRuns, "beats.csv", "2"]);
});

test("an import whose run cannot be written continues, and reports the problem", async () => {
  await driver`alter table import_runs rename to elsewhere`;
  try {
    const { created, remarks } = await importContentOf(`${header}1,One,Ana,Trap,90,Am\n`);
    expect(created).toBe(1);
    expect(remarks).toEqual([
      expect.stringMatching(/^The list of imports may lack parts of this import: .*import_runs/),
    ]);
  } finally {
    await driver`alter table elsewhere rename to import_runs`;
  }
});
