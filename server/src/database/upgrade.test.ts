import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimDataDir } from "@beatmarket/postgres/embedded/claim.ts";
import { dataDirLock } from "@beatmarket/postgres/embedded/data-dir.ts";
import { openEmbedded } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { upgradeEmbedded } from "@beatmarket/postgres/embedded/upgrade/upgrade.ts";
import { programEnv, serverProcesses, startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { askOldCluster, makeOldDataDir } from "../../test/harness/database/old-cluster.ts";
import { upgradeCommand } from "../commands/upgrade.ts";
import { connect, lastMigration, migrations } from "./connect.ts";
import { grantService, openDatabase } from "./open.ts";

const main = join(import.meta.dirname, "../main.ts");
let folder = "";
let template = "";
let dataDir = "";
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-upgrade-"));
  await chmod(folder, 0o755);
  template = join(folder, "template");
  await makeOldDataDir(template);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  dataDir = join(folder, `data-${count++}`);
  execFileSync("cp", ["-a", template, dataDir]);
});

const upgrade = (...args: string[]) => runHere(upgradeCommand, ["upgrade", ...args], { DATA_DIR: dataDir });
const clusters = () =>
  readdirSync(dataDir)
    .filter((name) => /^postgres(\.|$)/.test(name))
    .sort();
const counts = "select (select count(*) from beats) as beats, (select count(*) from users) as users";

/** Queries the upgraded database as its superuser. */
async function ask(statement: string): Promise<unknown[]> {
  const server = await openEmbedded(dataDir, () => {});
  const database = connect(server.addressFor("beatmarket"), { max: 1 });
  try {
    return (await sql.raw(statement).execute(database.query)).rows;
  } finally {
    await database.close();
    await server.close();
  }
}

