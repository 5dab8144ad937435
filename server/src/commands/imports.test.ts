import { expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { temporaryFolder } from "../../test/harness/imports.ts";
import { importsCommand } from "./import.ts";

const url = await testDatabaseUrl();
const { driver } = openTestDatabase(url);

const imports = async (...args: string[]) =>
  runHere(importsCommand, ["imports", ...args], {
    DATABASE_URL: url,
    DATA_DIR: await temporaryFolder(),
    PUBLIC_URL: "https://beats.example",
    LOG_LEVEL: "silent",
  });

test("imports list and rejects show past imports", async () => {
  expect((await imports("list")).out).toBe("No imports yet.\n");
  const line = '{"line":3,"reason":"the title (column title) is empty","row":"2,,Bo,\\udce9,120,"}\n';
  const [run] = await driver`
    insert into import_runs (state, file, mapping, started_at, progressed_at, ended_at, read_rows, created, rejected, rejects)
    values ('finished', 'beats.csv', 'plain', '2026-11-20T12:00Z', '2026-11-20T12:01Z', '2026-11-20T12:01Z', 1200, 1199, 1,
      ${line}) returning id::int`;
  const { out } = await imports("list");
  expect(out).toMatch(/^ID +STARTED +STATE +FILE/);
  expect(out).toMatch(/2026-11-20T12:00:00Z +finished +beats\.csv +plain +1,200 +1,199 +0 +0 +1/);
  expect(JSON.parse((await imports("list", "--json")).out)).toMatchObject([
    { id: run?.id, state: "finished", by: "command", rejected: 1, ended_at: "2026-11-20T12:01:00.000Z" },
  ]);
  expect((await imports("rejects", String(run?.id))).out).toBe(line);
  const unknown = await imports("rejects", "999");
  expect([unknown.status, unknown.errors]).toEqual([1, expect.stringMatching(/^error: There is no import 999/)]);
});
