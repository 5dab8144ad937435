import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountNames, type TestAccount, temporaryFolder, testAccount } from "../../testing/accounts.ts";
import { type RunningProgram, serverProcesses, startProgram, until } from "../../testing/processes.ts";

const isRoot = process.getuid?.() === 0;

const situations = [
  ...accountNames.map((name) => ({ name, mode: 0o700, situation: `${name} in a folder of mode 0700` })),
  ...(isRoot ? [{ name: "root" as const, mode: 0o755, situation: "root in a folder that all may enter" }] : []),
];

describe.each(situations)("the embedded server for $situation", ({ name, mode }) => {
  let account: TestAccount;
  let dataDir: string;
  beforeAll(async () => {
    account = await testAccount(name);
    const folder = await temporaryFolder(name);
    chmodSync(folder, mode);
    dataDir = join(folder, "data");
  });

  const abandoned: string[] = [];
  afterAll(() => {
    for (const cluster of abandoned) rmSync(cluster, { recursive: true, force: true });
  });

  /** The cluster of a data folder that only root can enter outlives it, elsewhere. */
  function removeDataDir(): void {
    abandoned.push(clusterDir());
    rmSync(dataDir, { recursive: true });
  }

  const clusterDir = () => realpathSync(join(dataDir, "postgres"));
  const serverPid = () => Number(readFileSync(join(clusterDir(), "postmaster.pid"), "utf8").split("\n")[0]);

  function opener(options: { detached?: boolean } = {}): Opener {
    const main = join(account.repository, "packages/postgres/testing/opener.main.ts");
    const program = startProgram(account.node, [main, "open", dataDir], {
      ...account.ids,
      ...options,
      cwd: "/",
      env: account.env,
    });
    return new Opener(program, clusterDir);
  }

  test("starts on nothing, keeps its data in the cluster of the data folder, and leaves no process", async () => {
    const first = opener();
    expect(await first.opened()).toMatchObject({ opened: true });
    await first.query("create table notes (text text)");
    await first.query("insert into notes values ('kept')");
    expect(await first.query("show data_directory")).toEqual([{ data_directory: clusterDir() }]);
    expect(statSync(clusterDir()).mode & 0o777).toBe(0o700);
    await first.close();
    expect(serverProcesses(clusterDir())).toEqual([]);

    const second = opener();
    expect(await second.opened()).toEqual({ opened: true, log: [] });
    expect(await second.query("select text from notes")).toEqual([{ text: "kept" }]);
    // What an earlier release made as superuser is the owner's at the next start.
    expect(
      await second.query(
        "select rolname as owner, rolsuper or rolcreaterole or rolcreatedb as mighty from pg_tables join pg_roles on rolname = tableowner where tablename = 'notes'",
      ),
    ).toEqual([{ owner: "beatmarket_owner", mighty: false }]);
    expect(
      await second.query(
        "select count(*) from pg_roles where rolname like 'beatmarket\\_%' and not (rolsuper or rolcreaterole or rolcreatedb or rolreplication)",
      ),
    ).toEqual([{ count: 2 }]);
    await second.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("listens on a socket that only its owner can reach, and on nothing else", async () => {
    const one = opener();
    await one.opened();
    const [settings] = await one.query(
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as folder,
              current_setting('unix_socket_permissions') as mode`,
    );
    expect(settings).toEqual({ addresses: "", folder: expect.stringContaining(clusterDir()), mode: "0700" });
    await one.close();
  });

  // What follows does not depend on the mode of the folder.
  if (mode === 0o755) return;

  test("outlives an opener that is killed, and is taken on by the next, which stops it", async () => {
    const first = opener();
    await first.opened();
    await first.query("insert into notes values ('before the kill')");
    const pid = serverPid();
    await first.kill();

    const second = opener();
    await second.opened();
    expect(serverPid()).toBe(pid);
    expect(await second.query("select count(*) from notes where text = 'before the kill'")).toEqual([{ count: 1 }]);
    await second.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("recovers when it was killed itself, though another process has its number now", async () => {
    const first = opener();
    await first.opened();
    await first.query("insert into notes values ('before the crash')");
    process.kill(serverPid(), "SIGKILL");
    await first.kill();
    await until(() => serverProcesses(clusterDir()).length === 0);
    const pidFile = join(clusterDir(), "postmaster.pid");
    const bystander = startProgram("sleep", ["60"], { ...account.ids, cwd: "/" });
    writeFileSync(pidFile, readFileSync(pidFile, "utf8").replace(/^\d+/, String(bystander.pid)));

    const second = opener();
    await second.opened();
    expect(await second.query("select count(*) from notes where text = 'before the crash'")).toEqual([{ count: 1 }]);
    await second.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is started again when it ends by itself, and those who have it open find it where it was", async () => {
    const openers = [opener(), opener()];
    for (const one of openers) await one.opened();
    await openers[0]?.query("create table survived (who text)");
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      const pid = serverPid();
      process.kill(pid, signal);
      for (const one of openers) {
        await one.logs("PostgreSQL runs again.");
        await one.query(`insert into survived values ('${signal}')`);
      }
      expect(serverPid()).not.toBe(pid);
    }
    expect(await openers[1]?.query("select count(*) from survived")).toEqual([{ count: 4 }]);
    for (const one of openers) await one.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is one server for all who open the folder, until the last has closed it", async () => {
    const openers = [opener(), opener(), opener()];
    for (const one of openers) await one.opened();
    const pids = await Promise.all(
      openers.map(async (one) => (await one.query("select pg_postmaster_start_time() as started"))[0]),
    );
    expect(new Set(pids.map((row) => JSON.stringify(row))).size).toBe(1);

    const [last, ...others] = openers;
    await Promise.all(others.map((one) => one.close()));
    expect(await last?.query("select 1 as still_there")).toEqual([{ still_there: 1 }]);
    await last?.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("does not hear the Ctrl-C that ends who started it", async () => {
    const first = opener({ detached: true }); // a process group of its own, as a terminal gives to a command
    await first.opened();
    const pid = serverPid();
    process.kill(-first.pid, "SIGINT");
    await first.ended;

    const second = opener();
    await second.opened();
    expect(serverPid()).toBe(pid);
    await second.close();
  });

  test("is empty and apart when the data folder was removed, even under a server that still runs", async () => {
    const old = opener();
    await old.opened();
    const oldCluster = clusterDir();
    const oldPid = serverPid();
    removeDataDir();

    const anew = opener();
    await anew.opened();
    expect(serverPid()).not.toBe(oldPid);
    expect(await anew.query("select to_regclass('notes') as notes")).toEqual([{ notes: null }]);
    await old.close();
    expect(serverProcesses(oldCluster).filter((pid) => pid === oldPid)).toEqual([]);

    const beside = opener();
    await beside.opened();
    expect(await beside.query("select 1 as reachable")).toEqual([{ reachable: 1 }]);
    await Promise.all([anew.close(), beside.close()]);
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is made once by openers that come to an empty folder at the same time", async () => {
    removeDataDir();
    const openers = [opener(), opener(), opener()];
    const logs = [];
    for (const one of openers) logs.push(...(await one.opened()).log);
    expect(logs.filter((line) => line.startsWith("Creating the database"))).toHaveLength(1);
    await openers[0]?.query("create table seen (by_all int)");
    for (const one of openers) expect(await one.query("select * from seen")).toEqual([]);
    await Promise.all(openers.map((one) => one.close()));
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is made from the start when who was making it is killed", async () => {
    removeDataDir();
    const killed = opener();
    expect(await killed.logged()).toMatch(/^Creating the database in /);
    const unfinished = () => readdirSync(dataDir).filter((file) => file.startsWith("postgres.new-"));
    const [begun = ""] = unfinished();
    await until(() => existsSync(join(dataDir, begun, "PG_VERSION")));
    await killed.kill();

    const one = opener();
    expect(await one.opened()).toMatchObject({ opened: true });
    expect(await one.query("select count(*) from pg_tables where schemaname = 'public'")).toEqual([{ count: 0 }]);
    await one.close();
    expect(unfinished()).toEqual([]);
  });

  test("starts on the empty pid file that a power cut can leave", async () => {
    writeFileSync(join(clusterDir(), "postmaster.pid"), "");
    const one = opener();
    expect(await one.opened()).toMatchObject({ opened: true });
    await one.close();
  });

  test("is refused in words when another major version of PostgreSQL made the cluster", async () => {
    writeFileSync(join(clusterDir(), "PG_VERSION"), "17\n");
    const one = opener();
    expect((await one.opened()).error).toMatch(
      /^OperatorError: The database in \S+ was made by PostgreSQL 17; this program brings 18\. Stop .*, then run: DATA_DIR='\S+' npx beatmarket upgrade$/,
    );
    writeFileSync(join(clusterDir(), "PG_VERSION"), "18\n");
  });

  if (mode === 0o700 && name === "root")
    test("stands elsewhere, by a link in the data folder, and is missed when it is gone", async () => {
      const link = readlinkSync(join(dataDir, "postgres"));
      expect(link).toMatch(/^\/var\/lib\/beatmarket\/[0-9a-f]{16}$/);
      rmSync(link, { recursive: true });
      const one = opener();
      expect((await one.opened()).error).toBe(
        `OperatorError: The database of DATA_DIR ${dataDir} was in ${link}, which is gone. Restore that folder, or remove ${join(dataDir, "postgres")} to start with an empty database.`,
      );
    });
});

test("a data folder with a path too long for a socket works, and leaves nothing in /tmp", async () => {
  const { ids, node, repository, env } = await testAccount("an ordinary user");
  const dataDir = join(await temporaryFolder("an ordinary user"), "data", "long".repeat(25));
  const main = join(repository, "packages/postgres/testing/opener.main.ts");
  const program = startProgram(node, [main, "open", dataDir], { ...ids, cwd: "/", env });
  const one = new Opener(program, () => join(dataDir, "postgres"));
  await one.opened();
  const [row] = await one.query("select trim(both '\"' from current_setting('unix_socket_directories')) as folder");
  const folder = String(row?.folder);
  expect(folder).toMatch(/^\/tmp\/beatmarket-\w{6}$/);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await one.close();
  expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  expect(serverProcesses(join(dataDir, "postgres"))).toEqual([]);
});

test("a data folder that cannot be written is refused with its name", async () => {
  const { ids, node, repository, env } = await testAccount("an ordinary user");
  const folder = await temporaryFolder("an ordinary user");
  chmodSync(folder, 0o500);
  const dataDir = join(folder, "data");
  const main = join(repository, "packages/postgres/testing/opener.main.ts");
  const program = startProgram(node, [main, "open", dataDir], { ...ids, cwd: "/", env });
  expect(JSON.parse(await program.nextLine()).error).toMatch(
    `OperatorError: DATA_DIR ${dataDir} cannot be written (EACCES: permission denied`,
  );
  chmodSync(folder, 0o700);
});

/** A process that has the database open, driven by lines. */
class Opener {
  readonly #program: RunningProgram;
  readonly #clusterDir: () => string;
  readonly ended: RunningProgram["ended"];
  readonly pid: number;

  constructor(program: RunningProgram, clusterDir: () => string) {
    this.#program = program;
    this.#clusterDir = clusterDir;
    this.ended = program.ended;
    this.pid = program.pid;
  }

  /** How opening went, and what was logged meanwhile. */
  async opened(): Promise<{ opened?: true; error?: string; log: string[] }> {
    const log = [];
    while (true) {
      const line = JSON.parse(await this.#program.nextLine());
      if (line.log !== undefined) {
        log.push(line.log);
        continue;
      }
      if (line.opened) expect(serverProcesses(this.#clusterDir())).not.toEqual([]);
      return { ...line, log };
    }
  }

  /** Waits for the next line of the log. */
  async logged(): Promise<string> {
    return JSON.parse(await this.#program.nextLine()).log;
  }

  /** Waits for that line of the log. */
  async logs(line: string): Promise<void> {
    while ((await this.logged()) !== line);
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    this.#program.child.stdin?.write(`${sql.replaceAll("\n", " ")}\n`);
    return JSON.parse(await this.#program.nextLine());
  }

  async close(): Promise<void> {
    this.#program.child.stdin?.end();
    expect(await this.ended).toEqual({ code: 0, signal: null, errors: "" });
  }

  async kill(): Promise<void> {
    this.#program.child.kill("SIGKILL");
    await this.ended;
  }
}
