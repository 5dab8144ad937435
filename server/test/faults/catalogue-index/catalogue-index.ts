import { randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { BeatEntry } from "@beatmarket/catalogue-index/entry.ts";
import type { ListQuery, ListResult, SimilarQuery } from "@beatmarket/catalogue-index/query.ts";
import { PlainEngine } from "@beatmarket/catalogue-index/testing/plain-engine.ts";
import type { IndexQuery } from "@beatmarket/catalogue-index/worker/messages.ts";
import { type Driver, driverOn } from "@beatmarket/postgres/testing/driver.ts";
import { connectForTest, type TestDatabase } from "../../harness/database/driver.ts";
import type { Fault } from "../fault.ts";
import { writeCatalogue } from "../stage/catalogue-writes.ts";
import { Client } from "../stage/client.ts";
import type { FaultPostgres } from "../stage/postgres.ts";
import { hasEnded, makeBeats, makeKey, type Program, type Stage } from "../stage/stage.ts";
import { Asker } from "./asker.ts";
import { listBySql } from "./oracle.ts";
import { randomQuery } from "./random-queries.ts";

const queryCount = 10_000;
const beatCount = 1_500;
/** The number of queries that are compared at one position, while the writers continue. */
const batch = 25;
const killEvery = 100;
const writers = 3;
const stopWithinMs = 10_000;

export const catalogueIndex: Fault = {
  name: "index",
  about: "10,000 random queries of two instances of the catalogue index against SQL, under writes and kills",
  run: async (stage, report) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    await makeBeats(db, beatCount);
    await db.driver.unsafe(
      "update beats set tags = array['tag' || id % 12, 'mood' || id % 5], duration_seconds = 60 + id % 240, price_cents = 500 + id * 37 % 9000",
    );
    const key = await makeKey(db, "index@example.com");
    const serve = () => stage.serve(0, url);
    let server: Program = serve();
    await server.ready;
    const askers = await Promise.all([1, 2].map((slot) => newAsker(stage, url, slot)));

    const counts = { written: 0, failed: 0 };
    const stopping = new AbortController();
    const writing = Array.from({ length: writers }, () => writeCatalogue(db, beatCount, stopping.signal, counts));
    const comparison = new Comparison();
    const killed = { "index by SIGKILL": 0, "index while it stops": 0, postgres: 0, server: 0 };
    for (let nextKill = killEvery; comparison.compared < queryCount; ) {
      const asker = askers[randomInt(askers.length)] as Asker;
      await comparison.compare(url, asker, batch);
      if (comparison.compared < nextKill) continue;
      nextKill += killEvery;
      const victim = (Object.keys(killed) as (keyof typeof killed)[])[randomInt(4)] ?? "postgres";
      killed[victim]++;
      if (victim === "postgres") await restart(postgres);
      else if (victim === "server") {
        server.child.kill("SIGKILL");
        await server.ended;
        server = serve();
      } else await asker.kill(victim === "index by SIGKILL" ? null : randomInt(60));
      if (hasEnded(server)) server = serve();
      if (comparison.compared % 1_000 === 0)
        report.progress(`${comparison.compared} queries, ${counts.written} writes`);
    }
    stopping.abort();
    await Promise.all(writing);
    for (const asker of askers) {
      await asker.kill(stopWithinMs);
      await comparison.compare(url, asker, batch);
    }

    report.check(
      "kills",
      true,
      Object.entries(killed)
        .map(([victim, count]) => `${victim} × ${count}`)
        .join(", "),
    );
    report.check("writes during the queries", counts.written > 0, `${counts.written} transactions`);
    const snapshotStarts = askers.flatMap(({ log }) =>
      log.filter((line) => line.includes("beats of its snapshot")),
    ).length;
    report.check("starts of the index from its snapshot", snapshotStarts > 0, snapshotStarts);
    report.check(
      "every result equals SQL at its position",
      comparison.differing.length === 0,
      comparison.differing.length === 0
        ? `${comparison.compared} queries at ${comparison.positions.size} positions, ${comparison.missed} times a write came between`
        : `${comparison.differing.length} differ: ${comparison.differing.slice(0, 2).join("; ")}`,
    );
    const crashes = askers.flatMap(({ log }) => log.filter((line) => line.includes("crashed")));
    report.check("no thread of an index crashed", crashes.length === 0, crashes[0] ?? "none");
    const damaged = askers.flatMap(({ log }) => log.filter((line) => line.includes("is not used")));
    report.check("no snapshot was damaged by a kill", damaged.length === 0, damaged[0] ?? "none");
    if (hasEnded(server) || !(await isReady(server))) server = serve();
    await server.ready;
    const client = new Client(server.address, key, 2);
    const difference = await lastPageDiffers(db, client);
    report.check(
      "the server lists the beats of the database",
      difference === null,
      difference ?? "the last page of GET /beats",
    );
    await client.close();
    for (const asker of askers) await asker.kill(null);
  },
};

async function newAsker(stage: Stage, url: string, slot: number): Promise<Asker> {
  const dataDir = join(stage.folder, `index-${slot}`);
  await mkdir(dataDir);
  const asker = new Asker(url, dataDir);
  stage.onClose(() => asker.kill(null));
  return asker;
}

