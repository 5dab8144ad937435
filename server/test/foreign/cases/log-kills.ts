import { randomInt } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "../../faults/stage/client.ts";
import { makeBeats, makeKey, type Program } from "../../faults/stage/stage.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import { type PublicReader, readerOf } from "../public-reader.ts";
import { soldLicenses } from "../sold-licenses.ts";
import { run } from "../tools/run.ts";
import { buildLogJudge, downloadLog } from "./rights.ts";

const buyerCount = 8;
const beatCount = 1_000;
/** One in this many orders is for the exclusive license of a beat. */
const exclusiveEvery = 50;
/** The maximum number of checkpoints whose pairs are judged. */
const keptCheckpoints = 1_000;
const pollMs = 100;
const retryMs = 100;

/** Kills two servers at random times, while buyers order and a witness stores the checkpoints. */
export const logKillsCase: Case = {
  name: "licenses-log-kills",
  about:
    "the same judge: kills of the servers lose no license from the log and never fork it (--orders, --kills, --checkpoints)",
  async run(bench: Bench, report) {
    const { stage, orders: orderCount, kills: killCount, checkpoints: leastCheckpoints } = bench;
    const cwd = await bench.folder();
    const judge = await buildLogJudge(bench, cwd);
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, beatCount);
    const slots = [bench.takeSlot(), bench.takeSlot()];
    const programs = slots.map((slot) => stage.serve(slot, url));
    await Promise.all(programs.map(({ ready }) => ready));
    const readers = programs.map(({ address }) => readerOf(address));
    for (const reader of readers) stage.onClose(reader.close);

    const witness = keepCheckpoints(readers);
    const orders = await Orders.open(db, programs, beats, orderCount);
    const buying = orders.run();
    for (let kill = 0; kill < killCount; kill++) {
      // Each kill has a share of the orders, which does not end before the killed server runs again.
      orders.release(Math.ceil(((kill + 1) * orderCount) / killCount));
      while (orders.placed < ((kill + Math.random() / 2) * orderCount) / killCount) await setTimeout(pollMs / 5);
      const slotIndex = randomInt(slots.length);
      programs[slotIndex]?.child.kill("SIGKILL");
      await programs[slotIndex]?.ended;
      programs[slotIndex] = stage.serve(slots[slotIndex] as number, url);
      bench.progress(`${kill + 1} of ${killCount} kills, ${orders.placed} of ${orderCount} orders`);
      await programs[slotIndex]?.ready;
    }
    orders.release(orderCount);
    await buying;

    const sold = await soldLeaves(db);
    const { missing, ...sales } = await soldLicenses(db.query);
    const [first] = readers as [PublicReader];
    while (sizeOf(await first.text("/licenses/log/checkpoint")) < sold.leaves) await setTimeout(pollMs);
    const checkpoints = await witness.stop();
    const size = await downloadLog(first, join(cwd, "log"));
    await mkdir(join(cwd, "checkpoints"));
    for (const [index, checkpoint] of checkpoints.entries())
      await writeFile(join(cwd, "checkpoints", String(index)), checkpoint);
    await writeFile(join(cwd, "sold.json"), JSON.stringify(sales));
    report.check("completed orders without a leaf", missing === 0, `${missing} of ${sold.completed}`);
    report.check("exclusives sold twice", sold.twice === 0, sold.twice);
    report.check("leaves that name lost orders", sold.lost === 0, sold.lost);
    bench.progress(`judging ${size} leaves and ${checkpoints.length} checkpoints`);
    const { status, output } = await run(judge, ["-checkpoints", "checkpoints", "-sold", "sold.json", "log"], { cwd });
    report.check(`the judge accepts the log after ${killCount} kills`, status === 0, output);
    report.check(
      "orders that completed, or were refused because the exclusive license is sold",
      sold.completed + orders.refused === orderCount,
      `${sold.completed} + ${orders.refused} of ${orderCount}`,
    );
    report.check(
      `checkpoints of different sizes, at least ${leastCheckpoints}`,
      checkpoints.length >= leastCheckpoints,
      checkpoints.length,
    );
    const [{ sum = 0 } = {}] = await db.driver<{ sum: number }[]>`
      select coalesce(sum(amount_cents), 0)::int as sum from ledger_entries`;
    report.check("the ledger sums to zero", sum === 0, sum);
  },
};

