import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logEntry, readLogEntries, type StoredEntry, writeLogEntries } from "../../testing/log-entries.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import type { RequestLogEntry } from "../entry.ts";
import { LogBlock, maxBlockSpanMs, maxCallsInBlock, openBlock } from "./block.ts";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom("", "\0", "\n", "a\nb", "\ud83c"));
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const anyEntry: fc.Arbitrary<RequestLogEntry> = fc
  .record({
    timeMs: fc.integer({ min: 0, max: maxBlockSpanMs }),
    durationMs: fc.integer({ min: 0, max: 40_000_000 }).map((microseconds) => microseconds / 1000),
    requestId: fc.uuid(),
    method: fc.constantFrom("GET", "POST"),
    status: fc.constantFrom(200, 201, 400, 404, 429, 500),
    operation: orNull(fc.constantFrom("listBeats", "search")),
    path: text,
    query: text,
    error: fc.oneof(
      fc.constant({ errorCode: null, errorMessage: null, errorDetails: null, refusedBy: null }),
      fc.record({ errorCode: text, errorMessage: text, errorDetails: text, refusedBy: orNull(text) }),
    ),
    headers: fc.constantFrom("", "accept: */*\n", "accept: text/html\norigin: null\n"),
    body: orNull(text),
    clientAddress: text,
    userAgent: text,
  })
  .map(({ error, ...fields }) => logEntry({ ...fields, ...error }));

/** A lone surrogate may be stored unchanged or replaced. */
const wellFormed = <T extends object>(entry: T): T =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
  ) as T;

const stored = (entries: readonly RequestLogEntry[]): StoredEntry[] =>
  entries.map(({ admittedMs: _, ...rest }) => wellFormed(rest));

const openAll = async (block: LogBlock): Promise<StoredEntry[]> => {
  const open = await openBlock(await block.bytes());
  return Array.from({ length: open.calls }, (_, index) => ({
    ...block.owner,
    timeMs: open.timesMs[index] ?? Number.NaN,
    durationMs: open.durationMs(index),
    requestId: open.requestId(index),
    ...open.shape(index),
  }));
};

describe("a block", () => {
  it("decodes to the calls that were added, with any texts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { minLength: 1, maxLength: 40 }), async (entries) => {
        const block = new LogBlock(logEntry());
        for (const entry of entries) expect(block.add(entry)).toBe(true);
        expect((await openAll(block)).map(wellFormed)).toEqual(stored(entries));
        expect(block).toMatchObject({
          calls: entries.length,
          refused: entries.filter(({ status }) => status >= 400).length,
          firstMs: Math.min(...entries.map(({ timeMs }) => timeMs)),
          lastMs: Math.max(...entries.map(({ timeMs }) => timeMs)),
        });
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("stores a repeated shape once", () => {
    const block = new LogBlock(logEntry());
    for (let index = 0; index < 1_000; index++) block.add(logEntry({ query: `page=${index % 3}` }));
    expect(block.shapes.map(({ query }) => query)).toEqual(["page=0", "page=1", "page=2"]);
  });

  it("takes up to 4,096 calls within one minute", async () => {
    const block = new LogBlock(logEntry());
    const startMs = logEntry().timeMs;
    expect(block.add(logEntry())).toBe(true);
    expect(block.add(logEntry({ timeMs: startMs + maxBlockSpanMs + 1 }))).toBe(false);
    expect(block.add(logEntry({ timeMs: startMs - maxBlockSpanMs }))).toBe(true);
    expect(block.add(logEntry({ timeMs: startMs + 1 }))).toBe(false);
    while (block.calls < maxCallsInBlock) expect(block.add(logEntry())).toBe(true);
    expect(block.add(logEntry())).toBe(false);
    expect(await openAll(block)).toHaveLength(maxCallsInBlock);
  });
});

describe("the log", () => {
  it("stores all calls of a batch that has many keys and several blocks for each key", async () => {
    const database = await requestLogDatabase();
    const entries = Array.from({ length: 3 * maxCallsInBlock }, (_, index) =>
      logEntry({
        requestId: `call-${index}`,
        apiKeyId: index % 100 === 0 ? index % 700 : 5,
        userId: 1,
        fromExplorer: index % 3 === 0,
        timeMs: logEntry().timeMs + (index % 50 === 0 ? 3 * maxBlockSpanMs : index),
      }),
    );
    await writeLogEntries(database, entries);
    const written = await readLogEntries(database);
    const byId = (a: StoredEntry, b: StoredEntry) => a.requestId.localeCompare(b.requestId);
    expect(written.sort(byId)).toEqual(stored(entries).sort(byId));
  });
});