async function restart(postgres: FaultPostgres): Promise<void> {
  await postgres.kill();
  await sleep(randomInt(300));
  await postgres.start();
}

const isReady = ({ ready }: Program): Promise<boolean> =>
  ready.then(
    () => true,
    () => false,
  );

/** Compares results of an index with SQL in a snapshot of the same position. */
class Comparison {
  compared = 0;
  /** The number of times that a write came between the snapshot and the index's catch-up. */
  missed = 0;
  readonly positions = new Set<number>();
  readonly differing: string[] = [];

  async compare(url: string, asker: Asker, count: number): Promise<void> {
    const pool = connectForTest({ url }, { max: 1, applicationName: "faults" });
    try {
      await pool.query
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute((transaction) => this.#compareIn(driverOn(transaction), asker, count));
    } catch {
      // PostgreSQL was killed, or is starting, so there was no comparison.
      await sleep(100);
    } finally {
      await pool.close(0);
    }
  }

  /** The snapshot and the index keep their position while others write. */
  async #compareIn(driver: Driver, asker: Asker, count: number): Promise<void> {
    const newest = "select max(position) as position from catalogue_changes";
    const [row] = await driver.unsafe<{ position: number }[]>(newest);
    const answer = await asker.ask({ list: { filters: {}, sort: "newest", offset: 0, limit: 1 } }, { isFresh: true });
    if (row === undefined || answer === null) return;
    if (answer.position !== row.position) {
      this.missed++;
      return;
    }
    const beats = await allBeats(driver);
    const plainEngine = new PlainEngine();
    plainEngine.apply({ beats, goneBeats: [], producers: [], goneProducers: [], genres: [], goneGenres: [] });
    for (let index = 0; index < count; index++) {
      const isSimilar = index % 10 === 0;
      const query: IndexQuery = isSimilar ? { similar: randomSimilar(beats) } : { list: randomQuery(beats) };
      const response = await asker.ask(query, { isFresh: false });
      if (response === null || response.position !== row.position) return;
      const expectedResult =
        "similar" in query ? plainEngine.similar(query.similar) : await listBySql(driver, listOf(query));
      this.compared++;
      this.positions.add(row.position);
      const [result, expected] = [comparable(response.result), comparable(expectedResult)];
      if (!isDeepStrictEqual(result, expected))
        this.differing.push(
          `${JSON.stringify(query)} is ${JSON.stringify(result)}, not ${JSON.stringify(expected)}`.slice(0, 2_000),
        );
    }
  }
}

const listOf = (query: IndexQuery): ListQuery => (query as { list: ListQuery }).list;

/** Normalizes the spelling of tags, and the order of equally frequent tags. */
function comparable(result: unknown): unknown {
  const { facets } = result as ListResult;
  if (facets === undefined) return result;
  const sorted = Object.entries(facets).map(([name, counts]) => [
    name,
    counts
      .map(({ value, ...otherFields }) => ({
        value: typeof value === "string" ? value.toLowerCase() : value,
        ...otherFields,
      }))
      .sort((a, b) => (a.value < b.value ? -1 : 1)),
  ]);
  return { ...(result as ListResult), facets: Object.fromEntries(sorted) };
}

const allBeats = (driver: Driver): Promise<BeatEntry[]> =>
  driver.unsafe<BeatEntry[]>(`
    select id, title, tags, user_id as "producerId", genre_id as "genreId", tempo, key_code as "keyCode",
           price_cents as "priceCents", duration_seconds as "durationSeconds",
           (extract(epoch from created_at) * 1000000)::bigint as "createdAtMicroseconds",
           popularity_key as "popularityKey", available_licenses(exclusive_state, unsold_licenses) as "availableLicenses"
    from beats where is_listed order by id`);

function randomSimilar(beats: readonly BeatEntry[]): SimilarQuery {
  const beat = beats[randomInt(beats.length)] as BeatEntry;
  return {
    own: {
      id: beat.id,
      title: beat.title,
      user_id: beat.producerId,
      genre_id: beat.genreId,
      key_code: beat.keyCode,
      tempo: beat.tempo,
      popularity_key: beat.popularityKey,
      duration_seconds: beat.durationSeconds,
    },
    limit: 1 + randomInt(20),
  };
}

/** Compares the last page of the restarted server with the table. Returns the difference; null if they are equal. */
async function lastPageDiffers(db: TestDatabase, client: Client): Promise<string | null> {
  const listedBeats = await db.driver<{ id: number }[]>`
    select id from beats where is_listed order by created_at desc, id desc`;
  const page = Math.ceil(listedBeats.length / 100);
  const { status, body } = await client.get(`/beats?limit=100&page=${page}`);
  const ids = status === 200 ? JSON.parse(body).data.beats.map(({ id }: { id: number }) => id) : [];
  const expected = listedBeats.slice((page - 1) * 100).map(({ id }) => id);
  return isDeepStrictEqual(ids, expected) ? null : `${status}: ${ids.join()} instead of ${expected.join()}`;
}
