import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { connect, type Database, lastMigration, migrateSchema, type Queryable } from "../../database/connect.ts";
import type { SandboxServerParts } from "../services/scope.ts";
import { completeState, liveInOwnTime } from "./own-time.ts";

const connections = 4;
const defaultMaxBytes = 500_000_000;
/** How long a copy waits for statements of other servers before it ends their sessions. */
const quietAfterMs = 5_000;
const pollMs = 50;
/** PostgreSQL's code for a database that accepts no connections. */
const notAccepting = "55000";

/** The PostgreSQL server on which each sandbox has a database of its own. */
export class SandboxServer {
  readonly #parts: SandboxServerParts;
  #template: Promise<string> | null = null;

  constructor(parts: SandboxServerParts) {
    this.#parts = parts;
  }

  /** A sandbox with a larger database takes no changes. */
  get maxBytes(): number {
    return this.#parts.maxBytes ?? defaultMaxBytes;
  }

  /** The name of the database of a sandbox. */
  nameOf(id: string): string {
    return `${this.#parts.prefix}${id.toLowerCase()}`;
  }

  /** Makes the template of this release, if there is none, so that the first sandbox need not wait for it. */
  prepare(): Promise<string> {
    this.#template ??= this.#makeTemplate().catch((error) => {
      this.#template = null;
      throw error;
    });
    return this.#template;
  }

  /** Creates a database from the template: with the schema and a time of its own, but without rows. */
  async create(name: string): Promise<void> {
    const template = await this.prepare();
    await this.#asAdmin(async (db) => {
      await lockDatabase(db, template);
      await this.#createDatabase(db, name, template);
    });
  }

  /** Copies a database. Ends the sessions that other servers have on it; they connect again after the copy. */
  async copy(from: string, to: string): Promise<void> {
    await this.#asAdmin(async (db) => {
      await lockDatabase(db, from);
      // A database with a connection cannot be copied.
      await allowConnections(db, from, false);
      try {
        await endSessions(db, from);
        await this.#createDatabase(db, to, from);
      } finally {
        await allowConnections(db, from, true);
      }
    });
  }

  async drop(name: string): Promise<void> {
    await this.#asAdmin((db) => sql`drop database if exists ${sql.id(name)} with (force)`.execute(db));
  }

  /** Connects, and brings the schema up to date. */
  async open(name: string): Promise<Database> {
    const database = await this.#connectOnceCopied(name);
    try {
      const { applied } = await migrateSchema(database);
      if (applied.length > 0) await liveInOwnTime(database.query);
      await completeState(database.query);
      return database;
    } catch (error) {
      await database.close(0);
      throw error;
    }
  }

  /** The time in a database that is not open. */
  async timeOf(name: string): Promise<Date> {
    const database = await this.#connectOnceCopied(name);
    try {
      const { rows } = await sql<{ now: Date }>`select sandbox.now() as now`.execute(database.query);
      return rows[0]?.now as Date;
    } finally {
      await database.close();
    }
  }

  /** The bytes of a database. */
  async sizeOf(name: string): Promise<number> {
    return this.#asAdmin(async (db) => {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(oid)::float8 as bytes from pg_database where datname = ${name}`.execute(db);
      return rows[0]?.bytes ?? 0;
    });
  }

  /** Waits for a running copy. If a crash interrupted a copy, allows connections to the database again. */
  async #connectOnceCopied(name: string): Promise<Database> {
    const database = this.#connect(name);
    try {
      await sql`select`.execute(database.query);
      return database;
    } catch (error) {
      await database.close(0);
      if ((error as { code?: unknown }).code !== notAccepting) throw error;
      await this.#asAdmin(async (db) => {
        await lockDatabase(db, name);
        await allowConnections(db, name, true);
      });
      return this.#connect(name);
    }
  }

  #connect = (name: string): Database =>
    connect(this.#parts.addressOf(name), { max: connections, applicationName: "beatmarket-sandbox" });

  async #asAdmin<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    const server = connect(this.#parts.admin, { max: 1, applicationName: "beatmarket-sandboxes" });
    try {
      return await work(server.query);
    } finally {
      await server.close();
    }
  }

  /** The first process that needs the template of this release makes it. */
  async #makeTemplate(): Promise<string> {
    const name = `${this.#parts.prefix}template_${lastMigration}`;
    const draft = `${name}_draft`;
    await this.#asAdmin(async (db) => {
      await lockDatabase(db, draft);
      const { rows } = await sql`select from pg_database where datname = ${name}`.execute(db);
      if (rows.length > 0) return;
      await sql`drop database if exists ${sql.id(draft)} with (force)`.execute(db);
      await this.#createDatabase(db, draft, "template0");
      const database = this.#connect(draft);
      try {
        await migrateSchema(database);
        await liveInOwnTime(database.query);
      } finally {
        await database.close();
      }
      await sql`alter database ${sql.id(draft)} rename to ${sql.id(name)}`.execute(db);
    });
    return name;
  }

  async #createDatabase(db: Queryable, name: string, template: string): Promise<void> {
    const { owner } = this.#parts;
    // Only the embedded server has an owner here. Its default locale is UTF-8, and sorts like C.UTF-8.
    const needsLocale = template === "template0" && owner === null;
    const locale = needsLocale ? sql` encoding 'UTF8' locale_provider libc locale 'C.UTF-8'` : sql``;
    const ofOwner = owner === null ? sql`` : sql` owner ${sql.id(owner)}`;
    await sql`create database ${sql.id(name)} template ${sql.id(template)}${locale}${ofOwner}`.execute(db);
    // If the machine crashes, a sandbox may lose its last commits, but stays consistent.
    await sql`alter database ${sql.id(name)} set synchronous_commit = off`.execute(db);
    // Its statements are many and short: planning them again takes longer than running them.
    await sql`alter database ${sql.id(name)} set plan_cache_mode = force_generic_plan`.execute(db);
  }
}

/** Holds the lock until the session ends. Without it, two concurrent copies of one database would fail. */
const lockDatabase = (db: Queryable, name: string) => sql`select pg_advisory_lock(hashtext(${name}))`.execute(db);

const allowConnections = (db: Queryable, name: string, isAllowed: boolean) =>
  sql`alter database ${sql.id(name)} allow_connections ${sql.lit(isAllowed)}`.execute(db);

/** Ends the sessions on a database once their statements have ended, and all of them after some seconds. */
async function endSessions(db: Queryable, name: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left, count(pg_terminate_backend(pid)) filter (
        where state = 'idle' or ${waitedMs >= quietAfterMs}::boolean) as ended
      from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`.execute(db);
    if (rows[0]?.left === 0 || waitedMs >= 2 * quietAfterMs) return;
    await sleep(pollMs);
  }
}
