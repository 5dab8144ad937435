import { chmod, mkdir } from "node:fs/promises";
import { sql } from "kysely";
import { connect } from "../../../src/database/connection/connect.ts";
import { addressOf, admits, type Role } from "../../../src/database/embedded/admission.ts";
import { type Cluster, createEmptyCluster, findCluster, stage } from "../../../src/database/embedded/cluster.ts";
import { prepareDataDir } from "../../../src/database/embedded/data-dir.ts";
import type { EmbeddedServer } from "../../../src/database/embedded/open-embedded.ts";
import { chooseAccount } from "../../../src/database/embedded/postgres/account.ts";
import { superuser } from "../../../src/database/embedded/postgres/initdb.ts";
import {
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from "../../../src/database/embedded/postgres/postmaster.ts";
import { findPreviousPackage } from "../../../src/database/embedded/postgres/programs.ts";
import { ownerRole, serviceRole } from "../../../src/database/embedded/roles.ts";
import { grantService } from "../../../src/database/grants.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { ensureDemo } from "../../../src/demo/seed.ts";
import { FakeClock } from "../fake-clock.ts";

/** Makes a data folder as a release on the PostgreSQL before leaves it: migrated, and with the demo catalogue. */
export async function makeOldDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // PostgreSQL's own account, when this runs as root, has to pass.
  await chmod(dataDir, 0o755);
  await prepareDataDir(dataDir);
  const account = await chooseAccount(dataDir, undefined);
  const cluster = await createEmptyCluster(dataDir, "postgres", await findPreviousPackage(), account, () => {});
  await onCluster(cluster, async (server) => {
    const as = (role: Role) => connect(addressOf(server, role), { max: 2 });
    const [owner, service] = [as(ownerRole), as(serviceRole)];
    await migrate(owner);
    await grantService(owner.query, serviceRole);
    await ensureDemo(service, { dataDir, clock: new FakeClock(), log: () => {} });
    await Promise.all([owner.close(), service.close()]);
  });
}

/** Runs statements on the database that a release before has left, as its superuser, and returns the rows of the last. */
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

/** Runs the server of the database that a release before has left, as that release would. */
export async function withOldCluster<Result>(
  dataDir: string,
  use: (embedded: Pick<EmbeddedServer, "dir" | "addressFor">) => Promise<Result>,
): Promise<Result> {
  const dir = (await findCluster(dataDir)) as string;
  const account = await chooseAccount(dataDir, dir);
  const cluster = { dir, account, programsDir: await stage(await findPreviousPackage(), dir) };
  return onCluster(cluster, (server) => use({ dir, addressFor: (role) => addressOf(server, role) }));
}

async function onCluster<Result>(cluster: Cluster, use: (server: Postmaster) => Promise<Result>): Promise<Result> {
  const server = await startPostmaster(cluster, () => {});
  try {
    while (!(await admits(server)));
    return await use(server);
  } finally {
    await stopPostmaster(server, cluster.dir);
  }
}
