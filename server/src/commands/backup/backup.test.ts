import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "../../../test/harness/command.ts";
import { testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { type S3Server, startS3Server } from "../../../test/processes/s3-server.ts";
import { readConfig } from "../../config.ts";
import { connect } from "../../database/connection/connect.ts";
import { markRestore } from "../../database/embedded/restore-marker.ts";
import { type OpenedDatabase, openDatabase } from "../../database/open.ts";
import { openObjects } from "../../storage/open-storage.ts";
import { objectKey } from "../../storage/storage.ts";
import type { StoredObjects } from "../../storage/stored-objects.ts";
import { keysCommand } from "../keys.ts";
import { backupCommand } from "./backup.ts";

const key = "a key of the operator's, long enough for it";
const quiet = { log: () => {} };
let folder = "";
let dataDir = "";
let database: OpenedDatabase;
let objects: StoredObjects;
let s3: S3Server;
let names = 0;

beforeAll(async () => {
  s3 = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), "beatmarket-backup-"));
  await chmod(folder, 0o755); // PostgreSQL's account passes to the clusters in it
  dataDir = join(folder, "data");
  database = await openDatabase({ databaseUrl: undefined, dataDir }, quiet);
  await database.migrate();
  objects = await openObjects(database.query, readConfig({ DATA_DIR: dataDir }));
  await writeFile(join(dataDir, "secret-key"), "the key that seals secrets");
}, 120_000);
afterAll(async () => {
  await database.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

type Env = Record<string, string>;
const fresh = (what: string): string => join(folder, `${what}-${names++}`);

const backup = (args: readonly string[], env: Env) =>
  runHere(backupCommand, ["backup", ...args], { DATA_DIR: dataDir, ...env });
async function backupJson<T>(args: readonly string[], env: Env): Promise<T> {
  const { out, errors, status } = await backup([...args, "--json"], env);
  expect(status, errors).toBe(0);
  return JSON.parse(out) as T;
}
const makeGenre = (name: string) =>
  sql`insert into genres (name, slug) values (${name}, ${name})`.execute(database.query);
async function store(content: string): Promise<string> {
  await writeFile(join(folder, "file"), content);
  return (await objects.store(join(folder, "file"))).sha256;
}
async function genresOf(folderOfData: string): Promise<string[]> {
  const restored = await openDatabase({ databaseUrl: undefined, dataDir: folderOfData }, quiet);
  try {
    const { rows } = await sql<{ name: string }>`select name from genres order by name`.execute(restored.query);
    return rows.map(({ name }) => name);
  } finally {
    await restored.close();
  }
}
/** A moment between the commits before and after it, by whole milliseconds, which is what a Date and `--at` hold. */
async function now(): Promise<Date> {
  const pause = () => sql`select pg_sleep(0.002)`.execute(database.query);
  await pause();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.query);
  await pause();
  return rows[0]?.now as Date;
}

/** For each key, a vault with one backup, which is made once. */
const prepared = new Map<string | undefined, Promise<string>>();
async function prepareVault(env: Env): Promise<string> {
  const vault = fresh("vault");
  await backupJson(["create"], { BACKUP_VAULT: vault, ...env });
  return vault;
}

/** A vault in a folder, with one backup. */
async function vaultWithBackup(env: Env = {}): Promise<{ vault: string; env: Env }> {
  const original = prepared.get(env.BACKUP_KEY) ?? prepareVault(env);
  prepared.set(env.BACKUP_KEY, original);
  const vault = fresh("vault");
  await cp(await original, vault, { recursive: true });
  return { vault, env: { BACKUP_VAULT: vault, ...env } };
}
async function damage(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}
const packOf = async (vault: string): Promise<string> => {
  const [id = ""] = await readdir(join(vault, "backups"));
  return `backups/${id}/data-000000`;
};

describe.each([
  ["a folder", () => ({ BACKUP_VAULT: fresh("vault") })],
  ["an encrypted folder", () => ({ BACKUP_VAULT: fresh("vault"), BACKUP_KEY: key })],
  [
    "an encrypted bucket",
    () => ({ BACKUP_VAULT: s3.storageUrl(`vault-${names++}`), BACKUP_KEY: key, ...s3.credentials }),
  ],
])("%s", (_, vaultEnv) => {
  test("brings back the newest moment and any before, with the files of that moment", {
    timeout: 180_000,
  }, async () => {
    const env: Env = vaultEnv();
    await backupJson(["create"], env);
    const [early, late] = [`Early ${names}`, `Late ${names}`];
    const sha256 = await store(`of ${early}`);
    await makeGenre(early);
    const between = await now();
    await makeGenre(late);
    await backupJson(["create"], env);

    const newest = fresh("restored");
    const told = await backupJson<{ files: string[]; missing_files: string[] }>(["restore"], {
      ...env,
      DATA_DIR: newest,
    });
    expect(told.missing_files).toEqual([]);
    expect(told.files).toEqual(env.BACKUP_KEY === undefined ? [] : ["secret-key"]);
    expect(await readFile(join(newest, "objects", objectKey(sha256)), "utf8")).toBe(`of ${early}`);
    expect(await genresOf(newest)).toEqual(expect.arrayContaining([early, late]));

    const past = fresh("restored");
    await backupJson(["restore", "--at", between.toISOString()], { ...env, DATA_DIR: past });
    const genres = await genresOf(past);
    expect(genres).toContain(early);
    expect(genres).not.toContain(late);

    expect((await backup(["verify"], env)).out).toMatch(/^All is well: 2 backups, /);
    const listed = await backupJson<{ backups: { reaches_to: string }[]; is_encrypted: boolean }>(["list"], env);
    expect(listed.backups.map(({ reaches_to }) => reaches_to)).toEqual(["now", "now"]);
    expect(listed.is_encrypted).toBe(env.BACKUP_KEY !== undefined);
  });
});

describe("a vault", () => {
  test("that is not named, not there, or in DATA_DIR is refused with what to do", async () => {
    for (const command of ["create", "list", "verify", "prune", "restore"])
      expect((await backup([command], {})).errors).toBe(
        "error: No vault is named. Set BACKUP_VAULT to a folder or a bucket, or add --vault.\n",
      );
    for (const command of ["list", "verify", "prune", "restore"])
      expect(await backup([command, "--vault", join(folder, "nowhere")], {})).toMatchObject({
        status: 1,
        errors: expect.stringMatching(/There is no vault in the folder .*nowhere\. .* beatmarket backup create\./),
      });
    expect((await backup(["create", "--vault", join(dataDir, "vault")], {})).errors).toMatch(
      /is in DATA_DIR .* lost with it/,
    );
  });

  test("out of reach, without a bucket, or with wrong credentials is named with the remedy", async () => {
    const cases: [Env, RegExp][] = [
      [{ BACKUP_VAULT: "s3://beats?endpoint=http://127.0.0.1:1&region=us-east-1&path_style=true" }, /nothing listens/],
      [
        { BACKUP_VAULT: s3.storageUrl().replace("//beats", "//another") },
        /no bucket another; create it, or correct BACKUP_VAULT/,
      ],
      [{ BACKUP_VAULT: s3.storageUrl(), AWS_SECRET_ACCESS_KEY: "wrong" }, /correct AWS_SECRET_ACCESS_KEY/],
    ];
    for (const [env, message] of cases)
      for (const command of ["create", "list"])
        expect(await backup([command], { ...s3.credentials, ...env })).toMatchObject({
          status: 1,
          errors: expect.stringMatching(message),
        });
  });

  test("with another key, or without one, is not read and not written", { timeout: 60_000 }, async () => {
    const { env } = await vaultWithBackup({ BACKUP_KEY: key });
    for (const wrong of [{ BACKUP_VAULT: env.BACKUP_VAULT as string }, { ...env, BACKUP_KEY: key.toUpperCase() }])
      for (const command of ["create", "list", "verify", "prune", "restore"])
        expect(
          (await backup([command], { ...wrong, DATA_DIR: command === "restore" ? fresh("restored") : dataDir })).errors,
        ).toMatch(
          /is encrypted with the key [0-9a-f]{16}, and BACKUP_KEY is (not set|the key [0-9a-f]{16})\. Set BACKUP_KEY to that key/,
        );
    const plain = await vaultWithBackup();
    expect((await backup(["list"], { ...plain.env, BACKUP_KEY: key })).errors).toMatch(
      /is not encrypted, and BACKUP_KEY is set/,
    );
  });

  test("of another database is not written", { timeout: 60_000 }, async () => {
    const { vault, env } = await vaultWithBackup();
    const file = join(vault, "vault.json");
    await writeFile(file, (await readFile(file, "utf8")).replace(/"id":"\d+"/, '"id":"1"'));
    expect((await backup(["create"], env)).errors).toMatch(
      /holds the backups of another database \(cluster 1, this is cluster \d+\)/,
    );
  });
});

test("a damaged, missing or exchanged file is named, and nothing is restored from it", {
  timeout: 120_000,
}, async () => {
  for (const settings of [{}, { BACKUP_KEY: key }] as Env[]) {
    const { vault, env } = await vaultWithBackup(settings);
    const pack = await packOf(vault);
    await damage(join(vault, pack));
    const segments = (await readdir(join(vault, "wal"))).filter((name) => /^[0-9A-F]{24}$/.test(name));
    const segment = segments.sort().at(-1) ?? "";
    await rename(join(vault, "wal", segment), join(vault, "wal", `${segment.slice(0, 20)}0FFF`));
    const { out, status } = await backup(["verify"], env);
    expect(status).toBe(1);
    expect(out).toMatch(new RegExp(`${pack} +block \\d+ `));
    expect(out).toMatch(new RegExp(`wal/${segment} +it is missing`));
    expect(out).toMatch(/wal\/.*0FFF +block 0 /);
    const target = fresh("restored");
    const restored = await backup(["restore"], { ...env, DATA_DIR: target });
    expect(restored.errors).toMatch(new RegExp(`${pack} in the vault is damaged: block \\d+ .* Nothing was restored`));
    expect(
      (await readdir(target)).filter((name) => name.startsWith("postgres") && !name.startsWith("postgresql-")),
    ).toEqual([]);
  }
});

test("a damaged file of a producer is reported, and the rest restored", { timeout: 120_000 }, async () => {
  const sha256 = await store("soon damaged");
  const { vault, env } = await vaultWithBackup();
  await backupJson(["create"], env);
  await damage(join(vault, "objects", objectKey(sha256)));
  expect((await backup(["verify"], env)).out).toMatch(new RegExp(`objects/${objectKey(sha256)} +block 0 `));
  const target = fresh("restored");
  const { out, status } = await backup(["restore"], { ...env, DATA_DIR: target });
  expect(status).toBe(1);
  expect(out).toMatch(new RegExp(`1 are missing in the vault, too: ${sha256}`));
  expect(await genresOf(target)).toBeDefined();
});

describe("a restore", () => {
  test("of a moment before the first backup, or behind the archive, says which moments there are", async () => {
    const { env } = await vaultWithBackup();
    const ask = (at: string) => backup(["restore", "--at", at], { ...env, DATA_DIR: fresh("restored") });
    expect((await ask("2020-01-01T00:00:00Z")).errors).toMatch(
      /is before the first backup .* Moments from .* to .* can be restored/,
    );
    expect((await ask("2090-01-01T00:00:00Z")).errors).toMatch(/is after the last that was archived .* leave out --at/);
    expect((await ask("yesterday")).errors).toMatch(/It takes a time such as/);
  });

  test("writes over nothing", async () => {
    const { env } = await vaultWithBackup();
    expect((await backup(["restore"], env)).errors).toMatch(/is not empty, and a restore writes over nothing/);
  });

  test("that did not end keeps every command off, and is begun anew", { timeout: 120_000 }, async () => {
    const { env } = await vaultWithBackup();
    const target = fresh("restored");
    await mkdir(join(target, "postgres.new-12345678"), { recursive: true });
    await markRestore(target, "the vault");
    const refused = await runHere(keysCommand, ["keys", "list"], { DATA_DIR: target });
    expect(refused.errors).toMatch(
      /holds a restore from the vault that did not end\. Run beatmarket backup restore again/,
    );
    await backupJson(["restore"], { ...env, DATA_DIR: target });
    expect((await readdir(target)).sort()).toEqual(expect.arrayContaining(["objects", "postgres"]));
    expect(await readdir(target)).not.toContain("restore-unfinished.json");
    expect(await genresOf(target)).toBeDefined();
  });
});

test("prune keeps what the last days need, and deletes the rest with its log and files", {
  timeout: 120_000,
}, async () => {
  const gone = await store("deleted soon");
  const env = { BACKUP_VAULT: await prepareVault({}) };
  await sql`delete from stored_objects where sha256 = ${gone}`.execute(database.query);
  const kept = await store("kept");
  await backupJson(["create"], env);
  expect(await backupJson(["prune"], env)).toMatchObject({ backups: [], objects: 0 });
  const before = (await readdir(join(env.BACKUP_VAULT, "wal"))).length;
  const pruned = await backupJson<{ backups: string[]; segments: number; objects: number }>(
    ["prune", "--keep", "0"],
    env,
  );
  expect(pruned.backups).toHaveLength(1);
  expect(pruned.segments).toBeGreaterThan(0);
  expect(pruned.objects).toBe(1);
  expect((await readdir(join(env.BACKUP_VAULT, "wal"))).length).toBe(before - pruned.segments);
  expect((await backup(["verify"], env)).out).toMatch(/^All is well: 1 backups/);
  const target = fresh("restored");
  await backupJson(["restore"], { ...env, DATA_DIR: target });
  expect(await readFile(join(target, "objects", objectKey(kept)), "utf8")).toBe("kept");
});

test("an external database: its files are kept and restored, and the command says that the rest is not", {
  timeout: 60_000,
}, async () => {
  const url = await testDatabaseUrl();
  const storage = fresh("storage");
  const env = { DATABASE_URL: url, STORAGE_URL: `file://${storage}`, BACKUP_VAULT: fresh("vault") };
  const external = connect({ url });
  try {
    const theirs = await openObjects(external.query, readConfig(env));
    await writeFile(join(folder, "file"), "theirs");
    const { sha256 } = await theirs.store(join(folder, "file"));
    expect((await backup(["create"], env)).out).toMatch(
      /the database of DATABASE_URL is not in it: .* 1 files of producers/,
    );
    await rm(storage, { recursive: true });
    expect((await backup(["restore", "--at", "2026-01-01"], env)).errors).toMatch(
      /--at is up to the tools that restore that database/,
    );
    expect(await backupJson(["restore"], env)).toEqual({ copied_files: 1, missing_files: [] });
    expect(await readFile(join(storage, objectKey(sha256)), "utf8")).toBe("theirs");
  } finally {
    await external.close();
  }
});