const sizeOf = (checkpoint: string): number => Number(checkpoint.split("\n")[1]);

/**
 * Reads the checkpoint from either server until the caller stops it. Returns checkpoints of different sizes, evenly
 * selected.
 */
function keepCheckpoints(readers: readonly PublicReader[]): { stop(): Promise<string[]> } {
  const checkpoints = new Map<number, string>();
  let isOver = false;
  const reading = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const checkpoint = await readers[turn % readers.length]?.text("/licenses/log/checkpoint").catch(() => null);
      if (checkpoint != null) checkpoints.set(sizeOf(checkpoint), checkpoint);
      await setTimeout(pollMs);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await reading;
      const texts = [...checkpoints].filter(([size]) => size > 0).map(([, checkpoint]) => checkpoint);
      const length = Math.min(texts.length, keptCheckpoints);
      return Array.from({ length }, (_, at) => texts[Math.floor((at * texts.length) / length)] as string);
    },
  };
}

async function soldLeaves(db: TestDatabase) {
  const rows = await db.driver<{ beat: number; exclusive: boolean }[]>`
    select beat_id::int as beat, license_type = 'exclusive' as exclusive from orders where status = 'completed'`;
  const [{ leaves = 0, lost = 0 } = {}] = await db.driver<{ leaves: number; lost: number }[]>`
    select count(*)::int as leaves, count(*) filter (where kind = 'lost')::int as lost from license_log`;
  const exclusives = rows.filter(({ exclusive }) => exclusive).map(({ beat }) => beat);
  return {
    completed: rows.length,
    twice: exclusives.length - new Set(exclusives).size,
    leaves,
    lost,
  };
}

/** Buyers who send each order, with its Idempotency-Key, until either server responds. */
class Orders {
  placed = 0;
  refused = 0;
  #released = 0;
  readonly #doubtful: number[] = [];
  #next = 0;
  readonly #db: TestDatabase;
  readonly #clients: readonly Client[];
  readonly #beats: readonly number[];
  readonly #count: number;

  private constructor(db: TestDatabase, clients: readonly Client[], beats: readonly number[], count: number) {
    this.#db = db;
    this.#clients = clients;
    this.#beats = beats;
    this.#count = count;
  }

  static async open(db: TestDatabase, programs: readonly Program[], beats: readonly number[], count: number) {
    const key = await makeKey(db, "log-kills@example.com");
    return new Orders(
      db,
      programs.map(({ address }) => new Client(address, key, buyerCount)),
      beats,
      count,
    );
  }

  /** Allows buyers to place this many orders in all. */
  release(count: number): void {
    this.#released = count;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: buyerCount }, () => this.#buy()));
    // A killed server leaves its Idempotency-Keys leased for a minute.
    await this.#db.driver`update idempotency_keys set leased_until = now() where answer is null`;
    for (const order of this.#doubtful) await this.#place(order, 0);
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #buy(): Promise<void> {
    for (let order = this.#next++; order < this.#count; order = this.#next++) {
      while (order >= this.#released) await setTimeout(pollMs / 5);
      await this.#place(order, order);
      this.placed++;
    }
  }

  async #place(order: number, turn: number): Promise<void> {
    const isExclusive = order % exclusiveEvery === 0;
    const beat_id = this.#beats[order % this.#beats.length];
    const body = { beat_id, license_type: isExclusive ? "exclusive" : "basic", payment_method: "pm_card_visa" };
    const client = this.#clients[turn % this.#clients.length] as Client;
    const { status, body: text } = await client.order(body, `order-${order}`);
    if (status === 201) return;
    if (status === 409) {
      // The exclusive license is sold, or another request uses the key.
      if (/idempotency/i.test(text)) this.#doubtful.push(order);
      else this.refused++;
      return;
    }
    if (status !== 0 && status < 500) throw new Error(`Order ${order}: ${status} ${text}`);
    await setTimeout(retryMs);
    return this.#place(order, turn + 1);
  }
}
