import { join } from "node:path";
import { type Client, escapeIdentifier } from "pg";
import type { Bench, Service } from "../../bench.ts";
import { insertableColumns } from "../../catalogue/changes.ts";
import { tlsFiles } from "../../load/compare-with-bare.ts";
import { get, readData, responseMs } from "../../load/request.ts";
import { withDatabase } from "../../processes/database.ts";
import { freePort } from "../../processes/free-port.ts";
import { serve } from "../../processes/programs.ts";
import { median, percentile } from "../../report/statistics.ts";

const commits = 300;
const changesPerPage = 1_000;
const maxChanges = 1_000_000;
const bulkRows = 20_000;
const targets = { p50: 4, p99: 30, bulk: 0.95 };

interface Page {
  changes: { position: number; beat_id: number }[];
  next: number;
}

/**
 * Measures the time from a commit to the response of a GET /changes that waits for the commit, on two instances, as
 * multiples of the time to read a beat by its id.
 */
export async function changesLatency(bench: Bench): Promise<void> {
  await withSecondInstance(bench, (second) =>
    withDatabase(bench.databaseUrl, async (client) => {
      const instances = { first: bench, second };
      const beatsMs: number[] = [];
      const waitsMs: Record<string, number[]> = { first: [], second: [] };
      let { next } = await newestPosition(bench, client);
      for (let n = 0; n < commits; n++) {
        const waiting = Object.entries(instances).map(async ([name, service]) => {
          const page = await readData<Page>(service, `/v1/changes?after=${next}&wait=30`);
          return { name, page, endedMs: performance.now() };
        });
        // The reads before the commit give the waiting requests the time to arrive.
        beatsMs.push(await responseMs(bench, randomBeat(bench)), await responseMs(second, randomBeat(bench)));
        await client.query("update beats set play_count = play_count + 1 where id = $1", [beatId(bench)]);
        const committedMs = performance.now();
        for (const { name, page, endedMs } of await Promise.all(waiting)) {
          waitsMs[name]?.push(Math.max(0, endedMs - committedMs));
          next = page.next;
        }
      }
      const beatMs = median(beatsMs);
      bench.report({ case: "changes: a beat by id at the same time, p50", value: beatMs, unit: "ms", target: null });
      for (const [name, value] of Object.entries(waitsMs)) {
        const row = (share: number, max: number) =>
          bench.report({
            case: `changes: commit to a waiting client, ${name} instance, p${share * 100}`,
            value: percentile(value, share) / beatMs,
            unit: "× p50 of a beat by id",
            target: { max },
          });
        row(0.5, targets.p50);
        row(0.99, targets.p99);
      }
    }),
  );
}

/** Reads the changes, about a million at most, a thousand at a time. Returns the changes per second. */
export async function changesRead(bench: Bench): Promise<number> {
  let count = 0;
  const startedMs = performance.now();
  for (let after = 0; count < maxChanges; ) {
    const page = await readData<Page>(bench, `/v1/changes?after=${after}&limit=${changesPerPage}`);
    if (page.changes.length === 0) break;
    count += page.changes.length;
    after = page.next;
  }
  const perSecond = count / ((performance.now() - startedMs) / 1_000);
  bench.report({ case: "changes: read", value: count, unit: "changes", target: null });
  bench.report({ case: "changes: read, 1,000 a call", value: perSecond, unit: "changes/s", target: null });
  return perSecond;
}

/**
 * Measures the cost of the change stream for a bulk write: the same INSERT … SELECT and UPDATE with the triggers and
 * without them.
 */
export async function changesBulk(bench: Bench): Promise<void> {
  const ratios: Record<"insert" | "update", number[]> = { insert: [], update: [] };
  await withDatabase(bench.databaseUrl, async (client) => {
    const columns = await insertableColumns(client, "beats", ["id", "external_id"]);
    const statements = {
      insert: `insert into beats (${columns}, external_id)
               select ${columns}, 'bulk ' || gen_random_uuid() from beats where id <= ${bulkRows}`,
      update: `update beats set price_cents = price_cents + 1 where id <= ${bulkRows}`,
    };
    const secondsOf = async (statement: string): Promise<number> => {
      await client.query("checkpoint");
      const startedMs = performance.now();
      await client.query(statement);
      return (performance.now() - startedMs) / 1_000;
    };
    for (const statement of Object.values(statements)) await secondsOf(statement);
    for (let round = 0; round < bench.rounds; round++)
      for (const [name, statement] of Object.entries(statements) as ["insert" | "update", string][]) {
        // The order is with, without, without, with, so that the growth of the table slows down both sides equally.
        const seconds = { enable: 0, disable: 0 };
        for (const action of ["enable", "disable", "disable", "enable"] as const) {
          await setTriggers(client, action);
          seconds[action] += await secondsOf(statement);
        }
        ratios[name].push(seconds.disable / seconds.enable);
      }
    await setTriggers(client, "enable");
  });
  for (const [name, value] of Object.entries(ratios))
    bench.report({
      case: `changes: bulk ${name} with the stream`,
      value: median(value),
      unit: "× the rate without it",
      target: { min: targets.bulk },
    });
}

async function setTriggers(client: Client, action: "enable" | "disable"): Promise<void> {
  for (const name of ["beats_inserted_stream", "beats_updated_stream"])
    await client.query(`alter table beats ${action} trigger ${escapeIdentifier(name)}`);
}

async function newestPosition(bench: Bench, client: Client): Promise<{ next: number }> {
  const { rows } = await client.query<{ next: number }>("select max(position)::integer as next from catalogue_changes");
  await get(bench, "/v1/beats/1");
  return { next: rows[0]?.next ?? 0 };
}

/** Runs `work` with another instance of the service on the same database. */
async function withSecondInstance(bench: Bench, work: (service: Service) => Promise<void>): Promise<void> {
  const { key: keyFile, certificate } = tlsFiles(bench.dataDir);
  const port = await freePort();
  const env = {
    ...bench.env,
    PORT: String(port),
    DATA_DIR: join(bench.dataDir, "second"),
    DATABASE_URL: bench.databaseUrl,
    TLS_KEY: keyFile,
    TLS_CERT: certificate,
  };
  const running = await serve(env);
  try {
    await work({ origin: `https://localhost:${port}`, key: bench.key, caFile: bench.caFile });
  } finally {
    await running.stop();
  }
}

const beatId = ({ beats }: Pick<Bench, "beats">): number => 1 + Math.floor(Math.random() * beats);
const randomBeat = (bench: Bench): string => `/v1/beats/${beatId(bench)}`;
