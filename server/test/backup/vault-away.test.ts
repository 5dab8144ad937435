import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval as every } from "node:timers/promises";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import type { EmbeddedServer } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { maxSpooledSegments, spoolDir } from "@beatmarket/postgres/embedded/postgres/archive-command.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { programEnv, startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { readAll } from "@beatmarket/storage/whole.ts";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { backupCommand } from "../../src/commands/backup/backup.ts";
import { connect } from "../../src/database/connect.ts";
import { openDatabase } from "../../src/database/open.ts";
import { runHere } from "../harness/command.ts";
import { mountSmallDisk } from "../processes/small-disk.ts";
import { FaultyBucket } from "./faulty-bucket.ts";

const main = join(import.meta.dirname, "../../src/main.ts");
const metricsToken = "of the collector";

type Env = Record<string, string>;

/** The service on a separate database, with a vault to which it writes the first base backup. */
class Service {
  readonly folder: string;
  readonly #env: Env;
  readonly #origin: string;
  readonly #program: ReturnType<typeof startProgram>;

  private constructor(folder: string, env: Env, port: number) {
    this.folder = folder;
    this.#env = { DATA_DIR: join(folder, "data"), ...env };
    this.#origin = `http://127.0.0.1:${port}`;
    this.#program = startProgram(process.execPath, [main, "serve", "--json"], {
      env: {
        ...programEnv,
        ...this.#env,
        PORT: String(port),
        PUBLIC_URL: "http://localhost",
        TLS: "off",
        DEMO: "off",
        LOG_LEVEL: "info",
        METRICS_TOKEN: metricsToken,
      },
    });
  }

  static async start(env: Env): Promise<Service> {
    const folder = await mkdtemp(join(tmpdir(), "beatmarket-vault-away-"));
    await chmod(folder, 0o755); // Clusters run as PostgreSQL's account, which must enter this folder.
    // PostgreSQL may write until it has ended, so removal is retried.
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 200 }));
    const service = new Service(folder, env, await freePort());
    await service.#program.nextLine();
    return service;
  }

  get database() {
    return openDatabase({ databaseUrl: undefined, dataDir: join(this.folder, "data") }, { log: () => {} });
  }

  backup(args: readonly string[], env: Env = {}) {
    return runHere(backupCommand, ["backup", ...args], { ...this.#env, ...env });
  }

  async backups(): Promise<{ id: string; reaches_to: string }[]> {
    const { out } = await this.backup(["list", "--json"]);
    return out === "" ? [] : JSON.parse(out).backups;
  }

  /** The value of `beatmarket_backup_<name>`; NaN if it is absent. */
  async metric(name: string): Promise<number> {
    const { body } = await this.#get("/metrics");
    return Number(new RegExp(`^beatmarket_backup_${name} (.+)$`, "m").exec(body)?.[1] ?? Number.NaN);
  }

  /** The status of a request that needs the database. */
  async status(): Promise<number> {
    return (await this.#get("/readyz")).status;
  }

  /** Each request uses a new connection. */
  #get(path: string): Promise<{ status: number; body: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
    const headers = { authorization: `Bearer ${metricsToken}` };
    get(`${this.#origin}${path}`, { headers, agent: false }, async (response) => {
      const body = (await readAll(response)).toString();
      resolve({ status: response.statusCode ?? 0, body });
    }).on("error", reject);
    return promise;
  }

  /** Whether the log reports that the vault has everything that was waiting. */
  hasContinued(): boolean {
    return (
      this.countLogLines(/backups continue: the waiting files are in the vault/) === this.countLogLines(/backups wait/)
    );
  }

  /** The number of log lines that match. */
  countLogLines(pattern: RegExp): number {
    const lines = this.#program.stderr().split("\n");
    return lines.filter((line) => pattern.test(line)).length;
  }
}

/** Commits a genre, finishes the segment of the write-ahead log, and waits until it is archived or dropped. */
async function write(service: Service, genre: string): Promise<void> {
  const database = await service.database;
  const admin = connect((database.embedded as EmbeddedServer).addressFor(superuser), { max: 1 });
  try {
    await sql`insert into genres (name, slug) values (${genre}, ${genre})`.execute(database.query);
    const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(admin.query);
    const isArchivedQuery = sql`select from pg_stat_archiver where last_archived_wal >= ${rows[0]?.name}`;
    await until(async () => (await isArchivedQuery.execute(admin.query)).rows.length > 0);
  } finally {
    await admin.close();
    await database.close();
  }
}

interface Fault {
  name: string;
  fail(): Promise<void> | void;
  repair(): Promise<void> | void;
  /** The logged cause and remedy. */
  logged: RegExp;
}

/**
 * Makes the vault fail during the archiving of the log and a base backup, then repairs it. Returns the genres that were
 * inserted in that time.
 */
async function play(service: Service, { name, fail, repair, logged }: Fault): Promise<string[]> {
  await until(async () => service.hasContinued() && (await service.metric("spooled_segments")) === 0);
  const before = { failures: await service.metric("failures_total"), warnings: service.countLogLines(/backups wait/) };
  await fail();
  const genres = [`${name} 1`, `${name} 2`];
  for (const genre of genres) await write(service, genre);
  // Waits for several attempts. Only the first is logged.
  await until(
    async () =>
      (await service.metric("failures_total")) >= before.failures + 2 &&
      (await service.metric("spooled_segments")) >= genres.length,
  );
  expect(service.countLogLines(/backups wait/)).toBe(before.warnings + 1);
  expect(service.countLogLines(logged)).toBeGreaterThan(0);
  expect(await service.backup(["create"])).toMatchObject({ status: 1, errors: expect.stringMatching(logged) });
  expect(await service.status()).toBe(200);

  await repair();
  await until(async () => (await service.metric("spooled_segments")) === 0);
  await until(() => service.hasContinued());
  expect((await service.backup(["verify"])).out).toMatch(/^All is well: 1 backup,/);
  expect(await service.backups()).toMatchObject([{ reaches_to: "now" }]);
  return genres;
}

/** Checks that the vault contains all inserted genres. */
async function expectRestored(service: Service, genres: readonly string[]): Promise<void> {
  const dataDir = join(service.folder, "restored");
  expect(await service.backup(["restore"], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
  const restoredDatabase = await openDatabase({ databaseUrl: undefined, dataDir }, { log: () => {} });
  const { rows } = await sql<{ name: string }>`select name from genres`.execute(restoredDatabase.query);
  await restoredDatabase.close();
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...genres]));
}

