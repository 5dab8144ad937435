import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import type { Role } from "@beatmarket/postgres/embedded/readiness.ts";
import { ownerRole, serviceRole } from "@beatmarket/postgres/embedded/roles.ts";
import { sql } from "kysely";
import { connect, migrateSchema } from "../../../src/database/connect.ts";
import { grantService } from "../../../src/database/open.ts";
import { ensureDemo } from "../../../src/demo/seed.ts";
import { makeOldCluster, withOldCluster } from "../../../tools/old-cluster.ts";

/** Creates a data folder like that of a release on the previous PostgreSQL: migrated, with the demo catalogue. */
export async function makeOldDataDir(dataDir: string): Promise<void> {
  await makeOldCluster(dataDir);
  await withOldCluster(dataDir, async ({ addressFor }) => {
    const as = (role: Role) => connect(addressFor(role), { max: 2 });
    const [owner, service] = [as(ownerRole), as(serviceRole)];
    await migrateSchema(owner);
    await grantService(owner.query, serviceRole);
    await ensureDemo(service, { dataDir, clock: new FakeClock(), log: () => {} });
    await Promise.all([owner.close(), service.close()]);
  });
}

/** Runs statements as superuser on the database of an earlier release. Returns the rows of the last statement. */
export function askOldCluster(dataDir: string, ...statements: string[]): Promise<unknown[]> {
  return withOldCluster(dataDir, async ({ addressFor }) => {
    const database = connect(addressFor(superuser), { max: 1 });
    try {
      let rows: unknown[] = [];
      for (const statement of statements) ({ rows } = await sql.raw(statement).execute(database.query));
      return rows;
    } finally {
      await database.close();
    }
  });
}
