import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { BackupDatabase } from "../tables.ts";
import type { Source } from "./identity.ts";
import type { Vault, VaultClaim } from "./vault.ts";

const lock = sql`hashtext('beatmarket:vault')`;

/**
 * Claims the vault for a database, and records the vault's place and id in the database. If a recorded place is empty,
 * its disk is not mounted or its bucket was replaced; only with `mayBegin`, a new vault begins there. Throws an
 * OperatorError or VaultUnavailable.
 */
export const claimVault = (
  db: Queryable,
  vault: Vault,
  source: Source,
  { mayBegin }: { mayBegin: boolean },
): Promise<VaultClaim> =>
  db.connection().execute(async (connection: BackupDatabase) => {
    await sql`select pg_advisory_lock(${lock})`.execute(connection);
    try {
      // `place` does not contain the host name, because the host name of a container changes at each start.
      const { place } = vault;
      const identity = await connection
        .selectFrom("backup_vaults")
        .select("id")
        .where("place", "=", place)
        .executeTakeFirst();
      const claimed = await vault.claim(source, { mayBegin: mayBegin || identity === undefined });
      if (identity?.id !== claimed.id)
        await connection
          .insertInto("backup_vaults")
          .values({ place, id: claimed.id })
          .onConflict((conflict) =>
            conflict.column("place").doUpdateSet({ id: claimed.id, claimed_at: sql<Date>`now()` }),
          )
          .execute();
      return claimed;
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(connection).catch(() => {});
    }
  });