test("no data is lost while a bucket is deleted, denied or unreachable; the cause is logged once", async () => {
  const bucket = await FaultyBucket.open();
  onTestFinished(() => bucket.close());
  const startedMs = Date.now();
  const service = await Service.start(bucket.env);
  await until(async () => (await service.metric("base_age_seconds")) >= 0);
  const faults: Fault[] = [
    {
      name: "deleted",
      fail: () => bucket.remove(),
      repair: () => bucket.putBack(),
      logged: /there is no bucket beats; create it, or correct BACKUP_VAULT/,
    },
    {
      name: "denied",
      fail: () => bucket.deny(),
      repair: () => bucket.allow(),
      logged: /the credentials lack a right; allow s3:PutObject/,
    },
    {
      name: "refused",
      fail: () => bucket.refuse(),
      repair: () => bucket.accept(),
      logged: /nothing listens at its endpoint; check that it is running, and the port/,
    },
  ];
  const insertedGenres: string[] = [];
  for (const fault of faults) insertedGenres.push(...(await play(service, fault)));
  const baseAgeSeconds = await service.metric("base_age_seconds");
  expect(baseAgeSeconds).toBeLessThanOrEqual((Date.now() - startedMs) / 1_000);
  await until(async () => (await service.metric("archived_age_seconds")) < 60);
  await expectRestored(service, insertedGenres);
});

test("a full disk of the vault stops only the backup, even if the disk fills during a backup", async (context) => {
  const disk = await mkdtemp(join(tmpdir(), "beatmarket-vault-disk-"));
  if (!mountSmallDisk(disk, 64)) return context.skip("only root may mount a small disk");
  onTestFinished(async () => {
    execFileSync("umount", ["--lazy", disk]);
    await rm(disk, { recursive: true });
  });
  const vault = join(disk, "vault");
  const drafts = join(vault, "drafts");
  const filler = join(disk, "filler");
  const fill = async (leave: number) => {
    const { bavail, bsize } = await statfs(disk);
    await appendFile(filler, Buffer.alloc(Math.max(bavail * bsize - leave, 0))).catch(() => {});
  };
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  /** The space of a deleted draft becomes free only when the last reader closes the file. */
  const keepFull = async () => {
    for await (const _ of every(50, null, { signal: ending.signal })) await fill(0);
  };
  let filling: Promise<void> | undefined;
  const fail = async () => {
    await fill(0);
    filling = keepFull().catch(() => {});
  };
  const repair = async () => {
    ending.abort();
    await filling;
    await rm(filler);
  };
  const service = await Service.start({ BACKUP_VAULT: vault });
  await until(() => service.countLogLines(/made a base backup/) === 1);

  // A second base backup has little new data, but its manifest alone needs more space than this.
  await fill(30_000);
  const logged = /its disk is full; make room/;
  expect(await service.backup(["create"])).toMatchObject({ status: 1, errors: expect.stringMatching(logged) });
  expect(await readdir(drafts)).toEqual([]);
  await rm(filler);
  const insertedGenres = await play(service, { name: "full", fail, repair, logged });
  expect(await readdir(drafts)).toEqual([]);
  await expectRestored(service, insertedGenres);
});

test("a vault that is unreachable for longer than the spool suffices is reported, and a base backup then ends the gap", async () => {
  const bucket = await FaultyBucket.open();
  onTestFinished(() => bucket.close());
  const service = await Service.start(bucket.env);
  await until(() => service.countLogLines(/made a base backup/) === 1);
  await bucket.refuse();
  const database = await service.database;
  const spool = join((database.embedded as EmbeddedServer).dir, spoolDir);
  await database.close();
  const waiting = Array.from({ length: maxSpooledSegments }, (_, index) =>
    join(spool, `FFFFFFFF${String(index).padStart(16, "0")}`),
  );
  await mkdir(spool, { recursive: true });
  for (const file of waiting) await writeFile(file, "");
  await until(async () => (await service.metric("spooled_segments")) >= maxSpooledSegments);
  await until(() => service.countLogLines(/wait for the vault, and further ones are dropped/) === 1);
  await write(service, "dropped");
  expect(await service.status()).toBe(200);

  for (const file of waiting) await rm(file);
  await bucket.accept();
  await write(service, "behind the gap");
  await until(() => service.countLogLines(/the archived log has a gap .*; making a new base backup/) === 1);
  await until(async () => (await service.backups()).length === 2);
  expect((await service.backups()).map(({ reaches_to }) => reaches_to)).toEqual(["gap", "now"]);
  await until(() => service.countLogLines(/made a base backup/) === 2);
  expect(service.countLogLines(/wait for the vault, and further ones are dropped/)).toBe(1);
  await expectRestored(service, ["dropped", "behind the gap"]);
});