describe("an upgrade", () => {
  test("keeps rows, sequences, roles, grants and settings, and the old database until it is discarded", async () => {
    const sequences =
      "select string_agg(format('%s %s', sequencename, last_value), ',' order by sequencename) as values from pg_sequences";
    const [before] = await askOldCluster(
      dataDir,
      "create role reporter login password 'secret' connection limit 3",
      "grant pg_monitor to reporter",
      'alter role reporter in database beatmarket set search_path to public, "Other"',
      "alter database beatmarket set work_mem to '7MB'",
      "alter system set log_min_duration_statement to '9s'",
      "grant select (id, username) on users to reporter",
      "grant select on beats to reporter with grant option",
      "delete from beats where id = (select max(id) from beats)",
      counts,
    );
    const [sequencesBefore] = await askOldCluster(dataDir, sequences);

    const result = await upgrade("--json");
    expect(result.errors).toContain("Starting PostgreSQL 17");
    expect(result.status).toBe(0);
    const previous = join(dataDir, "postgres.previous");
    const copied = { tables: expect.any(Number), rows: expect.any(Number), sequences: expect.any(Number) };
    expect(JSON.parse(result.out)).toEqual({ from: 17, to: 18, copied, previous });
    expect(JSON.parse(result.out).copied.tables).toBeGreaterThan(40);

    expect(await ask("select current_setting('server_version_num')::int / 10000 as major")).toEqual([{ major: 18 }]);
    expect(await ask(counts)).toEqual([before]);
    expect(await ask(sequences)).toEqual([sequencesBefore]);
    expect(
      await ask(`select rolconnlimit, rolpassword ~ '^SCRAM' as has_password, pg_has_role(oid, 'pg_monitor', 'member') as monitors,
        has_table_privilege(oid, 'beats', 'select with grant option') as grants,
        has_table_privilege(oid, 'users', 'select') as all_of_users,
        has_column_privilege(oid, 'users', 'username', 'select') as names_of_users
        from pg_authid where rolname = 'reporter'`),
    ).toEqual([
      { rolconnlimit: 3, has_password: true, monitors: true, grants: true, all_of_users: false, names_of_users: true },
    ]);
    expect(await ask("select unnest(setconfig) as setting from pg_db_role_setting order by 1")).toEqual(
      ["gin_pending_list_limit=512", "log_min_messages=log", 'search_path=public, "Other"', "work_mem=7MB"].map(
        (setting) => ({ setting }),
      ),
    );
    expect(await ask("select current_setting('log_min_duration_statement') as value")).toEqual([{ value: "9s" }]);
    // The triggers are active again: they add the change of a beat to the stream.
    const streamed = "select count(*) as changes from catalogue_changes";
    const [{ changes }] = (await ask(streamed)) as [{ changes: number }];
    await ask("update beats set title = title || ' II' where id = (select min(id) from beats where is_listed)");
    expect(await ask(streamed)).toEqual([{ changes: changes + 1 }]);

    const again = await upgrade();
    expect(again).toMatchObject({ status: 0, out: expect.stringContaining("already uses PostgreSQL 18.\nThe old") });
    expect(clusters()).toEqual(["postgres", "postgres.previous"]);
    const outcome = await upgrade("--discard-old");
    expect(outcome).toMatchObject({
      status: 1,
      errors: expect.stringContaining("Remove it? Add --yes; nothing was changed."),
    });
    expect(await upgrade("--discard-old", "--yes", "--json")).toMatchObject({ out: `{"discarded":"${previous}"}\n` });
    expect(clusters()).toEqual(["postgres"]);
    for (const confirmed of [["--yes"], []])
      expect((await upgrade("--discard-old", ...confirmed)).errors).toBe(
        `error: DATA_DIR ${dataDir} keeps no old database: there is no ${previous}.\n`,
      );
  });

  test("starts again and says so after a kill at any moment, and loses nothing", async () => {
    const next = join(dataDir, "postgres.next");
    const databases = () => (existsSync(join(next, "base")) ? readdirSync(join(next, "base")).length : 0);
    const moments: [string, () => boolean][] = [
      ["while the old server starts", () => existsSync(join(dataDir, "postgres/postmaster.pid"))],
      ["while the new cluster is made", () => readdirSync(dataDir).some((name) => name.startsWith("postgres.new-"))],
      ["when it is made", () => existsSync(next)],
      ["while its server starts", () => existsSync(join(next, "postmaster.pid"))],
      ["while it is filled", () => databases() > 3],
    ];
    for (const [moment, isThen] of moments) {
      const killed = startProgram(process.execPath, [main, "upgrade"], {
        cwd: "/",
        env: { ...programEnv, DATA_DIR: dataDir },
      });
      await until(isThen);
      killed.child.kill("SIGKILL");
      expect((await killed.ended).signal, moment).toBe("SIGKILL");
      expect(
        clusters().filter((name) => name !== "postgres.next"),
        moment,
      ).toContain("postgres");
      expect(existsSync(join(dataDir, "postgres.previous")), moment).toBe(false);
    }
    const result = await upgrade();
    expect(result.errors).toContain("An earlier upgrade was cut short; nothing of the old database was lost");
    expect(result.out).toContain("Upgraded from PostgreSQL 17 to 18");
    expect(clusters()).toEqual(["postgres", "postgres.previous"]);
    for (const name of clusters()) expect(serverProcesses(realpathSync(join(dataDir, name)))).toEqual([]);

    // The folders as a kill between the two renames of the switch leaves them.
    renameSync(join(dataDir, "postgres"), next);
    expect(await ask("select current_setting('server_version_num')::int / 10000 as major")).toEqual([{ major: 18 }]);
    renameSync(join(dataDir, "postgres"), next);
    expect((await upgrade()).out).toContain("already uses PostgreSQL 18");
    expect(clusters()).toEqual(["postgres", "postgres.previous"]);
  });

  test("leaves the old database unchanged if it is stopped in the middle", async () => {
    const stop = new AbortController();
    const stopped = upgradeEmbedded(dataDir, {
      schema: { migrations, lastMigration, grant: grantService },
      signal: stop.signal,
      log: () => {},
      onProgress: () => stop.abort(),
    });
    await expect(stopped).rejects.toThrow("Stopped before the end; the old database is as it was.");
    expect(clusters()).toEqual(["postgres"]);
    expect(serverProcesses(realpathSync(join(dataDir, "postgres")))).toEqual([]);
  });
});

