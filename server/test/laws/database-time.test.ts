import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles } from "../harness/documents/source-files.ts";

const root = join(import.meta.dirname, "../../..");

/**
 * A use of the database's clock in a statement: now(), but not a method such as `clock.now()`, and similar functions.
 */
const databaseClock =
  /(?<![.\w#])now\(\) *(?:[-+<>)`,]|::|$)|(?<![.\w])(?:clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bcurrent_(?:timestamp|date)\b/im;

/**
 * Sources whose statements may use the database's clock, because no user sees their times. Leases use it because they
 * last for a few real seconds, and the clocks of two servers may differ.
 */
const realTime = [
  "server/src/app/sandboxes/own-time.ts",
  "server/src/commands/",
  "server/src/resources/catalogue-import/write/import-session.ts",
  "packages/jobs/src/queue.ts",
  "packages/webhooks/src/delivery/queue.ts",
];

/** The SQL of a source file: the texts after `sql`. */
const statementsOf = (source: string): string[] =>
  [...source.matchAll(/\bsql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*)`/g)].map(([, text = ""]) =>
    text.replaceAll(/\$\{[^}]*\}/g, "0"),
  );

const usesDatabaseClock = (source: string): boolean => statementsOf(source).some((text) => databaseClock.test(text));

test("a statement gets the time as a parameter, so that a sandbox can set it", async () => {
  const files = (await sourceFiles(root)).filter(
    ({ path }) =>
      /^(server|packages\/(jobs|request-log|webhooks))\/src\/.*(?<!\.test)\.ts$/.test(path) &&
      !realTime.some((allowed) => path.startsWith(allowed)),
  );
  expect(files.length).toBeGreaterThan(300);
  const offenders = files.filter(({ text }) => usesDatabaseClock(text)).map(({ path }) => path);
  expect(offenders, "Pass the time of the clock as a parameter.").toEqual([]);
});

test("the law detects a statement with the database's clock", () => {
  for (const planted of [
    "sql`update beats set updated_at = now()`",
    "sql<{ id: number }>`select id from orders where created_at < now() - interval '1 day'`",
    "sql`select clock_timestamp()`",
    "sql`select current_date`",
  ])
    expect(usesDatabaseClock(planted), planted).toBe(true);
  for (const allowed of ["const at = now();", "sql`select sandbox.now()`"])
    expect(usesDatabaseClock(allowed), allowed).toBe(false);
});
