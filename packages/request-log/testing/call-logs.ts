import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import pino from "pino";
import { afterAll, type TestContext } from "vitest";
import { type CallLog, postgresCallLog } from "../src/call-log.ts";
import type { RequestLogEntry } from "../src/entry.ts";
import { LogBatch } from "../src/storage/log-batch.ts";
import { VictoriaLogsCalls } from "../src/victorialogs/victorialogs-calls.ts";
import { logEntry } from "./log-entries.ts";
import { findVictoriaLogs, startVictoriaLogs, type VictoriaLogs } from "./victoria-logs.ts";

/** A store of calls, for tests that run with each store: `describe.each(await testCallLogs(…))("in $name", …)`. */
export interface TestCallLog {
  name: string;
  log: CallLog;
  /** Writes a batch, and makes it visible. */
  writeBatch(batch: LogBatch): Promise<void>;
  write(entries: readonly Partial<RequestLogEntry>[]): Promise<void>;
  /** Makes the written calls visible. */
  show(): Promise<void>;
  /** For `beforeEach`: skips the tests of a store that is not installed. */
  ready(context: TestContext): void;
  /** Does what `ready` does, and deletes all calls and their counts. */
  empty(context: TestContext): Promise<void>;
}

/** Starts VictoriaLogs, which ends with the test file. Returns a sentence if it is missing. */
export async function testEngine(): Promise<VictoriaLogs | { missing: string }> {
  const victoriaLogs = await findVictoriaLogs();
  if ("missing" in victoriaLogs) return victoriaLogs;
  const engine = await startVictoriaLogs(victoriaLogs.program);
  afterAll(() => engine[Symbol.asyncDispose]());
  return engine;
}

/** The stores PostgreSQL and VictoriaLogs. */
export async function testCallLogs(database: TestDatabase, clock: Clock): Promise<TestCallLog[]> {
  const engine = await testEngine();
  const postgres = testCallLog("PostgreSQL", postgresCallLog(database.query), database);
  if ("missing" in engine)
    return [postgres, { ...postgres, name: "VictoriaLogs", ready: skip(engine.missing), empty: skip(engine.missing) }];
  return [postgres, testCallLog("VictoriaLogs", victoriaCallLog(engine, database, clock), database, engine)];
}

const skip =
  (sentence: string) =>
  (context: TestContext): never =>
    context.skip(sentence);

export const victoriaCallLog = ({ port }: Pick<VictoriaLogs, "port">, database: Database, clock: Clock): CallLog => ({
  db: database.query,
  store: new VictoriaLogsCalls({
    address: { url: `http://127.0.0.1:${port}`, authorization: null },
    database,
    clock,
    log: pino({ level: "silent" }),
  }),
});

function testCallLog(
  name: string,
  log: CallLog,
  database: TestDatabase,
  engine?: Pick<VictoriaLogs, "show" | "empty">,
): TestCallLog {
  const show = async () => engine?.show();
  const writeBatch = async (batch: LogBatch) => {
    await log.store.write(batch);
    await log.store.flush();
    await show();
  };
  return {
    name,
    log,
    show,
    writeBatch,
    write: (entries) => writeBatch(LogBatch.fromEntries(entries.map(logEntry))),
    empty: async () => {
      await database.driver`truncate request_log_blocks, request_rollups`;
      await engine?.empty();
    },
    ready: () => {},
  };
}