describe("an upgrade is refused", () => {
  const expectRefusal = async (message: string | RegExp) => {
    const { status, errors, out } = await upgrade();
    expect(errors).toEqual(expect.stringMatching(message));
    expect({ status, out, clusters: clusters() }).toEqual({ status: 1, out: "", clusters: ["postgres"] });
  };

  test("while a server or a command uses the data folder", async () => {
    const claim = await claimDataDir(dataDir);
    await expectRefusal(
      `Another server \\(process ${process.pid}\\) already runs on DATA_DIR ${dataDir}. Stop it, upgrade`,
    );
    await claim.release();
    const openers = dataDirLock(dataDir, "openers");
    openers.tryShared();
    await expectRefusal(`Another process uses the database of DATA_DIR ${dataDir}, such as a worker or a command`);
    openers.close();
  });

  test("for the database of DATABASE_URL, and for a folder without a database", async () => {
    const env = { DATA_DIR: dataDir, DATABASE_URL: "postgres://localhost/x" };
    expect((await runHere(upgradeCommand, ["upgrade"], env)).errors).toContain(
      "DATABASE_URL names a PostgreSQL of your own",
    );
    dataDir = join(folder, "empty");
    expect((await upgrade()).errors).toContain(`DATA_DIR ${dataDir} has no database.`);
  });

  test("if the disk is too small", async () => {
    const tried = upgradeEmbedded(dataDir, {
      schema: { migrations, lastMigration, grant: grantService },
      signal: new AbortController().signal,
      log: () => {},
      onProgress: () => {},
      freeBytes: async () => 300 * 1024 * 1024,
    });
    await expect(tried).rejects.toThrow(
      /needs 4\d\d MB in addition to the old database, and \S+ has 300 MB free. Free some space/,
    );
    expect(clusters()).toEqual(["postgres"]);
  });

  test("from a major version other than the previous one", async () => {
    const version = join(dataDir, "postgres/PG_VERSION");
    writeFileSync(version, "16\n");
    await expectRefusal(
      "made by PostgreSQL 16; this program upgrades from 17 to 18 only. Upgrade with the releases between",
    );
    writeFileSync(version, "19\n");
    await expectRefusal("made by PostgreSQL 19; this program brings 18. Run the release that made it, or a later one");
  });

  test("if the copy would differ from the database, and the error names the difference", async () => {
    await askOldCluster(dataDir, "create table notes (text text)", "create index by_hand on beats (tempo, title)");
    await expectRefusal(
      "has objects that no migration made: column notes.text text; index by_hand; table notes. Start the previous release, drop them, .*\\nThe old database is as it was",
    );
    const missingIndex = "create index users_producers_newest on users (created_at, id) where is_producer";
    await askOldCluster(dataDir, "drop table notes", "drop index by_hand", "drop index users_producers_newest");
    await expectRefusal(
      "lacks objects that its migrations made: index users_producers_newest. Start the previous release, create them again, .*",
    );
    await askOldCluster(dataDir, missingIndex, "create database other");
    await expectRefusal(
      "has databases that are not the service's: other. Start the previous release, move them elsewhere",
    );
    const future = "insert into schema_migrations (number, name, sha256) values (9999, '9999_later.sql', 'x')";
    await askOldCluster(dataDir, "drop database other", future);
    await expectRefusal(
      "has migration 9999, but this program knows no migration after \\d+. Upgrade with the release that",
    );
  });

  test("while the old database of an earlier upgrade is still kept", async () => {
    execFileSync("cp", ["-a", join(dataDir, "postgres"), join(dataDir, "postgres.previous")]);
    const { errors } = await upgrade();
    expect(errors).toContain("The database of an earlier upgrade is still kept in");
    expect(clusters()).toEqual(["postgres", "postgres.previous"]);
  });
});

test("opening a database of the previous major version is an error that names the command to run", async () => {
  await expect(openDatabase({ dataDir, databaseUrl: undefined }, { log: () => {} })).rejects.toThrow(
    `was made by PostgreSQL 17; this program brings 18. Stop what uses this DATA_DIR, then run: DATA_DIR='${dataDir}' npx beatmarket upgrade`,
  );
});
