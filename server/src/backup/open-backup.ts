import { sql } from "kysely";
import type { PlaceSettings } from "../config.ts";
import { connect, type Queryable } from "../database/connection/connect.ts";
import { readSystemIdentifier } from "../database/embedded/cluster.ts";
import { superuser } from "../database/embedded/postgres/initdb.ts";
import type { OpenedDatabase } from "../database/open.ts";
import { OperatorError } from "../errors.ts";
import { openStorage } from "../storage/open-storage.ts";
import { isUnbroken, readCatalogue } from "./catalogue.ts";
import { ObjectCopier } from "./objects.ts";
import type { Source, Vault } from "./vault/vault.ts";
import { positionOf, timelineOf } from "./wal/segments.ts";
import { archiveTimeoutSeconds, Shipper } from "./wal/shipper.ts";
import { Spool } from "./wal/spool.ts";

export interface OpenedCluster {
  dir: string;
  spool: Spool;
  superuser: Queryable;
  shipper: Shipper;
}

export interface OpenedBackup {
  vault: Vault;
  copier: ObjectCopier;
  /** Null: an external database, of which only the objects are backed up. */
  cluster: OpenedCluster | null;
  close(): Promise<void>;
}

interface Parts {
  database: Pick<OpenedDatabase, "query" | "embedded">;
  storage: PlaceSettings;
  vault: Vault;
  onFault(sha256: string, why: string): void;
}

/**
 * Claims the vault for a database, and opens what copies into it. Throws an OperatorError when the vault is another
 * database's or has another key, and VaultUnavailable when it cannot be reached.
 */
export async function openBackup({ database, storage: place, vault, onFault }: Parts): Promise<OpenedBackup> {
  const { query: db, embedded } = database;
  await vault.claim(await sourceOf(database));
  const storage = await openStorage(place);
  const copier = new ObjectCopier({ db, storage, vault, onFault });
  if (embedded === null) return { vault, copier, cluster: null, close: async () => {} };
  const connection = connect(embedded.addressFor(superuser), { max: 2, applicationName: "beatmarket backup" });
  try {
    const spool = new Spool(embedded.dir);
    const catalogue = await readCatalogue(vault);
    const newest = [...catalogue.segments]
      .filter((name) => timelineOf(name) === catalogue.timeline)
      .reduce<string | null>(
        (last, name) => (last === null || positionOf(name) > positionOf(last) ? name : last),
        null,
      );
    const until = catalogue.archived === null ? null : new Date(catalogue.archived.until);
    const shipper = new Shipper({ vault, spool, superuser: connection.query, copier }, { last: newest, until });
    const base = catalogue.backups.findLast((backup) => backup.database !== null);
    shipper.isBroken = base !== undefined && !isUnbroken(catalogue, base);
    return {
      vault,
      copier,
      cluster: { dir: embedded.dir, spool, superuser: connection.query, shipper },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Has PostgreSQL archive its log into the spool from now on. Returns whether it did before. */
export async function startArchiving({ spool, superuser: db }: OpenedCluster): Promise<boolean> {
  const timeout = `${archiveTimeoutSeconds}s`;
  const { rows } = await sql`select where current_setting('archive_timeout') <> ${timeout}`.execute(db);
  if (rows.length > 0) {
    await sql`alter system set archive_timeout = ${sql.lit(timeout)}`.execute(db);
    await sql`select pg_reload_conf()`.execute(db);
  }
  return spool.enable();
}

/** Has PostgreSQL archive its log no more. */
export async function stopArchiving({ dir, addressFor }: NonNullable<OpenedDatabase["embedded"]>): Promise<void> {
  const spool = new Spool(dir);
  const connection = connect(addressFor(superuser), { max: 1, applicationName: "beatmarket backup" });
  try {
    const { rows } = await sql`select where current_setting('archive_timeout') <> '0'`.execute(connection.query);
    if (rows.length > 0) {
      await sql`alter system reset archive_timeout`.execute(connection.query);
      await sql`select pg_reload_conf()`.execute(connection.query);
    }
  } finally {
    await connection.close();
  }
  await spool.disable();
}

/** What a vault of this database belongs to. */
async function sourceOf({ query, embedded }: Parts["database"]): Promise<Source> {
  if (embedded !== null) {
    const identifier = await readSystemIdentifier(embedded.dir);
    if (identifier === undefined) throw new OperatorError(`The database in ${embedded.dir} is gone.`);
    return { kind: "cluster", id: String(identifier) };
  }
  const known = await query.selectFrom("storage_identity").select("id").executeTakeFirst();
  if (known === undefined)
    throw new OperatorError("This database has no storage yet. Start the service once, then make a backup.");
  return { kind: "storage", id: known.id };
}
