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
  ...(isRoot ? [{ name: "root" as const, mode: 0o755, situation: "root in a folder that everyone may enter" }] : []),
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

  const orphanedClusters: string[] = [];
  afterAll(() => {
    for (const cluster of orphanedClusters) rmSync(cluster, { recursive: true, force: true });
  });

  /** Removes the data folder. A cluster outside of it remains, and is removed at the end. */
  function removeDataDir(): void {
    orphanedClusters.push(clusterDir());
    rmSync(dataDir, { recursive: true });
  }

  const clusterDir = () => realpathSync(join(dataDir, "postgres"));
  const serverPid = () => Number(readFileSync(join(clusterDir(), "postmaster.pid"), "utf8").split("\n")[0]);

  function startOpener(options: { detached?: boolean } = {}): Opener {
    const main = join(account.repository, "packages/postgres/testing/opener.main.ts");
    const program = startProgram(account.node, [main, "open", dataDir], {
      ...account.ids,
      ...options,
      cwd: "/",
      env: account.env,
    });
    return new Opener(program, clusterDir);
  }

  test("creates the data folder and unprivileged roles, keeps its data there, and leaves no process", async () => {
    const first = startOpener();
    expect(await first.opened()).toMatchObject({ opened: true });
    await first.query("create table notes (text text)");
    await first.query("insert into notes values ('a note')");
    expect(await first.query("show data_directory")).toEqual([{ data_directory: clusterDir() }]);
    expect(statSync(clusterDir()).mode & 0o777).toBe(0o700);
    await first.close();
    expect(serverProcesses(clusterDir())).toEqual([]);

    const second = startOpener();
    expect(await second.opened()).toEqual({ opened: true, log: [] });
    expect(await second.query("select text from notes")).toEqual([{ text: "a note" }]);
    // The next start changes the owner of a table that an earlier release created as superuser.
    expect(
      await second.query(
        "select rolname as owner, rolsuper or rolcreaterole or rolcreatedb as privileged from pg_tables join pg_roles on rolname = tableowner where tablename = 'notes'",
      ),
    ).toEqual([{ owner: "beatmarket_owner", privileged: false }]);
    expect(
      await second.query(
        "select count(*) from pg_roles where rolname like 'beatmarket\\_%' and not (rolsuper or rolcreaterole or rolcreatedb or rolreplication)",
      ),
    ).toEqual([{ count: 2 }]);
    await second.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("listens on a socket that only its owner can reach, and on nothing else", async () => {
    const opener = startOpener();
    await opener.opened();
    const [settings] = await opener.query(
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as folder,
              current_setting('unix_socket_permissions') as mode`,
    );
    expect(settings).toEqual({ addresses: "", folder: expect.stringContaining(clusterDir()), mode: "0700" });
    await opener.close();
  });

  // The other tests do not depend on the folder's mode.
  if (mode === 0o755) return;

  test("continues after the process that started it was killed, and is adopted by the next process, which stops it", async () => {
    const first = startOpener();
    await first.opened();
    await first.query("insert into notes values ('before the kill')");
    const pid = serverPid();
    await first.kill();

    const second = startOpener();
    await second.opened();
    expect(serverPid()).toBe(pid);
    expect(await second.query("select count(*) from notes where text = 'before the kill'")).toEqual([{ count: 1 }]);
    await second.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("recovers after a kill of the server, although another process has its process id now", async () => {
    const first = startOpener();
    await first.opened();
    await first.query("insert into notes values ('before the crash')");
    process.kill(serverPid(), "SIGKILL");
    await first.kill();
    await until(() => serverProcesses(clusterDir()).length === 0);
    const pidFile = join(clusterDir(), "postmaster.pid");
    const bystander = startProgram("sleep", ["60"], { ...account.ids, cwd: "/" });
    writeFileSync(pidFile, readFileSync(pidFile, "utf8").replace(/^\d+/, String(bystander.pid)));

    const second = startOpener();
    await second.opened();
    expect(await second.query("select count(*) from notes where text = 'before the crash'")).toEqual([{ count: 1 }]);
    await second.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is started again after it stopped unexpectedly, and its processes find it on the same socket", async () => {
    const openers = [startOpener(), startOpener()];
    for (const opener of openers) await opener.opened();
    await openers[0]?.query("create table survived (who text)");
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      const pid = serverPid();
      process.kill(pid, signal);
      for (const opener of openers) {
        await opener.waitForLog("PostgreSQL is running again.");
        await opener.query(`insert into survived values ('${signal}')`);
      }
      expect(serverPid()).not.toBe(pid);
    }
    expect(await openers[1]?.query("select count(*) from survived")).toEqual([{ count: 4 }]);
    for (const opener of openers) await opener.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is one server for all processes that open the folder, until the last one closes it", async () => {
    const openers = [startOpener(), startOpener(), startOpener()];
    for (const opener of openers) await opener.opened();
    const startTimes = await Promise.all(
      openers.map(async (opener) => (await opener.query("select pg_postmaster_start_time() as start"))[0]),
    );
    expect(new Set(startTimes.map((row) => JSON.stringify(row))).size).toBe(1);

    const [last, ...others] = openers;
    await Promise.all(others.map((opener) => opener.close()));
    expect(await last?.query("select 1 as still_there")).toEqual([{ still_there: 1 }]);
    await last?.close();
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("continues after the Ctrl-C that ends the process which started it", async () => {
    const first = startOpener({ detached: true }); // a separate process group, as for a command in a terminal
    await first.opened();
    const pid = serverPid();
    process.kill(-first.pid, "SIGINT");
    await first.ended;

    const second = startOpener();
    await second.opened();
    expect(serverPid()).toBe(pid);
    await second.close();
  });

  test("is a new, empty server after the data folder was removed, even while the old server is running", async () => {
    const old = startOpener();
    await old.opened();
    const oldCluster = clusterDir();
    const oldPid = serverPid();
    removeDataDir();

    const fresh = startOpener();
    await fresh.opened();
    expect(serverPid()).not.toBe(oldPid);
    expect(await fresh.query("select to_regclass('notes') as notes")).toEqual([{ notes: null }]);
    await old.close();
    expect(serverProcesses(oldCluster).filter((pid) => pid === oldPid)).toEqual([]);

    const second = startOpener();
    await second.opened();
    expect(await second.query("select 1 as reachable")).toEqual([{ reachable: 1 }]);
    await Promise.all([fresh.close(), second.close()]);
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is created once by processes that open an empty folder at the same time", async () => {
    removeDataDir();
    const openers = [startOpener(), startOpener(), startOpener()];
    const logs = [];
    for (const opener of openers) logs.push(...(await opener.opened()).log);
    expect(logs.filter((line) => line.startsWith("Creating the database"))).toHaveLength(1);
    await openers[0]?.query("create table shared (number int)");
    for (const opener of openers) expect(await opener.query("select * from shared")).toEqual([]);
    await Promise.all(openers.map((opener) => opener.close()));
    expect(serverProcesses(clusterDir())).toEqual([]);
  });

  test("is created from the beginning after the process that was creating it was killed", async () => {
    removeDataDir();
    const first = startOpener();
    expect(await first.nextLog()).toMatch(/^Creating the database in /);
    const drafts = () => readdirSync(dataDir).filter((file) => file.startsWith("postgres.new-"));
    const [draft = ""] = drafts();
    await until(() => existsSync(join(dataDir, draft, "PG_VERSION")));
    await first.kill();

    const second = startOpener();
    expect(await second.opened()).toMatchObject({ opened: true });
    expect(await second.query("select count(*) from pg_tables where schemaname = 'public'")).toEqual([{ count: 0 }]);
    await second.close();
    expect(drafts()).toEqual([]);
  });

  test("starts on the empty pid file that a power cut can leave", async () => {
    writeFileSync(join(clusterDir(), "postmaster.pid"), "");
    const opener = startOpener();
    expect(await opener.opened()).toMatchObject({ opened: true });
    await opener.close();
  });

  test("refuses a cluster of another major version of PostgreSQL, with the remedy", async () => {
    writeFileSync(join(clusterDir(), "PG_VERSION"), "17\n");
    const opener = startOpener();
    expect((await opener.opened()).error).toMatch(
      /^OperatorError: The database in \S+ was made by PostgreSQL 17; this program brings 18\. Stop .*, then run: DATA_DIR='\S+' npx beatmarket upgrade$/,
    );
    writeFileSync(join(clusterDir(), "PG_VERSION"), "18\n");
  });

  if (mode === 0o700 && name === "root")
    test("is outside of the data folder, which links to it, and is refused if the link has no target", async () => {
      const link = readlinkSync(join(dataDir, "postgres"));
      expect(link).toMatch(/^\/var\/lib\/beatmarket\/[0-9a-f]{16}$/);
      rmSync(link, { recursive: true });
      const opener = startOpener();
      expect((await opener.opened()).error).toBe(
        `OperatorError: The database of DATA_DIR ${dataDir} was in ${link}, which is gone. Restore that folder, or remove ${join(dataDir, "postgres")} to start with an empty database.`,
      );
    });
});

test("a data folder with a path too long for a socket has its socket in /tmp while it runs", async () => {
  const { ids, node, repository, env } = await testAccount("an ordinary user");
  const dataDir = join(await temporaryFolder("an ordinary user"), "data", "long".repeat(25));
  const main = join(repository, "packages/postgres/testing/opener.main.ts");
  const program = startProgram(node, [main, "open", dataDir], { ...ids, cwd: "/", env });
  const opener = new Opener(program, () => join(dataDir, "postgres"));
  await opener.opened();
  const [row] = await opener.query("select trim(both '\"' from current_setting('unix_socket_directories')) as folder");
  const folder = String(row?.folder);
  expect(folder).toMatch(/^\/tmp\/beatmarket-\w{6}$/);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await opener.close();
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

/** A process that opens the database (testing/opener.main.ts), controlled by its standard input and output. */
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

  /** Waits for the result of the opening. Returns it with the log lines before it. */
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
  async nextLog(): Promise<string> {
    return JSON.parse(await this.#program.nextLine()).log;
  }

  /** Waits for this line of the log. */
  async waitForLog(line: string): Promise<void> {
    while ((await this.nextLog()) !== line);
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    this.#program.child.stdin?.write(`${sql.replaceAll("\n", " ")}\n`);
    return JSON.parse(await this.#program.nextLine());
  }

  async close(): Promise<void> {
    this.#program.child.stdin?.end();
    expect(await this.ended).toEqual({ code: 0, signal: null, stderr: "" });
  }

  async kill(): Promise<void> {
    this.#program.child.kill("SIGKILL");
    await this.ended;
  }
}
