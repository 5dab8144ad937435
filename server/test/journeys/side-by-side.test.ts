import { cp, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMigrations } from "@beatmarket/postgres/migrate.ts";
import { programEnv, type RunningProgram, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { emptyDatabaseUrl, ownerUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { afterAll, expect, test } from "vitest";
import { permissions } from "../../src/access/roles.ts";
import { migrations } from "../../src/database/connect.ts";
import { createKey } from "../../src/resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../../src/resources/users/accounts.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";
import type { TestDatabase } from "../harness/database/driver.ts";

// Real processes on one database, as in a deployment.

const repository = join(import.meta.dirname, "../../..");
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-side-by-side-"));
  folders.push(folder);
  return folder;
}

/** Creates a copy of the program with additional migrations, which represents a later release. */
async function laterRelease(migrations: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const part of [
    "package.json",
    "server/package.json",
    "server/bin",
    "server/src",
    "database",
    "contract",
    "scripts",
  ])
    await cp(join(repository, part), join(folder, part), { recursive: true });
  // The server has other versions of some packages than the root.
  for (const modules of ["node_modules", "server/node_modules"])
    await symlink(join(repository, modules), join(folder, modules));
  for (const [name, sql] of Object.entries(migrations)) await writeFile(join(folder, "database/migrations", name), sql);
  return folder;
}

interface Instance {
  program: RunningProgram;
  origin: string;
}

const objectsFolder = await temporaryFolder();

async function startServing(release: string, url: string): Promise<RunningProgram> {
  const env = {
    ...programEnv,
    PORT: "0",
    PUBLIC_URL: "https://api.example.com",
    TLS: "off",
    DEMO: "off",
    PAYMENTS: "sandbox",
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl(url),
    SECRET_KEY: "a key that all instances have in common",
    DATA_DIR: await temporaryFolder(),
    STORAGE_URL: `file://${objectsFolder}${new URL(url).pathname}`,
    LOG_LEVEL: "info",
  };
  return startProgram(process.execPath, [join(release, "server/src/main.ts"), "serve", "--json"], { env });
}

async function serve(release: string, url: string): Promise<Instance> {
  const program = await startServing(release, url);
  await program.nextLine();
  await program.waitForStderr("listening on");
  const listening = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(program.stderr());
  return { program, origin: listening?.[1] ?? "" };
}

async function stop({ program }: Instance): Promise<void> {
  program.child.kill("SIGTERM");
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
}

/** A client that calls instances and expects every call to succeed. */
class Client {
  readonly id: number;
  calls = 0;
  readonly #key: string;
  readonly #beatIds: number[];

  constructor(id: number, key: string, beatIds: number[]) {
    this.id = id;
    this.#key = key;
    this.#beatIds = beatIds;
  }

  static async connect(database: TestDatabase): Promise<Client> {
    const titles = ["Dusk", "Dawn", "Noon"];
    const beatIds = await insertBeats(
      database,
      titles.map((title) => ({ title })),
    );
    const { id: userId } = await findOrCreateAccount(database.query, { email: "caller@example.com" });
    const newKey = { userId, name: "test", plan: "internal" as const, permissions, expiresAt: null };
    const { id, key } = await createKey(database.query, newKey, new Date());
    return new Client(id, key, beatIds);
  }

  /** Reads, writes and orders once. The number of the round makes the reads different. */
  async round(origin: string, round: number): Promise<void> {
    const beat_id = this.#beatIds[round % this.#beatIds.length];
    const { order } = await this.#call(origin, 201, "/orders", "POST", { beat_id, payment_method: "pm_card_visa" });
    expect((await this.#call(origin, 200, `/orders/${order.id}`)).order.status).toBe("completed");
    await this.#call(origin, 200, "/users/profile", "PUT", { bio: `Round ${round}` });
    expect((await this.#call(origin, 200, `/beats?limit=${1 + (round % 100)}`)).beats).not.toEqual([]);
    expect((await this.#call(origin, 200, `/beats/${beat_id}`)).beat.id).toBe(beat_id);
    expect((await this.#call(origin, 200, `/search?q=d&page=${1 + round}`)).pagination.total).toBeGreaterThan(0);
  }

  async #call(origin: string, status: number, path: string, method = "GET", body?: object) {
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        "x-forwarded-proto": "https",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.calls++;
    const text = await response.text();
    expect({ path, status: response.status, text }).toEqual({ path, status, text: expect.any(String) });
    return JSON.parse(text).data;
  }
}

const number = (value: number): string => String(value).padStart(4, "0");

test("instances that start together on an empty database apply each migration once, and all instances serve", async () => {
  const url = await emptyDatabaseUrl();
  const instances = await Promise.all(Array.from({ length: 5 }, () => serve(repository, url)));
  const { driver } = openTestDatabase(url);
  const applied = await driver<{ name: string }[]>`select name from schema_migrations order by number`;
  expect(applied.map(({ name }) => name)).toEqual((await readMigrations(migrations.dir)).map(({ name }) => name));
  for (const { origin } of instances)
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).json()).toEqual({ status: "ready" });
  await Promise.all(instances.map(stop));
});

test("a release serves while and after a later release adds a column to every table, and starts again", async () => {
  const url = await testDatabaseUrl();
  const database = openTestDatabase(url);
  const next = (await readMigrations(migrations.dir)).length + 1;
  const later = await laterRelease({
    [`${number(next)}_later.sql`]: `
      create table later (id bigint generated always as identity primary key);
      do $$ declare name text; begin
        for name in select tablename from pg_tables where schemaname = 'public' loop
          execute format('alter table %I add column later text not null default %L', name, 'later');
        end loop;
      end $$;`,
  });
  const client = await Client.connect(database);

  const old = await serve(repository, url);
  let rounds = 0;
  await client.round(old.origin, rounds++);
  let isStarting = true;
  const starting = serve(later, url).finally(() => {
    isStarting = false;
  });
  starting.catch(() => {});
  while (isStarting) await client.round(old.origin, rounds++);
  const instance = await starting;
  expect(await database.driver`select name from schema_migrations where number = ${next}`).toHaveLength(1);
  for (let repetition = 0; repetition < 5; repetition++)
    for (const { origin } of [old, instance]) await client.round(origin, rounds++);
  const restarted = await serve(repository, url);
  for (let repetition = 0; repetition < 3; repetition++)
    for (const { origin } of [old, instance, restarted]) await client.round(origin, rounds++);

  for (const program of [old, instance, restarted]) await stop(program);
  for (const { program } of [old, restarted]) expect(program.stderr()).not.toMatch(/"level":[56]0/);
  const logged = (await readLogEntries(database)).filter(({ apiKeyId }) => apiKeyId === client.id);
  expect(logged).toHaveLength(client.calls);
});

test("a release refuses, with a message, a database from which a later release removed a column it uses", async () => {
  const url = await testDatabaseUrl();
  const next = (await readMigrations(migrations.dir)).length + 1;
  const widened = { [`${number(next)}_later.sql`]: "create table later (id bigint)" };
  const narrowed = {
    [`${number(next + 1)}_less.sql`]: `-- contracts: needs ${number(next)}\nalter table beats drop tags`,
  };
  await stop(await serve(await laterRelease({ ...widened, ...narrowed }), url));
  const { code, stderr } = await (await startServing(repository, url)).ended;
  expect(code).toBe(1);
  expect(stderr).toContain(
    `error: The database has migration ${number(next + 1)}_less.sql, which took away what this version works with: it knows migrations up to number ${next - 1}, and number ${next} is needed. Run a newer version.`,
  );
  expect(await readdir(join(repository, "database/migrations"))).toHaveLength(next - 1);
});
