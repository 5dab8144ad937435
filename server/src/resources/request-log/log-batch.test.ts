import fc from "fast-check";
import { expect, it } from "vitest";
import { testDatabase } from "../../../test/database.ts";
import { logEntry, writeLogEntries } from "../../../test/log-entries.ts";

const database = await testDatabase();

it("brings any text into the log unchanged, but for NUL, across the borders of its chunks", async () => {
  const anyText = fc.string({ unit: "grapheme", maxLength: 3_000 });
  const texts = fc.sample(anyText, { numRuns: 400, seed: 11 }).map((text) => text.toWellFormed());
  // Each of these alone is more than a chunk holds, and needs three bytes for each of its characters.
  const long = ["語".repeat(50_000), "\t\\\n\r".repeat(20_000)];
  const odd = ["\\N", "\\.", "\u0000\u0000", "a\tb\nc\\d\re", ""];
  const queries = [...odd, ...texts, ...long];
  await writeLogEntries(
    database,
    queries.map((query, index) => logEntry({ requestId: `text-${index}`, query })),
  );
  const rows = await database.driver<{ query: string }[]>`
    select query from request_log where request_id like 'text-%' order by id`;
  expect(rows.length).toBe(queries.length);
  for (const [index, row] of rows.entries()) expect(row.query).toBe(queries[index]?.replaceAll("\0", ""));
});
